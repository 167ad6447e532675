import { createHash } from 'node:crypto';
import { type Multiset, timesIn } from '../../helpers/csv/multiset.ts';
import { groupBy } from '../../helpers/group-by.ts';
import { Memory, remembered } from '../../helpers/memory.ts';
import type { Level } from './levels.ts';

/* Few requests in which each pair of levels stands at least once, as faults show in pairs: greedily, and the same in each run. */

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
  /** How many requests there may be, without those of `loose`; left out, each level is a request of its own. */
  readonly max?: number;
  /** How many more there may be for what stands in none of them: there a parameter may keep all events that others keep. */
  readonly loose?: number;
  readonly most?: number;
  /** How many events each request must keep; left out, at least one. 0 of two parameters: each leaves out all that the other keeps. */
  readonly size?: { readonly min: number; readonly max?: number };
}

/** The requests; and how many of the wanted levels and pairs can stand in a request, and do. */
export interface CoveringArray {
  readonly combinations: readonly Combination[];
  readonly pairs: { readonly covered: number; readonly possible: number };
}

/** How many candidates are put together for each request of the array: the one with most new pairs is taken. */
const attempts = 16;

/** As how many new pairs a wanted level counts that no request holds yet. */
const worthOfSingle = 5;

/**
 * At most `max` requests with as many of the wanted pairs as possible. Each request keeps events, each of its parameters
 * leaves out events that the others keep, and each value of a list keeps some of them: what ignores one of them shows. Then
 * at most `loose` requests that only keep events: what one parameter does to another shows there too.
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
  const events = remembered(eventsOfWindows, whole, () => new Events(whole));
  const found = arrays.get(wanted, events.digestOf(levels), () => {
    const { combinations, pairs } = new GreedySearch(levels, events, wanted).search();
    return { pairs, places: combinations.map((one) => one.map((level) => levels.indexOf(level))) };
  });
  const combinations = found.places.map((one) => one.flatMap((place) => levels[place] ?? []));
  return { combinations, pairs: found.pairs };
}

/** Which rows levels keep is worked out once for all arrays of a window. */
const eventsOfWindows = new WeakMap<Multiset, Events>();

/** Arrays by the places of their levels: a further look at the same events needs no search. */
const arrays = new Memory<
  Wanted,
  string,
  Pick<CoveringArray, 'pairs'> & { readonly places: readonly (readonly number[])[] }
>();

/** A wanted level or pair by its key, and the first levels with this key that can stand in a request. */
interface Goal {
  readonly key: string;
  readonly start: Combination;
}

/** Puts together one request after the other: of several candidates, the one that holds most of what is missing. */
class GreedySearch {
  readonly #wanted: Wanted;
  readonly #events: Events;
  /** The levels of each parameter, by what they count as: of those that count as the same, one is enough. */
  readonly #byFactor: ReadonlyMap<Level['factor'], readonly (readonly [Level, ...Level[]])[]>;
  /** The wanted levels and pairs that can stand in a request, in the order in which they are looked for. */
  readonly #goals: readonly Goal[];
  /** Those that can only where a parameter may keep all events that others keep. */
  readonly #looseGoals: readonly Goal[];
  /** Whether it may, in the requests that are looked for. */
  #isLoose = false;
  /** The keys of those that are looked for, and that no request holds yet. */
  readonly #missing = new Set<string>();
  /** The keys of wanted levels that can show whether they are misread: only a request that does holds them. */
  readonly #misreadable: ReadonlySet<string>;
  /** A number for all levels that count as the same, and the keys of each two of these numbers. */
  readonly #numbers: ReadonlyMap<Level, number>;
  readonly #keys = new Map<number, readonly string[]>();
  readonly #random = randomNumbers();

