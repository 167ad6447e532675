import type { Row } from '../csv/csv-form.ts';
import { readDate, readDateColumn } from '../dates/read-date.ts';
import type { WallTime } from '../dates/time-zones.ts';
import { remembered } from '../maps.ts';
import { type DateFormat, dateFormats } from './date-formats.ts';
import { isShowable, type PlainText, plain } from './plain-text.ts';
import { thresholds } from './thresholds.ts';

/** A column of the CSV whose values the PDF prints too: in full, as dates in another style, or cut off. */
export interface PrintedColumn extends PrintedForm {
  /** Its index in the CSV, from 0. */
  readonly column: number;
  /** Whether it holds sentences, which layouts and fonts damage more than ids and times. */
  readonly isProse: boolean;
}

/** The values of a column as the PDF may print them. */
interface PrintedForm {
  /** By row, and behind them by other row, in the form of `plain`; an empty text where a cell cannot be written so. */
  readonly values: readonly string[];
  /** The share of a sample of its distinct values that stands in the PDF, from 0 to 1. */
  readonly found: number;
  /** How many values of rows are distinct. */
  readonly distinct: number;
  /** Whether only the beginnings of its values are found. */
  readonly isCut: boolean;
}

/**
 * Finds out which columns are printed, and how: in full, as dates in another style, or cut off. Events can be missing,
 * so part of its values is enough.
 * @param others rows of events that the PDF may print as well: their values follow those of the rows
 */
export function printedColumns(
  rows: readonly Row[],
  text: PlainText,
  others: readonly Row[] = [],
): PrintedColumn[] {
  const width = Math.max(0, ...rows.map(({ length }) => length));
  const plainOthers = others.map((row) => remembered(plainRows, row, () => row.map(plain)));
  return Array.from({ length: width }, (_, column): PrintedColumn[] => {
    const cellsOf = (some: readonly Row[]) => some.map((row) => row[column] ?? '');
    const cells = cellsOf(rows);
    const { values, ofOthers, ...form } = bestForm(cells, text);
    if (form.found === 0) return [];
    // There may be many more others: only what is printed is written as it is there.
    const inOthers = ofOthers?.(cellsOf(others)) ?? plainOthers.map((row) => row[column] ?? '');
    const all = [...values, ...inOthers];
    return [{ column, isProse: cells.some(isSentence), ...form, values: all }];
  }).flat();
}

/** The PDFs of a run hold rows of the same window. */
const plainRows = new WeakMap<Row, Row>();

/** Whether a cell is a text of three words or more, or in a script that fonts may lack; dates are no sentences. */
function isSentence(cell: string): boolean {
  const looksSo = cell.split(/\s+/).length >= 3 || !isShowable(plain(cell));
  return cell !== '' && looksSo && readDate(cell).length === 0;
}

/** Whether a column holds words, and not ids or times, which have digits: in a few rows, words can be as different. */
export function isWord({ values }: Pick<PrintedForm, 'values'>): boolean {
  return values.some((value) => value !== '' && !/\d/.test(value));
}

/** How well a column tells events apart: its distinct values, less those that are not found; higher is better. */
export function worth({ distinct, found, isCut }: Omit<PrintedForm, 'values'>): number {
  // Squared, as a column that is not printed can share some values with one that is.
  return distinct * found ** 2 * (isCut ? thresholds.cut : 1);
}

/** A form in which the values of a column may be printed, measured by those of rows. */
interface MeasuredForm extends PrintedForm {
  /** The values of other rows in this form; left out where they are printed in full. */
  readonly ofOthers?: (others: readonly string[]) => readonly string[];
}

/** The form of a column of which most is found in the PDF: in full, or another that is found clearly more often. */
function bestForm(cells: readonly string[], text: PlainText): MeasuredForm {
  const full = measured(cells.map(plain), text);
  if (full.found > thresholds.nearlyAll) return full;
  const cut = thresholds.cutLengths
    .filter((length) => cells.some((cell) => cell.length > length))
    .map((length): MeasuredForm => {
      const write = (cell: string) => plain(beginningOf(cell, length));
      const ofOthers = (others: readonly string[]) => others.map(write);
      return { ...measured(cells.map(write), text), ofOthers, isCut: true };
    });
  // Only forms count that still tell the values apart. A time of day is shared by events of several days; the day alone
  // tells little. Shortened, different values can become equal; and a few of them are there by accident, as “31 May 2026” is
  // where months are written out.
  const tells = (share: number) => (one: PrintedForm) => one.distinct >= share * full.distinct;
  return [
    ...datesIn(cells, text).filter(tells(thresholds.distinctDates)),
    ...cut.filter(tells(thresholds.nearlyAll)).filter(({ found }) => found > thresholds.half),
  ].reduce<MeasuredForm>(
    (best, one) => (one.found > best.found * thresholds.likelier ? one : best),
    full,
  );
}

