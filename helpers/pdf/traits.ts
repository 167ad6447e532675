import type { MarkedGroup } from './assign-rows.ts';
import { isShowable } from './plain-text.ts';
import type { PrintedColumn } from './printed-columns.ts';

/** A printed column whose values stand with the mark of their event, always on the same side. */
export interface Trait extends PrintedColumn {
  readonly side: 'before' | 'after';
}

const sampledGroups = 300;

/** Whether a text, as compared, holds the value, or its beginning and an ellipsis. */
export function holds(text: string, value: string): boolean {
  if (text.includes(value)) return true;
  const beginnings = text.split('...').slice(0, -1);
  return beginnings.some((part) => part.length >= 8 && value.includes(part.slice(-8)));
}

/** How much a column tells events apart, in bits. */
export function weightOf({ distinct }: PrintedColumn): number {
  return Math.log2(Math.max(1, distinct));
}

/** Finds the columns by which an event can be recognized beside its mark. */
export function traitsOf(
  groups: readonly MarkedGroup[],
  mark: PrintedColumn,
  columns: readonly PrintedColumn[],
): Trait[] {
  const telling = groups.filter(({ rows, records }) => records.length > 0 && rows.length <= 5);
  const sample = telling.slice(0, sampledGroups);
  return columns.flatMap((column) => {
    if (column.column === mark.column) return [];
    const shares = (['before', 'after'] as const).map((side) => ({
      side,
      share: shareOn(side, sample, column),
    }));
    const [best] = shares.sort((a, b) => b.share - a.share);
    return best && best.share >= 0.8 ? [{ ...column, side: best.side }] : [];
  });
}

/** Of how many records the text on this side holds the value of one of their rows. */
function shareOn(
  side: 'before' | 'after',
  groups: readonly MarkedGroup[],
  { values }: PrintedColumn,
): number {
  let [held, all] = [0, 0];
  for (const { rows, records } of groups) {
    const own = rows.map((row) => values[row] ?? '').filter(isShowable);
    if (own.length === 0) continue;
    all += records.length;
    held += records.filter((record) => own.some((value) => holds(record[side], value))).length;
  }
  return held / Math.max(1, all);
}
