import {
  type ListFilter,
  listFilters,
  type MetadataKey,
  metadataKeys,
} from '../../schemas/operations.ts';
import { identityOf } from '../export/cache.ts';
import { type ExportContext, isLocale } from '../export/columns.ts';
import { localTime } from '../export/dates.ts';
import {
  type ExportQuery,
  ExportRefused,
  instantOfEvent,
  type Parameters,
  parametersOf,
} from '../export/query.ts';
import type { AuditEvent } from '../records.ts';
import type { Refusal, ServiceRequest, ServiceResponse } from '../request.ts';
import type { ConditionsMet, ExportMoment, ExportRules } from '../rules/export.ts';
import type { Rules } from '../rules.ts';
import { csvFile } from './export-csv.ts';
import { pdfFile } from './export-pdf.ts';
import { refusal, refuse, refusedAccess, type Service } from './service.ts';

/*
 * The way of a request: its parameters are read into a query, the query selects events, and the events become a file,
 * row by row in a CSV and page by page in a PDF. At each step rules decide.
 */

/** 4. Export audit events. */
export async function exportAuditEvents(
  request: ServiceRequest,
  service: Service,
): Promise<ServiceResponse> {
  const { rules, store, clock } = service;
  const denied = refusedAccess(request, 'export', service);
  if (denied) return refuse(refusedFirst(request, denied, rules), rules);
  const [past, own] = [service.pastEvents(), store.events];
  return await exportEvents(request, {
    events: own.length === 0 ? past : [...past, ...own],
    rules,
    now: clock(),
    record: (event) => store.record(event),
  });
}

/** Why a request without access is refused: for that, unless a rule looks at the query first. */
function refusedFirst(request: ServiceRequest, denied: Refusal, rules: Rules): Refusal {
  if (rules.keyIsCheckedFirst('export', 'request')) return denied;
  try {
    readQuery(parametersOf(request.target), rules);
    return denied;
  } catch (error) {
    if (!(error instanceof ExportRefused)) throw error;
    return refusal('invalid-export', error.message, rules);
  }
}

/** What an export is made from. */
export interface ExportSource {
  /** In the order in which they were stored. */
  readonly events: readonly AuditEvent[];
  readonly rules: Rules;
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
  /** Records an event that the export itself causes. */
  readonly record?: (event: Omit<AuditEvent, 'id'>) => void;
}

/** Answers an export, once access is granted, with a file or with 400. */
export async function exportEvents(
  request: ServiceRequest,
  source: ExportSource,
): Promise<ServiceResponse> {
  const { rules, now, record } = source;
  try {
    const query = rules.queryActedOn(readQuery(parametersOf(request.target), rules));
    const file = await fileOf(exportedEvents(query, source), query, source);
    const event = rules.exportEvent(query, now);
    if (event !== undefined) record?.(event);
    return file;
  } catch (error) {
    if (!(error instanceof ExportRefused)) throw error;
    return refuse(refusal('invalid-export', error.message, rules), rules);
  }
}

/** @throws ExportRefused where a rule refuses a value, or the range is reversed */
function readQuery(parameters: Parameters, rules: Rules): ExportQuery {
  rules.checkParameters(parameters);
  const last = new Map(parameters);
  const start = rules.readBound(last.get('range_start'), 'range_start');
  const end = rules.readBound(last.get('range_end'), 'range_end');
  const query: ExportQuery = {
    lists: readLists(parameters, rules),
    metadata: readMetadata(parameters, rules),
    ...(start !== undefined && { start }),
    ...(end !== undefined && { end }),
    fileType: rules.readFileType(last.get('file_type')),
    locale: rules.readLocale(last.get('locale')),
    timezone: rules.readTimezone(last.get('timezone')),
  };
  if (rules.rangeIsInOrder(query)) return query;
  throw new ExportRefused('range_start is later than range_end');
}

function readLists(parameters: Parameters, rules: Rules): ExportQuery['lists'] {
  const lists: Partial<Record<ListFilter, readonly string[]>> = {};
  for (const filter of listFilters) {
    const values = rules.readList(parameters, filter).filter((value) => value !== '');
    if (values.length > 0) lists[filter] = values;
  }
  return lists;
}

function readMetadata(parameters: Parameters, rules: Rules): ExportQuery['metadata'] {
  const metadata: Partial<Record<MetadataKey, string>> = {};
  for (const [name, value] of parameters) {
    const key = /^metadata\[(.*)\]$/.exec(name)?.[1];
    if (key === undefined) continue;
    if (isMetadataKey(key)) metadata[key] = value;
    else rules.unknownMetadataKey(key);
  }
  return metadata;
}

function isMetadataKey(key: string): key is MetadataKey {
  return metadataKeys.some((known) => known === key);
}

