import { isUuidShaped } from '../../schemas/resources.ts';
import { isSubset, multiset } from '../csv/multiset.ts';
import { eventsOf } from './columns.ts';
import type { CsvDownload } from './downloads.ts';
import {
  areCodes,
  type Candidate,
  candidatesFor,
  code,
  configured,
  examples,
  type FilterClues,
  isNamedFor,
  isSpelledAs,
  type KnownValue,
  likeness,
  maxTries,
  named,
  Search,
  wantsIds,
} from './filter-search.ts';
import { valuesThatMeet } from './meeting-values.ts';
import { type Filter, filters, isListFilter } from './query.ts';
import { type Place, placesOf } from './shown-values.ts';

/** What is known of the filters. */
export type KnownFilters = Readonly<Awaited<ReturnType<typeof learnFilters>>>;

/** What is known of one filter. Exports among it show faults. */
export interface KnownFilter extends Readonly<ReturnType<typeof knownOf>> {
  /** Further values, by which it meets other filters: some event matches both, and each leaves out events of the other. */
  readonly further: readonly KnownValue[];
}

/** A filter that takes the values of another one for its own. */
export interface Exchanged {
  readonly other: Filter;
  /** The export for a value of the other filter: it holds exactly the events that show the value. */
  readonly kept: CsvDownload;
  /** The exports for values that rows show as this filter's own: they hold no events. */
  readonly unmatched: readonly CsvDownload[];
}

/**
 * Finds for each filter some values that keep some events of the window and not all, and the place in which rows show its
 * values. A filter whose values no row shows stays without a place: relations between exports still judge it.
 */
export async function learnFilters(clues: FilterClues) {
  const searches = await searchAll(clues);
  const asked = searches.flatMap((search) => search.asked);
  const found = new Map(searches.map((one) => [one.filter, knownOf(one, searches, clues)]));
  const added = await valuesThatMeet(found, clues);
  const known: ReadonlyMap<Filter, KnownFilter> = new Map(
    Array.from(found, ([filter, one]) => {
      const further = added.flatMap((each) => (each.filter === filter ? each.confirmed : []));
      return [filter, { ...one, further }];
    }),
  );
  return {
    known,
    impossible: clues.impossible,
    /** An export that was not used, as it holds many events that the window did not hold before. */
    unclear: asked.find(({ download, effect }) => download.table && effect === 'unclear')?.download,
  };
}

/** Whether an export holds events that the window does not hold. */
const holdsOthers = ({ table }: CsvDownload, { base, columns: { ignored } }: FilterClues) =>
  table !== undefined && !isSubset(eventsOf(table, ignored), eventsOf(base, ignored));

/** The finished search of each filter, in the order of the document. */
async function searchAll(clues: FilterClues): Promise<Search[]> {
  const shown = placesOf(clues.base, clues.columns.ignored);
  const searches = filters.map((filter) => new Search(filter, clues));
  const named = searches.map(({ filter }) => placeToTryFirst(filter, shown, clues));
  await Promise.all(
    searches.map(async (search, index) => {
      const place = named[index];
      if (isListFilter(search.filter)) await search.find(shown, maxTries.inAll);
      // The best place of two keys is tried for one of them first.
      else if (place && named.indexOf(place) === index) await search.find([place], maxTries.first);
    }),
  );
  // Other keys are searched one after the other: the place of an earlier filter need not be tried for the next.
  const free = new Set(shown);
  for (const search of searches) {
    const isSearched = isListFilter(search.filter) || search.values.length > 0;
    if (!isSearched) await search.find([...free], maxTries.inAll);
    for (const place of placesUsedUpBy(search, shown)) free.delete(place);
  }
  return searches;
}

/** The place of the most promising candidate for a metadata key, where that has its name. */
function placeToTryFirst(
  filter: Filter,
  shown: readonly Place[],
  clues: FilterClues,
): Place | undefined {
  const [first] = isListFilter(filter) ? [] : candidatesFor(filter, shown, clues);
  const isNamed = first?.shown && likeness(first.shown.name, filter) > named.otherwise;
  return isNamed ? first?.shown : undefined;
}

/** Places that need not be tried for other filters: a whole column, or those of the same name in it (`tag` in JSON). */
function placesUsedUpBy(search: Search, shown: readonly Place[]): readonly Place[] {
  const { place } = search;
  // A key that selects by another key's values leaves their place for that other key to find.
  if (place === undefined || exchangedIn(search) !== undefined) return [];
  const isWhole = place.kind === 'cell' || place.kind === 'code';
  return shown.filter(
    ({ column, name }) => column === place.column && (isWhole || name === place.name),
  );
}

/** How many values that keep no events are asked for without a range too. */
const maxEmpty = 2;

