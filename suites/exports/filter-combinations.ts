/*
 * Chooses filters to send together: combinations in which every filter counts, and every value of one that has several,
 * and of which it is known, from what each value keeps alone, which events they keep together.
 */

import type { Faker } from '@faker-js/faker';
import {
  type Bounds,
  inAny,
  inEach,
  intersection,
  isSubset,
  keyOfRow,
  type Multiset,
} from '../../helpers/csv/multiset.ts';
import { eventsOf } from '../../helpers/exports/columns.ts';
import type { KnownValue } from '../../helpers/exports/known-filters.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import {
  type ExportQuery,
  type Filter,
  type FilterSet,
  filters as filtersInOrder,
  isListFilter,
} from '../../helpers/exports/query.ts';
import type { TimeRange } from '../../helpers/exports/window.ts';
import type { ListFilter } from '../../schemas/operations.ts';

type Known = Pick<Knowledge, 'filters' | 'base' | 'columns' | 'encoding' | 'asLearned'>;

/** Values of a filter that are sent together; of a metadata key one. */
export interface Term {
  readonly filter: Filter;
  readonly values: readonly KnownValue[];
}

/** Terms sent in one request, and the events that match all of them. */
export interface Combination {
  readonly terms: readonly Term[];
  readonly expected: Bounds;
}

/** How many values of each filter are tried together with those of others. */
const maxValues = 3;

/** The filters of a query that sends the combination. */
export function filtersOf({ terms }: Pick<Combination, 'terms'>): FilterSet {
  return Object.fromEntries(
    terms.map(({ filter, values }) => [filter, values.map(({ value }) => value)]),
  );
}

/** Up to three that can be sent together. A comma in a value would make two values of it under one of the encodings. */
export function valuesOfList(filter: ListFilter, known: Known): readonly KnownValue[] {
  const { best } = known.encoding;
  const divides = best === 'pipe' ? /[,|]/ : best === 'semicolon' ? /[,;]/ : /,/;
  const { values = [] } = known.filters.known.get(filter) ?? {};
  return values.filter(({ value }) => !divides.test(value)).slice(0, maxValues);
}

/** A pair with a list is worth so many further pairs of metadata keys: lists have several values as well. */
const weightOfLists = 2;

/** So many pairs are tried of which one key keeps a part of what the other does. */
const maxNested = 3;

/** How often combinations are put together at random, to keep the one that holds most. */
const attempts = 32;

/**
 * Combinations that together hold as many pairs of filters as the budget allows, lists with two values where they can.
 *
 * @param budget how many combinations at the most
 * @param within events in which each combination must keep some, and leave some of its events out; all where left out
 */
export function pairwiseCombinations(
  given: Known,
  budget: number,
  faker: Faker,
  within?: Multiset,
): readonly Combination[] {
  return chosenAsLearned(given, (known, whole) =>
    mostPairs(known, whole, { budget, faker, within }),
  );
}

/** What `pairwiseCombinations` is asked for besides what is known. */
interface Wanted {
  readonly budget: number;
  readonly faker: Faker;
  readonly within: Multiset | undefined;
}

function mostPairs(
  known: Known,
  whole: Multiset,
  { budget, faker, within }: Wanted,
): Combination[] {
  const terms = termsByFilter(known);
  const keys = mostFiltered(terms, whole, within);
  const options = new Map(
    [...terms].map(([filter, some]) => [
      filter,
      some.map((term) =>
        optionOf(
          term.values.map(({ events }) => events),
          keys,
          term,
        ),
      ),
    ]),
  );
  const range = within === undefined ? [] : [optionOf([within], keys)];
  const covered = new Set<string>();
  const newOf = (names: readonly string[]): number =>
    names.filter((name) => !covered.has(name)).length;
  const gainOf = (filters: readonly Filter[]): number => {
    if (within !== undefined) return newOf(filters);
    const pairs = pairsOf(filters);
    const withList = pairs.filter((pair) => pair.some(isListFilter));
    const asPairs = newOf(pairs.map(pairName)) + weightOfLists * newOf(withList.map(pairName));
    // No filter is left out for the sake of pairs of others.
    return asPairs + weightOfLists * (withList.length > 0 ? newOf(filters) : 0);
  };
  const found: Combination[] = [];
  while (found.length < budget) {
    const tried = Array.from({ length: attempts }, () => {
      const terms = atRandom(options, range, keys.length, gainOf, faker);
      return { terms, gain: gainOf(filtersIn(terms)) };
    }).sort((one, other) => other.gain - one.gain);
    const best = tried.find(({ terms, gain }) => gain > 0 && isCertain(terms, whole))?.terms;
    if (best === undefined) break;
    const filters = filtersIn(best);
    const isMixed = filters.some(isListFilter);
    for (const pair of pairsOf(filters)) covered.add(pairName(pair));
    for (const filter of isMixed || within ? filters : []) covered.add(filter);
    found.push({ terms: best, expected: matchingAll(best, whole) });
  }
  return found;
}

