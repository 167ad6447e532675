import { listFilters, metadataKeys } from '../../schemas/operations.ts';
import type { FilterValues } from '../config/settings.ts';
import type { Row } from '../csv/csv-form.ts';
import { difference, isSame, isSubset, type Multiset, multiset } from '../csv/multiset.ts';
import type { CsvTable } from '../csv/read-csv.ts';
import { eventsOf, isAnyOutside, type KnownColumns } from './columns.ts';
import type { CsvDownload } from './downloads.ts';
import { type Filter, type FilterSet, filters, isListFilter } from './query.ts';
import { distinctiveValues, type ShownValues, shownValuesOf } from './shown-values.ts';
import type { TimeRange } from './window.ts';

/** What is known of the filters. */
export interface KnownFilters {
  readonly known: ReadonlyMap<Filter, KnownFilter>;
  /** A value that no event has, for any filter. */
  readonly impossible: string;
  /** A filter's export of the window that holds events from outside of it; undefined where none was seen. */
  readonly beyondWindow: CsvDownload | undefined;
  /** What a value gave that was not used: it kept events which the window did not hold before. */
  readonly unclear: CsvDownload | undefined;
}

export interface KnownFilter {
  /** Values that keep some events of the window and not all; best first. */
  readonly values: readonly KnownValue[];
  /** How a row shows its value of the filter; undefined where no column was found that does. */
  readonly read: ((row: Row) => string | undefined) | undefined;
  /** A value that rows show as one of this filter, and for which the filter left none of them. */
  readonly unmatched:
    | { readonly value: string; readonly times: number; readonly download: CsvDownload }
    | undefined;
}

/** A value that a filter is known to match in the window, and the events that it keeps. */
export interface KnownValue {
  readonly value: string;
  readonly events: Multiset;
}

/** What finding values starts from. */
export interface FilterClues {
  readonly base: CsvTable;
  readonly window: TimeRange;
  readonly columns: KnownColumns;
  /** A value that no event has. */
  readonly impossible: string;
  /** Values known to occur, by configuration. */
  readonly given: FilterValues;
  /** Ids of records at hand, by filter. */
  readonly records: { readonly [F in Filter]?: readonly string[] };
  /** Fetches the events of the window that match. */
  readonly fetch: (filters: FilterSet) => Promise<CsvDownload>;
}

/** Values that the document gives as examples (4. Export audit events). */
const examples: { readonly [F in Filter]?: readonly string[] } = {
  event_type: ['assessment'],
  sub_type: ['created', 'updated'],
  system_source: ['assessment_service', 'task_platform'],
};

/** How many values are tried for one filter, and for all metadata keys together. */
const maxTries = { list: 8, metadataKey: 6, metadata: 36 };
/** How many values are looked for where no column shows more of them. */
const enoughValues = 3;

/**
 * Finds for each filter values that keep some events and not all, and the column in which rows show them.
 * Where the export shows none, the filter stays without a column: relations between exports still judge it.
 */
export async function learnFilters(clues: FilterClues): Promise<KnownFilters> {
  const { base, window, columns, impossible } = clues;
  const shown = shownValuesOf(base, columns.ignored);
  const downloads: CsvDownload[] = [];
  const known = new Map<Filter, KnownFilter>();
  const free = new Set(shown);
  const learnOne = async (filter: Filter, tries: number): Promise<number> => {
    const candidates = candidatesFor(filter, [...free], clues).slice(0, tries);
    const found = await tryValues(filter, candidates, shown, clues);
    downloads.push(...found.downloads);
    known.set(filter, found.filter);
    if (found.shown !== undefined) free.delete(found.shown);
    return found.downloads.length;
  };
  await Promise.all(listFilters.map((filter) => learnOne(filter, maxTries.list)));
  // One after the other: what is known to belong to one key need not be tried for the next.
  let triesLeft = maxTries.metadata;
  for (const key of mostPromisingFirst(shown, clues)) {
    triesLeft -= await learnOne(key, Math.min(maxTries.metadataKey, triesLeft));
  }
  const beyondWindow = downloads.find(({ table }) => {
    if (table === undefined || columns.times === undefined) return false;
    const [events, all] = [eventsOf(table, columns.ignored), eventsOf(base, columns.ignored)];
    return isAnyOutside(difference(events, all).missing, window, columns.times);
  });
  const unclear = downloads.find(
    (download) => download.table !== undefined && effectOf(download, clues) === 'unclear',
  );
  return { known, impossible, beyondWindow, unclear };
}

