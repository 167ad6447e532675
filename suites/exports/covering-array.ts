import { createHash } from 'node:crypto';
import { entriesIn, type Multiset } from '../../helpers/csv/multiset.ts';
import { groupBy, Memory, remembered } from '../../helpers/maps.ts';
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
  /** How many levels a request may have; left out, one of each parameter. */
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
  const rows = remembered(rowsOfWindows, whole, () => new Rows(whole));
  const found = arrays.get(wanted, rows.digestOf(levels), () => {
    const { combinations, pairs } = search(levels, rows, wanted);
    return { pairs, places: combinations.map((one) => one.map((level) => levels.indexOf(level))) };
  });
  const combinations = found.places.map((one) => one.flatMap((place) => levels[place] ?? []));
  return { combinations, pairs: found.pairs };
}

/** Which rows levels keep is worked out once for all arrays of a window. */
const rowsOfWindows = new WeakMap<Multiset, Rows>();

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

/** Levels that count as the same, by themselves and in pairs: one of them is enough. */
type Alike = readonly [Level, ...Level[]];

/** Finds the requests greedily, first those in which each level matters. */
function search(
  levels: readonly Level[],
  rows: Rows,
  { isPair, isSingle, needs, max = 0, loose = 0, most, size = { min: 1 } }: Wanted,
): CoveringArray {
  const alike: readonly Alike[] = [...groupBy(levels, countsAs).values()];
  const numbers = new Map(alike.flatMap((same, at) => same.map((level) => [level, at] as const)));
  const numberOf = (level: Level): number => numbers.get(level) ?? Number.NaN;
  const byFactor = groupBy(alike, ([{ factor }]) => factor);
  const random = randomNumbers();
  /** The keys of those that are looked for, and that no request holds yet. */
  const missing = new Set<string>();
  /** Whether a parameter may keep all events that others keep, in the requests that are looked for. */
  let isLoose = false;

  /** The levels as a request; undefined where they cannot stand in one. @param before it without the last of them, if it has more than two */
  const requestOf = (kept: Kept, before?: Request): Request | undefined => {
    const { levels, all } = kept;
    // Whether a level is misread shows only where it matters.
    if (isLoose && levels.some(({ misread }) => misread)) return undefined;
    const isEmptyDue = size.max === 0 && levels.length > 1;
    if ((all === 0n) !== isEmptyDue) return undefined;
    const mattering = rows.matteringIn(kept);
    const areEnough = isLoose
      ? levels.length === 1 ||
        (before?.mattering.every((level) => mattering.includes(level)) ?? mattering.length > 0)
      : mattering.length === levels.length && rows.areHonoured(kept);
    const isFit = areEnough && (size.min <= 1 || countOf(all) >= size.min);
    return isFit ? { ...kept, mattering } : undefined;
  };
  const requestOfAll = (levels: Combination) => requestOf(levels.reduce(rows.and, rows.none));

  const ofForms = new Set<string>();
  /** The keys of a pair: “event_type one value & from an event on”, and by form “a value with a blank & …”. */
  const keysOf = (one: Level, other: Level): readonly string[] =>
    namesInPairs(one).flatMap((a) =>
      namesInPairs(other).map((b) => {
        const key = [a.name, b.name].sort().join(' & ');
        if (a.isForm || b.isForm) ofForms.add(key);
        return key;
      }),
    );

  const singles = alike.flatMap((same) =>
    isSingle?.(same[0]) ? [{ key: nameOf(same[0]), starts: same.map((level) => [level]) }] : [],
  );
  const pairs = pairsOf(alike).flatMap(([some, others]) => {
    const [[one], [other]] = [some, others];
    if (one.factor === other.factor || !isPair?.(one, other)) return [];
    const starts = some.flatMap((level) => others.map((another) => [level, another]));
    return keysOf(one, other).map((key) => ({ key, starts }));
  });
  const wanted = [
    ...groupBy<(typeof pairs)[number], string>([...singles, ...pairs], ({ key }) => key),
  ];
  const standing = (some: typeof wanted): Goal[] =>
    some.flatMap(([key, all]) => {
      const starts = all.flatMap((one) => one.starts);
      const start = firstOf(starts, (one) => requestOfAll(one)?.levels);
      return start ? [{ key, start }] : [];
    });
  const strictGoals = standing(wanted);
  isLoose = true;
  const stand = new Set(strictGoals.map(({ key }) => key));
  const looseGoals = standing(loose > 0 ? wanted.filter(([key]) => !stand.has(key)) : []);
  const ofPairs = strictGoals.filter(({ start }) => start.length > 1);
  // Pairs that are left in the end are then of no one kind.
  const goals = [
    ...strictGoals.filter(({ start }) => start.length === 1),
    ...shuffled(ofPairs, random).sort(
      (one, other) => Number(ofForms.has(one.key)) - Number(ofForms.has(other.key)),
    ),
  ];
  /** The keys of wanted levels that can show whether they are misread: only a request that does holds them. */
  const misreadable = new Set(
    goals.flatMap(({ key, start: [one, other] }) => (one?.misread && !other ? [key] : [])),
  );
  const isRead = (level: Level): boolean =>
    level.misread !== undefined || !misreadable.has(nameOf(level));

  const sought = new Set([...goals, ...looseGoals].map(({ key }) => key));
  const soughtByPlace = new Map<number, readonly string[]>();
  /** Of the keys of a pair those that are looked for; of a level and itself, its own. By numbers, as it is asked for so often. */
  const soughtOf = (one: number, other: number): readonly string[] =>
    remembered(soughtByPlace, one * alike.length + other, () => {
      const [[some], [another]] = [alike[one] ?? [], alike[other] ?? []];
      if (!some || !another) return [];
      const keys = some === another ? [nameOf(some)] : keysOf(some, another);
      return keys.filter((key) => sought.has(key));
    });

  /** The keys of the levels and pairs that a request holds: of a pair at least one must matter there. */
  const keysIn = ({ levels, mattering }: Request): readonly string[] => {
    // What a form does to a range shows only where the range may be misread.
    const isShown = (pair: Combination): boolean =>
      pair.some((level) => mattering.includes(level)) &&
      (pair.every(({ keeps }) => keeps !== undefined) || pair.every(isRead));
    return [
      ...levels.filter(isRead).map(nameOf),
      ...pairsOf(levels).flatMap((pair) =>
        isShown(pair) ? soughtOf(numberOf(pair[0]), numberOf(pair[1])) : [],
      ),
    ];
  };

  /** What a level adds to a request: the pairs that no request holds yet, and more if none holds the level itself. */
  const gainOf = (chosen: readonly number[], level: number): number => {
    let gain = soughtOf(level, level).some((key) => missing.has(key)) ? worthOfSingle : 0;
    for (const other of chosen) {
      for (const key of soughtOf(level, other)) if (missing.has(key)) gain += 1;
    }
    return gain;
  };

  /** Adds the level that brings most new pairs and still fits, one parameter after the other; [] where it may not be sent. */
  const extended = (start: Combination) => {
    let request = requestOfAll(start);
    if (request === undefined) return [];
    let gain = start.length === 1 ? worthOfSingle : 1;
    const factors = shuffled([...byFactor.keys()], random);
    for (const factor of needs === undefined ? factors : [needs, ...factors]) {
      const soFar: Request = request;
      if (soFar.levels.length === most) break;
      if (soFar.levels.some((level) => level.factor === factor)) continue;
      const chosen = soFar.levels.map(numberOf);
      const further = (byFactor.get(factor) ?? [])
        .map((same) => ({ same, gain: gainOf(chosen, numberOf(same[0])) }))
        .filter((one) => one.gain > 0 || factor === needs)
        .sort((one, other) => other.gain - one.gain);
      for (const one of further) {
        const next = firstOf(one.same, (level) => requestOf(rows.and(soFar, level), soFar));
        if (next === undefined) continue;
        request = next;
        gain += one.gain;
        break;
      }
    }
    const canBeSent =
      (needs === undefined || request.levels.some(({ factor }) => factor === needs)) &&
      (size.max === undefined || countOf(request.all) <= size.max);
    return canBeSent ? [{ request, gain }] : [];
  };

  /** Adds requests until all that is wanted stands in one. @returns also how many are given up: no candidate has the size */
  const cover = (some: readonly Goal[], count: number) => {
    for (const { key } of some) missing.add(key);
    const combinations: Combination[] = [];
    let givenUp = 0;
    while (combinations.length < count) {
      const next = some.filter(({ key }) => missing.has(key)).slice(0, attempts);
      if (next.length === 0) break;
      const [best] = next
        .flatMap(({ start }) => extended(start))
        .sort((one, other) => other.gain - one.gain);
      if (best === undefined) {
        for (const { key } of next) missing.delete(key);
        givenUp += next.length;
        continue;
      }
      combinations.push(best.request.levels);
      for (const key of keysIn(best.request)) missing.delete(key);
    }
    return { combinations, givenUp };
  };

  isLoose = false;
  const strict = cover(goals, max);
  isLoose = true;
  const rest = loose > 0 ? goals.filter(({ key }) => missing.has(key)) : [];
  const looser = cover([...looseGoals, ...rest], loose);
  const possible = goals.length + looseGoals.length - strict.givenUp - looser.givenUp;
  return {
    combinations: [...strict.combinations, ...looser.combinations],
    pairs: { covered: possible - missing.size, possible },
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

/** Levels, and the rows that they keep together, one bit for each; by the place of a level, those that all others keep. */
interface Kept {
  readonly levels: Combination;
  readonly all: bigint;
  readonly byOthers: readonly bigint[];
}

/** Levels that stand in one request. */
interface Request extends Kept {
  /** Those that matter there (`matteringIn`). */
  readonly mattering: readonly Level[];
}

/** The distinct rows of a window, numbered: the rows that a level keeps are a set of bits, one bit for each row. */
class Rows {
  readonly #whole: Multiset;
  /** By its key, where a row stands among the others, and how often it is there. */
  readonly #places: ReadonlyMap<string, { readonly place: number; readonly times: number }>;
  readonly #bits = new WeakMap<Multiset, bigint>();

  constructor(whole: Multiset) {
    this.#whole = whole;
    this.#places = new Map(
      [...entriesIn(whole)].map(([key, { times }], place) => [key, { place, times }]),
    );
  }

  /** No level, which keeps all rows. */
  get none(): Kept {
    return { levels: [], all: this.#bitsOf(), byOthers: [] };
  }

  /** A level more. */
  readonly and = ({ levels, all, byOthers }: Kept, level: Level): Kept => {
    const own = this.#bitsOf(level.keeps?.least);
    return {
      levels: [...levels, level],
      all: all & own,
      byOthers: [...byOthers.map((others) => others & own), all],
    };
  };

  /** Those without which other rows would come, or rows that a level would lose or add that is misread; and all forms. */
  matteringIn({ levels, byOthers }: Kept): readonly Level[] {
    return levels.filter(({ keeps, misread }, place) => {
      if (keeps === undefined) return true;
      const others = byOthers[place] ?? 0n;
      // Rows that it may keep show nothing, whether they are there or not.
      const isNeeded = (others & this.#bitsOf(keeps.most)) !== others;
      return isNeeded && (others & this.#bitsOf(misread?.least)) !== 0n;
    });
  }

  /** Whether some rows of each part in `each` are kept, and of two lists some of parts at different places: read as pairs, they are lost. */
  areHonoured({ levels, all }: Kept): boolean {
    const partsOf = ({ each = [] }: Level) => each.map(({ least }) => this.#bitsOf(least) & all);
    const last = levels.slice(-1).flatMap(partsOf);
    const areCrossed = (parts: readonly bigint[]): boolean =>
      parts.length < 2 ||
      last.length < 2 ||
      parts.some((one, place) => last.some((other, at) => at !== place && (one & other) !== 0n));
    return (
      levels.every((level) => partsOf(level).every((part) => part !== 0n)) &&
      levels.slice(0, -1).every((level) => areCrossed(partsOf(level)))
    );
  }

  /** A text that is the same for levels that make the same array. */
  digestOf(levels: Combination): string {
    const hash = createHash('sha1').update(this.#bitsOf().toString(16));
    for (const level of levels) {
      const { keeps, misread, each = [] } = level;
      const sets = [keeps?.least, keeps?.most, misread?.least, ...each.map(({ least }) => least)];
      hash.update(countsAs(level));
      for (const set of sets) hash.update(set ? this.#bitsOf(set).toString(16) : '-');
    }
    return hash.digest('base64');
  }

  /** The rows that are surely among these events: of equal rows, which are different events, every one. Left out, all rows. */
  #bitsOf(events = this.#whole): bigint {
    return remembered(this.#bits, events, () => {
      const digits = Buffer.alloc(this.#places.size + 1, '0');
      for (const [key, { times }] of entriesIn(events)) {
        const known = this.#places.get(key);
        if (known?.times === times) digits[known.place] = 0x31; // “1”
      }
      return BigInt(`0b${digits.toString('latin1')}`);
    });
  }
}

function countOf(bits: bigint): number {
  return bits.toString(2).split('1').length - 1;
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

/** What a level counts as, by itself and in pairs: of several levels that count as the same, one is enough. */
function countsAs(level: Level): string {
  return [nameOf(level), ...namesInPairs(level).map(({ name }) => name)].join('\t');
}

function namesInPairs({ inPairs, forms = [], ...level }: Level) {
  return [
    ...(inPairs ?? [nameOf(level)]).map((name) => ({ name, isForm: false })),
    ...forms.map((name) => ({ name, isForm: true })),
  ];
}

function nameOf({ factor, name }: Pick<Level, 'factor' | 'name'>): string {
  return `${factor} ${name}`;
}