/**
 * Pairs of metadata keys of which one keeps a part of what the other keeps, as those of an assessment and its entity do:
 * the wider one need not count in any combination, and the narrower one may be ignored beside it.
 *
 * @param combinations that hold the other pairs
 */
export function nestedPairs(
  given: Known,
  combinations: readonly Combination[],
): readonly Combination[] {
  return chosenAsLearned(given, (known, whole) => {
    const keys = [...known.filters.known.keys()].filter((filter) => !isListFilter(filter));
    const found: Combination[] = [];
    for (const [one, other] of pairsInNone(keys, combinations)) {
      if (found.length === maxNested) break;
      const nested = pairsOfTerms(one, other, known).find((terms) =>
        terms.some((term) => doCount([term], terms, whole)),
      );
      if (nested) found.push({ terms: nested, expected: matchingAll(nested, whole) });
    }
    return found;
  });
}

/**
 * Three metadata keys, in the order of the document, the last of which leaves out some of what the others keep; every event
 * may be. None where a combination holds three keys.
 */
export function thirdKey(
  given: Known,
  combinations: readonly Combination[],
): readonly Combination[] {
  const isKey = (filter: Filter): boolean => !isListFilter(filter);
  if (combinations.some(({ terms }) => filtersIn(terms).filter(isKey).length > 2)) return [];
  return chosenAsLearned(given, (known, whole) => {
    const keys = filtersInOrder.filter(
      (filter) => isKey(filter) && known.filters.known.has(filter),
    );
    const possible = pairsOf(keys).flatMap(([one, other]) =>
      pairsOfTerms(one, other, known).flatMap((pair) => {
        const both = matchingAll(pair, whole);
        if (both.least.size === 0) return [];
        return keys
          .slice(keys.indexOf(other) + 1)
          .flatMap((third) => termsOf(third, known))
          .map((term) => ({
            terms: [...pair, term],
            both,
            left: inEachOf([both, boundsOf(term)], whole),
          }))
          .filter(({ left }) => !isSubset(both.least, left.most));
      }),
    );
    const { terms } = possible.find(({ left }) => left.least.size > 0) ?? possible[0] ?? {};
    return terms === undefined ? [] : [{ terms, expected: matchingAll(terms, whole) }];
  });
}

/**
 * Pairs of lists that are in none of the combinations, with values that keep few events together, and enough to show what
 * one looks like.
 */
export function pairsOfLists(
  given: Known,
  combinations: readonly Combination[],
): readonly Combination[] {
  return chosenAsLearned(given, (known, whole) => {
    const lists = [...known.filters.known.keys()].filter(isListFilter);
    return pairsInNone(lists, combinations).flatMap(([one, other]) =>
      pairsOfTerms(one, other, known)
        .flatMap((pair) => combination(pair, whole) ?? [])
        .filter(({ expected }) => expected.least.size >= enoughEvents)
        .sort((some, others) => some.expected.least.size - others.expected.least.size)
        .slice(0, 1),
    );
  });
}

/** What is chosen from what was learned while nothing changed, and which events it keeps by now. */
function chosenAsLearned(
  { asLearned, ...now }: Known,
  choose: (known: Known, whole: Multiset) => readonly Combination[],
): readonly Combination[] {
  const known = asLearned ?? now;
  const found = choose(known, wholeOf(known));
  return asLearned === undefined ? found : found.map(({ terms }) => combinationNow(terms, now));
}

