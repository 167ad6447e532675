import { type Exchange, headerOf } from '../helpers/http/exchange.ts';
import { jsonObject } from '../helpers/json-object.ts';
import { isObject } from '../helpers/validation.ts';
import { listFilters, metadataKeys } from '../schemas/operations.ts';
import { isTimestamp } from '../schemas/resources.ts';

/*
 * Which requests of a run are as the document describes them, whoever sent them: then their answers must be so too.
 */

/** Whether an exchange reads what the document describes, as it describes it, with the configured key. */
export function isValidRead({ operation, request }: Exchange, baseUrl: string): boolean {
  const { method, url } = request;
  if (method !== 'GET' || !isPlain(request, baseUrl, ['apikey'])) return false;
  const { pathname, searchParams } = new URL(url);
  return operation === 'export'
    ? isValidQuery(searchParams)
    : /\/(?:tasks|assessments)\/[^/]+$/.test(pathname) && searchParams.size === 0;
}

const formParameters = ['file_type', 'locale', 'timezone'];
const filterNames: readonly string[] = [
  ...listFilters,
  ...metadataKeys.map((key) => `metadata[${key}]`),
];

export function queryOf({ request: { url } }: Exchange): URLSearchParams {
  return new URL(url).searchParams;
}

/** Whether a query names no filter, however its lists are encoded. */
export function hasNoFilter(query: URLSearchParams): boolean {
  const filters: readonly string[] = [...listFilters, 'metadata'];
  return [...query.keys()].every((name) => !filters.includes(name.replace(/\[.*/, '')));
}

/** The parameters of an export, the most telling first: "file_type=pdf", "sub_type", "range_end"; UTC is left out. */
export function parametersOf(exchange: Exchange): string[] {
  const form: string[] = [];
  const filters: string[] = [];
  const range: string[] = [];
  for (const [name, value] of queryOf(exchange)) {
    if (name.startsWith('range_')) range.push(name);
    else if (!formParameters.includes(name)) filters.push(name);
    else if (value !== 'UTC') form.push(`${name}=${value}`);
  }
  return [...new Set([...form, ...filters, ...range])];
}

/** Whether the query of an export is valid. As the encoding of lists is not shown, each filter has one value. */
function isValidQuery(query: URLSearchParams): boolean {
  const [start, end] = [query.get('range_start'), query.get('range_end')];
  const isInOrder = start === null || end === null || Date.parse(start) <= Date.parse(end);
  return (
    isInOrder &&
    [...query].every(([name, value]) =>
      name.startsWith('range_')
        ? isTimestamp(value)
        : formParameters.includes(name) ||
          (filterNames.includes(name) && query.getAll(name).length === 1 && !mayBeList.test(value)),
    )
  );
}

/** Matches a value that may be several values in one text, as “A,B”. */
const mayBeList = /[,;|[]/;

/** Whether a request goes to the service itself, with the configured key and exactly these headers. */
function isPlain(
  { url, headers, key, route }: Exchange['request'],
  baseUrl: string,
  headerNames: readonly string[],
): boolean {
  return (
    key === undefined &&
    route === undefined &&
    url.startsWith(`${baseUrl}/`) &&
    headers.length === headerNames.length &&
    headerNames.every((name) => headers.some(([one]) => one === name))
  );
}

/** Whether an exchange is an assignment with all required fields. Unassignments are not: the task may be unassigned. */
export function isValidAssignment(exchange: Exchange, baseUrl: string): boolean {
  return validWriteIn(exchange, baseUrl)?.kind === 'update';
}

const requiredFields = {
  update: ['assigned_by_id', 'assigned_to_id', 'assigned_to_type'],
  unassign: ['assigned_by_id'],
} as const;

/** What a write of one object with all required fields sends; undefined where an exchange is none. */
export function validWriteIn({ request }: Exchange, baseUrl: string) {
  const headerNames = ['apikey', 'If-Match', 'Content-Type'];
  const isSent =
    request.method === 'PUT' &&
    isPlain(request, baseUrl, headerNames) &&
    /^application\/json(?:;|$)/.test(headerOf(request, 'content-type') ?? '') &&
    isTimestamp(headerOf(request, 'if-match') ?? '');
  const [one, ...others] = isSent ? Object.entries(jsonObject(request.body) ?? {}) : [];
  const [name, fields] = one ?? [];
  if (others.length > 0 || !isObject(fields)) return undefined;
  if (name !== 'update' && name !== 'unassign') return undefined;
  const isWhole = requiredFields[name].every((field) => typeof fields[field] === 'string');
  return isWhole ? { kind: name, fields } : undefined;
}
