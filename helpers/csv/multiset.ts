import { createHash } from 'node:crypto';
import type { Row } from './csv-form.ts';

/** Stands between the cells of a row in one text. No cell holds it: a CSV with NULs in it is reported as damaged. */
const separator = '\u0000';

/** Of rows that several files may have: the text, and the entry of sets that hold it once. */
const pooled = new WeakMap<Row, { readonly text: string; readonly once: Entry }>();

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
    if (this.#rows.size === this.#capacity) this.#rows.clear();
    this.#rows.set(text, row);
    pooled.set(row, { text, once: { row, times: 1 } });
    return row;
  }
}

/** A row, and how often it is there. */
interface Entry {
  readonly row: Row;
  readonly times: number;
}

/** Rows of an export, each with how often it is there; order and place do not count. */
export interface Multiset {
  /** How many rows, each counted as often as it is there. */
  readonly size: number;
  /** By key: equal rows have equal keys. */
  readonly entries: ReadonlyMap<string, Entry>;
}

/**
 * The rows as a multiset; making it is what costs, so make it once for each export.
 * @param except columns, from 0, that do not count: those that change from one request to the next
 */
export function multiset(rows: readonly Row[], except: ReadonlySet<number> = new Set()): Multiset {
  const entries = new Map<string, Entry>();
  for (const row of rows) {
    const key = keyOfRow(row, except);
    const before = entries.get(key);
    const once = pooled.get(row)?.once ?? { row, times: 1 };
    entries.set(key, before ? { row: before.row, times: before.times + 1 } : once);
  }
  return { size: rows.length, entries };
}

/** Equal rows have equal keys. */
export function keyOfRow(row: Row, except: ReadonlySet<number>): string {
  return textOfRow(except.size === 0 ? row : row.filter((_, column) => !except.has(column)));
}

/** A short hash by which a row is recognized: results must not hold more of the data of a target than reports show. */
export function digestOfKey(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 12);
}

/** How often a row with this key is in the multiset. */
export function timesIn(set: Multiset, key: string): number {
  return set.entries.get(key)?.times ?? 0;
}

/** What `b` lacks of `a`, and what it has beyond it; a row as often as it is missing or extra. */
export function difference(a: Multiset, b: Multiset) {
  return deviation(exactly(a), b);
}

function minus(a: Multiset, b: Multiset): Row[] {
  const rows: Row[] = [];
  for (const [key, { row, times }] of a.entries) {
    for (let left = times - timesIn(b, key); left > 0; left--) rows.push(row);
  }
  return rows;
}

/** Whether `b` holds each row at least as often as `a`. */
export function isSubset(a: Multiset, b: Multiset): boolean {
  for (const [key, { times }] of a.entries) if (times > timesIn(b, key)) return false;
  return true;
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
 * twice, must be in both at least once.
 */
export function surelyBoth(a: Multiset, b: Multiset, whole: Multiset): Multiset {
  const times = (inA: number, inB: number, key: string): number =>
    Math.max(0, inA + inB - timesIn(whole, key));
  return combined(a, b, times, [a.size < b.size ? a : b]);
}

/**
 * Each row as often as `times` says, which is told how often each of the sets has it.
 * @param having sets in which all such rows are; of each the result is a part, or it is a part of each
 */
function combined(
  a: Multiset,
  b: Multiset,
  times: (inA: number, inB: number, key: string) => number,
  having: readonly Multiset[] = [a, b],
): Multiset {
  const entries = new Map<string, Entry>();
  let size = 0;
  for (const { entries: rows } of having) {
    for (const [key, entry] of rows) {
      if (entries.has(key)) continue;
      const count = times(timesIn(a, key), timesIn(b, key), key);
      // Hundreds of sets hold the same events: what is the same is shared, an entry or a whole set.
      if (count > 0) entries.set(key, count === entry.times ? entry : { ...entry, times: count });
      size += count;
    }
  }
  return having.find((one) => one.size === size) ?? { size, entries };
}

/**
 * What an export must hold at least and may hold at most. Rows that are equal in every column can be different events,
 * so that from the parts of a whole only bounds follow; where all rows differ, both bounds are the same.
 */
export interface Bounds {
  readonly least: Multiset;
  readonly most: Multiset;
}

/** The events that are in any of several parts: of one value of a filter each. */
export function inAny(parts: readonly Multiset[]): Bounds {
  return { least: parts.reduce(union), most: parts.reduce(sum) };
}

/** Bounds that allow just these events. */
export function exactly(events: Multiset): Bounds {
  return { least: events, most: events };
}

/** What an export lacks of the least, and what it has beyond the most. */
export function deviation({ least, most }: Bounds, actual: Multiset) {
  return { missing: minus(least, actual), extra: minus(actual, most) };
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
