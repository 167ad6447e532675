/*
 * Chooses filters to send together: combinations in which every filter counts, and of which it is known, from what each
 * value keeps alone, which events they keep together.
 */

import type { Faker } from '@faker-js/faker';
import { type Bounds, inEach, isSubset, type Multiset } from '../../helpers/csv/multiset.ts';
import { eventsOf } from '../../helpers/exports/columns.ts';
import type { KnownValue } from '../../helpers/exports/filters.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import { type Filter, type FilterSet, isListFilter } from '../../helpers/exports/query.ts';

type Known = Pick<Knowledge, 'filters' | 'base' | 'columns'>;

/** One value of a filter, with the events that it keeps. */
interface Term extends KnownValue {
  readonly filter: Filter;
}

/** Terms sent in one request, and the events that match all of them. */
export interface Combination {
  readonly terms: readonly Term[];
  readonly expected: Bounds;
}

/** How many values of each filter are tried together with those of others. */
const maxValues = 3;
const maxTerms = 4;

/** The filters of a query that sends the combination. */
export function filtersOf({ terms }: Pick<Combination, 'terms'>): FilterSet {
  return Object.fromEntries(terms.map(({ filter, value }) => [filter, [value]]));
}

/**
 * Combinations that together hold as many pairs of filters as the budget allows.
 *
 * @param isAllowed whether these filters may be sent together
 * @param budget how many combinations at the most
 */
export function pairwiseCombinations(
  known: Known,
  isAllowed: (filters: readonly Filter[]) => boolean,
  budget: number,
  faker: Faker,
): Combination[] {
  const terms = [...known.filters.known.keys()].flatMap((filter) => termsOf(filter, known));
  const whole = wholeOf(known);
  const combine = (wanted: readonly Term[]): Combination | undefined =>
    isAllowed(wanted.map(({ filter }) => filter)) ? combination(wanted, whole) : undefined;
  const covered = new Set<string>();
  const isNew = (one: Term, other: Term): boolean =>
    one.filter !== other.filter && !covered.has(pairName(one, other));
  const found: Combination[] = [];
  for (const [one, other] of faker.helpers.shuffle(pairsOf(terms))) {
    if (found.length === budget) break;
    let widest = isNew(one, other) ? combine([one, other]) : undefined;
    if (widest === undefined) continue;
    // Further filters cover more pairs, as long as events are left.
    for (const term of terms) {
      if (widest.terms.length === maxTerms) break;
      if (!widest.terms.every((chosen) => isNew(chosen, term))) continue;
      widest = combine([...widest.terms, term]) ?? widest;
    }
    for (const [a, b] of pairsOf(widest.terms)) covered.add(pairName(a, b));
    found.push(widest);
  }
  return found;
}

const maxWide = 3;
/** Enough to show what an event looks like. */
const enoughEvents = 8;

/**
 * One to three combinations in which together as many filters as possible count, and which keep enough events to show what
 * one looks like, where there are such.
 */
export function widestCombinations(known: Known): Combination[] {
  const whole = wholeOf(known);
  let left = listsAndKeysInTurn(known);
  const found: Combination[] = [];
  while (found.length < maxWide) {
    let widest: Combination | undefined;
    for (const filter of left) {
      const chosen: readonly Term[] = widest?.terms ?? [];
      const [wider] = termsOf(filter, known)
        .flatMap((term) => combination([...chosen, term], whole) ?? [])
        .sort((one, other) => other.expected.least.size - one.expected.least.size);
      const isEnough = wider !== undefined && wider.expected.least.size >= enoughEvents;
      if (widest === undefined || isEnough) widest = wider ?? widest;
    }
    if (widest === undefined) break;
    found.push(widest);
    const used = new Set(widest.terms.map(({ filter }) => filter));
    left = left.filter((filter) => !used.has(filter));
  }
  return found;
}

/** One value of each of as many filters as surely keep an event together; undefined where no value is known. */
export function filtersThatKeepEvents(known: Known): FilterSet | undefined {
  const whole = wholeOf(known);
  const chosen: Term[] = [];
  for (const filter of known.filters.known.keys()) {
    const next = termsOf(filter, known, Number.POSITIVE_INFINITY).find(
      (term) => matchingAll([...chosen, term], whole).least.size > 0,
    );
    if (next !== undefined) chosen.push(next);
  }
  return chosen.length === 0 ? undefined : filtersOf({ terms: chosen });
}

function wholeOf({ base, columns }: Known): Multiset {
  return eventsOf(base.table, columns.ignored);
}

function termsOf(filter: Filter, { filters }: Known, max = maxValues): Term[] {
  const { values = [] } = filters.known.get(filter) ?? {};
  return values.slice(0, max).map((value) => ({ filter, ...value }));
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
  const expected = matchingAll(terms, whole);
  if (expected.least.size === 0) return undefined;
  const everyOneCounts = terms.every((term) => {
    const wider = matchingAll(
      terms.filter((other) => other !== term),
      whole,
    );
    return !isSubset(wider.least, expected.most);
  });
  return everyOneCounts ? { terms, expected } : undefined;
}

function matchingAll(terms: readonly Term[], whole: Multiset): Bounds {
  if (terms.length === 0) return { least: whole, most: whole };
  return inEach(
    terms.map(({ events }) => events),
    whole,
  );
}

function pairsOf(terms: readonly Term[]): (readonly [Term, Term])[] {
  return terms.flatMap((one, index) =>
    terms
      .slice(index + 1)
      .filter(({ filter }) => filter !== one.filter)
      .map((other) => [one, other] as const),
  );
}

function pairName(one: Term, other: Term): string {
  return [one.filter, other.filter].sort().join(' ');
}