/** What a finished search says of its filter; `all`: the searches of every filter. */
function knownOf(search: Search, all: readonly Search[], clues: FilterClues) {
  const isServed = ({ asked }: Search): boolean =>
    asked.some(({ download }) => download.table !== undefined);
  // Where every list, or every key, is refused, the way of sending them may be the reason, and no filter is at fault.
  const areOthersServed = all.some(
    (other) => isListFilter(other.filter) === isListFilter(search.filter) && isServed(other),
  );
  const empty = search.unmatched.filter(({ shown }) => shown && search.values.length === 0);
  return {
    /** Values that keep some events of the window and not all, in the order in which they were asked for. */
    values: search.values,
    /** Where rows show the values; undefined where no export has confirmed a place that does. */
    shown: search.place,
    /** A value that rows show as one of this filter, and for which it keeps none of these rows. */
    unmatched: expectedToMatch(search),
    /** Where no value keeps any, exports of the window by values that rows show: they hold no events. */
    empty: empty.slice(0, maxEmpty).map(({ download }) => download),
    /** An export that holds all events although rows show further values: the filter is ignored. */
    keptAll: search.keptAll,
    /** An export that holds events that the window does not hold, or holds otherwise. */
    others: search.asked.find(({ download }) => holdsOthers(download, clues))?.download,
    /** The refusal of a value that must be served: the filter refuses every value, and others do not. */
    refused: areOthersServed && !isServed(search) ? mustBeServed(search, clues) : undefined,
    /** Set where a metadata key selects by what rows show as another key's values. */
    exchanged: exchangedIn(search),
  };
}

/**
 * How surely rows show a value as one of a filter. 3: as an example of the document among codes, or under exactly the name
 * of a metadata key, as an id among ids or as requests write it. 2: as an id under a name like the key's, or as a code as
 * requests write it. 1: otherwise, under a name like the key's.
 */
function certainty(filter: Filter, { value, shown }: Candidate): number {
  if (!shown?.isFaithful) return 0;
  const like = likeness(shown.name, filter);
  if (isListFilter(filter)) {
    const isExample = areCodes(shown) && examples[filter]?.includes(value);
    return isExample && like > named.otherwise ? 3 : 0;
  }
  const isSpelled = isSpelledAs(shown, filter);
  if (!isNamedFor(shown, filter)) return 0;
  if (!isUuidShaped(value) && !(isSpelled && code.test(value))) return 1;
  return like === named.same && (shown.areIds || isSpelled) ? 3 : 2;
}

/**
 * A value that the filter should match and does not, with the rows that it loses. It must be certain, and another value of its
 * place must be unmatched too: columns may show labels, or only some values.
 */
function expectedToMatch({ filter, unmatched }: Search) {
  const certain = unmatched.find(
    (one) =>
      certainty(filter, one) === 3 &&
      unmatched.some(({ shown, value }) => shown === one.shown && value !== one.value),
  );
  if (certain === undefined) return undefined;
  const { value, shown, download } = certain;
  return { known: { value, events: multiset([]), download }, lost: shown?.rows.get(value) ?? [] };
}

/**
 * The answer that refuses a value which must be served: one configured, documented, or of a record at hand, or one of several
 * that rows show as this filter's own. A server error (500 or above) is wrong for any value.
 */
function mustBeServed(
  { filter, asked }: Search,
  { given, records }: FilterClues,
): CsvDownload | undefined {
  // Not for the API key (401), nor because the service is busy (429, 503).
  const refused = asked.filter(
    ({ download: { answer } }) => answer.status >= 400 && ![401, 429, 503].includes(answer.status),
  );
  const documented = [
    ...configured(filter, given),
    ...(examples[filter] ?? []),
    ...(wantsIds(filter) ? (records[filter] ?? []) : []),
  ];
  // A value of the wrong form may be refused: “Anna” for a filter whose name ends in _id.
  const isOfItsForm = wantsIds(filter) ? isUuidShaped : (value: string) => code.test(value);
  const own = refused.filter((one) => certainty(filter, one) > 0 && isOfItsForm(one.value));
  const [certain] = [
    ...refused.filter(({ value }) => documented.includes(value)),
    ...(own.length > 1 ? own : []),
    ...refused.filter(({ download }) => download.answer.status >= 500),
  ];
  return certain?.download;
}

/** A metadata key that selects by another key's values, where neither's place could be the other's by name; or undefined. */
function exchangedIn({ filter, place, values, unmatched }: Search): Exchanged | undefined {
  const [first] = values;
  const own = unmatched.filter((one) => certainty(filter, one) > 1);
  if (first === undefined || place === undefined || own.length < 2) return undefined;
  const isClear = place.isFaithful && (place.areIds || place.kind === 'part');
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
