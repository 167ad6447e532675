import { rowClauses } from '../clause-groups.ts';
import { type Fault, fault, table, type Wire } from './fault.ts';

/*
 * Requests that mean the same and are taken for others: their parameters stand in another order, their escapes are written
 * otherwise, or they have a header that has nothing to do with it (4. Export audit events; RFC 3986).
 */

/** Acts on another query where the text of the query is such. */
const where =
  (
    isMeant: (query: string) => boolean,
    change: (parameters: URLSearchParams) => URLSearchParams,
  ): Wire =>
  (handle) =>
  (request) => {
    const [path = '', query = ''] = request.target.split('?');
    if (!path.endsWith('/export') || !isMeant(query)) return handle(request);
    return handle({ ...request, target: `${path}?${change(new URLSearchParams(query))}` });
  };

/** Acts on another query where the request has this header, and the text of the query is such. */
const beside =
  (header: string, ...given: Parameters<typeof where>): Wire =>
  (handle) =>
  (request) =>
    request.headers[header] === undefined ? handle(request) : where(...given)(handle)(request);

const movedBy =
  (bound: 'range_start' | 'range_end', milliseconds: number) =>
  (parameters: URLSearchParams): URLSearchParams => {
    const at = Date.parse(parameters.get(bound) ?? '');
    if (!Number.isNaN(at)) parameters.set(bound, new Date(at + milliseconds).toISOString());
    return parameters;
  };

const isMidnight = (query: string): boolean => /range_end=[^&]*T00%3A00%3A00\.000Z/i.test(query);
const isBefore = (query: string, one: string, other: string): boolean =>
  query.includes(`${one}=`) && query.indexOf(`${one}=`) < query.indexOf(`${other}=`);

/** Whether the values of a list are apart: other parameters stand between them. */
const hasListApart = (query: string): boolean => {
  const names = query.split('&').map((one) => one.split('=')[0]);
  return names.some((name, at) => names.indexOf(name, at + 2) > 0 && names[at + 1] !== name);
};

const without =
  (is: (name: string) => boolean) =>
  (parameters: URLSearchParams): URLSearchParams =>
    new URLSearchParams([...parameters].filter(([name]) => !is(name)));

/** Keeps of each name what stands last, with nothing else in between. */
const lastRuns = (parameters: URLSearchParams): URLSearchParams => {
  const all = [...parameters];
  return new URLSearchParams(
    all.filter(([name], at) =>
      all.slice(at).every(([other], index, rest) => {
        const isApart = rest.slice(0, index).some(([between]) => between !== name);
        return other !== name || !isApart;
      }),
    ),
  );
};

const withoutMetadata = without((name) => name.startsWith('metadata['));

const atMidnight = (parameters: URLSearchParams): URLSearchParams => {
  const start = parameters.get('range_start');
  if (start) parameters.set('range_start', `${start.slice(0, 10)}T00:00:00.000Z`);
  return parameters;
};

export const exportWritingFaults: readonly Fault[] = [
  ...table(
    fault,
    {
      breaks: ['export.range-end-includes-its-instant'],
      // A range of one instant ends before it begins then.
      mayBreak: [...rowClauses, 'export.answers-200'],
    },
    {
      'export-with-escapes-in-lower-case-excludes-its-range-end': where(
        (query) => /%[\da-f][a-f]/.test(query),
        movedBy('range_end', -1),
      ),
      'export-with-range-end-first-ends-a-day-later-at-midnight': where(
        (query) => isBefore(query, 'range_end', 'range_start') && isMidnight(query),
        movedBy('range_end', 86_399_999),
      ),
    },
  ),
  ...table(
    fault,
    { breaks: ['export.filters-combine'], mayBreak: rowClauses },
    {
      'export-of-a-list-apart-beside-a-tag-keeps-its-last-values': where(
        (query) => hasListApart(query) && query.includes('tag'),
        lastRuns,
      ),
      'export-event-types-in-brackets-are-ignored-beside-metadata': where(
        (query) => /event_type(%5B%5D|\[\])=/i.test(query) && query.includes('metadata'),
        without((name) => name === 'event_type[]'),
      ),
      'export-with-plain-brackets-has-no-metadata-beside-an-event-type': where(
        (query) => query.includes('metadata[') && query.includes('event_type='),
        withoutMetadata,
      ),
    },
  ),
  fault(
    'export-range-start-is-its-day-beside-an-accept-language',
    { breaks: ['export.range-start-includes-its-instant'], mayBreak: rowClauses },
    beside('accept-language', () => true, atMidnight),
  ),
  fault(
    'export-cache-id-is-ignored-where-the-file-may-be-compressed',
    { breaks: ['export.filters-by-metadata-cache-id'], mayBreak: rowClauses },
    beside(
      'accept-encoding',
      () => true,
      without((name) => name === 'metadata[cache_id]'),
    ),
  ),
  fault(
    'export-sub-type-is-ignored-in-pdfs-that-accept-names',
    { breaks: ['export.pdf-holds-the-events-of-the-csv'], mayBreak: rowClauses },
    beside(
      'accept',
      (query) => query.includes('file_type=pdf'),
      without((name) => name === 'sub_type'),
    ),
  ),
];
