import type { PrintedRecord } from './find-records.ts';
import { isShowable } from './plain-text.ts';
import type { PrintedColumn } from './printed-columns.ts';
import { holds, type Trait, weightOf } from './traits.ts';

/** Rows and printed events that have the same mark: mostly one of each. */
export interface MarkedGroup {
  /** Indexes of rows. */
  readonly rows: readonly number[];
  readonly records: readonly PrintedRecord[];
}

/** Larger groups are compared by their size alone. */
const largestGroup = 300;

/** Groups rows by their mark, and with them the printed events that have it. */
export function groupByMark(
  records: readonly PrintedRecord[],
  { values }: PrintedColumn,
): MarkedGroup[] {
  const groups = new Map<string, { rows: number[]; records: PrintedRecord[] }>();
  for (const [row, value] of values.entries()) {
    const group = groups.get(value);
    if (group) group.rows.push(row);
    else groups.set(value, { rows: [row], records: [] });
  }
  for (const record of records) groups.get(record.value ?? '')?.records.push(record);
  return [...groups.values()];
}

/** Gives each row of a group the printed event that is most like it, one each, and tells what is left over. */
export function assign(
  { rows, records }: MarkedGroup,
  traits: readonly Trait[],
  mark: PrintedColumn,
): { missed: readonly number[]; left: readonly PrintedRecord[] } {
  if (Math.max(rows.length, records.length) > largestGroup) {
    return { missed: rows.slice(records.length), left: records.slice(rows.length) };
  }
  const pairs = rows.flatMap((row) =>
    records.map((record) => {
      // A mark of its own tells an event from the others; one that is shared, or part of a title, does not.
      const markWeight = rows.length === 1 && record.isAtUsualPlace ? weightOf(mark) : 0;
      return { row, record, likeness: likeness(row, record, traits, markWeight) };
    }),
  );
  const missed = new Set(rows);
  const left = new Set(records);
  for (const { row, record, likeness } of pairs.sort((a, b) => b.likeness - a.likeness)) {
    if (likeness < 0.5 || !missed.has(row) || !left.has(record)) continue;
    missed.delete(row);
    left.delete(record);
  }
  return { missed: [...missed], left: [...left] };
}

/** Which part of what tells the row from others is found beside the mark, from 0 to 1. */
function likeness(
  row: number,
  record: PrintedRecord,
  traits: readonly Trait[],
  markWeight: number,
): number {
  let [found, all] = [markWeight, markWeight];
  for (const trait of traits) {
    const value = trait.values[row] ?? '';
    if (value === '') continue;
    const isThere = holds(record[trait.side], value);
    if (isThere) found += weightOf(trait);
    if (isThere || isShowable(value)) all += weightOf(trait);
  }
  if (all > 0) return found / all;
  if (record.isAtUsualPlace) return 1;
  // Where nothing but the mark is known of events, its place alone does not say that one is missing.
  return traits.length === 0 ? 0.5 : 0;
}
