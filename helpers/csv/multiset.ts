import { createHash } from 'node:crypto';
import { remembered } from '../maps.ts';
import type { Row } from './csv-form.ts';

/** Stands between the cells of a row in one text. No cell holds it: a CSV with NULs in it is reported as damaged. */
const separator = '\u0000';

/** A row of a pool: it is joined to a text once, and looked for among numbered rows once. */
interface Pooled {
  readonly text: string;
  readonly pool: RowPool;
  /** Where it was looked for last. */
  among?: NumberedRows;
  number?: number;
}

const pooled = new WeakMap<Row, Pooled>();

/** The cells of a row in one text: equal rows have equal texts. */
export function textOfRow(row: Row): string {
  return pooled.get(row)?.text ?? row.join(separator);
}

/** The cells that a text was made of. */
export function cellsOfText(text: string): Row {
  return text.split(separator);
}

/**
 * The rows of the files of a run. Most exports hold events that others hold too: an event takes memory once, however
 * many files show it, and its row is joined to a text once.
 */
export class RowPool {
  readonly #capacity: number;
  readonly #rows = new Map<string, Row>();
  readonly #numbered = new Map<string, NumberedRows>();

  /** @param capacity so many rows are known at most; beyond it, later files have rows of their own */
  constructor(capacity = 200_000) {
    this.#capacity = capacity;
  }

  /** The row of these cells. It does not keep the file in memory that they were read from. */
  rowOf(cells: Row): Row {
    const text = cells.join(separator);
    const known = this.#rows.get(text);
    if (known !== undefined) return known;
    const row = cellsOfText(text);
    if (row.length !== cells.length) return cells;
    if (this.#rows.size === this.#capacity) {
      this.#rows.clear();
      this.#numbered.clear();
    }
    this.#rows.set(text, row);
    pooled.set(row, { text, pool: this });
    return row;
  }

  /** The numbers of its rows, where some columns do not count. */
  numbered(except: ReadonlySet<number>): NumberedRows {
    return remembered(this.#numbered, [...except].join(), () => new NumberedRows(except));
  }
}

/** Rows by number, from 0: hundreds of sets hold the same thousands of events, and each of them only their numbers. */
class NumberedRows {
  readonly except: ReadonlySet<number>;
  readonly #rows: Row[] = [];
  readonly #numbers = new Map<string, number>();

  constructor(except: ReadonlySet<number>) {
    this.except = except;
  }

  get count(): number {
    return this.#rows.length;
  }