/** The same filters and values, and which events match all of them by now. */
function combinationNow(
  terms: readonly Term[],
  now: Pick<Known, 'filters' | 'base' | 'columns'>,
): Combination {
  const valuesNow = ({ filter, values }: Term): readonly KnownValue[] => {
    const all = now.filters.known.get(filter)?.values ?? [];
    return values.map((one) => all.find(({ value }) => value === one.value) ?? one);
  };
  const termsNow = terms.map((term) => ({ ...term, values: valuesNow(term) }));
  return { terms: termsNow, expected: matchingAll(termsNow, wholeOf(now)) };
}

/** A term, and which of the events of the whole it keeps, in their order: all its values together, and each of them. */
interface Option {
  readonly term?: Term;
  readonly keeps: Uint8Array;
  readonly each: readonly Uint8Array[];
}

/** Among so many events combinations are looked for: those that most filters can keep. */
const maxLookedAt = 500;

/** By filter: its values alone, and before them two or three of a list together. */
function termsByFilter(known: Known): ReadonlyMap<Filter, readonly Term[]> {
  const canSendTwo = known.encoding.forTwoValues.length > 0;
  const found = new Map<Filter, readonly Term[]>();
  for (const [filter] of known.filters.known) {
    const together = isListFilter(filter) && canSendTwo ? valuesOfList(filter, known) : [];
    const terms = [
      ...(together.length > 2 ? [{ filter, values: together }] : []),
      ...pairsOf(together).map((two) => ({ filter, values: two })),
      ...termsOf(filter, known),
    ];
    if (terms.length > 0) found.set(filter, terms);
  }
  return found;
}

/** The keys of the events that most filters can keep, and that are in `within` or, to be left out by it, are not. */
function mostFiltered(
  terms: ReadonlyMap<Filter, readonly Term[]>,
  whole: Multiset,
  within: Multiset = whole,
): readonly string[] {
  const keys = [...whole.entries.keys()];
  const times = (key: string): number =>
    [...terms.values()].filter((some) =>
      some.some(({ values }) => values.some(({ events }) => events.entries.has(key))),
    ).length;
  const counted = keys
    .map((key) => ({ key, times: times(key), isWithin: within.entries.has(key) }))
    .sort((one, other) => other.times - one.times);
  return [true, false].flatMap((side) =>
    counted
      .filter(({ isWithin }) => isWithin === side)
      .slice(0, maxLookedAt)
      .map(({ key }) => key),
  );
}

function optionOf(parts: readonly Multiset[], keys: readonly string[], term?: Term): Option {
  const each = parts.map(({ entries }) => Uint8Array.from(keys, (key) => Number(entries.has(key))));
  const keeps = Uint8Array.from(keys, (_, index) => Number(each.some((one) => one[index] === 1)));
  return { keeps, each, ...(term && { term }) };
}

/** Options chosen so far, and for each event of the whole how many of them leave it out, and which was the last to. */
interface Chosen {
  readonly options: readonly Option[];
  readonly misses: Uint8Array;
  readonly missedBy: Uint8Array;
}

/** Filters in an order of chance, each with the first of its options with which all go on to count. */
function atRandom(
  options: ReadonlyMap<Filter, readonly Option[]>,
  fixed: readonly Option[],
  size: number,
  gainOf: (filters: readonly Filter[]) => number,
  faker: Faker,
): readonly Term[] {
  let chosen: Chosen = {
    options: [],
    misses: new Uint8Array(size),
    missedBy: new Uint8Array(size),
  };
  for (const option of fixed) chosen = withOption(chosen, option) ?? chosen;
  const terms: Term[] = [];
  let gain = 0;
  for (const filter of faker.helpers.shuffle([...options.keys()])) {
    const widerGain = gainOf([...filtersIn(terms), filter]);
    if (terms.length > 0 && widerGain <= gain) continue;
    for (const option of options.get(filter) ?? []) {
      const wider = withOption(chosen, option);
      if (wider === undefined) continue;
      chosen = wider;
      gain = widerGain;
      if (option.term) terms.push(option.term);
      break;
    }
  }
  return terms;
}

/** undefined unless an event is left, without any one of the options there would be more, and every value keeps some. */
function withOption(chosen: Chosen, option: Option): Chosen | undefined {
  const options = [...chosen.options, option];
  const misses = chosen.misses.slice();
  const missedBy = chosen.missedBy.slice();
  const isNeeded = options.map(() => false);
  const left: number[] = [];
  for (let index = 0; index < misses.length; index++) {
    if (option.keeps[index] === 0) {
      misses[index] = (misses[index] ?? 0) + 1;
      missedBy[index] = options.length - 1;
    }
    if (misses[index] === 0) left.push(index);
    else if (misses[index] === 1) isNeeded[missedBy[index] ?? 0] = true;
  }
  const keepsSome = (one: Uint8Array): boolean => left.some((index) => one[index] === 1);
  const doAllCount = isNeeded.every(Boolean) && options.every(({ each }) => each.every(keepsSome));
  return doAllCount ? { options, misses, missedBy } : undefined;
}