/** The metadata keys; first those for which more than the form of values shows where to look. */
function mostPromisingFirst(shown: readonly ShownValues[], clues: FilterClues): Filter[] {
  const keys = filters.filter((filter) => !isListFilter(filter));
  const isPromising = (key: Filter): boolean =>
    configured(key, clues.given).length > 0 ||
    shown.some(({ name }) => likeness(name, key) !== 'none') ||
    (clues.records[key] ?? []).some((id) => shown.some(({ values }) => values.has(id)));
  const promising = keys.filter(isPromising);
  return [...promising, ...keys.filter((key) => !promising.includes(key))];
}

function configured(filter: Filter, given: FilterValues): readonly string[] {
  if (isListFilter(filter)) return given[filter] ?? [];
  const key = metadataKeys.find((one) => filter === `metadata[${one}]`);
  return (key && given.metadata?.[key]) ?? [];
}

/** A value to try. */
interface Candidate {
  readonly value: string;
  /** What shows the value; undefined where nothing is known to. */
  readonly shown: ShownValues | undefined;
}

/** Values to try, the most promising first. */
function candidatesFor(
  filter: Filter,
  shown: readonly ShownValues[],
  { base, given, records }: FilterClues,
): Candidate[] {
  const unseen = (value: string): Candidate => ({ value, shown: undefined });
  const showing = (value: string): Candidate[] =>
    shown.filter(({ values }) => values.has(value)).map((one) => ({ value, shown: one }));
  const bestOf = (one: ShownValues, count: number): Candidate[] =>
    distinctiveValues(one, base.rows.length)
      .slice(0, count)
      .map((value) => ({ value, shown: one }));

  const wantsId = /_id\]?$/.test(filter);
  const isSimilar = ({ name, areIds }: ShownValues): boolean => {
    const like = likeness(name, filter);
    return areIds === wantsId ? like !== 'none' : like === 'same';
  };
  const similar = shown
    .filter(isSimilar)
    .sort((a, b) => rank(likeness(b.name, filter)) - rank(likeness(a.name, filter)));
  const other = shown
    .filter((one) => !similar.includes(one) && one.areIds === wantsId)
    .filter(({ values }) => values.size <= base.rows.length / 2 || wantsId)
    .sort((a, b) => Number(isRepeated(b)) - Number(isRepeated(a)));
  const ofDocument = examples[filter] ?? [];
  const ofRecords = records[filter] ?? [];

  const list = [
    ...configured(filter, given).map((value) => showing(value)[0] ?? unseen(value)),
    ...similar.slice(0, 2).flatMap((one, index) => bestOf(one, index === 0 ? 4 : 2)),
    ...ofDocument.flatMap((value) => {
      const [first] = showing(value);
      // Another value of the same column too: where the filter knows neither, it does not select by what is shown.
      return first?.shown === undefined ? [] : [first, ...bestOf(first.shown, 1)];
    }),
    ...ofRecords.flatMap((value) => showing(value).slice(0, 1)),
    ...ofDocument.map(unseen),
    ...ofRecords.map(unseen),
    ...other.flatMap((one) => bestOf(one, 1)),
  ];
  const values = new Set<string>();
  return list.filter(({ value }) => !values.has(value) && values.add(value));
}

function isRepeated({ values }: ShownValues): boolean {
  return [...values.values()].some((times) => times > 1);
}

/** How similar a heading and the name of a filter are, the least first: a hint about where to look, and no more. */
const likenesses = ['none', 'some words', 'all words', 'same'] as const;
type Likeness = (typeof likenesses)[number];

function rank(likeness: Likeness): number {
  return likenesses.indexOf(likeness);
}

function likeness(heading: string, filter: Filter): Likeness {
  const wanted = wordsOf(filter.replace('metadata[', ''));
  const found = wordsOf(heading.replace(/([a-z])([A-Z])/g, '$1 $2'));
  if (found.length === 0) return 'none';
  if (found.join('') === wanted.join('')) return 'same';
  if (wanted.every((word) => found.includes(word))) return 'all words';
  const isSpecific = (word: string): boolean => word !== 'id' && word !== 'type';
  const specific = wanted.filter(isSpecific);
  const hasSpecific = specific.length > 0 && specific.every((word) => found.includes(word));
  const isShorter = found.some(isSpecific) && found.every((word) => wanted.includes(word));
  return hasSpecific || isShorter ? 'some words' : 'none';
}

function wordsOf(name: string): string[] {
  return name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}

/** What came of trying values for a filter. */
interface Learned {
  readonly filter: KnownFilter;
  /** What shows the values of the filter. */
  readonly shown: ShownValues | undefined;
  readonly downloads: readonly CsvDownload[];
}

/**
 * Asks for one value after the other, until a column is found that shows what the filter selects by, or it is clear
 * that none does.
 */
