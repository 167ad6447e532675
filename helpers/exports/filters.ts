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
 * Finds for each filter some values that keep some events of the window and not all, and the place in which rows show
 * its values (`task_id` in column 3). A value read off the rows is a candidate until an export has confirmed it. A
 * filter whose values no row shows stays without a place: relations between exports still judge it.
 */
export async function learnFilters(clues: FilterClues): Promise<KnownFilters> {
  const searches = await searchAll(clues);
  const downloads = searches.flatMap((search) => search.downloads);
  const known = searches.map((one) => [one.filter, knownOf(one, searches, clues)] as const);
  return {
    known: new Map(known),
    impossible: clues.impossible,
    beyondWindow: downloads.find((download) => isBeyondWindow(download, clues)),
    unclear: downloads.find((one) => one.table && effectOf(one, clues) === 'unclear'),
  };
}

/** Whether an export holds events that surely happened outside of the window, and that the window lacks. */
function isBeyondWindow({ table }: CsvDownload, { base, window, columns }: FilterClues): boolean {
  if (table === undefined || columns.times === undefined) return false;
  const [events, all] = [eventsOf(table, columns.ignored), eventsOf(base, columns.ignored)];
  return isAnyOutside(difference(events, all).missing, window, columns.times);
}

/** The finished search of each filter, in the order of the document. */
async function searchAll(clues: FilterClues): Promise<Search[]> {
  const { base, columns } = clues;
  const shown = shownValuesOf(base, columns.ignored);
  const searchOf = new Map<Filter, Search>();
  const free = new Set(shown);
  const learnOne = async (filter: Filter, tries: number): Promise<number> => {
    const search = new Search(filter, shown, clues);
    await search.find(candidatesFor(filter, [...free], clues), tries);
    searchOf.set(filter, search);
    // A key that selects by another key's values leaves their place for that other key to find.
    if (exchangedIn(search) === undefined) {
      for (const place of placesUsedUpBy(search.place, shown)) free.delete(place);
    }
    return search.downloads.length;
  };
  const keys = mostPromisingFirst(shown, clues);
  askAhead(keys, shown, clues);
  await Promise.all(listFilters.map((filter) => learnOne(filter, maxTries.list)));
  // Keys are searched one after the other: the place of one key need not be tried for the next.
  let triesLeft = maxTries.metadata;
  for (const key of keys) {
    triesLeft -= await learnOne(key, Math.min(maxTries.metadataKey, triesLeft));
  }
  return filters.flatMap((filter) => searchOf.get(filter) ?? []);
}

/**
 * Sends now what the search of each key will ask first and second, so that the search finds its downloads under way.
 * Only for keys whose best place has their name, and is no earlier key's best: then no other answer changes the order.
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
    // A request that fails is dealt with by the search, which asks for the same.
    ask(first.value)
      .then(() => (near === undefined ? undefined : ask(near)))
      .catch(() => {});
  }
}

/** What a finished search says of its filter; `all`: the searches of every filter. */
function knownOf(search: Search, all: readonly Search[], clues: FilterClues): KnownFilter {
  const isServed = ({ downloads }: Search): boolean =>
    downloads.some(({ table }) => table !== undefined);
  // Where every list, or every key, is refused, the way of sending them may be the reason, and no filter is at fault.
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

/** Whether rows show a value as one of this metadata key: an id under its name, or a code under exactly its name. */
function isShownAsItsOwn(filter: Filter, { value, shown }: Candidate): boolean {
  if (shown === undefined || !isUnderItsName(filter, shown)) return false;
  return isUuidShaped(value) || (isSpelledAs(shown, filter) && code.test(value));
}

/** Whether a place has the name of this metadata key and holds its values unchanged; false for list filters. */
function isUnderItsName(filter: Filter, shown: ShownValues): boolean {
  return !isListFilter(filter) && isFaithful(shown) && isNamedFor(shown, filter);
}

/**
 * A value that the filter should match and does not, with the rows that it loses; undefined if there is none. Columns
 * may show labels or only some values, so the value must be certain: an example of the document in a column of codes
 * named like the filter, or shown under the exact name of a metadata key. Another of that place must be unmatched too.
 */
function expectedToMatch({ filter, unmatched }: Search): KnownFilter['unmatched'] {
  const isCertain = (one: Candidate): boolean =>
    unmatched.some(({ shown, value }) => shown === one.shown && value !== one.value) &&
    (isExampleOf(filter, one) || isUnderItsExactName(filter, one));
  const certain = unmatched.find(isCertain);
  if (certain === undefined) return undefined;
  const { value, shown, download } = certain;
  return {
    known: { value, events: multiset([]), download },
    lost: shown?.rows.get(value) ?? [],
  };
}

/** Whether a value is an example of the document, in a column of codes named like the filter. */
function isExampleOf(filter: Filter, { value, shown }: Candidate): boolean {
  if (shown === undefined || !isFaithful(shown) || !examples[filter]?.includes(value)) return false;
  const areCodes = [...shown.rows.keys()].every((other) => code.test(other.toLowerCase()));
  return areCodes && likeness(shown.name, filter) > named.otherwise;
}

/** Whether a value is shown under the exact name of a metadata key: as an id among ids, or as requests write it. */
function isUnderItsExactName(filter: Filter, candidate: Candidate): boolean {
  const { shown } = candidate;
  if (shown === undefined || !isShownAsItsOwn(filter, candidate)) return false;
  const areIds = [...shown.rows.keys()].every(isUuidShaped);
  return likeness(shown.name, filter) === named.same && (areIds || isSpelledAs(shown, filter));
}

/**
 * The answer that refuses a value which must be served; undefined where there is none. A target may refuse values it
 * does not know, so the value must be configured, an example of the document, the id of a record at hand, or one of
 * several that rows show as this filter's own. A server error (500 or above) is wrong for any value.
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
  // A value of the wrong form may be refused: “Anna” for a filter whose name ends in _id.
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
 * The fault of a metadata key that selects by another key's values: `entity_id` keeps the events of a task id, and none
 * for the entity ids that rows show. undefined where it does not, or where a place could belong to either key by name.
 */
function exchangedIn({ filter, place, values, unmatched }: Search): Exchanged | undefined {
  const [first] = values;
  const own = unmatched.filter((one) => isShownAsItsOwn(filter, one));
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

/**
 * The places that are used up once a filter's place is found, and need not be tried for other filters: every reading of
 * its column where whole cells are the values, or else the readings with the same name in that column (`tag` in JSON).
 */
function placesUsedUpBy(
  found: ShownValues | undefined,
  shown: readonly ShownValues[],
): readonly ShownValues[] {
  const isWhole = found?.kind === 'cell' || found?.kind === 'code';
  return shown.filter(
    ({ column, name }) => column === found?.column && (isWhole || name === found.name),
  );
}

/** The metadata keys, first those with a configured value, a place named like them, or a record whose id rows show. */
function mostPromisingFirst(shown: readonly ShownValues[], clues: FilterClues): Filter[] {
  const keys = filters.filter((filter) => !isListFilter(filter));
  const isPromising = (key: Filter): boolean =>
    configured(key, clues.given).length > 0 ||
    shown.some(({ name }) => likeness(name, key) > named.otherwise) ||
    (clues.records[key] ?? []).some((id) => shown.some(({ rows }) => rows.has(id)));
  const promising = keys.filter(isPromising);
  return [...promising, ...keys.filter((key) => !promising.includes(key))];
}