/** The beginning of a cell, less the digits of a number that does not end there: “9 May 2026, 11:” of “… 11:37”. */
function beginningOf(cell: string, length: number): string {
  const beginning = cell.slice(0, length);
  const isCutInNumber = /^\d/.test(cell.slice(length)) && /\s/.test(beginning);
  return isCutInNumber ? beginning.replace(/(?<=\D)\d+$/, '') : beginning;
}

/** A form of a column by its values, with the share of a sample of them that is in the text. */
function measured(values: readonly string[], { text }: PlainText): PrintedForm {
  const distinct = new Set(values);
  distinct.delete('');
  const sample = sampleOf([...distinct]);
  const found = sample.filter((value) => text.includes(value)).length;
  return {
    values,
    distinct: distinct.size,
    found: found / Math.max(1, sample.length),
    isCut: false,
  };
}

/**
 * The cells as dates in the format in which most of a sample is printed; [] where no format finds more than half. Of
 * several ways to read the column, the PDF may show which is right. A day is found also where an event is missing, as
 * other events have the same day: so different dates count.
 */
function datesIn(cells: readonly string[], text: PlainText): readonly MeasuredForm[] {
  const styles = readDateColumn(cells).map((one) => {
    return { ...one, sample: sampleOf(one.readings) };
  });
  const isLikely = (clock: DateFormat) =>
    styles.some(({ sample }) => isFirstIn(clock, sample, text));
  let best: MeasuredForm | undefined;
  let most = 0;
  for (const format of dateFormats(isLikely)) {
    for (const { style, readings, sample } of styles) {
      const { different, areAll } = printedIn(format, sample, text);
      if (different <= most) continue;
      most = different;
      const ofOthers = (others: readonly string[]): readonly string[] =>
        readDateColumn(others)
          .find((one) => one.style === style)
          ?.readings.map(format) ?? others.map(() => '');
      best = { ...measured(readings.map(format), text), ofOthers };
      if (areAll) return [best];
    }
  }
  return best ? [best] : [];
}

/** How many different dates of a sample are printed in a format, 0 for too few; and whether that is nearly all of it. */
function printedIn(format: DateFormat, sample: readonly WallTime[], text: PlainText) {
  const isThere = (date: WallTime): boolean => holdsDate(text, format(date));
  const found = isFirstIn(format, sample, text) ? sample.filter(isThere) : [];
  if (found.length <= thresholds.half * sample.length) return { different: 0, areAll: false };
  // "07:05" is found in "07:05 am" too: a 24-hour format is right only if a time after noon is found in it.
  const afterNoon = sample.filter(({ hour }) => hour < 1 || hour > 12);
  const isWhole = afterNoon.length === 0 || afterNoon.some(isThere);
  return {
    different: new Set(found.map(format)).size,
    areAll: isWhole && found.length > thresholds.nearlyAll * sample.length,
  };
}

/** Whether one of three dates is printed in a format: the PDF may lack the events of the other two. */
function isFirstIn(format: DateFormat, dates: readonly WallTime[], text: PlainText): boolean {
  return sampleOf(dates, thresholds.firstDates).some((date) => holdsDate(text, format(date)));
}

/** Whether a date is there, and goes on neither before nor behind: the minute of a lost event is that of others too. */
function holdsDate({ text, isBreak }: PlainText, date: string): boolean {
  for (let at = text.indexOf(date); at >= 0; at = text.indexOf(date, at + 1)) {
    const end = at + date.length;
    const goesOn =
      (!isBreak(at) && /\d:?$/.test(text.slice(Math.max(0, at - 2), at))) ||
      (!isBreak(end) && /^:?\d/.test(text.slice(end, end + 2)));
    if (!goesOn) return true;
  }
  return false;
}

/** At most `size` of the values, spread evenly over all of them. */
function sampleOf<Value>(values: readonly Value[], size = thresholds.sampledValues): Value[] {
  const step = Math.max(1, values.length / size);
  return values.filter((_, index) => Math.floor(index / step) > Math.floor((index - 1) / step));
}
