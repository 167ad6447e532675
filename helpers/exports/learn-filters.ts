import type { FilterValues } from '../config/settings.ts';
import type { Row } from '../csv/csv-form.ts';
import { difference, isSubset, multiset } from '../csv/multiset.ts';
import type { CsvTable } from '../csv/read-csv.ts';
import type { CsvDownload } from './downloads.ts';
import { eventsOf, type KnownFilter, type KnownValue } from './knowledge.ts';
import { type Filter, type FilterSet, filters, isListFilter } from './query.ts';
import { type Readable, readablesOf, tellingValues } from './readable-values.ts';

/** Values that the document gives as examples (4. Export audit events). */
const examples: { readonly [F in Filter]?: readonly string[] } = {
  event_type: ['assessment'],
  sub_type: ['created', 'updated'],
  system_source: ['assessment_service', 'task_platform'],
};

const triesForOne = { list: 8, metadata: 6 };
const triesForMetadata = 36;
/** To look for where no column shows more of them. */
const enoughValues = 3;

/** What finding values starts from. */
export interface FilterClues {
  readonly base: CsvTable;
  readonly ignored: ReadonlySet<number>;
  /** Values known to occur, by configuration. */
  readonly given: FilterValues;
  /** Ids of records at hand, by filter. */
  readonly records: { readonly [F in Filter]?: readonly string[] };
  readonly fetch: (filters: FilterSet) => Promise<CsvDownload>;
}

interface Candidate {
  readonly value: string;
  readonly readable: Readable | undefined;
}

/**
 * Finds for each filter values that keep some events and not all, and the column in which rows show them.
 * Where the export shows none, the filter stays without: relations between exports still judge it.
 */
export async function learnFilters(clues: FilterClues): Promise<Map<Filter, KnownFilter>> {
  const readables = readablesOf(clues.base, clues.ignored);
  const known = new Map<Filter, KnownFilter>();
  const taken = new Set<Readable>();
  let triesLeft = triesForMetadata;
  const learn = async (filter: Filter, tries: number): Promise<number> => {
    const list = candidates(
      filter,
      readables.filter((one) => !taken.has(one)),
      clues,
    );
    let used = 0;
    let unshown: readonly KnownValue[] = [];
    const silent: Silent[] = [];
    for (const candidate of list.slice(0, tries)) {
      // No column shows the filter: further values come from elsewhere.
      if (unshown.length > 0 && candidate.readable !== undefined) continue;
      used += 1;
      const download = await clues.fetch({ [filter]: [candidate.value] });
      const found = understand(filter, candidate, download, readables, clues);
      if (found === undefined) {
        // Rows show another value too, and nothing was left out: the filter is not heard.
        if (candidate.readable !== undefined && download.table?.count === clues.base.count) break;
        if (download.table?.count === 0) silent.push({ ...candidate, download });
        continue;
      }
      if (found.readable !== undefined) {
        known.set(filter, found.filter);
        taken.add(found.readable);
        return used;
      }
      unshown = [...unshown, ...found.filter.values];
      if (unshown.length === enoughValues) break;
    }
    known.set(filter, { values: unshown, read: undefined, mute: muteValue(filter, silent) });
    return used;
  };
  await Promise.all(filters.filter(isListFilter).map((filter) => learn(filter, triesForOne.list)));
  // One after the other: what is known to belong to one key need not be tried for the next.
  const keys = filters.filter((filter) => !isListFilter(filter));
  const anchored = keys.filter((key) => cluesFor(key, readables, clues));
  for (const key of [...anchored, ...keys.filter((one) => !anchored.includes(one))]) {
    triesLeft -= await learn(key, Math.min(triesForOne.metadata, triesLeft));
  }
  return known;
}

/** Whether anything but the shape of values says where to look for a metadata key. */
function cluesFor(filter: Filter, readables: readonly Readable[], clues: FilterClues): boolean {
  return (
    configured(filter, clues.given).length > 0 ||
    readables.some(({ name }) => likeness(name, filter) > 0) ||
    (clues.records[filter] ?? []).some((id) => readables.some(({ values }) => values.has(id)))
  );
}

function configured(filter: Filter, given: FilterValues): readonly string[] {
  if (isListFilter(filter)) return given[filter] ?? [];
  // The part behind the point is one of the keys.
  const key = filter.slice('metadata.'.length) as keyof NonNullable<FilterValues['metadata']>;
  return given.metadata?.[key] ?? [];
}