async function tryValues(
  filter: Filter,
  candidates: readonly Candidate[],
  shown: readonly ShownValues[],
  clues: FilterClues,
): Promise<Learned> {
  const downloads: CsvDownload[] = [];
  const values: KnownValue[] = [];
  const unmatched: Unmatched[] = [];
  for (const candidate of candidates) {
    // A value was found that no column shows: then further ones do not come from columns either.
    if (values.length > 0 && candidate.shown !== undefined) continue;
    const download = await clues.fetch({ [filter]: [candidate.value] });
    downloads.push(download);
    const effect = effectOf(download, clues);
    if (effect === 'keeps none') unmatched.push({ ...candidate, download });
    // Rows show other values too, and nothing was left out: the filter is ignored.
    if (effect === 'keeps all' && candidate.shown !== undefined) break;
    if (typeof effect === 'string') continue;
    const shownBy = whatShows(filter, candidate, effect, shown, clues);
    const value: KnownValue = { value: candidate.value, events: effect.events };
    if (shownBy !== undefined) {
      const further = furtherValues(shownBy, candidate.value, clues);
      const found = { values: [value, ...further], read: shownBy.read, unmatched: undefined };
      return { filter: found, shown: shownBy, downloads };
    }
    values.push(value);
    if (values.length === enoughValues) break;
  }
  const found = { values, read: undefined, unmatched: expectedToMatch(filter, unmatched) };
  return { filter: found, shown: undefined, downloads };
}

/** The events that a value keeps. */
interface Kept {
  readonly table: CsvTable;
  readonly events: Multiset;
}

/** What a filter did with the events of the window. `unclear`: it was refused, or selected other events. */
function effectOf(
  { table }: CsvDownload,
  { base, columns }: FilterClues,
): Kept | 'keeps none' | 'keeps all' | 'unclear' {
  if (table === undefined) return 'unclear';
  if (table.count === 0) return 'keeps none';
  if (table.count === base.count) return 'keeps all';
  const events = eventsOf(table, columns.ignored);
  return isSubset(events, eventsOf(base, columns.ignored)) ? { table, events } : 'unclear';
}

/**
 * What shows the values of a filter. Best, exactly the events that are kept show the value that was asked for. A filter
 * that loses events, or keeps too many, has a column too: one whose name is like its own.
 */
function whatShows(
  filter: Filter,
  { value, shown }: Candidate,
  { table, events }: Kept,
  all: readonly ShownValues[],
  clues: FilterClues,
): ShownValues | undefined {
  const isExact = (one: ShownValues): boolean => isSame(eventsShowing(one, value, clues), events);
  const losesEvents = (one: ShownValues): boolean =>
    rank(likeness(one.name, filter)) >= rank('all words') &&
    isSubset(events, eventsShowing(one, value, clues));
  const keepsTooMany = (one: ShownValues): boolean =>
    likeness(one.name, filter) !== 'none' &&
    isSubset(eventsShowing(one, value, clues), events) &&
    table.rows.every((row) => one.read(row)?.toLowerCase().includes(value.toLowerCase()));

  const asOften = all.filter(({ values }) => values.get(value) === table.count);
  const showing = all.filter(({ values }) => values.has(value));
  return (
    [...(shown === undefined ? [] : [shown]), ...asOften].find(isExact) ??
    showing.find(losesEvents) ??
    showing.find(keepsTooMany)
  );
}

function eventsShowing(
  { read }: ShownValues,
  value: string,
  { base, columns }: FilterClues,
): Multiset {
  return multiset(
    base.rows.filter((row) => read(row) === value),
    columns.ignored,
  );
}

/** Other values that the column shows, with the events that show them: not asked for, but read off. */
function furtherValues(column: ShownValues, value: string, clues: FilterClues): KnownValue[] {
  return distinctiveValues(column, clues.base.rows.length)
    .filter((other) => other !== value)
    .slice(0, 4)
    .map((other) => ({ value: other, events: eventsShowing(column, other, clues) }));
}

/** A value for which the filter left no events. */
interface Unmatched extends Candidate {
  readonly download: CsvDownload;
}

/**
 * A value that the filter should match and does not: rows show it in a column that bears the very name of the filter,
 * or two unmatched values are of one column, and one of them is an example of the document.
 */
function expectedToMatch(
  filter: Filter,
  unmatched: readonly Unmatched[],
): KnownFilter['unmatched'] {
  for (const { value, shown, download } of unmatched) {
    const times = shown?.values.get(value);
    if (shown === undefined || times === undefined) continue;
    const isExample = examples[filter]?.includes(value) === true;
    const hasOthers = unmatched.some((other) => other.shown === shown && other.value !== value);
    if (likeness(shown.name, filter) === 'same' || (isExample && hasOthers)) {
      return { value, times, download };
    }
  }
  return undefined;
}
