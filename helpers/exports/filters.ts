import { isUuidShaped } from '../../schemas/identifier.ts';
import { listFilters } from '../../schemas/operations.ts';
import { difference } from '../csv/multiset.ts';
import { eventsOf, isAnyOutside } from './columns.ts';
import type { CsvDownload } from './downloads.ts';
import {
  type Candidate,
  candidatesFor,
  code,
  configured,
  examples,
  type FilterClues,
  nearValue,
} from './filter-candidates.ts';
import { isNamedFor, isSpelledAs, likeness, wantsIds } from './filter-names.ts';
import { effectOf, type LearnedFilter, maxTries, Search } from './filter-search.ts';
import {
  type Exchanged,
  isFaithful,
  type KnownFilter,
  type KnownFilters,
} from './known-filters.ts';
import { type Filter, filters, isListFilter } from './query.ts';
import { type ShownValues, shownValuesOf } from './shown-values.ts';

/**
 * Finds for each filter values that keep some events and not all, and the place in which rows show them. What is read
 * off the rows is a candidate: only what an export has confirmed is known. Where rows show no value, the filter stays
 * without a place: relations between exports still judge it.
 */
export async function learnFilters(clues: FilterClues): Promise<KnownFilters> {
  const { base, window, columns, impossible } = clues;
  const shown = shownValuesOf(base, columns.ignored);
  const downloads: CsvDownload[] = [];
  const found = new Map<Filter, LearnedFilter>();
  const free = new Set(shown);
  const learnOne = async (filter: Filter, tries: number): Promise<number> => {
    const search = new Search(filter, shown, clues);
    const learned = await search.find(candidatesFor(filter, [...free], clues), tries);
    downloads.push(...search.downloads);
    found.set(filter, learned);
    // What is another one's is left to that one.
    if (exchangedIn(filter, learned) === undefined) {
      for (const place of taken(learned.place, shown)) free.delete(place);
    }
    return search.downloads.length;
  };
  const keys = mostPromisingFirst(shown, clues);
  askAhead(keys, shown, clues);
  await Promise.all(listFilters.map((filter) => learnOne(filter, maxTries.list)));
  // One after the other: what is known to belong to one key need not be tried for the next.
  let triesLeft = maxTries.metadata;
  for (const key of keys) {
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
  return { known: knownIn(found, clues), impossible, beyondWindow, unclear };
}

/**
 * Asks at once what the search of each key is going to ask first, and what right after it, where a place is named like
 * that key, and like none before it: no answer to another key changes that. The search then finds its downloads under way.
 */
function askAhead(
  keys: readonly Filter[],
  shown: readonly ShownValues[],
  clues: FilterClues,
): void {
  const places = new Set<ShownValues>();
  for (const key of keys) {
    const [first] = candidatesFor(key, shown, clues);
    const place = first?.shown;
    if (first === undefined || place === undefined || places.has(place)) continue;
    if (likeness(place.name, key) === 'none') continue;
    places.add(place);
    const near = nearValue(first.value, place);
    const asked = [first.value, ...(near === undefined ? [] : [near])];
    // Whether they arrive is for the search to see.
    inTurn(asked, (value) => clues.fetch({ [key]: [value] })).catch(() => {});
  }
}

async function inTurn<T>(all: readonly T[], ask: (one: T) => Promise<unknown>): Promise<void> {
  for (const one of all) await ask(one);
}

/** In the order of the document, whatever was learned first. */
function knownIn(
  found: ReadonlyMap<Filter, LearnedFilter>,
  clues: FilterClues,
): ReadonlyMap<Filter, KnownFilter> {
  const isServed = (filter: Filter): boolean => found.get(filter)?.isServed === true;
  return new Map(
    filters.flatMap((filter) => {
      const learned = found.get(filter);
      if (learned === undefined) return [];
      // Where all lists, or all keys, are refused, it may be the way in which they are sent.
      const areOthersServed = filters.some(
        (other) => isListFilter(other) === isListFilter(filter) && isServed(other),
      );
      const refused =
        areOthersServed && !isServed(filter) ? mustBeServed(filter, learned, clues) : undefined;
      const exchanged = exchangedIn(filter, learned);
      return [[filter, { ...learned.filter, refused, exchanged }] as const];
    }),
  );
}

/**
 * A refused value that must be served. A value that the target does not know may be refused: so it must be configured, an
 * example of the document, the id of a record at hand, or what several of the target's own rows show under a name of this
 * filter, as an id or a code. A server error is none of the answers to unknown values.
 */
function mustBeServed(
  filter: Filter,
  { refused }: LearnedFilter,
  { given, records }: FilterClues,
): CsvDownload | undefined {
  const wantsId = wantsIds(filter);
  const documented = [
    ...configured(filter, given),
    ...(examples[filter] ?? []),
    ...(wantsId ? (records[filter] ?? []) : []),
  ];
  const isOwn = ({ value, shown }: Candidate): boolean =>
    shown !== undefined &&
    !isListFilter(filter) &&
    isFaithful(shown) &&
    isNamedFor(shown, filter) &&
    (wantsId ? isUuidShaped(value) : code.test(value));
  const own = refused.filter(isOwn);
  const certain = [
    ...refused.filter(({ value }) => documented.includes(value)),
    ...(own.length > 1 ? own : []),
    ...refused.filter(({ download }) => download.answer.status >= 500),
  ];
  return certain[0]?.download;
}

/**
 * Whether a metadata key selects by values that rows show under the name of another one, and not by those that they show
 * under its own name: ids, or codes where the cells spell the key. Two names that both fit, and one that fits both keys, say nothing.
 */
function exchangedIn(
  filter: Filter,
  { place, filter: { values }, unmatched }: LearnedFilter,
): Exchanged | undefined {
  const [first] = values;
  if (isListFilter(filter) || first === undefined || place === undefined) return undefined;
  const own = unmatched.filter(({ value, shown }) => {
    if (shown === undefined || !isFaithful(shown) || !isNamedFor(shown, filter)) return false;
    return isUuidShaped(value) || (isSpelledAs(shown, filter) && code.test(value));
  });
  const isClear = isFaithful(place) && (place.areIds || place.kind === 'part');
  if (own.length < 2 || !isClear || isNamedFor(place, filter)) return undefined;
  const other = filters.find(
    (one) =>
      !isListFilter(one) &&
      (place.areIds ? isNamedFor(place, one) : isSpelledAs(place, one)) &&
      !own.some(({ shown }) => shown !== undefined && isNamedFor(shown, one)),
  );
  if (other === undefined) return undefined;
  return { other, kept: first.download, unmatched: own.map(({ download }) => download) };
}

/** The readings of the same cells, or of the same part of them, which show values of no other filter. */
function taken(
  found: ShownValues | undefined,
  shown: readonly ShownValues[],
): readonly ShownValues[] {
  if (found === undefined) return [];
  const isWhole = ({ kind }: ShownValues): boolean => kind === 'cell' || kind === 'code';
  return shown.filter(
    ({ column, name }) => column === found.column && (isWhole(found) || name === found.name),
  );
}

/** The metadata keys; first those for which more than the form of values shows where to look. */
function mostPromisingFirst(shown: readonly ShownValues[], clues: FilterClues): Filter[] {
  const keys = filters.filter((filter) => !isListFilter(filter));
  const isPromising = (key: Filter): boolean =>
    configured(key, clues.given).length > 0 ||
    shown.some(({ name }) => likeness(name, key) !== 'none') ||
    (clues.records[key] ?? []).some((id) => shown.some(({ rows }) => rows.has(id)));
  const promising = keys.filter(isPromising);
  return [...promising, ...keys.filter((key) => !promising.includes(key))];
}