  /** The number that rows with this key have. */
  numberOf(row: Row, except = this.except): number {
    const known = pooled.get(row);
    if (known?.among === this && known.number !== undefined) return known.number;
    const key = keyOfRow(row, except);
    const number = remembered(this.#numbers, key, () => this.#rows.push(row) - 1);
    if (known && except === this.except) Object.assign(known, { among: this, number });
    return number;
  }

  /** The first row of a number: in columns that do not count, others of the number may show something else. */
  row(number: number): Row {
    return this.#rows[number] ?? [];
  }
}

/** Rows of an export, each with how often it is there; order and place do not count. */
export interface Multiset {
  /** How many rows, each counted as often as it is there. */
  readonly size: number;
  /** What the numbers mean. Sets of other numbers are compared by the keys of their rows. */
  readonly numbered: NumberedRows;
  /** The number of each row, as often as it is there. */
  readonly held: Uint32Array;
}

/**
 * The rows as a multiset; making it is what costs, so make it once for each export.
 * @param except columns, from 0, that do not count: those that change from one request to the next
 */
export function multiset(rows: readonly Row[], except: ReadonlySet<number> = new Set()): Multiset {
  const pool = rows[0] && pooled.get(rows[0])?.pool;
  const numbered = pool?.numbered(except) ?? new NumberedRows(except);
  const held = Uint32Array.from(rows, (row) => numbered.numberOf(row));
  return { size: held.length, numbered, held };
}

/** The rows, each as often as it is there. */
function rowsIn({ numbered, held }: Multiset): Row[] {
  return Array.from(held, (number) => numbered.row(number));
}

/** Different rows, each once, by their keys; and how often they are there. */
export function entriesIn(
  set: Multiset,
): Map<string, { readonly row: Row; readonly times: number }> {
  const entries = new Map<string, { row: Row; times: number }>();
  const { except } = set.numbered;
  for (const row of rowsIn(set)) {
    const entry = remembered(entries, keyOfRow(row, except), () => ({ row, times: 0 }));
    entry.times += 1;
  }
  return entries;
}

/** Equal rows have equal keys. */
export function keyOfRow(row: Row, except: ReadonlySet<number>): string {
  return textOfRow(except.size === 0 ? row : row.filter((_, column) => !except.has(column)));
}

/** A short hash by which a row is recognized: results must not hold more of the data of a target than reports show. */
export function digestOfKey(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 12);
}

const entriesByKey = new WeakMap<Multiset, ReturnType<typeof entriesIn>>();

/** How often a row with this key is in the multiset. Of sets that many keys are looked for in, all keys are remembered. */
export function timesIn(set: Multiset, key: string): number {
  return remembered(entriesByKey, set, () => entriesIn(set)).get(key)?.times ?? 0;
}

/** What `b` lacks of `a`, and what it has beyond it; a row as often as it is missing or extra. */
export function difference(a: Multiset, b: Multiset) {
  return deviation(exactly(a), b);
}

/** The keys of the rows that one of two sets holds more often than the other. */
export function differing(a: Multiset, b: Multiset): string[] {
  const rows = Object.values(difference(a, b)).flat();
  return [...new Set(rows.map((row) => keyOfRow(row, a.numbered.except)))];
}

/** Whether `b` holds each row at least as often as `a`. */
export function isSubset(a: Multiset, b: Multiset): boolean {
  return a.size <= b.size && without(a, b).size === 0;
}

/** The rows of `a` without those of `b`. */
export function without(a: Multiset, b: Multiset): Multiset {
  return combined(a, b, (inA, inB) => Math.max(0, inA - inB), [a]);
}

/** Whether both hold the same rows, each as often. */
export function isSame(a: Multiset, b: Multiset): boolean {
  return a.size === b.size && isSubset(a, b);
}

/** Each row as often as the set that has more of it: events that two exports share count once. */
export function union(a: Multiset, b: Multiset): Multiset {
  return combined(a, b, (inA, inB) => Math.max(inA, inB));
}

/** Each row as often as in both together: for exports that share no event. */
export function sum(a: Multiset, b: Multiset): Multiset {
  return combined(a, b, (inA, inB) => inA + inB);
}

/** Each row as often as the set that has fewer of it. */
export function intersection(a: Multiset, b: Multiset): Multiset {
  return combined(a, b, (inA, inB) => Math.min(inA, inB), [a.size < b.size ? a : b]);
}

/**
 * Each row as often as it must be in both of two parts of a whole: a row that the whole has 3 times, and each part
 * twice, must be in both at least once; and one that the whole lacks, no more often than in both.
 */
export function surelyBoth(a: Multiset, b: Multiset, whole: Multiset): Multiset {
  return intersection(intersection(a, b), without(sum(a, b), whole));
}

/**
 * Each row as often as `times` says, which is told how often each of the sets has it; of one that none has, 0.
 * @param having sets in which all such rows are
 */
function combined(
  a: Multiset,
  b: Multiset,
  times: (inA: number, inB: number) => number,
  having: readonly Multiset[] = [a, b],
): Multiset {
  const { numbered } = a.size > 0 ? a : b;
  const [ofA, ofB] = [heldIn(numbered, a), heldIn(numbered, b)];
  const [inA, inB] = counters(numbered.count);
  for (const number of ofA) inA[number] = (inA[number] ?? 0) + 1;
  for (const number of ofB) inB[number] = (inB[number] ?? 0) + 1;
  const held: number[] = [];
  for (const set of having) {
    for (const number of set === a ? ofA : ofB) {
      const count = times(inA[number] ?? 0, inB[number] ?? 0);
      for (let left = count; left > 0; left--) held.push(number);
      // Whatever is there several times is taken once.
      inA[number] = 0;
      inB[number] = 0;
    }
  }
  for (const number of ofA) inA[number] = 0;
  for (const number of ofB) inB[number] = 0;
  return { size: held.length, numbered, held: Uint32Array.from(held) };
}

/** The numbers that the rows of a set have among these. */
function heldIn(numbered: NumberedRows, set: Multiset): Uint32Array {
  if (set.numbered === numbered) return set.held;
  return Uint32Array.from(rowsIn(set), (row) => numbered.numberOf(row, set.numbered.except));
}

let [one, other] = [new Uint32Array(), new Uint32Array()];

/** Two arrays of zeros to count so many numbers in, made once: whoever counts leaves zeros behind. */
function counters(count: number): [Uint32Array, Uint32Array] {
  if (one.length < count) [one, other] = [new Uint32Array(2 * count), new Uint32Array(2 * count)];
  return [one, other];
}

/**
 * What an export must hold at least and may hold at most. Rows that are equal in every column can be different events,
 * so that from the parts of a whole only bounds follow; where all rows differ, both bounds are the same.
 */
export interface Bounds {
  readonly least: Multiset;
  readonly most: Multiset;
}

/** The events that are in any of several parts, known by bounds: of one value of a filter each. */
export function inAny(parts: readonly Bounds[]): Bounds {
  return {
    least: parts.map(({ least }) => least).reduce(union),
    most: parts.map(({ most }) => most).reduce(sum),
  };
}

/** Bounds that allow just these events. */
export function exactly(events: Multiset): Bounds {
  return { least: events, most: events };
}

/** What an export lacks of the least, and what it has beyond the most. */
export function deviation({ least, most }: Bounds, actual: Multiset) {
  return { missing: rowsIn(without(least, actual)), extra: rowsIn(without(actual, most)) };
}

export function isWithin({ least, most }: Bounds, actual: Multiset): boolean {
  return isSubset(least, actual) && isSubset(actual, most);
}

/** The events that are in each of several parts, known by bounds, of a whole; without parts, the whole. */
export function inEach(parts: readonly Bounds[], whole: Multiset): Bounds {
  if (parts.length === 0) return exactly(whole);
  // The smallest first: the rest is looked up in it.
  const sorted = parts.toSorted((one, other) => one.most.size - other.most.size);
  const both = (one: Multiset, other: Multiset) => surelyBoth(one, other, whole);
  return {
    least: sorted.map(({ least }) => least).reduce(both),
    most: sorted.map(({ most }) => most).reduce(intersection),
  };
}
