import { listFilters } from '../../schemas/operations.ts';
import type { AuditEvent } from '../audit-event.ts';
import type { ExportQuery } from '../export/query.ts';
import type { Handle } from '../reference.ts';
import type { Rules } from '../rules.ts';
import type { ServiceResponse } from '../service.ts';
import type { Fault } from './fault.ts';

const complete = 'export.pdf-holds-the-events-of-the-csv';

/** Changes the events of a PDF and leaves those of a CSV. */
const inPdf = (
  change: (events: readonly AuditEvent[]) => readonly AuditEvent[],
): Pick<Rules, 'exportedEvents'> => ({
  exportedEvents: (selected, { fileType }) => (fileType === 'pdf' ? change(selected) : selected),
});

/** Goes by another query where a PDF is asked for. */
const askedForPdf = (change: (query: ExportQuery) => ExportQuery): Pick<Rules, 'queryActedOn'> => ({
  queryActedOn: (query) => (query.fileType === 'pdf' ? change(query) : query),
});

/** Spoils the bytes of a PDF on their way out; its length is that of the spoilt file. */
const spoilt =
  (spoil: (file: Uint8Array) => Uint8Array) =>
  (handle: Handle): Handle => {
    return async (request) => {
      const response = await handle(request);
      return isPdf(response) ? withBody(response, spoil(response.body)) : response;
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
  {
    id: 'export-pdf-loses-its-last-page',
    breaks: [complete],
    rules: { pdfPages: (pages) => (pages.length > 1 ? pages.slice(0, -1) : pages) },
  },
  {
    id: 'export-pdf-loses-its-first-page',
    breaks: [complete],
    rules: { pdfPages: (pages) => (pages.length > 1 ? pages.slice(1) : pages) },
  },
  {
    id: 'export-pdf-loses-an-event-at-each-page-break',
    breaks: [complete],
    rules: {
      pdfPages: (pages) =>
        pages.map((page, index) => (index < pages.length - 1 ? page.slice(0, -1) : page)),
    },
  },
  {
    id: 'export-pdf-repeats-an-event-at-each-page-break',
    breaks: [complete],
    rules: {
      pdfPages: (pages) =>
        pages.map((page, index) => [...(pages[index - 1]?.slice(-1) ?? []), ...page.slice(1)]),
    },
  },
  {
    id: 'export-pdf-repeats-a-page',
    breaks: [complete],
    rules: { pdfPages: (pages) => [...pages.slice(0, 1), ...pages] },
  },
  {
    id: 'export-pdf-has-one-page-only',
    breaks: [complete],
    rules: { pdfPages: (pages) => pages.slice(0, 1) },
  },
  {
    id: 'export-pdf-loses-its-first-event',
    breaks: [complete],
    rules: inPdf((events) => events.slice(1)),
  },
  {
    id: 'export-pdf-loses-its-last-event',
    breaks: [complete],
    rules: inPdf((events) => events.slice(0, -1)),
  },
  {
    id: 'export-pdf-loses-one-event-in-the-middle',
    breaks: [complete],
    rules: inPdf((events) => events.filter((_, index) => index !== events.length >> 1)),
  },
  {
    id: 'export-pdf-loses-all-events-of-a-millisecond-but-one',
    breaks: [complete],
    rules: inPdf((events) => events.filter(({ at }, index) => events[index - 1]?.at !== at)),
  },
  {
    id: 'export-pdf-holds-an-event-twice',
    breaks: [complete],
    rules: inPdf((events) => [...events, ...events.slice(0, 1)]),
  },
  {
    id: 'export-pdf-holds-an-event-twice-and-another-not',
    breaks: [complete],
    rules: inPdf((events) => [...events.slice(1, 2), ...events.slice(1)]),
  },
  {
    id: 'export-pdf-holds-an-event-that-never-was',
    breaks: [complete],
    rules: inPdf((events) =>
      events.flatMap((event, index) =>
        index === 0
          ? [{ ...event, id: '0e3b9df4-65f4-4fd5-8f1a-5a1c3ad40ee0', at: event.at + 1 }, event]
          : event,
      ),
    ),
  },
  {
    id: 'export-pdf-holds-no-events',
    breaks: [complete],
    rules: inPdf(() => []),
  },
  {
    id: 'export-pdf-loses-events-with-comments-in-other-scripts',
    breaks: [complete],
    rules: inPdf((events) => events.filter(({ comment }) => !/[^\0-\xff]/.test(comment ?? ''))),
  },
];

const eventsSpoilt: readonly Fault[] = [
  {
    id: 'export-pdf-ignores-lists',
    breaks: [complete],
    mayBreak: ['limits.pdf-limit-counts-what-filters-leave'],
    rules: askedForPdf((query) => ({ ...query, lists: {} })),
  },
  {
    id: 'export-pdf-ignores-metadata',
    breaks: [complete],
    mayBreak: ['limits.pdf-limit-counts-what-filters-leave'],
    rules: askedForPdf((query) => ({ ...query, metadata: {} })),
  },
  ...listFilters.map(
    (filter): Fault => ({
      id: `export-pdf-ignores-${filter.replace('_', '-')}`,
      breaks: [complete],
      mayBreak: ['limits.pdf-limit-counts-what-filters-leave'],
      rules: askedForPdf((query) => {
        const { [filter]: _, ...lists } = query.lists;
        return { ...query, lists };
      }),
    }),
  ),
  {
    id: 'export-pdf-ignores-metadata-beside-lists',
    breaks: [complete],
    rules: askedForPdf((query) => ({
      ...query,
      metadata: Object.keys(query.lists).length > 0 ? {} : query.metadata,
    })),
  },
  {
    id: 'export-pdf-loses-events-in-other-locales',
    breaks: ['export.locale-keeps-the-events'],
    rules: {
      exportedEvents: (selected, { fileType, locale }) =>
        fileType === 'pdf' && locale !== 'en' ? selected.slice(0, -1) : selected,
    },
  },
  {
    id: 'export-pdf-loses-events-in-other-timezones',
    breaks: ['export.timezone-keeps-the-events'],
    rules: {
      exportedEvents: (selected, { fileType, timezone }) =>
        fileType === 'pdf' && timezone !== 'UTC' ? selected.slice(1) : selected,
    },
  },
  {
    id: 'export-pdf-ignores-range-end',
    breaks: [complete],
    mayBreak: ['limits.pdf-of-5000-events-is-allowed'],
    rules: askedForPdf(({ end: _end, ...query }) => query),
  },
  {
    id: 'export-pdf-ignores-range-start',
    breaks: [complete],
    mayBreak: ['limits.pdf-of-5000-events-is-allowed'],
    rules: askedForPdf(({ start: _start, ...query }) => query),
  },
  {
    id: 'export-pdf-ignores-timezone',
    breaks: ['export.timezone-formats-the-dates'],
    rules: askedForPdf((query) => ({ ...query, timezone: 'UTC' })),
  },
];

const files: readonly Fault[] = [
  {
    id: 'export-pdf-is-cut-short',
    breaks: ['export.pdf-opens'],
    wire: spoilt((file) => file.subarray(0, file.length >> 1)),
  },
  {
    id: 'export-pdf-is-empty',
    breaks: ['export.pdf-opens'],
    wire: spoilt(() => new Uint8Array()),
  },
  {
    id: 'export-pdf-is-a-web-page',
    breaks: ['export.pdf-opens'],
    wire: spoilt(() => Buffer.from('<!doctype html><title>Sign in</title><h1>Sign in</h1>')),
  },
  {
    id: 'export-pdf-is-encoded-as-text',
    breaks: [complete],
    mayBreak: ['export.pdf-opens'],
    wire: spoilt((file) => Buffer.from(Buffer.from(file).toString('utf8'))),
  },
  {
    id: 'export-pdf-is-sent-in-base64',
    breaks: ['export.pdf-opens'],
    wire: spoilt((file) => Buffer.from(Buffer.from(file).toString('base64'))),
  },
  {
    id: 'export-pdf-is-a-csv',
    breaks: ['export.pdf-opens'],
    rules: askedForPdf((query) => ({ ...query, fileType: 'csv' })),
  },
];

/** PDFs that do not open, or do not hold the events of the CSV (4. Export audit events). */
export const exportPdfFaults: readonly Fault[] = [...eventsLost, ...eventsSpoilt, ...files];
