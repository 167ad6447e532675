import { type Bounds, exactly, type Multiset, timesIn } from '../../helpers/csv/multiset.ts';
import { groupBy } from '../../helpers/group-by.ts';
import { Memory } from '../../helpers/memory.ts';
import type { Level } from './levels.ts';

/*
 * Most faults that a single parameter does not show need two of them, hardly any more. So requests are put together that
 * hold every pair of levels at least once, in as few as can be: greedily, and each time in the same order.
 */

/** Levels sent in one request, of a parameter each. */
export type Combination = readonly Level[];

/** What an array is to hold. */
export interface Wanted {
  /** Whether a pair of levels is to stand in a request together. */
  readonly isPair: (one: Level, other: Level) => boolean;
  /** Whether a level is to stand in a request, by itself where it must; none where left out. */
  readonly isSingle?: (level: Level) => boolean;
  /** A parameter that every request has. */
  readonly needs?: Level['factor'];
  /** How many requests at the most. */
  readonly max: number;
  /** How many events a request is to keep; from one to all where left out. */
  readonly size?: { readonly min: number; readonly max?: number };
  /** Pairs that are to stand in a request of their own where one keeps a part of what the other keeps, which shows nothing then. */
  readonly nested?: { readonly isPair: Wanted['isPair']; readonly max: number };
  /** Whether two parameters of a request are to keep no event in common. */
  readonly areApart?: boolean;
}

/** An array of requests, and how many of the wanted pairs it holds. */
export interface CoveringArray {
  readonly combinations: readonly Combination[];
  readonly pairs: { readonly covered: number; readonly possible: number };
}

/** How many requests are put together each time, to take the one that holds most new pairs. */
const attempts = 12;

/** A level that stands in no request yet is worth so many pairs. */
const worthOfSingle = 5;

/**
 * Requests in which together as many pairs of levels stand as so many requests can hold. In each of them some events are
 * left, every parameter leaves some out that the others do not, and every value of a list keeps some.
 *
 * @param whole the events of the window
 */
export function coveringArray(
  levels: readonly Level[],
  whole: Multiset,
  { isPair, isSingle, needs, max, size = { min: 1 }, nested, areApart = false }: Wanted,
): CoveringArray {
  const events = new Events(whole);
  const byFactor = groupBy(levels, ({ factor }) => factor);
  const isWanted = ([one, other]: Combination): boolean =>
    one !== undefined &&
    (other === undefined
      ? isSingle?.(one) === true
      : one.factor !== other.factor && isPair(one, other));
  const canStand = (some: Combination): boolean =>
    areApart ? events.areApart(some) : events.doAllCount(some) && events.countOf(some) >= size.min;
  const isRight = (chosen: Combination): boolean =>
    (needs === undefined || chosen.some(({ factor }) => factor === needs)) &&
    (areApart
      ? events.countOf(chosen) === 0
      : events.countOf(chosen) <= (size.max ?? Number.POSITIVE_INFINITY));
  const singlesAndPairs: readonly Combination[] = [
    ...levels.map((level) => [level]),
    ...pairsOf(levels),
  ];
  const wanted = groupBy(singlesAndPairs.filter(isWanted), nameOf);
  /** The first that can stand, by name: what is not covered yet. */
  const left = new Map<string, Combination>();
  const impossible: Combination[] = [];
  for (const [name, some] of wanted) {
    const first = some.find(canStand);
    if (first === undefined) impossible.push(...some);
    else left.set(name, first);
  }
  const possible = left.size;
  const names = new Memory<Level, Level | undefined, string>();
  const isLeft = (one: Level, other?: Level): boolean =>
    left.has(names.get(one, other, () => nameOf(other === undefined ? [one] : [one, other])));
  const newIn = (chosen: Combination, level: Level): number =>
    (isLeft(level) ? worthOfSingle : 0) + chosen.filter((other) => isLeft(level, other)).length;
  const random = randomNumbers();
  /** Goes on from what it starts with, by the levels that hold most of what is left, for as long as all of them count. */
  const extended = (start: Combination): { chosen: Combination; gain: number } => {
    let [chosen, gain] = [start, 1];
    const factors = shuffled([...byFactor.keys()], random);
    for (const factor of needs === undefined ? factors : [needs, ...factors]) {
      if (chosen.some((level) => level.factor === factor)) continue;
      const fitting = chosen;
      const next = (byFactor.get(factor) ?? [])
        .map((level) => ({ level, gain: newIn(fitting, level) }))
        .filter((one) => one.gain > 0 || factor === needs)
        .sort((one, other) => other.gain - one.gain)
        .find(({ level }) => canStand([...fitting, level]));
      if (next === undefined) continue;
      chosen = [...fitting, next.level];
      gain += next.gain;
    }
    return { chosen, gain };
  };
  const combinations: Combination[] = [];
  /** Those with which no request is right, as of so many events. */
  let unfit = 0;
  while (combinations.length < max && left.size > 0) {
    const starts = [...left].slice(0, attempts);
    const [best] = starts
      .map(([, start]) => extended(start))
      .filter(({ chosen }) => isRight(chosen))
      .sort((one, other) => other.gain - one.gain);
    if (best === undefined) {
      for (const [name] of starts) left.delete(name);
      unfit += starts.length;
      continue;
    }
    combinations.push(best.chosen);
    for (const level of best.chosen) left.delete(nameOf([level]));
    for (const pair of pairsOf(best.chosen)) left.delete(nameOf(pair));
  }
  const parts = [...impossible, ...left.values()].filter(
    ([one, other]) =>
      one && other && nested?.isPair(one, other) && events.doesAnyCount([one, other]),
  );
  const apart = groupBy(parts, nameOf).values();
  return {
    combinations: [
      ...combinations,
      ...[...apart].map(([first]) => first).slice(0, nested?.max ?? 0),
    ],
    pairs: { covered: possible - unfit - left.size, possible: possible - unfit },
  };
}