/** Values to try, the most promising first. */
function candidates(
  filter: Filter,
  readables: readonly Readable[],
  { base, given, records }: FilterClues,
): Candidate[] {
  const showing = (value: string): Candidate[] => {
    const found = readables.filter(({ values }) => values.has(value));
    return found.map((readable) => ({ value, readable }));
  };
  const ofReadable = (readable: Readable, count: number): Candidate[] =>
    tellingValues(readable, base.rows.length)
      .slice(0, count)
      .map((value) => ({ value, readable }));
  const wantsId = filter.endsWith('_id');
  const similar = readables
    .filter(({ name, areIds }) => likeness(name, filter) > (areIds === wantsId ? 0 : 2))
    .sort((a, b) => likeness(b.name, filter) - likeness(a.name, filter));
  const other = readables
    .filter((readable) => !similar.includes(readable) && readable.areIds === wantsId)
    .filter(({ values }) => values.size <= base.rows.length / 2 || wantsId)
    .sort((a, b) => Number(isRepeated(b)) - Number(isRepeated(a)));
  const list = [
    ...configured(filter, given).map(
      (value) => showing(value)[0] ?? { value, readable: undefined },
    ),
    ...similar.slice(0, 2).flatMap((readable, rank) => ofReadable(readable, rank === 0 ? 4 : 2)),
    ...(examples[filter] ?? []).flatMap((value) => {
      const [first] = showing(value);
      // Another value of the same column: a filter that knows neither does not hear what is shown.
      const beside = first?.readable && ofReadable(first.readable, 1);
      return first === undefined ? [] : [first, ...(beside ?? [])];
    }),
    ...(records[filter] ?? []).flatMap((value) => showing(value).slice(0, 1)),
    ...(examples[filter] ?? []).map((value) => ({ value, readable: undefined })),
    ...(records[filter] ?? []).map((value) => ({ value, readable: undefined })),
    ...other.flatMap((readable) => ofReadable(readable, 1)),
  ];
  const values = new Set<string>();
  return list.filter(({ value }) => !values.has(value) && values.add(value));
}

function isRepeated({ values }: Readable): boolean {
  return [...values.values()].some((times) => times > 1);
}

/** How much a heading is like the name of a filter: a hint about where to look first, and no more. */
function likeness(heading: string, filter: Filter): number {
  const words = (text: string) =>
    text
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean);
  const name = filter.replace('metadata.', '');
  const [wanted, found] = [
    words(name.replaceAll('_', ' ')),
    words(heading.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' ')),
  ];
  if (found.length === 0) return 0;
  if (found.join('') === wanted.join('')) return 3;
  if (wanted.every((word) => found.includes(word))) return 2;
  const isTelling = (word: string): boolean => word !== 'id' && word !== 'type';
  const telling = wanted.filter(isTelling);
  if (telling.length > 0 && telling.every((word) => found.includes(word))) return 1;
  return found.some(isTelling) && found.every((word) => wanted.includes(word)) ? 1 : 0;
}

/** A value for which the filter left nothing. */
interface Silent extends Candidate {
  readonly download: CsvDownload;
}

/**
 * A value that the filter should know and leaves nothing for: rows show it in a column that bears the very name of
 * the filter, or two values stand in one column, and one of them is an example of the document.
 */
function muteValue(filter: Filter, silent: readonly Silent[]): KnownFilter['mute'] {
  const isExample = (value: string) => examples[filter]?.includes(value) === true;
  const mute = silent.find(({ value, readable }) => {
    if (readable === undefined || !readable.values.has(value)) return false;
    const others = silent.filter((other) => other.readable === readable && other.value !== value);
    return likeness(readable.name, filter) === 3 || (isExample(value) && others.length > 0);
  });
  if (mute === undefined) return undefined;
  const { value, readable, download } = mute;
  return { value, times: readable?.values.get(value) ?? 0, download };
}

/** What the events that a value leaves tell of the filter; undefined where the value tells nothing. */
function understand(
  filter: Filter,
  { value, readable }: Candidate,
  { table }: CsvDownload,
  readables: readonly Readable[],
  { base, ignored }: FilterClues,
): { filter: KnownFilter; readable: Readable | undefined } | undefined {
  if (table === undefined || table.count === 0 || table.count >= base.count) return undefined;
  const all = eventsOf(base, ignored);
  const events = eventsOf(table, ignored);
  if (!isSubset(events, all)) return undefined;
  const showing = readables.filter(({ values }) => values.get(value) === table.count);
  const ranked = readable === undefined ? showing : [readable, ...showing];
  const rowsShowing = ({ read }: Readable, shownValue: string) =>
    multiset(
      base.rows.filter((row) => read(row) === shownValue),
      ignored,
    );
  const agrees = (one: Readable): boolean => {
    const { missing, extra } = difference(rowsShowing(one, value), events);
    return missing.length === 0 && extra.length === 0;
  };
  // All events that are left show the value under the filter's name, and others do too: the filter loses events.
  const loses = (one: Readable): boolean =>
    likeness(one.name, filter) >= 2 && isSubset(events, rowsShowing(one, value));
  // All events that show the value are left, and others that show one like it: the filter keeps too many.
  const leaks = (one: Readable): boolean =>
    likeness(one.name, filter) > 0 &&
    isSubset(rowsShowing(one, value), events) &&
    table.rows.every((row) => one.read(row)?.toLowerCase().includes(value.toLowerCase()));
  const having = readables.filter(({ values }) => values.has(value));
  const shown = ranked.find(agrees) ?? having.find(loses) ?? having.find(leaks);
  const first: KnownValue = { value, events };
  if (shown === undefined)
    return { filter: { values: [first], read: undefined, mute: undefined }, readable: undefined };
  const more = tellingValues(shown, base.rows.length)
    .filter((other) => other !== value)
    .slice(0, 4)
    .map((other) => ({
      value: other,
      events: multiset(
        base.rows.filter((row: Row) => shown.read(row) === other),
        ignored,
      ),
    }));
  return {
    filter: { values: [first, ...more], read: shown.read, mute: undefined },
    readable: shown,
  };
}