/** Whether that holds too where rows that are equal may be different events. */
function isCertain(terms: readonly Term[], whole: Multiset): boolean {
  return terms.length > 0 && combination(terms, whole) !== undefined;
}

function filtersIn(terms: readonly Term[]): Filter[] {
  return terms.map(({ filter }) => filter);
}

const maxWide = 3;
/** So many lists stand together without metadata: of more of them hardly an event is left. */
const maxListsAlone = 2;
/** Enough to show what an event looks like. */
const enoughEvents = 8;

/**
 * One to three combinations in which together as many filters as possible count, and which keep enough events to show what
 * one looks like, where there are such.
 */
export function widestCombinations(known: Known): readonly Combination[] {
  const found = widestOfKnown.get(known) ?? chosenAsLearned(known, widestOfAll);
  widestOfKnown.set(known, found);
  return found;
}

/**
 * A query for each of them, with a range that leaves out some of their events at either end, where their instants are known:
 * what ignores a bound beside filters holds more.
 */
export function widestQueries(known: Known): readonly (ExportQuery & { filters: FilterSet })[] {
  return widestCombinations(known).map((one) => ({
    filters: filtersOf(one),
    ...rangeInside(one, known.asLearned ?? known),
  }));
}

/** Of fewer events a range that leaves some out leaves too few to tell. */
const enoughToCut = 4;

/** From the first event of the second quarter to the last of the third. */
function rangeInside(
  { terms }: Combination,
  known: Pick<Known, 'filters' | 'base' | 'columns'>,
): Partial<TimeRange> {
  const { base, columns } = known;
  if (columns.times === undefined) return {};
  const { least } = combinationNow(terms, known).expected;
  const instants = columns.times.instants
    .filter((_, row) => least.entries.has(keyOfRow(base.table.rows[row] ?? [], columns.ignored)))
    .sort((one, other) => one - other);
  if (instants.length < enoughToCut) return {};
  const left = instants.length >> 2;
  const [start, end] = [instants.at(left), instants.at(-1 - left)];
  return start === undefined || end === undefined ? {} : { start, end };
}

/** Several scenarios ask for them. */
const widestOfKnown = new WeakMap<Known, readonly Combination[]>();

function widestOfAll(known: Known, whole: Multiset): readonly Combination[] {
  const byFilter = termsByFilter(known);
  const widestOf = (
    filters: readonly Filter[],
    termsBy: (filter: Filter) => readonly Term[] = (filter) => byFilter.get(filter) ?? [],
  ): Combination | undefined => {
    let widest: Combination | undefined;
    for (const filter of filters) {
      const chosen: readonly Term[] = widest?.terms ?? [];
      const [wider] = termsBy(filter)
        .flatMap((term) => combination([...chosen, term], whole) ?? [])
        .sort((one, other) => other.expected.least.size - one.expected.least.size);
      const isEnough = wider !== undefined && wider.expected.least.size >= enoughEvents;
      if (widest === undefined || isEnough) widest = wider ?? widest;
    }
    return widest;
  };
  let left = listsAndKeysInTurn(known);
  const found: Combination[] = [];
  const take = (widest: Combination | undefined): void => {
    if (widest === undefined) return;
    found.push(widest);
    const used = new Set(widest.terms.map(({ filter }) => filter));
    left = left.filter((filter) => !used.has(filter));
  };
  // An event without metadata is among none that a key keeps.
  const lists = left.filter(isListFilter).slice(0, maxListsAlone);
  take(widestOf(lists, (filter) => termsOf(filter, known)));
  while (found.length < maxWide) {
    const before = found.length;
    take(widestOf(left));
    if (found.length === before) break;
  }
  return found;
}