/** @throws ExportRefused where they are too many for one file */
function exportedEvents(
  query: ExportQuery,
  { events, rules }: ExportSource,
): readonly AuditEvent[] {
  const stored = rules.storedEvents(events);
  const selected = selectEvents(stored, query, rules);
  if (!rules.isWithinLimit(rules.countForLimit(selected, stored, query), query)) {
    throw new ExportRefused('a PDF holds at most 5,000 events');
  }
  return rules.orderEvents(rules.exportedEvents(selected, query));
}

/** The stored events that a query selects, in the order in which they were stored. */
export function selectEvents(
  stored: readonly AuditEvent[],
  query: ExportQuery,
  rules: ExportRules,
): readonly AuditEvent[] {
  const listsMet = conditions(listFilters, query.lists, (event, filter, wanted) =>
    rules.matchesList(rules.listedValue(event, filter), wanted, filter),
  );
  const metadataMet = conditions(metadataKeys, query.metadata, (event, key, wanted) =>
    rules.matchesMetadata(rules.metadataValue(event, key), wanted, key),
  );
  const instants = instantsOf(stored);
  return stored.filter((event, index) =>
    rules.isKept({
      range: rangeMet(instants[index] ?? 0n, query, rules),
      lists: listsMet(event),
      metadata: metadataMet(event),
    }),
  );
}

/** For each parameter that the query holds, whether an event meets it. */
function conditions<Key extends string, Wanted>(
  keys: readonly Key[],
  query: Readonly<Partial<Record<Key, Wanted>>>,
  isMet: (event: AuditEvent, key: Key, wanted: Wanted) => boolean,
): (event: AuditEvent) => Readonly<Partial<Record<Key, boolean>>> {
  // Only what the query asks for: this runs for thousands of events.
  const asked = keys.flatMap((key) => {
    const wanted = query[key];
    return wanted === undefined ? [] : [{ key, wanted }];
  });
  return (event) => {
    const met: Partial<Record<Key, boolean>> = {};
    for (const { key, wanted } of asked) met[key] = isMet(event, key, wanted);
    return met;
  };
}

const instantsOfEvents = new WeakMap<readonly AuditEvent[], readonly bigint[]>();

/** When events happened, in nanoseconds since 1970 UTC, worked out once: every export looks at all events of the past. */
function instantsOf(stored: readonly AuditEvent[]): readonly bigint[] {
  const known = instantsOfEvents.get(stored);
  if (known?.length === stored.length) return known;
  const instants = stored.map(instantOfEvent);
  instantsOfEvents.set(stored, instants);
  return instants;
}

function rangeMet(
  at: bigint,
  { start, end }: ExportQuery,
  rules: ExportRules,
): ConditionsMet['range'] {
  if (start === undefined) return end === undefined ? [] : [rules.isToEnd(at, end)];
  const isFrom = rules.isFromStart(at, start);
  return end === undefined ? [isFrom] : [isFrom, rules.isToEnd(at, end)];
}

async function fileOf(
  events: readonly AuditEvent[],
  query: ExportQuery,
  { rules, now }: ExportSource,
): Promise<ServiceResponse> {
  const [first, last] = [events[0]?.at, events.at(-1)?.at];
  const context = contextOf(query, rules, { query, now, first, last });
  const file =
    query.fileType === 'pdf'
      ? inOnePiece(await pdfFile(events, context, rules))
      : csvFile(events, context, rules);
  const body = rules.hasContentLength(query.fileType) ? await whole(file) : file;
  const disposition = rules.contentDisposition(query.fileType, now);
  const status = rules.exportStatus();
  return {
    status,
    headers: {
      ...rules.answerHeaders(status),
      'content-type': rules.contentType(query.fileType),
      ...(disposition !== undefined && { 'content-disposition': disposition }),
      ...(body instanceof Uint8Array && { 'content-length': String(body.length) }),
    },
    body,
  };
}

function contextOf(query: ExportQuery, rules: Rules, moment: ExportMoment): ExportContext {
  const { now } = moment;
  const locale = isLocale(query.locale) ? query.locale : 'en';
  const offsetAt = rules.zoneOffset(query.timezone, moment);
  const write = rules.dateStyle(query, now);
  return {
    now,
    locale,
    date: (at, beyondMs) => write(localTime(at, offsetAt(at), locale, beyondMs)),
    dateKey: [identityOf(write), identityOf(offsetAt), query.timezone, locale].join(' '),
  };
}

async function* inOnePiece(file: Uint8Array): AsyncGenerator<Uint8Array> {
  yield file;
}

async function whole(file: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of file) pieces.push(piece);
  return Buffer.concat(pieces);
}