/** The events of a window by number: which of them levels keep is a set of bits. */
class Events {
  readonly #rows: Multiset['entries'];
  readonly #bits = new WeakMap<Bounds, Uint32Array>();
  readonly #whole: Uint32Array;

  constructor(whole: Multiset) {
    this.#rows = whole.entries;
    this.#whole = this.#bitsOf(exactly(whole));
  }

  /** Whether some events are left for certain, of every part that must be among them, and more without any of the levels. */
  doAllCount(levels: readonly Level[]): boolean {
    const keeping = keepsOfEach(levels);
    return (
      this.#areSome(keeping) &&
      keeping.every((one) => this.#isNeeded(one, keeping)) &&
      levels.every(({ each = [] }) => each.every((part) => this.#areSome([...keeping, part])))
    );
  }

  /** Whether some events are left, and there would be more without one of the levels. */
  doesAnyCount(levels: Combination): boolean {
    const keeping = keepsOfEach(levels);
    return this.#areSome(keeping) && keeping.some((one) => this.#isNeeded(one, keeping));
  }

  /** Whether they keep no event together where there are two that keep some, and no more of these. */
  areApart(levels: Combination): boolean {
    const keeping = keepsOfEach(levels);
    return keeping.length < 2 || (keeping.length === 2 && !this.#areSome(keeping));
  }

  countOf(levels: readonly Level[]): number {
    const parts = this.#bitsOfEach(keepsOfEach(levels));
    return this.#whole.reduce((count, _, word) => count + bitsIn(this.#inAll(parts, word)), 0);
  }

  #isNeeded(one: Bounds, all: readonly Bounds[]): boolean {
    const others = all.filter((other) => other !== one);
    return this.#areSome(others, this.#bitsOf(one));
  }

  #areSome(keeping: readonly Bounds[], except?: Uint32Array): boolean {
    const parts = this.#bitsOfEach(keeping);
    return this.#whole.some((_, word) => (this.#inAll(parts, word) & ~(except?.[word] ?? 0)) !== 0);
  }

  /** A word of the events that all of them keep. */
  #inAll(parts: readonly Uint32Array[], word: number): number {
    let left = this.#whole[word] ?? 0;
    for (const part of parts) left &= part[word] ?? 0;
    return left;
  }

  #bitsOfEach(keeping: readonly Bounds[]): readonly Uint32Array[] {
    return keeping.map((one) => this.#bitsOf(one));
  }

  /** The distinct rows of which every one that is equal is kept for certain. */
  #bitsOf(bounds: Bounds): Uint32Array {
    const known = this.#bits.get(bounds);
    if (known !== undefined) return known;
    const bits = new Uint32Array(Math.ceil(this.#rows.size / 32));
    let index = 0;
    for (const [key, { times }] of this.#rows) {
      if (timesIn(bounds.least, key) === times) set(bits, index);
      index += 1;
    }
    this.#bits.set(bounds, bits);
    return bits;
  }
}

/** What each of the levels keeps, without those that change nothing about which events are kept. */
function keepsOfEach(levels: readonly Level[]): readonly Bounds[] {
  return levels.flatMap(({ keeps }) => keeps ?? []);
}

function set(bits: Uint32Array, index: number): void {
  const word = index >> 5;
  bits[word] = (bits[word] ?? 0) | (1 << (index & 31));
}

function bitsIn(word: number): number {
  let count = 0;
  for (let left = word; left !== 0; left &= left - 1) count += 1;
  return count;
}

/** Numbers from 0 to 1 that are the same each time: what is found must not hang on a seed. */
function randomNumbers(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function shuffled<T>(all: readonly T[], random: () => number): T[] {
  return all
    .map((one) => ({ one, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ one }) => one);
}

export function pairsOf<T>(all: readonly T[]): (readonly [T, T])[] {
  return all.flatMap((one, index) => all.slice(index + 1).map((other) => [one, other] as const));
}

/** Of two levels of the same name, with other values, one is enough; of a form of values beside another level, any filter's. */
function nameOf(levels: Combination): string {
  return levels
    .map(({ factor, name, shown }) =>
      shown === undefined || levels.length === 1 ? `${factor} ${name}` : name,
    )
    .sort()
    .join(' & ');
}
