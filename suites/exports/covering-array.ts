import { type Bounds, exactly, type Multiset, timesIn } from '../../helpers/csv/multiset.ts';
import { groupBy } from '../../helpers/group-by.ts';
import { Memory, remembered } from '../../helpers/memory.ts';
import type { Level } from './levels.ts';

/*
 * Most faults that no single parameter shows are shown by two parameters in one request. So this file puts together few
 * requests in which each pair of levels stands at least once: greedily, and in the same way in each run.
 */

/** The levels that one request is made of, at most one of each parameter: event_type “one value”, range “a second”. */
export type Combination = readonly Level[];

/** What the requests of an array must hold. */
export interface Wanted {
  /** Whether some request must hold these two levels together; left out, it is true of no pair. */
  readonly isPair?: (one: Level, other: Level) => boolean;
  /** Whether some request must hold this level, with others or alone; left out, it is true of no level. */
  readonly isSingle?: (level: Level) => boolean;
  /** A parameter that every request must have, such as `range`. */
  readonly needs?: Level['factor'];
  /** How many requests there may be, without those of `nested`; left out, each level is a request of its own. */
  readonly max?: number;
  /** How many events each request must keep; left out, at least one. */
  readonly size?: { readonly min: number; readonly max?: number };
  /** Pairs that may be a request of their own, at most `max`, although one level keeps all events of the other. */
  readonly nested?: { readonly isPair: NonNullable<Wanted['isPair']>; readonly max: number };
  /** Whether two parameters of each request must have no event in common, so that a right answer is empty. */
  readonly areApart?: boolean;
}

/** The requests; and how many of the wanted levels and pairs can stand in a request, and do, without those of `nested`. */
export interface CoveringArray {
  readonly combinations: readonly Combination[];
  readonly pairs: { readonly covered: number; readonly possible: number };
}

/** How many candidates are put together for each request of the array: the one with most new pairs is taken. */
const attempts = 12;

/** As how many new pairs a wanted level counts that no request holds yet. */
const worthOfSingle = 5;

/**
 * At most `max` requests with as many of the wanted pairs as possible. Without `areApart` each request keeps events,
 * each of its parameters leaves out events that the others keep, and each value of a list keeps some of them.
 * @param whole the events of the window
 */
export function coveringArray(
  levels: readonly Level[],
  whole: Multiset,
  wanted: Wanted,
): CoveringArray {
  if (wanted.max === undefined) {
    const pairs = { covered: levels.length, possible: levels.length };
    return { combinations: levels.map((level) => [level]), pairs };
  }
  return new GreedySearch(levels, new Events(whole), wanted).search();
}

/** A combination, and how many wanted levels and pairs it holds that no request before it holds. */
interface Candidate {
  readonly chosen: Combination;
  readonly gain: number;
}

/** Puts together one request after the other: of several candidates, the one that holds most of what is missing. */
class GreedySearch {
  readonly #wanted: Wanted;
  readonly #events: Events;
  readonly #byFactor: ReadonlyMap<Level['factor'], readonly Level[]>;
  /** The wanted levels and pairs that no request holds yet, by key: of several with one key, the first that can stand. */
  readonly #missing = new Map<string, Combination>();
  /** The wanted levels and pairs that can stand in no request. */
  readonly #impossible: readonly Combination[];
  readonly #keys = new Memory<Level, Level | undefined, readonly string[]>();
  readonly #random = randomNumbers();

