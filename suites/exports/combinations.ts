import type { Faker } from '@faker-js/faker';
import { type Bounds, inEach, isSubset, type Multiset } from '../../helpers/csv/multiset.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import {
  eventsOf,
  type Knowledge,
  type KnownFilter,
  type KnownValue,
} from '../../helpers/exports/knowledge.ts';
import { type Filter, type FilterSet, isListFilter } from '../../helpers/exports/query.ts';
import { NotJudged } from '../../helpers/outcomes.ts';
import { type AnyScenario, scenario } from '../../runner/scenario.ts';
import { exportAnswerJudges } from './answers.ts';
import { expectServed, expectWithin } from './relations.ts';

/** One value of a filter, with the events that it keeps. */
interface Term {
  readonly filter: Filter;
  readonly value: string;
  readonly events: Multiset;
}

/** Terms sent in one request, and the events that match all of them. */
export interface Combination {
  readonly terms: readonly Term[];
  readonly expected: Bounds;
}

/** How many values of each filter are tried together with those of others. */
const valuesTried = 3;

/**
 * Combinations that together hold as many pairs of filters as the budget allows. In each, every filter counts:
 * without any one of them more events would be kept.
 */
export function combinationsOf(
  { filters: known, base, ignored }: Knowledge,
  allowed: (filters: readonly Filter[]) => boolean,
  budget: number,
  faker: Faker,
): Combination[] {
  const terms = [...known].flatMap(termsOf);
  const whole = eventsOf(base, ignored);
  const combine = (wanted: readonly Term[]): Combination | undefined =>
    allowed(wanted.map(({ filter }) => filter)) ? nontrivial(wanted, whole) : undefined;
  const covered = new Set<string>();
  const found: Combination[] = [];
  const pairs = faker.helpers.shuffle(pairsOf(terms));
  for (const [one, other] of pairs) {
    if (found.length === budget) break;
    if (covered.has(pairName(one.filter, other.filter))) continue;
    const pair = combine([one, other]);
    if (pair === undefined) continue;
    const wider = widen(pair, terms, covered, combine);
    for (const [a, b] of pairsOf(wider.terms)) covered.add(pairName(a.filter, b.filter));
    found.push(wider);
  }
  return found;
}

function termsOf([filter, { values }]: readonly [Filter, KnownFilter]): Term[] {
  return values.slice(0, valuesTried).map(({ value, events }) => ({ filter, value, events }));
}

/**
 * A few combinations in which together as many filters as possible count, and which keep enough events to show what
 * one looks like, where there are such.
 */
export function fewCombinationsOfMany({ filters, base, ignored }: Knowledge): Combination[] {
  const whole = eventsOf(base, ignored);
  const ranked = Array.from(filters, ([filter, known]) => ({
    filter,
    terms: termsOf([filter, known]),
  }));
  const lists = ranked.filter(({ filter }) => isListFilter(filter));
  const keys = ranked.filter(({ filter }) => !isListFilter(filter));
  // Lists and keys in turn, so that they meet.
  const inTurn = ranked.flatMap((_, index) => [lists[index] ?? [], keys[index] ?? []].flat());
  const left = new Map(inTurn.map(({ filter, terms }) => [filter, terms]));
  const found: Combination[] = [];
  while (found.length < mostFiles) {
    let widest: Combination | undefined;
    for (const terms of left.values()) {
      const chosen: readonly Term[] = widest?.terms ?? [];
      const wider = terms
        .flatMap((term) => nontrivial([...chosen, term], whole) ?? [])
        .sort((one, other) => other.expected.least.size - one.expected.least.size)[0];
      const isEnough = wider !== undefined && wider.expected.least.size >= enoughEvents;
      if (widest === undefined || isEnough) widest = wider ?? widest;
    }
    if (widest === undefined) break;
    found.push(widest);
    for (const { filter } of widest.terms) left.delete(filter);
  }
  return found;
}

const mostFiles = 2;
const enoughEvents = 8;

