import type { Row } from '../csv/csv-form.ts';
import type { DateReading } from '../dates/read-date.ts';
import { type DatesInStyle, readDate, readDateColumn } from '../dates/read-date.ts';
import { countsOf } from '../group-by.ts';
import { type DateFormat, dateFormats } from './date-formats.ts';
import { isShowable, type PlainText, plain } from './plain-text.ts';

/** A column of the CSV whose values the PDF prints too: in full, as dates in another style, or cut off. */
export interface PrintedColumn {
  /** Its index in the CSV, from 0. */
  readonly column: number;
  /** By row, as the PDF prints them, in the form of `plain`; an empty text for an empty cell. */
  readonly values: readonly string[];
  /** The share of a sample of its distinct values that stands in the PDF, from 0 to 1. */
  readonly found: number;
  /** How many values are distinct. */
  readonly distinct: number;
  /** Whether only the beginnings of its values are found. */
  readonly isCut: boolean;
  /** Whether it holds sentences, which layouts and fonts damage more than ids and times. */
  readonly isProse: boolean;
  /** Writes cells of other rows in the same form. */
  readonly write: Write;
}

/** Writes cells of a column in the form of the PDF, one text for each; empty where a cell cannot be written so. */
type Write = (cells: readonly string[]) => readonly string[];

/** To how many characters a layout may cut a text; each is tried. */
const cutLengths = [24, 16, 12, 8];

const sampleSize = 24;

/** How far from the rest of its event a date may stand, in characters. */
const nearby = 500;

/**
 * Finds out which columns are printed, and how: in full, as dates in another style, or cut off. Events can be missing,
 * so part of its values is enough. The `guide` is the column that tells events apart best, by which dates are located.
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

/** Whether a cell is a text of three words or more, or in a script that fonts may lack; dates are no sentences. */
function isSentence(cell: string): boolean {
  const looksSo = cell.split(/\s+/).length >= 3 || !isShowable(plain(cell));
  return cell !== '' && looksSo && readDate(cell).length === 0;
}

/** Whether a column holds words, and not ids or times, which have digits: in a few rows, words can be as different. */
export function isWord({ values }: PrintedForm): boolean {
  return values.some((value) => !/\d/.test(value));
}

/** How well a column tells events apart: its distinct values, less those that are not found; higher is better. */
export function worth({ distinct, found, isCut }: PrintedForm): number {
  // Squared, as a column that is not printed can share some values with one that is.
  return distinct * found ** 2 * (isCut ? 0.3 : 1);
}

/** The form of a column of which most is found in the PDF: in full, or another that is found clearly more often. */
function bestForm(
  cells: readonly string[],
  full: PrintedForm,
  guide: PrintedForm,
  text: PlainText,
): PrintedForm {
  if (full.found > 0.9) return full;
  const others = [...otherForms(cells, full.distinct, guide, text)];
  return others.reduce((best, form) => (form.found > best.found * 1.1 ? form : best), full);
}

/** The column as dates in the style of the PDF, and cut off; only forms that still tell its values apart. */
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
 * The format in which most of a sample of dates are printed, each on the page of its event, where that is known.
 * @param styles the readings of the column; several where the CSV does not show which is the day and which the month
 * @returns undefined where no format finds more than half of the sample
 */
function findDates(
  styles: readonly DatesInStyle[],
  guide: PrintedForm,
  text: PlainText,
): PrintedDates | undefined {
  const samples = styles.map(({ style, readings }) => {
    return { style, readings, sample: sampleNearGuide(readings, guide, text) };
  });
  let best: PrintedDates | undefined;
  let most = 0;
  for (const format of dateFormats) {
    for (const { style, readings, sample } of samples) {
      const { different, areAll } = printedIn(format, sample);
      if (different <= most) continue;
      best = { style, readings, format };
      most = different;
      if (areAll) return best;
    }
  }
  return best;
}

/**
 * How many different dates of a sample are printed in a format, 0 where at most half of the sample is; and whether that
 * is nearly all of it. A day is found also where an event is missing, as other events have the same day: so different
 * dates count.
 */
function printedIn(format: DateFormat, sample: readonly NearDate[]) {
  const isThere = ({ near, date }: NearDate): boolean => near.includes(format(date));
  // One of three dates is enough to go on with a format: the PDF may lack the events of the other two.
  const found = sampleOf(sample, 3).some(isThere) ? sample.filter(isThere) : [];
  if (found.length <= 0.5 * sample.length) return { different: 0, areAll: false };
  // "07:05" is found in "07:05 am" too: a 24-hour format is right only if a time after noon is found in it.
  const afterNoon = sample.filter(({ date: { hour } }) => hour < 1 || hour > 12);
  const isWhole = afterNoon.length === 0 || afterNoon.some(isThere);
  return {
    different: new Set(found.map(({ date }) => format(date))).size,
    areAll: isWhole && found.length > 0.9 * sample.length,
  };
}

/** A date of the sample, and the text of the PDF in which it should be printed. */
interface NearDate {
  readonly date: DateReading;
  readonly near: string;
}

/** A sample of the dates, each with the page around its row's value of the guide column, or with the whole text. */
function sampleNearGuide(
  dates: readonly DateReading[],
  guide: PrintedForm,
  text: PlainText,
): NearDate[] {
  const times = countsOf(guide.values);
  const unique = [...dates.entries()].filter(([row]) => times.get(guide.values[row] ?? '') === 1);
  if (unique.length * 2 < dates.length) {
    return sampleOf(dates).map((date) => ({ date, near: text.text }));
  }
  return sampleOf(unique).flatMap(([row, date]) => {
    const at = text.text.indexOf(guide.values[row] ?? '');
    return at < 0 ? [] : [{ date, near: pageAround(text, at) }];
  });
}

/** The text of the page that holds an offset, and at least `nearby` characters on both sides of the offset. */
function pageAround({ text, pages }: PlainText, at: number): string {
  const page = pages.findLastIndex((start) => start <= at);
  const start = Math.min(pages[page] ?? 0, at - nearby);
  const end = Math.max(pages[page + 1] ?? text.length, at + nearby);
  return text.slice(Math.max(0, start), end);
}

/** A form of a column with its values, and what share of a sample of them is in the text. */
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

/** At most `size` of the values, spread evenly over all of them. */
function sampleOf<Value>(values: readonly Value[], size = sampleSize): Value[] {
  const step = Math.max(1, values.length / size);
  return values.filter((_, index) => Math.floor(index / step) > Math.floor((index - 1) / step));
}
