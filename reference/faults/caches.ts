import { dashed } from '../../schemas/clause.ts';
import type { JudgedClause } from '../../schemas/clauses.ts';
import { listFilters, metadataKeys } from '../../schemas/operations.ts';
import {
  changingTaskClauses,
  clauseOfKey,
  clauseOfList,
  rowClauses,
} from '../clause-groups.ts';
import type { ServiceRequest, ServiceResponse } from '../request.ts';
import { bytesOf, type Fault, fault, type Wire } from './fault.ts';

/**
 * Keeps successful answers by a key that is too short.
 *
 * @param keyOf undefined for requests that are not kept
 * @param size how many answers are kept; the oldest goes
 */
const keeping =
  (keyOf: (request: ServiceRequest) => string | undefined, size = 1000): Wire =>
  (handle) => {
    const kept = new Map<string, ServiceResponse>();
    return async (request) => {
      const key = keyOf(request);
      if (key === undefined) return handle(request);
      const known = kept.get(key);
      if (known !== undefined) return known;
      const response = await handle(request);
      if (response.status !== 200) return response;
      const answer = { ...response, body: await bytesOf(response) };
      kept.set(key, answer);
      for (const oldest of [...kept.keys()].slice(0, Math.max(0, kept.size - size))) {
        kept.delete(oldest);
      }
      return answer;
    };
  };

/** Forgets what it kept after so many further requests of any kind. */
const keepingFor =
  (requests: number, keyOf: (request: ServiceRequest) => string | undefined): Wire =>
  (handle) => {
    const kept = new Map<string, { readonly answer: ServiceResponse; readonly until: number }>();
    let count = 0;
    return async (request) => {
      count += 1;
      const key = keyOf(request);
      if (key === undefined) return handle(request);
      const known = kept.get(key);
      if (known !== undefined && count <= known.until) return known.answer;
      const response = await handle(request);
      if (response.status !== 200) return response;
      const answer = { ...response, body: await bytesOf(response) };
      kept.set(key, { answer, until: count + requests });
      return answer;
    };
  };

/** An export's query without some of it, for who has this key. */
const exportKey =
  (change: (parameters: readonly (readonly [string, string])[]) => readonly (readonly [string, string])[]) =>
  ({ target, headers, region, remoteAddress }: ServiceRequest): string | undefined => {
    const [path, query = ''] = target.split('?');
    if (!path?.endsWith('/audit-sentinel/events/export')) return undefined;
    const parameters = change([...new URLSearchParams(query)]);
    return JSON.stringify([parameters, headers.apikey, region, remoteAddress]);
  };

const nameOf = (sent: string): string => sent.replace(/\[\d*\]$/, '');

const withoutParameter = (name: string) =>
  exportKey((parameters) => parameters.filter(([sent]) => nameOf(sent) !== name));

const withFirstValues = exportKey((parameters) =>
  parameters.filter(
    ([sent], index) => parameters.findIndex(([other]) => nameOf(other) === nameOf(sent)) === index,
  ),
);

/** The day of each bound only. */
const withDays = exportKey((parameters) =>
  parameters.map(([sent, value]) =>
    sent.startsWith('range_') ? ([sent, value.slice(0, 10)] as const) : ([sent, value] as const),
  ),
);

const everything: readonly JudgedClause[] = [
  ...rowClauses,
  'export.answers-200',
  'export.pdf-opens',
  'export.csv-has-no-limit-of-5000',
  'export.csv-is-one-table',
  'export.parameters-are-optional',
  'export.file-type-defaults-to-csv',
  'errors.reversed-range-is-400',
  'errors.invalid-export-is-400',
  'export.refusal-carries-no-events',
];

const exportCache = (
  id: string,
  breaks: readonly JudgedClause[],
  keyOf: (request: ServiceRequest) => string | undefined,
): Fault[] => [
  fault(`export-is-kept-${id}`, breaks, { mayBreak: everything, wire: keeping(keyOf) }),
  fault(`export-is-kept-a-moment-${id}`, breaks, {
    mayBreak: everything,
    wire: keepingFor(Number(process.env.KEEP ?? 4), keyOf),
  }),
];

