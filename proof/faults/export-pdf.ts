import { localDate, localTime } from '../../reference/export/dates.ts';
import { type ExportQuery, hasLists } from '../../reference/export/query.ts';
import { type ZoneOffset, zoneOffset } from '../../reference/export/zone.ts';
import type { AuditEvent } from '../../reference/records.ts';
import type { Handle } from '../../reference/reference.ts';
import type { ServiceResponse } from '../../reference/request.ts';
import type { ExportMoment } from '../../reference/rules/export.ts';
import type { Rules } from '../../reference/rules.ts';
import { listFilters } from '../../schemas/operations.ts';
import { type Fault, fault } from './fault.ts';

const complete = 'export.pdf-holds-the-events-of-the-csv';
const dates = 'export.timezone-formats-the-dates';

/** Changes the events of a PDF and leaves those of a CSV. */
const inPdf = (
  change: (events: readonly AuditEvent[]) => readonly AuditEvent[],
): Pick<Rules, 'exportedEvents'> => ({
  exportedEvents: (selected, { fileType }) => (fileType === 'pdf' ? change(selected) : selected),
});

/** Acts on another query where a PDF is asked for. */
const askedForPdf = (change: (query: ExportQuery) => ExportQuery): Pick<Rules, 'queryActedOn'> => ({
  queryActedOn: (query) => (query.fileType === 'pdf' ? change(query) : query),
});

/** Corrupts the bytes of a PDF on their way out; its length is that of the corrupt file. */
const corrupting =
  (corrupt: (file: Uint8Array) => Uint8Array) =>
  (handle: Handle): Handle => {
    return async (request) => {
      const response = await handle(request);
      return isPdf(response) ? withBody(response, corrupt(response.body)) : response;
    };
  };

function isPdf(response: ServiceResponse): response is ServiceResponse & { body: Uint8Array } {
  return response.status === 200 && response.body instanceof Uint8Array;
}

function withBody(response: ServiceResponse, body: Uint8Array): ServiceResponse {
  return {
    ...response,
    headers: { ...response.headers, 'content-length': `${body.length}` },
    body,
  };
}