/** Combinations of the filters that these leave out, which keep an event at least, and need not count. */
export function furtherCombinations(
  combinations: readonly Combination[],
  known: Known,
): readonly Pick<Combination, 'terms'>[] {
  const whole = wholeOf(known);
  const used = new Set(combinations.flatMap(({ terms }) => terms.map(({ filter }) => filter)));
  const found: { terms: readonly Term[] }[] = [];
  for (const filter of known.filters.known.keys()) {
    if (used.has(filter)) continue;
    const wider = [...found, { terms: [] }].flatMap(({ terms }, index) =>
      termsOf(filter, known).flatMap((term) => {
        const all = [...terms, term];
        return matchingAll(all, whole).least.size > 0 ? [{ index, terms: all }] : [];
      }),
    )[0];
    if (wider !== undefined) found[wider.index] = wider;
  }
  return found;
}

/** The events of the window. */
export function wholeOf({ base, columns }: Pick<Known, 'base' | 'columns'>): Multiset {
  return eventsOf(base.table, columns.ignored);
}

function termsOf(filter: Filter, { filters }: Known): Term[] {
  const { values = [] } = filters.known.get(filter) ?? {};
  return values.slice(0, maxValues).map((value) => ({ filter, values: [value] }));
}

/** Each value of one filter with each of another one. */
function pairsOfTerms(one: Filter, other: Filter, known: Known): readonly Term[][] {
  return termsOf(one, known).flatMap((term) =>
    termsOf(other, known).map((another) => [term, another]),
  );
}

/** The filters of which anything is known, so that lists and keys meet in one combination. */
function listsAndKeysInTurn({ filters }: Known): Filter[] {
  const all = [...filters.known.keys()];
  const lists = all.filter(isListFilter);
  const keys = all.filter((filter) => !isListFilter(filter));
  return all.flatMap((_, rank) => [...lists.slice(rank, rank + 1), ...keys.slice(rank, rank + 1)]);
}

/** undefined where no event is left for certain, or where a filter need not make a difference. */
function combination(terms: readonly Term[], whole: Multiset): Combination | undefined {
  return doCount(terms, terms, whole) ? { terms, expected: matchingAll(terms, whole) } : undefined;
}

/** Whether all the terms leave an event for certain, one of each of several values, and more without any of these. */
function doCount(these: readonly Term[], all: readonly Term[], whole: Multiset): boolean {
  const expected = matchingAll(all, whole);
  if (expected.least.size === 0) return false;
  return these.every((term) => {
    const several = term.values.length > 1 ? term.values : [];
    if (several.some(({ events }) => intersection(events, expected.least).size === 0)) return false;
    const wider = matchingAll(
      all.filter((other) => other !== term),
      whole,
    );
    return !isSubset(wider.least, expected.most);
  });
}

const boundsOfValues = new WeakMap<Term['values'], Bounds>();

/** The events that a filter keeps: those of any of its values. The same terms are tried in many combinations. */
export function boundsOf({ values }: Term): Bounds {
  const known = boundsOfValues.get(values) ?? inAny(values.map(({ events }) => events));
  boundsOfValues.set(values, known);
  return known;
}

/** The events that match all of them. */
export function matchingAll(terms: readonly Term[], whole: Multiset): Bounds {
  return inEachOf(terms.map(boundsOf), whole);
}

/** The events that are in each of several parts of a whole of which only bounds are known. */
export function inEachOf(parts: readonly Bounds[], whole: Multiset): Bounds {
  if (parts.length === 0) return { least: whole, most: whole };
  // The smallest first: the rest is looked up in it.
  const sorted = parts.toSorted((one, other) => one.most.size - other.most.size);
  return {
    least: inEach(
      sorted.map(({ least }) => least),
      whole,
    ).least,
    most: inEach(
      sorted.map(({ most }) => most),
      whole,
    ).most,
  };
}

function pairsOf<T>(all: readonly T[]): (readonly [T, T])[] {
  return all.flatMap((one, index) => all.slice(index + 1).map((other) => [one, other] as const));
}

/** The pairs of the filters that are in none of the combinations. */
function pairsInNone(
  filters: readonly Filter[],
  combinations: readonly Combination[],
): readonly (readonly [Filter, Filter])[] {
  const names = combinations.flatMap(({ terms }) => pairsOf(filtersIn(terms)).map(pairName));
  const covered = new Set(names);
  return pairsOf(filters).filter((pair) => !covered.has(pairName(pair)));
}

function pairName([one, other]: readonly [Filter, Filter]): string {
  return one < other ? `${one} ${other}` : `${other} ${one}`;
}
