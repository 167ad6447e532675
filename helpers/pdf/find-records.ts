import { findMarks } from './find-marks.ts';
import type { PlainText } from './plain-text.ts';
import { isWord, type PrintedColumn, worth } from './printed-columns.ts';

/** An event as the PDF prints it: the value that marks it, and the text on both sides up to its neighbours' marks. */
export interface PrintedRecord {
  /** Null where it looks like a mark, stands where marks stand, and no row has it. */
  readonly value: string | null;
  readonly before: string;
  readonly after: string;
  /** Whether it stands where marks stand; a title that names an id does not. */
  readonly isAtUsualPlace: boolean;
}

/** Longest text of an event on either side of its mark, in characters. */
const reach = 5000;

/**
 * The column whose values mark events best: in every row, found in the PDF, too long to be found by chance, and
 * different from row to row.
 */
export function markOf(columns: readonly PrintedColumn[]): PrintedColumn | undefined {
  const marks = columns.filter(({ values }) => values.every((value) => value.length >= 6));
  return marks.sort((a, b) => rank(b) - rank(a))[0];
}

function rank(column: PrintedColumn): number {
  return worth(column) * (column.isProse ? 0.25 : 1) * (isWord(column) ? 0.02 : 1);
}

/** Finds the events that the PDF prints, in its order, by the values that mark them. */
export function findRecords(
  text: PlainText,
  mark: PrintedColumn,
  columns: readonly PrintedColumn[],
): PrintedRecord[] {
  const others = columns.filter(({ column }) => column !== mark.column);
  const elsewhere = new Set(others.flatMap(({ values }) => values));
  // What looks like a mark can be an id of another kind, which begins a line where marks do.
  const marks = findMarks(text, mark.values).filter(
    ({ value, start, end }) => value !== null || !elsewhere.has(text.text.slice(start, end)),
  );
  return marks.map(({ value, start, end, isAtUsualPlace }, index) => {
    const previous = marks[index - 1]?.end ?? 0;
    const next = marks[index + 1]?.start ?? text.text.length;
    return {
      value,
      before: text.text.slice(Math.max(previous, start - reach), start),
      after: text.text.slice(end, Math.min(next, end + reach)),
      isAtUsualPlace,
    };
  });
}
