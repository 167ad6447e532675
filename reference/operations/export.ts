import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
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
import type { ServiceRequest, ServiceResponse } from '../request.ts';
import {
  type ConditionsMet,
  type ExportMoment,
  type ExportRules,
  exportRules,
} from '../rules/export.ts';
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
  if (denied && rules.keyIsCheckedFirst('export', 'request')) return refuse(denied, rules);
  try {
    const asked = readQuery(parametersOf(request.target), rules);
    if (denied) return refuse(denied, rules);
    const query = rules.queryActedOn(asked);
    const now = clock();
    const events = exportedEvents(query, together(service.pastEvents(), store.events), rules);
    const file = await fileOf(events, query, now, rules);
    const event = rules.exportEvent(query, now);
    if (event !== undefined) store.record(event);
    return file;
  } catch (error) {
    if (!(error instanceof ExportRefused)) throw error;
    return refuse(refusal('invalid-export', error.message, rules), rules);
  }
}

type Events = readonly AuditEvent[];

const joined = new WeakMap<Events, { readonly past: Events; readonly all: Events }>();

/** The events of the past and then its own: the same list until there is one more, so that their instants are worked out once. */
function together(past: Events, own: Events): Events {
  if (own.length === 0) return past;
  const known = joined.get(own);
  if (known?.past === past && known.all.length === past.length + own.length) return known.all;
  const all = [...past, ...own];
  joined.set(own, { past, all });
  return all;
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
    const asked = /^metadata\[(.*)\]$/.exec(name)?.[1];
    if (asked === undefined) continue;
    const key = metadataKeys.find((known) => known === asked);
    if (key === undefined) rules.unknownMetadataKey(asked);
    else metadata[key] = value;
  }
  return metadata;
}

/** @throws ExportRefused where they are too many for one file */
function exportedEvents(
  query: ExportQuery,
  events: readonly AuditEvent[],
  rules: Rules,
): readonly AuditEvent[] {
  const stored = rules.storedEvents(events);
  const selected = selectEvents(stored, query, rules);
  if (!rules.isWithinLimit(selected, query, stored)) {
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
  // Most events lie outside of a range: unless a rule keeps them all the same, nothing else of them matters.
  const isRangeEnough = rules.isKept === exportRules.isKept;
  return stored.filter((event, index) => {
    const range = rangeMet(instants[index] ?? 0n, query, rules);
    if (isRangeEnough && range.includes(false)) return false;
    return rules.isKept({ range, lists: listsMet(event), metadata: metadataMet(event) });
  });
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
  now: number,
  rules: Rules,
): Promise<ServiceResponse> {
  const [first, last] = [events[0]?.at, events.at(-1)?.at];
  const context = contextOf(rules, { query, now, first, last });
  const file =
    query.fileType === 'pdf'
      ? Readable.from([await pdfFile(events, context, rules)])
      : csvFile(events, context, rules);
  const body = rules.hasContentLength(query.fileType) ? await buffer(file) : file;
  const disposition = rules.contentDisposition(query.fileType, now);
  const status = rules.successStatus('export');
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

function contextOf(rules: Rules, moment: ExportMoment): ExportContext {
  const { query, now } = moment;
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