  constructor(levels: readonly Level[], events: Events, wanted: Wanted) {
    this.#wanted = wanted;
    this.#events = events;
    const alike = [...groupBy(levels, countsAs).values()];
    this.#byFactor = groupBy(alike, ([{ factor }]) => factor);
    this.#numbers = new Map(
      alike.flatMap((same, number) => same.map((level) => [level, number] as const)),
    );
    const counted = [...alike.map((one) => [one]), ...pairsOf(alike)].flatMap((sets) => {
      const first = sets.map(([level]) => level);
      return this.#isWanted(first) ? this.#keysOf(first).map((key) => ({ key, sets })) : [];
    });
    const sameKey = [...groupBy(counted, ({ key }) => key)];
    const standing = (some: typeof sameKey): Goal[] =>
      some.flatMap(([key, all]) => {
        const start = firstOf(all, ({ sets }) =>
          firstOf(oneOfEach(sets), (levels) => this.#requestOf(levels)?.levels),
        );
        return start ? [{ key, start }] : [];
      });
    const goals = standing(sameKey);
    const stand = new Set(goals.map(({ key }) => key));
    this.#isLoose = true;
    this.#looseGoals = standing(wanted.loose ? sameKey.filter(([key]) => !stand.has(key)) : []);
    // Pairs that are left in the end are then of no one kind.
    this.#goals = [
      ...goals.filter(({ start }) => start.length === 1),
      ...shuffled(
        goals.filter(({ start }) => start.length > 1),
        this.#random,
      ),
    ];
    this.#misreadable = new Set(
      goals.flatMap(({ key, start }) => (start.length === 1 && start[0]?.misread ? [key] : [])),
    );
  }

  /** The requests, first those in which each level matters. */
  search(): CoveringArray {
    const { max = 0, loose = 0 } = this.#wanted;
    this.#isLoose = false;
    const strict = this.#cover(this.#goals, max);
    this.#isLoose = true;
    const rest = this.#goals.filter(({ key }) => this.#missing.has(key));
    const looser = this.#cover([...this.#looseGoals, ...(loose > 0 ? rest : [])], loose);
    const possible = this.#goals.length + this.#looseGoals.length - strict.givenUp - looser.givenUp;
    return {
      combinations: [...strict.combinations, ...looser.combinations],
      pairs: { covered: possible - this.#missing.size, possible },
    };
  }

  /** Adds requests until all that is wanted stands in one. @returns also how many are given up: no candidate has the size */
  #cover(goals: readonly Goal[], max: number) {
    for (const { key } of goals) this.#missing.add(key);
    const combinations: Combination[] = [];
    let givenUp = 0;
    while (combinations.length < max) {
      const next = goals.filter(({ key }) => this.#missing.has(key)).slice(0, attempts);
      if (next.length === 0) break;
      const [best] = next
        .flatMap(({ start }) => this.#extended(start))
        .sort((one, other) => other.gain - one.gain);
      if (best === undefined) {
        for (const { key } of next) this.#missing.delete(key);
        givenUp += next.length;
        continue;
      }
      combinations.push(best.request.levels);
      for (const key of this.#keysIn(best.request)) this.#missing.delete(key);
    }
    return { combinations, givenUp };
  }

  /** The keys of the levels and pairs that a request holds: of a pair at least one must matter there. */
  #keysIn({ levels, others }: Request): readonly string[] {
    /** The keys that the level holds where it stands: where it may be misread, only if that shows. */
    const ownKeys = (level: Level): readonly string[] =>
      this.#keysOf([level]).filter((key) => level.misread || !this.#misreadable.has(key));
    const matters = (level: Level): boolean =>
      level.keeps === undefined || others.some(([one]) => one === level);
    const isRead = (level: Level): boolean =>
      ownKeys(level).length === this.#keysOf([level]).length;
    // What a form does to a range shows only where the range may be misread.
    const isShown = (pair: Combination): boolean =>
      pair.some(matters) && (pair.every(({ keeps }) => keeps !== undefined) || pair.every(isRead));
    return [...levels.flatMap(ownKeys), ...pairsOf(levels).filter(isShown).flatMap(this.#keysOf)];
  }

  readonly #isWanted = ([one, other]: Combination): boolean => {
    if (one === undefined) return false;
    if (other === undefined) return this.#wanted.isSingle?.(one) === true;
    return one.factor !== other.factor && this.#wanted.isPair?.(one, other) === true;
  };

  /** These levels as a request, to which more may be added; undefined where they cannot stand in one. */
  #requestOf([first, second]: Combination): Request | undefined {
    const { empty } = this.#events;
    if (first === undefined) return undefined;
    if (second === undefined) return this.#add(empty, first);
    const part = this.#add(empty, first, 'unchecked');
    return part && this.#add(part, second, this.#isLoose ? 'some matter' : undefined);
  }

  #add(
    request: Request,
    level: Level,
    check: Check = this.#isLoose ? 'others matter as before' : 'all matter',
  ): Request | undefined {
    // Whether it is misread shows only where it matters.
    if (this.#isLoose && level.misread) return undefined;
    return this.#events.add(request, level, check, this.#wanted.size);
  }

  #canBeSent({ levels, all }: Request): boolean {
    const { needs, size: { max = Number.POSITIVE_INFINITY } = {} } = this.#wanted;
    if (needs !== undefined && !levels.some(({ factor }) => factor === needs)) return false;
    return countOf(all) <= max;
  }

  /** Adds the level that brings most new pairs and still fits, one parameter after the other; [] where it may not be sent. */
  #extended(start: Combination) {
    const { needs, most } = this.#wanted;
    let request = this.#requestOf(start);
    if (request === undefined) return [];
    let gain = start.length === 1 ? worthOfSingle : 1;
    const factors = shuffled([...this.#byFactor.keys()], this.#random);
    for (const factor of needs === undefined ? factors : [needs, ...factors]) {
      const soFar: Request = request;
      if (soFar.levels.length === most) break;
      if (soFar.levels.some((level) => level.factor === factor)) continue;
      const alike = (this.#byFactor.get(factor) ?? [])
        .map((levels) => ({ levels, gain: this.#gainOf(soFar.levels, levels[0]) }))
        .filter((one) => one.gain > 0 || factor === needs)
        .sort((one, other) => other.gain - one.gain);
      for (const one of alike) {
        const next = firstOf(one.levels, (level) => this.#add(soFar, level));
        if (next === undefined) continue;
        request = next;
        gain += one.gain;
        break;
      }
    }
    return this.#canBeSent(request) ? [{ request, gain }] : [];
  }

  /** What a level adds to a request: the pairs that no request holds yet, and more if none holds the level itself. */
  #gainOf(chosen: Combination, level: Level): number {
    let gain = worthOfSingle * this.#missingAmong(this.#keysOf([level]));
    for (const other of chosen) gain += this.#missingAmong(this.#keysOf([level, other]));
    return gain;
  }

  #missingAmong(keys: readonly string[]): number {
    let count = 0;
    for (const key of keys) if (this.#missing.has(key)) count += 1;
    return count;
  }

  readonly #keysOf = (levels: Combination): readonly string[] => {
    const [one = 0, other = -1] = levels.map((level) => this.#numbers.get(level) ?? 0);
    return remembered(this.#keys, one + (other + 1) * (this.#numbers.size + 1), () =>
      keysOf(levels),
    );
  };
}

function firstOf<One, Found>(
  all: readonly One[],
  find: (one: One) => Found | undefined,
): Found | undefined {
  for (const one of all) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Rows, one bit for each. */
type Bits = Uint32Array;

/** Levels that can stand in one request. */
interface Request {
  readonly levels: Combination;
  /** The rows that they keep together. */
  readonly all: Bits;
  /** For each level that leaves out some of the rows that the others keep, in their order, these rows. */
  readonly others: readonly (readonly [Level, Bits])[];
}

/** What must be true of a request with one more level; 'some matter' is of the two levels of a loose pair, checked together. */
type Check = 'unchecked' | 'all matter' | 'some matter' | 'others matter as before';

/** The distinct rows of a window, numbered: the rows that a level keeps are a set of bits, one bit for each row. */
class Events {
  readonly #rows: Multiset['entries'];
  readonly #bits = new WeakMap<Multiset, Bits>();
  readonly #complements = new WeakMap<Multiset, Bits>();
  readonly empty: Request;

  constructor(whole: Multiset) {
    this.#rows = whole.entries;
    this.empty = { levels: [], all: this.#bitsOf(whole), others: [] };
  }

  /**
   * The request with one more level: surely it keeps events then. That all matter says that each level leaves out events that
   * the others keep; where it can be misread, that the others keep events that it would lose or add then; that some events
   * of each part in `each` are kept, and of two lists some of parts at different places.
   * @returns undefined where it cannot stand there
   */
  add(
    { levels, all, others }: Request,
    level: Level,
    check: Check,
    { min, max }: NonNullable<Wanted['size']> = { min: 1 },
  ): Request | undefined {
    const own = level.keeps && this.#bitsOf(level.keeps.least);
    const isLast = max === 0 && levels.length > 0;
    if (isAny(all, own) === isLast) return undefined;
    const isChecked = check !== 'unchecked';
    const isStrict = check === 'all matter';
    const matters = !isChecked || this.#isNeeded(level, all);
    const mattering = isChecked
      ? others.filter(([one, rest]) => this.#isNeeded(one, rest, own))
      : others;
    const areAsBefore = mattering.length === others.length;
    if (check === 'some matter' ? !matters && mattering.length === 0 : !areAsBefore) {
      return undefined;
    }
    const isEach = ({ each = [] }: Level): boolean =>
      each.every(({ least }) => isAny(all, own, this.#bitsOf(least)));
    if (isStrict && !(matters && isEach(level) && levels.every(isEach))) return undefined;
    const kept = both(all, own);
    if (isStrict && !levels.every((one) => this.#areCrossed(one, level, kept))) return undefined;
    const left = own ? mattering.map(([one, rest]) => [one, both(rest, own)] as const) : mattering;
    const request: Request = {
      levels: [...levels, level],
      all: kept,
      others: own && matters ? [...left, [level, all]] : left,
    };
    const isEnough = check === 'unchecked' || min <= 1 || countOf(kept) >= min;
    return isEnough ? request : undefined;
  }

  /** Whether some rows that others and a `further` level keep are not this level's, and some show whether it is misread. */
  #isNeeded({ keeps, misread }: Level, rest: Bits, further = rest): boolean {
    if (keeps === undefined) return true;
    // Rows that it may keep show nothing, whether they are there or not.
    if (!isAny(rest, further, this.#outside(keeps.most))) return false;
    return misread === undefined || isAny(rest, further, this.#bitsOf(misread.least));
  }

  /** Whether some of the rows are of values at different places of two lists: where these are read as pairs they are lost. */
  #areCrossed({ each = [] }: Level, other: Level, rows: Bits): boolean {
    const { each: others = [] } = other;
    if (each.length < 2 || others.length < 2) return true;
    return each.some((one, place) =>
      others.some(
        (another, at) =>
          at !== place && isAny(rows, this.#bitsOf(one.least), this.#bitsOf(another.least)),
      ),
    );
  }

  #outside(events: Multiset): Bits {
    return remembered(this.#complements, events, () => this.#bitsOf(events).map((word) => ~word));
  }

  /** A text that is the same for levels that make the same array. */
  digestOf(levels: Combination): string {
    const hash = createHash('sha1').update(this.empty.all);
    for (const level of levels) {
      const { keeps, misread, each = [] } = level;
      const sets = [keeps?.least, keeps?.most, misread?.least, ...each.map(({ least }) => least)];
      hash.update(countsAs(level));
      for (const set of sets) hash.update(set === undefined ? '-' : this.#bitsOf(set));
    }
    return hash.digest('base64');
  }

  /** The rows that are surely among these events: of equal rows, which are different events, every one. Worked out once. */
  #bitsOf(events: Multiset): Bits {
    return remembered(this.#bits, events, () => {
      const bits = new Uint32Array(Math.ceil(this.#rows.size / 32));
      let index = 0;
      for (const [key, { times }] of this.#rows) {
        if (timesIn(events, key) === times) set(bits, index);
        index += 1;
      }
      return bits;
    });
  }
}

/** The rows that are in both. */
function both(one: Bits, other = one): Bits {
  const bits = Uint32Array.from(one);
  for (let at = 0; at < bits.length; at += 1) bits[at] = (bits[at] ?? 0) & (other[at] ?? 0);
  return bits;
}

/** Whether any row is in all of the sets. */
function isAny(one: Bits, other = one, third = one): boolean {
  // No callback for each word: most of the time that an array takes is spent here.
  for (let at = 0; at < one.length; at += 1) {
    if (((one[at] ?? 0) & (other[at] ?? 0) & (third[at] ?? 0)) !== 0) return true;
  }
  return false;
}

function countOf(bits: Bits): number {
  return bits.reduce((count, word) => count + countBits(word), 0);
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

/** All ways to take one item of each set: of [a, b] and [c] ac and bc. */
function oneOfEach<T>(sets: readonly (readonly T[])[]): readonly (readonly T[])[] {
  return sets.reduce<readonly (readonly T[])[]>(
    (chosen, set) => chosen.flatMap((some) => set.map((one) => [...some, one])),
    [[]],
  );
}

/** What a level counts as, by itself and in pairs: of several levels that count as the same, one is enough. */
function countsAs(level: Level): string {
  return [nameOf(level), ...(level.inPairs ?? [])].join('\t');
}

/** The keys of a level or pair: “event_type one value & from an event on”, and by form “a value with a blank & …”. */
function keysOf([one, other]: Combination): readonly string[] {
  if (one === undefined) return [];
  if (other === undefined) return [nameOf(one)];
  const [ofOne, ofOther] = [one, other].map((level) => level.inPairs ?? [nameOf(level)]);
  return (ofOne ?? []).flatMap((a) => ofOther?.map((b) => [a, b].sort().join(' & ')) ?? []);
}

function nameOf({ factor, name }: Level): string {
  return `${factor} ${name}`;
}
