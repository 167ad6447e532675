import { isUuidShaped } from '../../schemas/identifier.ts';
import { listFilters } from '../../schemas/operations.ts';
import { difference, multiset } from '../csv/multiset.ts';
import { eventsOf, isAnyOutside } from './columns.ts';
import type { CsvDownload } from './downloads.ts';
import {
  type Candidate,
  candidatesFor,
  code,
  configured,
  examples,
  type FilterClues,
  firstUnshownNear,
  isNamedFor,
  isSpelledAs,
  likeness,
  named,
  wantsIds,
} from './filter-candidates.ts';
import { effectOf, maxTries, Search } from './filter-search.ts';
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
  const found = new Map<Filter, Search>();
  const free = new Set(shown);
  const learnOne = async (filter: Filter, tries: number): Promise<number> => {
    const search = new Search(filter, shown, clues);
    await search.find(candidatesFor(filter, [...free], clues), tries);
    found.set(filter, search);
    // What is another one's is left to that one.
    if (exchangedIn(search) === undefined) {
      for (const place of taken(search.place, shown)) free.delete(place);
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
  const searches = filters.flatMap((filter) => found.get(filter) ?? []);
  const downloads = searches.flatMap((search) => search.downloads);
  const beyondWindow = downloads.find(({ table }) => {
    if (table === undefined || columns.times === undefined) return false;
    const [events, all] = [eventsOf(table, columns.ignored), eventsOf(base, columns.ignored)];
    return isAnyOutside(difference(events, all).missing, window, columns.times);
  });
  const unclear = downloads.find(
    (download) => download.table !== undefined && effectOf(download, clues) === 'unclear',
  );
  const known = searches.map((one) => [one.filter, knownOf(one, searches, clues)] as const);
  return { known: new Map(known), impossible, beyondWindow, unclear };
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
    if (likeness(place.name, key) === named.otherwise) continue;
    places.add(place);
    const near = firstUnshownNear(first.value, place);
    const ask = (value: string) => clues.fetch({ [key]: [value] });
    // Whether they arrive is for the search to see.
    ask(first.value)
      .then(() => (near === undefined ? undefined : ask(near)))
      .catch(() => {});
  }
}

function knownOf(search: Search, all: readonly Search[], clues: FilterClues): KnownFilter {
  const isServed = ({ downloads }: Search): boolean =>
    downloads.some(({ table }) => table !== undefined);
  // Where all lists, or all keys, are refused, it may be the way in which they are sent.
  const areOthersServed = all.some(
    (other) => isListFilter(other.filter) === isListFilter(search.filter) && isServed(other),
  );
  return {
    values: search.values,
    shown: search.knownPlace,
    unmatched: expectedToMatch(search),
    keptAll: search.keptAll,
    refused: areOthersServed && !isServed(search) ? mustBeServed(search, clues) : undefined,
    exchanged: exchangedIn(search),
  };
}

/** Whether rows show a value under a name of a metadata key: an id, or a code where the cells spell the key as requests do. */
function isOwn(filter: Filter, { value, shown }: Candidate): boolean {
  if (shown === undefined || !isUnderItsName(filter, shown)) return false;
  return isUuidShaped(value) || (isSpelledAs(shown, filter) && code.test(value));
}

function isUnderItsName(filter: Filter, shown: ShownValues): boolean {
  return !isListFilter(filter) && isFaithful(shown) && isNamedFor(shown, filter);
}

/**
 * A value that the filter should match and does not. What a column shows may be labels, names, or some of several
 * values: so it must be an example of the document, in a column of codes that is named like the filter, or what rows show
 * under the very name of a metadata key; and no other value of it is matched either.
 */
function expectedToMatch({ filter, unmatched }: Search): KnownFilter['unmatched'] {
  for (const one of unmatched) {
    const { value, shown, download } = one;
    if (shown === undefined || !isFaithful(shown)) continue;
    const hasOthers = unmatched.some((other) => other.shown === shown && other.value !== value);
    const like = likeness(shown.name, filter);
    const areCodes = [...shown.rows.keys()].every((shown) => code.test(shown.toLowerCase()));
    const isExample =
      examples[filter]?.includes(value) === true && areCodes && like > named.otherwise;
    const areIds = [...shown.rows.keys()].every(isUuidShaped);
    const isNamed = isOwn(filter, one) && like === named.same;
    if (hasOthers && (isExample || (isNamed && (areIds || isSpelledAs(shown, filter))))) {
      const lost = shown.rows.get(value) ?? [];
      return { known: { value, events: multiset([]), download }, lost };
    }
  }
  return undefined;
}

/**
 * A refused value that must be served. A value that the target does not know may be refused: so it must be configured, an
 * example of the document, the id of a record at hand, or what several of the target's own rows show as the filter's own. A
 * server error is none of the answers to unknown values.
 */
function mustBeServed(
  { filter, refused }: Search,
  { given, records }: FilterClues,
): CsvDownload | undefined {
  const documented = [
    ...configured(filter, given),
    ...(examples[filter] ?? []),
    ...(wantsIds(filter) ? (records[filter] ?? []) : []),
  ];
  // A value of another form than its name wants may be refused.
  const isOfItsForm = wantsIds(filter) ? isUuidShaped : (value: string) => code.test(value);
  const own = refused.filter(
    ({ value, shown }) => shown && isUnderItsName(filter, shown) && isOfItsForm(value),
  );
  const [certain] = [
    ...refused.filter(({ value }) => documented.includes(value)),
    ...(own.length > 1 ? own : []),
    ...refused.filter(({ download }) => download.answer.status >= 500),
  ];
  return certain?.download;
}

/**
 * Whether a metadata key selects by values that rows show under the name of another one, and not by those that they show
 * as its own. Two names that both fit, and one that fits both keys, say nothing.
 */
function exchangedIn({ filter, place, values, unmatched }: Search): Exchanged | undefined {
  const [first] = values;
  const own = unmatched.filter((one) => isOwn(filter, one));
  if (first === undefined || place === undefined || own.length < 2) return undefined;
  const isClear = isFaithful(place) && (place.areIds || place.kind === 'part');
  if (!isClear || isNamedFor(place, filter)) return undefined;
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
  const isWhole = found?.kind === 'cell' || found?.kind === 'code';
  return shown.filter(
    ({ column, name }) => column === found?.column && (isWhole || name === found.name),
  );
}

/** The metadata keys; first those for which more than the form of values shows where to look. */
function mostPromisingFirst(shown: readonly ShownValues[], clues: FilterClues): Filter[] {
  const keys = filters.filter((filter) => !isListFilter(filter));
  const isPromising = (key: Filter): boolean =>
    configured(key, clues.given).length > 0 ||
    shown.some(({ name }) => likeness(name, key) > named.otherwise) ||
    (clues.records[key] ?? []).some((id) => shown.some(({ rows }) => rows.has(id)));
  const promising = keys.filter(isPromising);
  return [...promising, ...keys.filter((key) => !promising.includes(key))];
}
