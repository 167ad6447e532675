import type { Row } from '../csv/csv-form.ts';
import { readDateColumn } from '../dates/date-column.ts';
import type { DateReading } from '../dates/read-date.ts';
import { readDate } from '../dates/read-date.ts';
import { type DateFormat, dateFormats } from './date-formats.ts';
import { isShowable, type PlainText, plain } from './plain-text.ts';

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
  /** Whether only the beginnings of its values are found. */
  readonly isCut: boolean;
  /** Whether it holds sentences, which layouts and fonts damage more than ids and times. */
  readonly isProse: boolean;
}

/** How many characters may be left of a text that a layout cuts off. */
const cutLengths = [24, 16, 12, 8];

const sampleSize = 24;

/** How far from the rest of its event a date may stand, in characters. */
const nearby = 500;

/**
 * Finds out which columns are printed, and how: in full, as dates in another style, or cut off.
 * A column can be printed and found in part, as events can be missing.
 */
export function printedColumns(rows: readonly Row[], text: PlainText): PrintedColumn[] {
  const width = Math.max(0, ...rows.map(({ length }) => length));
  const columns = Array.from({ length: width }, (_, column) => {
    const cells = rows.map((row) => row[column] ?? '');
    return { column, cells, full: measured(cells.map(plain), text) };
  });
  const guide = columns
    .map(({ full }) => full)
    .reduce((a, b) => (worth(b) > worth(a) ? b : a), nothing);
  return columns
    .map(({ column, cells, full }) => ({
      column,
      isProse: cells.some(isSentence),
      ...bestForm(cells, full, guide, text),
    }))
    .filter(({ found }) => found > 0);
}

type PrintedForm = Omit<PrintedColumn, 'column' | 'isProse'>;

const nothing: PrintedForm = { values: [], found: 0, distinct: 0, isCut: false };

function isSentence(cell: string): boolean {
  const looksSo = cell.split(/\s+/).length >= 3 || !isShowable(plain(cell));
  return cell !== '' && looksSo && readDate(cell).length === 0;
}

/** In a few rows, types can be as different as ids; but ids and times hold digits. */
export function isWord({ values }: PrintedForm): boolean {
  return values.some((value) => !/\d/.test(value));
}

/** How well a column tells which event is where. */
export function worth({ distinct, found, isCut }: PrintedForm): number {
  // Squared, as a column that is not printed can share some values with one that is.
  return distinct * found ** 2 * (isCut ? 0.3 : 1);
}

function bestForm(
  cells: readonly string[],
  full: PrintedForm,
  guide: PrintedForm,
  text: PlainText,
): PrintedForm {
  let best = full;
  if (full.found > 0.9) return full;
  for (const form of otherForms(cells, guide, text)) {
    // Shortened, different values can become equal, and then tell little.
    const tells = form.distinct >= 0.9 * full.distinct;
    if (tells && form.found > best.found * 1.1) best = form;
  }
  return best;
}

function* otherForms(
  cells: readonly string[],
  guide: PrintedForm,
  text: PlainText,
): Generator<PrintedForm> {
  for (const { readings } of readDateColumn(cells)) {
    const format = findFormat(readings, guide, text);
    if (format) yield measured(readings.map(format), text);
  }
  for (const length of cutLengths) {
    const beginnings = cells.map((cell) => plain(cell).slice(0, length));
    yield { ...measured(beginnings, text), isCut: true };
  }
}

/** The first format in which most of a sample of dates are printed: beside the rest of their events, where that can be told. */
function findFormat(
  dates: readonly DateReading[],
  guide: PrintedForm,
  { text }: PlainText,
): DateFormat | undefined {
  const isGuided = guide.distinct >= 0.5 * dates.length;
  const sample = sampleOf(dates.map((date, row) => ({ date, guide: guide.values[row] ?? '' })))
    .map(({ date, guide }) => ({ date, at: isGuided && guide !== '' ? text.indexOf(guide) : 0 }))
    .filter(({ at }) => at >= 0)
    .map(({ date, at }) => ({ date, near: isGuided ? around(text, at) : text }));
  for (const format of dateFormats()) {
    const isThere = (entry: (typeof sample)[number]) => entry.near.includes(format(entry.date));
    // Two of the first three may be events that are missing.
    if (!sample.slice(0, 3).some(isThere)) continue;
    if (sample.filter(isThere).length > 0.5 * sample.length) return format;
  }
  return undefined;
}

function around(text: string, at: number): string {
  return text.slice(Math.max(0, at - nearby), at + nearby);
}

function measured(values: readonly string[], text: PlainText): PrintedForm {
  const distinct = new Set(values);
  distinct.delete('');
  const sample = sampleOf([...distinct]);
  const found = sample.filter((value) => text.text.includes(value)).length;
  return {
    values,
    distinct: distinct.size,
    found: found / Math.max(1, sample.length),
    isCut: false,
  };
}

function sampleOf<Value>(values: readonly Value[]): Value[] {
  const step = Math.max(1, values.length / sampleSize);
  return values.filter((_, index) => Math.floor(index / step) > Math.floor((index - 1) / step));
}