const eventsLost: readonly Fault[] = [
  fault('export-pdf-leaves-out-what-looks-like-a-tag', [complete], {
    rules: { pdfText: (text) => text.replace(/<[^<>]*>/g, '') },
  }),
  fault('export-pdf-shows-character-references', [complete], {
    rules: { pdfText: (text) => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;') },
  }),
  fault('export-pdf-loses-its-last-page', [complete], {
    rules: { pdfPages: (pages) => (pages.length > 1 ? pages.slice(0, -1) : pages) },
  }),
  fault('export-pdf-loses-its-first-page', [complete], {
    rules: { pdfPages: (pages) => (pages.length > 1 ? pages.slice(1) : pages) },
  }),
  fault('export-pdf-loses-an-event-at-each-page-break', [complete], {
    rules: {
      pdfPages: (pages) =>
        pages.map((page, index) => (index < pages.length - 1 ? page.slice(0, -1) : page)),
    },
  }),
  fault('export-pdf-repeats-an-event-at-each-page-break', [complete], {
    rules: {
      pdfPages: (pages) =>
        pages.map((page, index) => [...(pages[index - 1]?.slice(-1) ?? []), ...page.slice(1)]),
    },
  }),
  fault('export-pdf-repeats-a-page', [complete], {
    rules: { pdfPages: (pages) => [...pages.slice(0, 1), ...pages] },
  }),
  fault('export-pdf-has-one-page-only', [complete], {
    rules: { pdfPages: (pages) => pages.slice(0, 1) },
  }),
  fault('export-pdf-draws-the-last-event-of-each-page-below-its-edge', [complete], {
    rules: {
      pdfPages: (pages) =>
        pages.map((page) =>
          page.map((block, index) => (index === page.length - 1 ? { ...block, top: 2000 } : block)),
        ),
    },
  }),
  fault('export-pdf-loses-its-first-event', [complete], {
    rules: inPdf((events) => events.slice(1)),
  }),
  fault('export-pdf-loses-its-last-event', [complete], {
    rules: inPdf((events) => events.slice(0, -1)),
  }),
  fault('export-pdf-loses-one-event-in-the-middle', [complete], {
    rules: inPdf((events) => events.filter((_, index) => index !== events.length >> 1)),
  }),
  fault('export-pdf-loses-all-events-of-a-millisecond-but-one', [complete], {
    rules: inPdf((events) => events.filter(({ at }, index) => events[index - 1]?.at !== at)),
  }),
  fault('export-pdf-holds-an-event-twice', [complete], {
    rules: inPdf((events) => [...events, ...events.slice(0, 1)]),
  }),
  fault('export-pdf-holds-an-event-twice-and-another-not', [complete], {
    rules: inPdf((events) => [...events.slice(1, 2), ...events.slice(1)]),
  }),
  fault('export-pdf-holds-an-event-that-never-was', [complete], {
    rules: inPdf((events) =>
      events.flatMap((event, index) =>
        index === 0
          ? [{ ...event, id: '0e3b9df4-65f4-4fd5-8f1a-5a1c3ad40ee0', at: event.at + 1 }, event]
          : event,
      ),
    ),
  }),
  fault('export-pdf-holds-no-events', [complete], { rules: inPdf(() => []) }),
  fault('export-pdf-loses-events-with-comments-in-other-scripts', [complete], {
    rules: inPdf((events) => events.filter(({ comment }) => !/[^\0-\xff]/.test(comment ?? ''))),
  }),
];

const eventsOfOtherQueries: readonly Fault[] = [
  fault('export-pdf-ignores-lists', [complete], {
    mayBreak: ['limits.pdf-limit-counts-what-filters-leave'],
    rules: askedForPdf((query) => ({ ...query, lists: {} })),
  }),
  fault('export-pdf-ignores-metadata', [complete], {
    mayBreak: ['limits.pdf-limit-counts-what-filters-leave'],
    rules: askedForPdf((query) => ({ ...query, metadata: {} })),
  }),
  ...listFilters.map((filter) =>
    fault(`export-pdf-ignores-${filter.replace('_', '-')}`, [complete], {
      mayBreak: ['limits.pdf-limit-counts-what-filters-leave'],
      rules: askedForPdf((query) => {
        const { [filter]: _, ...lists } = query.lists;
        return { ...query, lists };
      }),
    }),
  ),
  fault('export-pdf-ignores-system-source-beside-event-type', [complete], {
    rules: askedForPdf((query) => {
      const { system_source, ...lists } = query.lists;
      return lists.event_type === undefined ? query : { ...query, lists };
    }),
  }),
  fault('export-pdf-ignores-metadata-beside-lists', [complete], {
    rules: askedForPdf((query) => ({
      ...query,
      metadata: hasLists(query) ? {} : query.metadata,
    })),
  }),
  fault('export-pdf-loses-events-in-other-locales', ['export.locale-keeps-the-events'], {
    rules: {
      exportedEvents: (selected, { fileType, locale }) =>
        fileType === 'pdf' && locale !== 'en' ? selected.slice(0, -1) : selected,
    },
  }),
  fault('export-pdf-loses-events-in-other-timezones', ['export.timezone-keeps-the-events'], {
    mayBreak: ['export.pdf-holds-the-events-of-the-csv'],
    rules: {
      exportedEvents: (selected, { fileType, timezone }) =>
        fileType === 'pdf' && timezone !== 'UTC' ? selected.slice(1) : selected,
    },
  }),
  fault('export-pdf-ignores-range-end', [complete], {
    mayBreak: ['limits.pdf-of-5000-events-is-allowed'],
    rules: askedForPdf(({ end: _end, ...query }) => query),
  }),
  fault('export-pdf-ignores-range-start', [complete], {
    mayBreak: ['limits.pdf-of-5000-events-is-allowed'],
    rules: askedForPdf(({ start: _start, ...query }) => query),
  }),
  ...(['start', 'end'] as const).flatMap((bound) =>
    Object.entries<(query: ExportQuery) => boolean>({
      lists: hasLists,
      'an-event-type': ({ lists }) => lists.event_type !== undefined,
      'lists-and-metadata': (query) => hasLists(query) && Object.keys(query.metadata).length > 0,
    }).map(([filters, isBeside]) =>
      fault(`export-pdf-ignores-range-${bound}-beside-${filters}`, [complete], {
        rules: askedForPdf((query) => {
          const { [bound]: _, ...rest } = query;
          return isBeside(query) ? rest : query;
        }),
      }),
    ),
  ),
  fault('export-pdf-ignores-timezone', [dates], {
    rules: askedForPdf((query) => ({ ...query, timezone: 'UTC' })),
  }),
  fault('export-pdf-in-another-locale-ignores-timezone', [dates], {
    rules: askedForPdf((query) => (query.locale === 'en' ? query : { ...query, timezone: 'UTC' })),
  }),
  fault('export-pdf-writes-days-in-utc-and-times-in-the-timezone', [dates], {
    rules: {
      dateStyle: (query) => (time) => {
        if (query.fileType !== 'pdf') return localDate(time);
        const { year, month, day } = localTime(time.at, 0, time.locale);
        return localDate({ ...time, year, month, day });
      },
    },
  }),
  fault('export-pdf-writes-hours-of-the-afternoon-as-those-of-the-morning', [dates], {
    rules: {
      dateStyle: (query) => (time) => {
        const isLate = query.fileType === 'pdf' && query.timezone !== 'UTC' && time.hour > '12';
        const hour = isLate ? String(Number(time.hour) - 12).padStart(2, '0') : time.hour;
        return localDate({ ...time, hour });
      },
    },
  }),
  fault('export-pdf-timezone-has-the-offset-of-today', [dates], {
    rules: offsetsInPdf((right, { now }) => right(now)),
  }),
  fault('export-pdf-timezone-is-cut-to-whole-hours', [dates], {
    rules: offsetsInPdf((right, _moment, at) => Math.trunc(right(at) / 60) * 60),
  }),
];

/** Writes the dates of a PDF by another offset than those of a CSV. */
function offsetsInPdf(
  wrongly: (right: ZoneOffset, moment: ExportMoment, at: number) => number,
): Pick<Rules, 'zoneOffset'> {
  return {
    zoneOffset: (timezone, moment) => {
      const right = zoneOffset(timezone);
      return moment.query.fileType === 'pdf' ? (at) => wrongly(right, moment, at) : right;
    },
  };
}

const files: readonly Fault[] = [
  fault('export-pdf-is-cut-short', ['export.pdf-opens'], {
    wire: corrupting((file) => file.subarray(0, file.length >> 1)),
  }),
  fault('export-pdf-is-empty', ['export.pdf-opens'], { wire: corrupting(() => new Uint8Array()) }),
  fault('export-pdf-is-a-web-page', ['export.pdf-opens'], {
    wire: corrupting(() => Buffer.from('<!doctype html><title>Sign in</title><h1>Sign in</h1>')),
  }),
  fault('export-pdf-is-encoded-as-text', [complete], {
    mayBreak: ['export.pdf-opens'],
    wire: corrupting((file) => Buffer.from(Buffer.from(file).toString('utf8'))),
  }),
  fault('export-pdf-is-sent-in-base64', ['export.pdf-opens'], {
    wire: corrupting((file) => Buffer.from(Buffer.from(file).toString('base64'))),
  }),
  fault('export-pdf-is-a-csv', ['export.pdf-opens'], {
    rules: askedForPdf((query) => ({ ...query, fileType: 'csv' })),
  }),
];

/** PDFs that do not open, or do not hold the events of the CSV (4. Export audit events). */
export const exportPdfFaults: readonly Fault[] = [...eventsLost, ...eventsOfOtherQueries, ...files];
