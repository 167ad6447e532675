import type { Row } from '../csv/csv-table.ts';
import { readDateColumn } from '../dates/date-column.ts';
import { type DateFormat, dateFormats } from './date-formats.ts';
import { type PlainText, plain } from './plain-text.ts';

/** A column of the CSV that is in the PDF too, in whatever form. */
export interface PrintedColumn {
  /** From 0, in the CSV. */
  readonly column: number;
  /** As compared, by row; empty where the cell is. */
  readonly values: readonly string[];
  /** Which share of a sample of its distinct values is in the PDF. */
  readonly found: number;
  /** How many values are distinct. */
  readonly distinct: number;
}

/** Layouts that cut text off keep at least so many characters of it. */
const cutLengths = [24, 16, 12, 8];

const sampleSize = 24;

/**
 * Finds out which columns are printed, and how: in full, as dates in another style, or cut off.
 * A column can be printed and found in part, as events can be missing.
 */
export function printedColumns(rows: readonly Row[], text: PlainText): PrintedColumn[] {
  const width = Math.max(0, ...rows.map(({ length }) => length));
  const columns: PrintedColumn[] = [];
  for (let column = 0; column < width; column++) {
    const cells = rows.map((row) => row[column] ?? '');
    const form = printedForm(cells, text);
    if (form) columns.push({ column, ...form });
  }
  return columns.filter(({ found }) => found > 0);
}

type PrintedForm = Omit<PrintedColumn, 'column'>;

function printedForm(cells: readonly string[], text: PlainText): PrintedForm | undefined {
  const full = measured(cells.map(plain), text);
  let best = full;
  if (best.found <= 0.9) {
    for (const values of otherForms(cells, text)) {
      const form = measured(values, text);
      // Shortened, different values can become equal, and then tell little.
      const tells = form.distinct >= 0.9 * full.distinct;
      if (tells && form.found > best.found * 1.1) best = form;
    }
  }
  return best.distinct > 0 ? best : undefined;
}

function* otherForms(cells: readonly string[], text: PlainText): Generator<readonly string[]> {
  for (const { readings } of readDateColumn(cells)?.candidates ?? []) {
    const format = findFormat(readings, text);
    if (format) yield readings.map(format);
  }
  for (const length of cutLengths) yield cells.map((cell) => plain(cell).slice(0, length));
}

/** The first format in which most of a few dates are in the text. */
function findFormat(
  dates: readonly Parameters<DateFormat>[0][],
  text: PlainText,
): DateFormat | undefined {
  const [first, second, ...others] = sampleOf(dates).slice(0, 8);
  for (const format of dateFormats()) {
    const isThere = (date: Parameters<DateFormat>[0] | undefined) =>
      date !== undefined && text.text.includes(format(date));
    // Either of the first two may be the event that is missing.
    if (!isThere(first) && !isThere(second)) continue;
    if (others.filter(isThere).length >= 0.5 * others.length) return format;
  }
  return undefined;
}

function measured(values: readonly string[], text: PlainText): PrintedForm {
  const distinct = new Set(values);
  distinct.delete('');
  const sample = sampleOf([...distinct]);
  const found = sample.filter((value) => text.text.includes(value)).length;
  return { values, distinct: distinct.size, found: found / Math.max(1, sample.length) };
}

function sampleOf<Value>(values: readonly Value[]): Value[] {
  const step = Math.max(1, values.length / sampleSize);
  return values.filter((_, index) => Math.floor(index / step) > Math.floor((index - 1) / step));
}
