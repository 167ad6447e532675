import { findMarks } from './find-marks.ts';
import type { PlainText } from './plain-text.ts';
import { isWord, type PrintedColumn } from './printed-columns.ts';

/**
 * How many events the PDF holds beyond the rows, as far as the columns agree that can tell: those with a value of
 * their own in about every row, like ids and times. What one column alone takes for an event, an id of another kind
 * for example, is none.
 *
 * @param byMark how many there are by the values that mark events
 */
export function countSurplus(
  byMark: number,
  mark: PrintedColumn,
  columns: readonly PrintedColumn[],
  text: PlainText,
): number {
  if (byMark === 0) return 0;
  const others = columns
    .filter((column) => column.column !== mark.column && tellsEvents(column, mark))
    .map(({ values }) => beyond(values, text));
  return Math.min(byMark, ...others);
}

function tellsEvents(column: PrintedColumn, mark: PrintedColumn): boolean {
  const isFilled = column.values.every(({ length }) => length >= 6);
  const isDifferent = column.distinct >= 0.2 * mark.distinct;
  const isPrinted = column.found >= 0.8 * mark.found;
  return isFilled && isDifferent && isPrinted && !column.isProse && !isWord(column);
}

/** How often values of a column are printed beyond its rows, and values that look like them. */
function beyond(values: readonly string[], text: PlainText): number {
  const left = new Map<string, number>();
  for (const value of values) left.set(value, (left.get(value) ?? 0) + 1);
  let count = 0;
  for (const { value, isAtUsualPlace } of findMarks(text, values)) {
    const rows = value === null ? 0 : (left.get(value) ?? 0);
    if (value !== null && rows > 0) left.set(value, rows - 1);
    else if (isAtUsualPlace) count += 1;
  }
  return count;
}