/** Exports that are answered with the file of another request, or of one long ago (4. Export audit events). */
export const exportCacheFaults: readonly Fault[] = [
  ...exportCache('whatever-the-file-type', ['export.pdf-opens'], withoutParameter('file_type')),
  ...exportCache(
    'whatever-the-timezone',
    ['export.timezone-formats-the-dates'],
    withoutParameter('timezone'),
  ),
  ...exportCache(
    'whatever-the-range-start',
    ['export.range-start-includes-its-instant'],
    withoutParameter('range_start'),
  ),
  ...exportCache(
    'whatever-the-range-end',
    ['export.range-end-includes-its-instant'],
    withoutParameter('range_end'),
  ),
  ...exportCache('by-the-days-of-its-range', ['export.range-start-includes-its-instant'], withDays),
  ...exportCache('by-the-first-value-of-a-list', ['export.lists-are-any-of'], withFirstValues),
  ...listFilters.flatMap((filter) =>
    exportCache(
      `whatever-the-${dashed(filter)}`,
      [clauseOfList(filter)],
      withoutParameter(filter),
    ),
  ),
  ...metadataKeys.flatMap((key) =>
    exportCache(
      `whatever-the-metadata-${dashed(key)}`,
      [clauseOfKey(key)],
      withoutParameter(`metadata[${key}]`),
    ),
  ),
  ...exportCache(
    'whatever-the-metadata-values',
    ['export.filters-by-metadata-task-id'],
    exportKey((parameters) =>
      parameters.map(([sent, value]) => [sent, sent.startsWith('metadata[') ? '' : value] as const),
    ),
  ),
  ...exportCache(
    'whatever-the-key-of-metadata',
    ['export.filters-by-metadata-entity-id'],
    exportKey((parameters) =>
      parameters.map(([sent, value]) => [sent.replace(/^metadata\[.*/, 'metadata'), value] as const),
    ),
  ),
  ...exportCache('whatever-the-api-key', ['export.needs-the-apikey'], ({ target, region, remoteAddress }) =>
    target.includes('/audit-sentinel/events/export')
      ? JSON.stringify([target, region, remoteAddress])
      : undefined,
  ),
];

const isRead = ({ method }: ServiceRequest, of: 'tasks' | 'assessments', target: string): boolean =>
  method === 'GET' && target.includes(`/${of}/`);

const readKey =
  (of: 'tasks' | 'assessments', change: (path: string) => string, hasKey = true) =>
  (request: ServiceRequest): string | undefined =>
    isRead(request, of, request.target)
      ? JSON.stringify([
          change(request.target),
          hasKey && [request.headers.apikey, request.region, request.remoteAddress],
        ])
      : undefined;

/** The first so many characters of the id. */
const prefix = (length: number) => (target: string) =>
  target.replace(/(\/(?:tasks|assessments)\/)(.*)$/, (_, path: string, id: string) => path + id.slice(0, length));

const found404 = ['errors.unknown-task-is-404'] as never as readonly JudgedClause[];

/** Tasks and assessments that are read from a cache with too short a key, or for too long (2., 3.). */
export const readCacheFaults: readonly Fault[] = [
  ...[8, 18, 35].flatMap((length) =>
    (['tasks', 'assessments'] as const).map((of) =>
      fault(`${of}-are-kept-by-the-first-${length}-characters-of-their-id`, found404, {
        mayBreak: changingTaskClauses,
        wire: keepingFor(1, readKey(of, prefix(length))),
      }),
    ),
  ),
  ...(['tasks', 'assessments'] as const).flatMap((of) => [
    fault(`${of}-are-kept-whatever-the-api-key`, found404, {
      mayBreak: changingTaskClauses,
      wire: keepingFor(1, readKey(of, (path) => path, false)),
    }),
    fault(`${of}-are-kept-whatever-the-case-of-their-id`, found404, {
      mayBreak: changingTaskClauses,
      wire: keepingFor(1, readKey(of, (path) => path.toLowerCase())),
    }),
  ]),
  ...[1, 3, 30].map((requests) =>
    fault(`a-task-is-kept-for-${requests}-requests`, found404, {
      mayBreak: changingTaskClauses,
      wire: keepingFor(requests, readKey('tasks', (path) => path)),
    }),
  ),
  fault('a-task-is-kept-for-the-whole-run', found404, {
    mayBreak: changingTaskClauses,
    wire: keeping(readKey('tasks', (path) => path)),
  }),
  fault('a-write-is-kept-whatever-its-version', found404, {
    mayBreak: changingTaskClauses,
    wire: keeping(({ method, target, body, headers }) =>
      method === 'PUT' ? JSON.stringify([target, body, headers.apikey]) : undefined,
    ),
  }),
  fault('the-last-write-is-kept-whatever-its-version', found404, {
    mayBreak: changingTaskClauses,
    wire: keeping(
      ({ method, target, body, headers }) =>
        method === 'PUT' ? JSON.stringify([target, body, headers.apikey]) : undefined,
      1,
    ),
  }),
  fault('a-write-is-kept-whatever-its-body', found404, {
    mayBreak: changingTaskClauses,
    wire: keeping(({ method, target, headers }) =>
      method === 'PUT' ? JSON.stringify([target, headers['if-match'], headers.apikey]) : undefined,
    ),
  }),
  fault('a-write-is-kept-whatever-its-api-key', found404, {
    mayBreak: changingTaskClauses,
    wire: keeping(({ method, target, headers, body }) =>
      method === 'PUT' ? JSON.stringify([target, headers['if-match'], body]) : undefined,
    ),
  }),
];
