import { allColumns, commentColumn } from '../../reference/export/columns.ts';
import { localDate, localTime } from '../../reference/export/dates.ts';
import type { ExportQuery } from '../../reference/export/query.ts';
import { type ZoneOffset, zoneOffset } from '../../reference/export/zone.ts';
import type { AuditEvent } from '../../reference/records.ts';
import type { Handle } from '../../reference/reference.ts';
import type { ServiceResponse } from '../../reference/request.ts';
import type { ExportMoment } from '../../reference/rules/export.ts';
import type { Rules } from '../../reference/rules.ts';
import { listFilters } from '../../schemas/operations.ts';
import { hasLists } from '../exports.ts';
import { type Fault, fault, table } from './fault.ts';

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

const isTakenAway = ({ subType }: AuditEvent): boolean =>
  subType === 'unassigned' || subType === 'deleted';

const eventsLost: readonly Fault[] = [
  ...table(fault, [complete], {
    'export-pdf-leaves-out-what-looks-like-a-tag': {
      pdfText: (text) => text.replace(/<[^<>]*>/g, ''),
    },
    'export-pdf-lacks-the-comments-of-what-is-taken-away': {
      pdfColumns: () =>
        allColumns.map((column) =>
          column === commentColumn
            ? { ...column, cell: (event) => (isTakenAway(event) ? '' : (event.comment ?? '')) }
            : column,
        ),
    },
    'export-pdf-shows-character-references': {
      pdfText: (text) => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    },
    'export-pdf-loses-its-last-page': {
      pdfPages: (pages) => (pages.length > 1 ? pages.slice(0, -1) : pages),
    },
    'export-pdf-loses-its-first-page': {
      pdfPages: (pages) => (pages.length > 1 ? pages.slice(1) : pages),
    },
    'export-pdf-loses-an-event-at-each-page-break': {
      pdfPages: (pages) =>
        pages.map((page, index) => (index < pages.length - 1 ? page.slice(0, -1) : page)),
    },
    'export-pdf-repeats-an-event-at-each-page-break': {
      pdfPages: (pages) =>
        pages.map((page, index) => [...(pages[index - 1]?.slice(-1) ?? []), ...page.slice(1)]),
    },
    'export-pdf-repeats-a-page': { pdfPages: (pages) => [...pages.slice(0, 1), ...pages] },
    'export-pdf-has-one-page-only': { pdfPages: (pages) => pages.slice(0, 1) },
    'export-pdf-draws-the-last-event-of-each-page-below-its-edge': {
      pdfPages: (pages) =>
        pages.map((page) =>
          page.map((block, index) => (index === page.length - 1 ? { ...block, top: 2000 } : block)),
        ),
    },
    'export-pdf-loses-its-first-event': inPdf((events) => events.slice(1)),
    'export-pdf-loses-its-last-event': inPdf((events) => events.slice(0, -1)),
    'export-pdf-loses-one-event-in-the-middle': inPdf((events) =>
      events.filter((_, index) => index !== events.length >> 1),
    ),
    'export-pdf-loses-all-events-of-a-millisecond-but-one': inPdf((events) =>
      events.filter(({ at }, index) => events[index - 1]?.at !== at),
    ),
    'export-pdf-holds-an-event-twice': inPdf((events) => [...events, ...events.slice(0, 1)]),
    'export-pdf-holds-an-event-twice-and-another-not': inPdf((events) => [
      ...events.slice(1, 2),
      ...events.slice(1),
    ]),
    'export-pdf-holds-an-event-that-never-was': inPdf((events) =>
      events.flatMap((event, index) =>
        index === 0
          ? [{ ...event, id: '0e3b9df4-65f4-4fd5-8f1a-5a1c3ad40ee0', at: event.at + 1 }, event]
          : event,
      ),
    ),
    'export-pdf-holds-no-events': inPdf(() => []),
    'export-pdf-loses-events-with-comments-in-other-scripts': inPdf((events) =>
      events.filter(({ comment }) => !/[^\0-\xff]/.test(comment ?? '')),
    ),
  }),
];

