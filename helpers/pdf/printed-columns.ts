import type { Row } from '../csv/csv-form.ts';
import type { DateReading } from '../dates/read-date.ts';
import { type DatesInStyle, readDate, readDateColumn } from '../dates/read-date.ts';
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
  /** Cells of other rows in the same form; empty where one cannot be written in it. */
  readonly write: Write;
}

/** Writes the cells of a column, by row, as they are compared. */
type Write = (cells: readonly string[]) => readonly string[];

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
    return { column, cells, full: measured(inFull(cells), text, inFull) };
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

const inFull: Write = (cells) => cells.map(plain);

const nothing: PrintedForm = { values: [], found: 0, distinct: 0, isCut: false, write: inFull };

function isSentence(cell: string): boolean {
  const looksSo = cell.split(/\s+/).length >= 3 || !isShowable(plain(cell));
  return cell !== '' && looksSo && readDate(cell).length === 0;
}

/** In a few rows, types can be as different as ids; but ids and times hold digits. */
export function isWord({ values }: PrintedForm): boolean {
  return values.some((value) => !/\d/.test(value));
}

/** How well events can be found in the PDF by this column; the larger, the better. */
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
  for (const form of otherForms(cells, full.distinct, guide, text)) {
    if (form.found > best.found * 1.1) best = form;
  }
  return best;
}

function* otherForms(
  cells: readonly string[],
  distinct: number,
  guide: PrintedForm,
  text: PlainText,
): Generator<PrintedForm> {
  const dates = findDates(readDateColumn(cells), guide, text);
  if (dates !== undefined) {
    const { style, readings, format } = dates;
    const write: Write = (others) =>
      readDateColumn(others)
        .find((one) => one.style === style)
        ?.readings.map(format) ?? others.map(() => '');
    const form = measured(readings.map(format), text, write);
    // A time of day is shared by events of several days; the day alone tells little.
    if (form.distinct >= 0.2 * distinct) yield form;
  }
  for (const length of cutLengths) {
    const write: Write = (others) => others.map((cell) => plain(cell.slice(0, length)));
    const form = measured(write(cells), text, write);
    // Shortened, different values can become equal, and then tell little.
    if (form.distinct >= 0.9 * distinct) yield { ...form, isCut: true };
  }
}

interface PrintedDates extends Pick<DatesInStyle, 'style' | 'readings'> {
  readonly format: DateFormat;
}

/**
 * The format in which the most of a sample of dates are printed: on the page of their events, where that can be told.
 *
 * @param styles several where nothing in the CSV shows which is the day and which the month
 */
function findDates(
  styles: readonly DatesInStyle[],
  guide: PrintedForm,
  text: PlainText,
): PrintedDates | undefined {
  const samples = styles.map(({ style, readings }) => {
    const sample = besideGuide(readings, guide, text);
    return { style, readings, sample, few: sampleOf(sample, 3) };
  });
  let best: PrintedDates | undefined;
  let most = 0;
  for (const format of dateFormats) {
    for (const { style, readings, sample, few } of samples) {
      const isThere = (entry: NearDate) => entry.near.includes(format(entry.date));
      // Two of the three may be events that are missing.
      if (!few.some(isThere)) continue;
      const found = sample.filter(isThere);
      // Days are found although events are missing, as others have them too.
      const distinct = new Set(found.map(({ date }) => format(date))).size;
      if (found.length <= 0.5 * sample.length || distinct <= most) continue;
      best = { style, readings, format };
      most = distinct;
      // "07:05" is found in "07:05 am" as well, but nothing that is later than noon, however few events that are.
      const others = sample.filter(({ date: { hour } }) => hour < 1 || hour > 12);
      const isWhole = others.length === 0 || others.some(isThere);
      if (isWhole && found.length > 0.9 * sample.length) return best;
    }
  }
  return best;
}

interface NearDate {
  readonly date: DateReading;
  /** The text in which it should be. */
  readonly near: string;
}

/** Dates with the text around what else their rows have and no other row has, where there is such a thing. */
function besideGuide(
  dates: readonly DateReading[],
  guide: PrintedForm,
  text: PlainText,
): NearDate[] {
  const times = new Map<string, number>();
  for (const value of guide.values) times.set(value, (times.get(value) ?? 0) + 1);
  const unique = [...dates.entries()].filter(([row]) => times.get(guide.values[row] ?? '') === 1);
  if (unique.length * 2 < dates.length) {
    return sampleOf(dates).map((date) => ({ date, near: text.text }));
  }
  return sampleOf(unique).flatMap(([row, date]) => {
    const at = text.text.indexOf(guide.values[row] ?? '');
    return at < 0 ? [] : [{ date, near: pageAround(text, at) }];
  });
}

/** The page that holds this offset, and the rest of an event on both sides of it. */
function pageAround({ text, pages }: PlainText, at: number): string {
  const page = pages.findLastIndex((start) => start <= at);
  const start = Math.min(pages[page] ?? 0, at - nearby);
  const end = Math.max(pages[page + 1] ?? text.length, at + nearby);
  return text.slice(Math.max(0, start), end);
}

function measured(values: readonly string[], text: PlainText, write: Write): PrintedForm {
  const distinct = new Set(values);
  distinct.delete('');
  const sample = sampleOf([...distinct]);
  const found = sample.filter((value) => text.text.includes(value)).length;
  return {
    values,
    distinct: distinct.size,
    found: found / Math.max(1, sample.length),
    isCut: false,
    write,
  };
}

/** So many values at most, spread over all. */
function sampleOf<Value>(values: readonly Value[], size = sampleSize): Value[] {
  const step = Math.max(1, values.length / size);
  return values.filter((_, index) => Math.floor(index / step) > Math.floor((index - 1) / step));
}