  constructor(levels: readonly Level[], events: Events, wanted: Wanted) {
    this.#wanted = wanted;
    this.#events = events;
    this.#byFactor = groupBy(levels, ({ factor }) => factor);
    const impossible: Combination[] = [];
    const counted = singlesAndPairsOf(levels)
      .filter(this.#isWanted)
      .flatMap((chosen) => keysOf(chosen).map((key) => ({ key, chosen })));
    for (const [key, sameKey] of groupBy(counted, (one) => one.key)) {
      const first = sameKey.find(({ chosen }) => this.#canStand(chosen));
      if (first === undefined) impossible.push(...sameKey.map(({ chosen }) => chosen));
      else this.#missing.set(key, first.chosen);
    }
    this.#impossible = impossible;
  }

  /** Adds requests until all that is wanted stands in one, or can stand in none, or there are as many as may be. */
  search(): CoveringArray {
    const possible = this.#missing.size;
    const { max = 0 } = this.#wanted;
    const combinations: Combination[] = [];
    /** How many wanted levels and pairs are given up: none of the candidates for them keeps a permitted number of events. */
    let givenUp = 0;
    while (combinations.length < max && this.#missing.size > 0) {
      const starts = [...this.#missing].slice(0, attempts);
      const best = this.#bestOf(starts.map(([, start]) => this.#extended(start)));
      if (best === undefined) {
        for (const [key] of starts) this.#missing.delete(key);
        givenUp += starts.length;
        continue;
      }
      combinations.push(best);
      for (const key of singlesAndPairsOf(best).flatMap(keysOf)) this.#missing.delete(key);
    }
    return {
      combinations: [...combinations, ...this.#nestedPairs()],
      pairs: { covered: possible - givenUp - this.#missing.size, possible: possible - givenUp },
    };
  }

  readonly #isWanted = ([one, other]: Combination): boolean => {
    if (one === undefined) return false;
    if (other === undefined) return this.#wanted.isSingle?.(one) === true;
    return one.factor !== other.factor && this.#wanted.isPair?.(one, other) === true;
  };

  /** Whether these levels can stand in one request, perhaps with more; `#canBeSent` says whether they are enough. */
  #canStand(levels: Combination): boolean {
    const { areApart, size = { min: 1 } } = this.#wanted;
    if (areApart) return this.#events.areApart(levels);
    return this.#events.areAllNeeded(levels) && this.#events.countOf(levels) >= size.min;
  }

  #canBeSent(levels: Combination): boolean {
    const { needs, areApart, size: { max = Number.POSITIVE_INFINITY } = {} } = this.#wanted;
    if (needs !== undefined && !levels.some(({ factor }) => factor === needs)) return false;
    return this.#events.countOf(levels) <= (areApart ? 0 : max);
  }

  #bestOf(candidates: readonly Candidate[]): Combination | undefined {
    const [best] = candidates
      .filter(({ chosen }) => this.#canBeSent(chosen))
      .sort((one, other) => other.gain - one.gain);
    return best?.chosen;
  }

  /** Adds to a level or a pair one parameter after the other: the level that brings most new pairs and still fits. */
  #extended(start: Combination): Candidate {
    const { needs } = this.#wanted;
    let [chosen, gain] = [start, 1];
    const factors = shuffled([...this.#byFactor.keys()], this.#random);
    for (const factor of needs === undefined ? factors : [needs, ...factors]) {
      if (chosen.some((level) => level.factor === factor)) continue;
      const soFar = chosen;
      const next = (this.#byFactor.get(factor) ?? [])
        .map((level) => ({ level, gain: this.#gainOf(soFar, level) }))
        .filter((one) => one.gain > 0 || factor === needs)
        .sort((one, other) => other.gain - one.gain)
        .find(({ level }) => this.#canStand([...soFar, level]));
      if (next === undefined) continue;
      chosen = [...soFar, next.level];
      gain += next.gain;
    }
    return { chosen, gain };
  }

  /** What a level adds to a request: the pairs that no request holds yet, and more if none holds the level itself. */
  #gainOf(chosen: Combination, level: Level): number {
    const newPairs = chosen.flatMap((other) => this.#missingOf(level, other));
    return worthOfSingle * this.#missingOf(level).length + newPairs.length;
  }

  #missingOf(one: Level, other?: Level): readonly string[] {
    const levels = other === undefined ? [one] : [one, other];
    const keys = this.#keys.get(one, other, () => keysOf(levels));
    return keys.filter((key) => this.#missing.has(key));
  }

  /** The requests of two levels that `nested` allows in addition, one for each key. */
  #nestedPairs(): readonly Combination[] {
    const { nested } = this.#wanted;
    if (nested === undefined) return [];
    const pairs = [...this.#impossible, ...this.#missing.values()].filter(
      ([one, other]) =>
        one && other && nested.isPair(one, other) && this.#events.isAnyNeeded([one, other]),
    );
    const byKey = [...groupBy(pairs, (pair) => keysOf(pair)[0]).values()];
    return byKey.flatMap(([first]) => (first === undefined ? [] : [first])).slice(0, nested.max);
  }
}

/** The distinct rows of a window, numbered: the rows that a level keeps are a set of bits, one bit for each row. */
class Events {
  readonly #rows: Multiset['entries'];
  readonly #bits = new WeakMap<Bounds, Uint32Array>();
  readonly #whole: Uint32Array;

  constructor(whole: Multiset) {
    this.#rows = whole.entries;
    this.#whole = this.#bitsOf(exactly(whole));
  }

  /** Whether the levels together surely keep events, some of each part in `each`, and each level leaves some out. */
  areAllNeeded(levels: Combination): boolean {
    const keeping = this.#keptByEach(levels);
    return (
      this.#isAnyKept(keeping) &&
      keeping.every((one) => this.#isNeeded(one, keeping)) &&
      levels.every(({ each = [] }) =>
        each.every((part) => this.#isAnyKept([...keeping, this.#bitsOf(part)])),
      )
    );
  }

  /**
   * Whether the levels together keep some events, and at least one of them leaves out some that the others keep:
   * otherwise a service that ignores any one of them answers the same.
   */
  isAnyNeeded(levels: Combination): boolean {
    const keeping = this.#keptByEach(levels);
    return this.#isAnyKept(keeping) && keeping.some((one) => this.#isNeeded(one, keeping));
  }

  /** Whether at most two of the levels select events, and those two have no event in common. */
  areApart(levels: Combination): boolean {
    const keeping = this.#keptByEach(levels);
    return keeping.length < 2 || (keeping.length === 2 && !this.#isAnyKept(keeping));
  }

  /** How many distinct rows the levels keep together. */
  countOf(levels: Combination): number {
    const keeping = this.#keptByEach(levels);
    return this.#whole.reduce((count, _, word) => count + countBits(this.#inAll(keeping, word)), 0);
  }

  /** Whether the others together keep a row that this one leaves out. */
  #isNeeded(one: Uint32Array, all: readonly Uint32Array[]): boolean {
    const others = all.filter((other) => other !== one);
    return this.#isAnyKept(others, one);
  }

  /** Whether there is a row that every one of the sets holds, and `except` does not. */
  #isAnyKept(sets: readonly Uint32Array[], except?: Uint32Array): boolean {
    // No callback for each word: most of the time that an array takes is spent here.
    for (let word = 0; word < this.#whole.length; word += 1) {
      if ((this.#inAll(sets, word) & ~(except?.[word] ?? 0)) !== 0) return true;
    }
    return false;
  }

  /** The bits of 32 rows, those of the given word, that are in all of the sets. */
  #inAll(sets: readonly Uint32Array[], word: number): number {
    let left = this.#whole[word] ?? 0;
    for (const part of sets) left &= part[word] ?? 0;
    return left;
  }

  /** What each level keeps; without levels that select no events, such as a timezone. */
  #keptByEach(levels: Combination): readonly Uint32Array[] {
    return levels.flatMap(({ keeps }) => (keeps === undefined ? [] : [this.#bitsOf(keeps)]));
  }

  /** The rows that are surely kept: of equal rows, which are different events, every one. Worked out once. */
  #bitsOf(bounds: Bounds): Uint32Array {
    return remembered(this.#bits, bounds, () => {
      const bits = new Uint32Array(Math.ceil(this.#rows.size / 32));
      let index = 0;
      for (const [key, { times }] of this.#rows) {
        if (timesIn(bounds.least, key) === times) set(bits, index);
        index += 1;
      }
      return bits;
    });
  }
}

function set(bits: Uint32Array, index: number): void {
  const word = index >> 5;
  bits[word] = (bits[word] ?? 0) | (1 << (index & 31));
}

function countBits(word: number): number {
  let count = 0;
  for (let left = word; left !== 0; left &= left - 1) count += 1;
  return count;
}

/** Numbers from 0 to 1, the same ones in each run: which requests are sent must not depend on a seed. */
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

/** Each two of the items, once: of a, b and c the pairs ab, ac and bc. */
export function pairsOf<T>(all: readonly T[]): (readonly [T, T])[] {
  return all.flatMap((one, index) => all.slice(index + 1).map((other) => [one, other] as const));
}

function singlesAndPairsOf(levels: readonly Level[]): readonly Combination[] {
  return [...levels.map((level) => [level]), ...pairsOf(levels)];
}

/**
 * What levels and pairs count as, of which one each is enough: “event_type one value & range a second”; in a pair, also
 * the form of a value, of whatever filter: “a value with a blank & range a second”.
 */
function keysOf(levels: Combination): readonly string[] {
  const [one = [], other] = levels.map(({ factor, name, form, shown }) => [
    ...(shown === undefined || levels.length === 1 ? [`${factor} ${name}`] : []),
    ...(form === undefined || levels.length === 1 ? [] : [form]),
  ]);
  if (other === undefined) return one;
  return one.flatMap((a) => other.map((b) => [a, b].sort().join(' & ')));
}