/** One value of each of as many filters as surely keep an event together; undefined where no value is known. */
export function asManyAsKeepEvents({ filters, base, ignored }: Knowledge): FilterSet | undefined {
  const whole = eventsOf(base, ignored);
  const chosen = new Map<Filter, KnownValue>();
  for (const [filter, { values }] of filters) {
    const value = values.find(({ events }) => {
      const together = [...chosen.values()].map((one) => one.events);
      return inEach([...together, events], whole).least.size > 0;
    });
    if (value !== undefined) chosen.set(filter, value);
  }
  if (chosen.size === 0) return undefined;
  return Object.fromEntries(Array.from(chosen, ([filter, { value }]) => [filter, [value]]));
}

/** The combination with further filters that cover pairs anew, as long as they leave events. */
function widen(
  pair: Combination,
  terms: readonly Term[],
  covered: ReadonlySet<string>,
  combine: (terms: readonly Term[]) => Combination | undefined,
): Combination {
  let widest = pair;
  for (const term of terms) {
    if (widest.terms.length === mostTerms) break;
    const isNew = widest.terms.every(
      ({ filter }) => filter !== term.filter && !covered.has(pairName(filter, term.filter)),
    );
    if (isNew) widest = combine([...widest.terms, term]) ?? widest;
  }
  return widest;
}

const mostTerms = 4;

/** undefined where no event is left for certain, or where a filter need not make a difference. */
function nontrivial(terms: readonly Term[], whole: Multiset): Combination | undefined {
  const matching = (some: readonly Term[]): Bounds => {
    if (some.length === 0) return { least: whole, most: whole };
    const kept = some.map(({ events }) => events);
    return inEach(kept, whole);
  };
  const expected = matching(terms);
  if (expected.least.size === 0) return undefined;
  const everyOneCounts = terms.every((term) => {
    const wider = matching(terms.filter((other) => other !== term));
    return !isSubset(wider.least, expected.most);
  });
  return everyOneCounts ? { terms, expected } : undefined;
}

export function filtersOf({ terms }: Combination): FilterSet {
  return Object.fromEntries(terms.map(({ filter, value }) => [filter, [value]]));
}

function pairsOf(terms: readonly Term[]): (readonly [Term, Term])[] {
  return terms.flatMap((one, index) =>
    terms
      .slice(index + 1)
      .filter(({ filter }) => filter !== one.filter)
      .map((other) => [one, other] as const),
  );
}

function pairName(one: Filter, other: Filter): string {
  return [one, other].sort().join(' ');
}

interface Combined {
  readonly knowledge: Knowledge;
  readonly asked: readonly { readonly combination: Combination; readonly download: CsvDownload }[];
}

function combining(
  name: string,
  clause: 'export.filters-combine' | 'export.metadata-keys-combine',
  allowed: (filters: readonly Filter[]) => boolean,
): AnyScenario {
  return scenario({
    name,
    async act({ exports, faker, maxCombinations }): Promise<Combined> {
      const knowledge = await exports.knowledge();
      const budget = Math.ceil(maxCombinations / 2);
      const combinations = combinationsOf(knowledge, allowed, budget, faker);
      const asked = await Promise.all(
        combinations.map(async (combination) => {
          const filters = filtersOf(combination);
          return { combination, download: await exports.within({ filters }) };
        }),
      );
      return { knowledge, asked };
    },
    judges: {
      [clause]: ({ knowledge, asked }: Combined) => {
        if (asked.length === 0) {
          throw new NotJudged(
            'Not configured: EXPORT_FILTER_VALUES: values of two filters that occur together in the window.',
          );
        }
        for (const { combination, download } of asked) {
          expectServed('several filters together', download);
          expectWithin('several filters together', combination.expected, download, knowledge);
        }
      },
      ...exportAnswerJudges(({ asked }: Combined) => asked.map(({ download }) => download.answer)),
    },
  });
}

export const combinationScenarios = [
  combining(
    'several filters in one request keep the events that match all of them',
    'export.filters-combine',
    // Pairs of metadata keys have a clause of their own.
    (filters) => filters.filter((filter) => !isListFilter(filter)).length <= 1,
  ),
  combining(
    'several metadata keys in one request keep the events that match all of them',
    'export.metadata-keys-combine',
    (filters) => !filters.some(isListFilter),
  ),
];