const eventsOfOtherQueries: readonly Fault[] = [
  ...table(
    fault,
    { breaks: [complete], mayBreak: ['limits.pdf-limit-counts-what-filters-leave'] },
    {
      'export-pdf-ignores-lists': askedForPdf((query) => ({ ...query, lists: {} })),
      'export-pdf-ignores-metadata': askedForPdf((query) => ({ ...query, metadata: {} })),
    },
  ),
  ...listFilters.map((filter) =>
    fault(
      `export-pdf-ignores-${filter.replace('_', '-')}`,
      { breaks: [complete], mayBreak: ['limits.pdf-limit-counts-what-filters-leave'] },
      askedForPdf((query) => {
        const { [filter]: _, ...lists } = query.lists;
        return { ...query, lists };
      }),
    ),
  ),
  ...table(fault, [complete], {
    'export-pdf-ignores-system-source-beside-event-type': askedForPdf((query) => {
      const { system_source, ...lists } = query.lists;
      return lists.event_type === undefined ? query : { ...query, lists };
    }),
    'export-pdf-ignores-metadata-beside-lists': askedForPdf((query) => ({
      ...query,
      metadata: hasLists(query) ? {} : query.metadata,
    })),
  }),
  fault('export-pdf-loses-events-in-other-locales', ['export.locale-keeps-the-events'], {
    exportedEvents: (selected, { fileType, locale }) =>
      fileType === 'pdf' && locale !== 'en' ? selected.slice(0, -1) : selected,
  }),
  fault(
    'export-pdf-loses-events-in-other-timezones',
    {
      breaks: ['export.timezone-keeps-the-events'],
      mayBreak: ['export.pdf-holds-the-events-of-the-csv'],
    },
    {
      exportedEvents: (selected, { fileType, timezone }) =>
        fileType === 'pdf' && timezone !== 'UTC' ? selected.slice(1) : selected,
    },
  ),
  ...table(
    fault,
    { breaks: [complete], mayBreak: ['limits.pdf-of-5000-events-is-allowed'] },
    {
      'export-pdf-ignores-range-end': askedForPdf(({ end: _end, ...query }) => query),
      'export-pdf-ignores-range-start': askedForPdf(({ start: _start, ...query }) => query),
    },
  ),
  ...(['start', 'end'] as const).flatMap((bound) =>
    Object.entries<(query: ExportQuery) => boolean>({
      lists: hasLists,
      'an-event-type': ({ lists }) => lists.event_type !== undefined,
      'lists-and-metadata': (query) => hasLists(query) && Object.keys(query.metadata).length > 0,
    }).map(([filters, isBeside]) =>
      fault(
        `export-pdf-ignores-range-${bound}-beside-${filters}`,
        [complete],
        askedForPdf((query) => {
          const { [bound]: _, ...rest } = query;
          return isBeside(query) ? rest : query;
        }),
      ),
    ),
  ),
  ...table(fault, [dates], {
    'export-pdf-ignores-timezone': askedForPdf((query) => ({ ...query, timezone: 'UTC' })),
    'export-pdf-has-the-timezone-of-the-server': askedForPdf((query) => ({
      ...query,
      timezone: 'Europe/Berlin',
    })),
    'export-pdf-writes-each-date-an-hour-late': {
      exportedEvents: (all, { fileType }) =>
        fileType === 'pdf' ? all.map((one) => ({ ...one, at: one.at + 3_600_000 })) : all,
    },
    'export-pdf-in-another-locale-ignores-timezone': askedForPdf((query) =>
      query.locale === 'en' ? query : { ...query, timezone: 'UTC' },
    ),
    'export-pdf-writes-days-in-utc-and-times-in-the-timezone': {
      dateStyle: (query) => (time) => {
        if (query.fileType !== 'pdf') return localDate(time);
        const { year, month, day } = localTime(time.at, 0, time.locale);
        return localDate({ ...time, year, month, day });
      },
    },
    'export-pdf-writes-hours-of-the-afternoon-as-those-of-the-morning': {
      dateStyle: (query) => (time) => {
        const isLate = query.fileType === 'pdf' && query.timezone !== 'UTC' && time.hour > '12';
        const hour = isLate ? String(Number(time.hour) - 12).padStart(2, '0') : time.hour;
        return localDate({ ...time, hour });
      },
    },
    'export-pdf-timezone-has-the-offset-of-today': offsetsInPdf((right, { now }) => right(now)),
    'export-pdf-timezone-is-cut-to-whole-hours': offsetsInPdf(
      (right, _moment, at) => Math.trunc(right(at) / 60) * 60,
    ),
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
  ...table(fault, ['export.pdf-opens'], {
    'export-pdf-is-cut-short': corrupting((file) => file.subarray(0, file.length >> 1)),
    'export-pdf-is-empty': corrupting(() => new Uint8Array()),
    'export-pdf-is-a-web-page': corrupting(() =>
      Buffer.from('<!doctype html><title>Sign in</title><h1>Sign in</h1>'),
    ),
  }),
  fault(
    'export-pdf-is-encoded-as-text',
    { breaks: [complete], mayBreak: ['export.pdf-opens'] },
    corrupting((file) => Buffer.from(Buffer.from(file).toString('utf8'))),
  ),
  ...table(fault, ['export.pdf-opens'], {
    'export-pdf-is-sent-in-base64': corrupting((file) =>
      Buffer.from(Buffer.from(file).toString('base64')),
    ),
    'export-pdf-is-a-csv': askedForPdf((query) => ({ ...query, fileType: 'csv' })),
  }),
];

/** PDFs that do not open, or do not hold the events of the CSV (4. Export audit events). */
export const exportPdfFaults: readonly Fault[] = [...eventsLost, ...eventsOfOtherQueries, ...files];
