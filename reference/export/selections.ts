import type { AuditEvent } from '../records.ts';
import { type ExportRules, exportRules } from '../rules/export.ts';
import { Cache } from './cache.ts';
import type { ExportQuery } from './query.ts';

type Events = readonly AuditEvent[];

/** The rules that decide which events a query selects. */
const deciding = [
  'listedValue',
  'metadataValue',
  'matchesList',
  'matchesMetadata',
  'isKept',
  'isFromStart',
  'isToEnd',
] as const satisfies readonly (keyof ExportRules)[];

/** So many events in all selections of one list. */
const maxEvents = 3_000_000;

const selections = new WeakMap<Events, Cache<Events>>();
const halves = new WeakMap<Events, { readonly past: Events; readonly own: Events }>();
const shared = new WeakSet<Iterable<AuditEvent>>();

/** The events of the past, which stay the same, and those that came since: selected one by one. */
export function joined(past: Events, own: Events): Events {
  if (own.length === 0) return past;
  const all = [...past, ...own];
  halves.set(all, { past, own: all.slice(past.length) });
  return all;
}

/**
 * What `select` selects of the events; the same query selects the same events of the same past, as the same list. Tests ask
 * for them again and again, of services that differ in other rules. A rule that is replaced may remember what it was
 * asked before: then nothing is remembered here.
 */
export function selectedOnce(
  stored: Events,
  query: ExportQuery,
  rules: ExportRules,
  select: (events: Events) => Events,
): Events {
  if (deciding.some((rule) => rules[rule] !== exportRules[rule])) return select(stored);
  const { past, own } = halves.get(stored) ?? { past: stored, own: [] };
  const selected = selectionsOf(past).get(
    keyOf(query, past),
    () => select(past),
    (events) => events.length + 1,
  );
  shared.add(selected);
  const further = select(own);
  return further.length === 0 ? selected : [...selected, ...further];
}

/** Whether a list of events is what the same query selects the next time. */
export function isSelectedOnce(events: Iterable<AuditEvent>): events is Events {
  return shared.has(events);
}

function selectionsOf(past: Events): Cache<Events> {
  const known = selections.get(past) ?? new Cache<Events>(maxEvents);
  selections.set(past, known);
  return known;
}

/** Lists grow at their end, and in no other way. */
function keyOf({ lists, metadata, start, end }: ExportQuery, { length }: Events): string {
  return JSON.stringify([length, lists, metadata, String(start), String(end)]);
}
