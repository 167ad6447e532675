import type { Row } from '../csv/csv-form.ts';
import { type DateReading, readDate, readDateColumn } from '../dates/read-date.ts';
import { countsOf } from '../group-by.ts';
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

/** The cells of a column, or what is written of them: those of the rows, and those of other events. */
interface Cells {
  readonly own: readonly string[];
  readonly others: readonly string[];
}

/**
 * Finds out which columns are printed, and how: in full, as dates in another style, or cut off. Events can be missing,
 * so part of its values is enough. The `guide` is the column that tells events apart best, by which dates are located.
 * @param others rows of events that the PDF may print as well: their values follow those of the rows
 */
export function printedColumns(
  rows: readonly Row[],
  text: PlainText,
  others: readonly Row[] = [],
): PrintedColumn[] {
  const width = Math.max(0, ...rows.map(({ length }) => length));
  const columns = Array.from({ length: width }, (_, column) => {
    const [own = [], rest = []] = [rows, others].map((some) =>
      some.map((row) => row[column] ?? ''),
    );
    const cells = { own, others: rest };
    return { column, cells, full: measured(written(cells, plain), text) };
  });
  const guide = columns
    .map(({ full }) => full)
    .reduce((a, b) => (worth(b) > worth(a) ? b : a), nothing);
  return columns
    .map(({ column, cells, full }) => ({
      column,
      isProse: cells.own.some(isSentence),
      ...bestForm(cells, full, guide, text),
    }))
    .filter(({ found }) => found > 0);
}

const nothing: PrintedForm = { values: [], found: 0, distinct: 0, isCut: false };

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

/** The form of a column of which most is found in the PDF: in full, or another that is found clearly more often. */
function bestForm(
  cells: Cells,
  full: PrintedForm,
  guide: PrintedForm,
  text: PlainText,
): PrintedForm {
  if (full.found > thresholds.nearlyAll) return full;
  // Only forms count that still tell its values apart. A time of day is shared by events of several days; the day alone
  // tells little. Shortened, different values can become equal.
  const tells = (share: number) => (form: PrintedForm) => form.distinct >= share * full.distinct;
  const asDates = datesIn(cells, guide, text).map((dates) => measured(dates, text));
  const cut = thresholds.cutLengths.map((length) => ({
    ...measured(
      written(cells, (cell) => plain(cell.slice(0, length))),
      text,
    ),
    isCut: true,
  }));
  return [
    ...asDates.filter(tells(thresholds.distinctDates)),
    ...cut.filter(tells(thresholds.nearlyAll)),
  ].reduce((best, form) => (form.found > best.found * thresholds.likelier ? form : best), full);
}

function written({ own, others }: Cells, write: (cell: string) => string): Cells {
  return { own: own.map(write), others: others.map(write) };
}

/** A form of a column by what is written, and what share of a sample of that of the rows is in the text. */
function measured({ own, others }: Cells, text: PlainText): PrintedForm {
  const distinct = new Set(own);
  distinct.delete('');
  const sample = sampleOf([...distinct]);
  const found = sample.filter((value) => text.text.includes(value)).length;
  return {
    values: [...own, ...others],
    distinct: distinct.size,
    found: found / Math.max(1, sample.length),
    isCut: false,
  };
}

/**
 * The dates of a column in the format in which most of a sample is printed, each on the page of its event, where that is
 * known; [] where no format finds more than half. Of several ways to read the column, the PDF may show which is right.
 */
function datesIn({ own, others }: Cells, guide: PrintedForm, text: PlainText): Cells[] {
  const samples = readDateColumn(own).map((dates) => ({
    dates,
    sample: sampleNearGuide(dates.readings, guide, text),
  }));
  const all = dateFormats.flatMap((format) => samples.map((one) => ({ ...one, format })));
  let best: (typeof all)[number] | undefined;
  let most = 0;
  for (const one of all) {
    const { different, areAll } = printedIn(one.format, one.sample);
    if (different <= most) continue;
    [best, most] = [one, different];
    if (areAll) break;
  }
  if (best === undefined) return [];
  const { dates, format } = best;
  const ofOthers = readDateColumn(others).find(({ style }) => style === dates.style)?.readings;
  return [
    {
      own: dates.readings.map(format),
      others: ofOthers?.map(format) ?? others.map(() => ''),
    },
  ];
}

/**
 * How many different dates of a sample are printed in a format, 0 where at most half of the sample is; and whether that
 * is nearly all of it. A day is found also where an event is missing, as other events have the same day: so different
 * dates count.
 */
function printedIn(format: DateFormat, sample: readonly NearDate[]) {
  const isThere = ({ near, date }: NearDate): boolean => near.includes(format(date));
  // One of three dates is enough to go on with a format: the PDF may lack the events of the other two.
  const found = sampleOf(sample, thresholds.firstDates).some(isThere) ? sample.filter(isThere) : [];
  if (found.length <= thresholds.half * sample.length) return { different: 0, areAll: false };
  // "07:05" is found in "07:05 am" too: a 24-hour format is right only if a time after noon is found in it.
  const afterNoon = sample.filter(({ date: { hour } }) => hour < 1 || hour > 12);
  const isWhole = afterNoon.length === 0 || afterNoon.some(isThere);
  return {
    different: new Set(found.map(({ date }) => format(date))).size,
    areAll: isWhole && found.length > thresholds.nearlyAll * sample.length,
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
  if (unique.length < thresholds.half * dates.length) {
    return sampleOf(dates).map((date) => ({ date, near: text.text }));
  }
  return sampleOf(unique).flatMap(([row, date]) => {
    const at = text.text.indexOf(guide.values[row] ?? '');
    return at < 0 ? [] : [{ date, near: pageAround(text, at) }];
  });
}

/** The text of the page that holds an offset, and some more characters on both sides of the offset. */
function pageAround({ text, pages }: PlainText, at: number): string {
  const page = pages.findLastIndex((start) => start <= at);
  const start = Math.min(pages[page] ?? 0, at - thresholds.nearby);
  const end = Math.max(pages[page + 1] ?? text.length, at + thresholds.nearby);
  return text.slice(Math.max(0, start), end);
}

/** At most `size` of the values, spread evenly over all of them. */
function sampleOf<Value>(values: readonly Value[], size = thresholds.sampledValues): Value[] {
  const step = Math.max(1, values.length / size);
  return values.filter((_, index) => Math.floor(index / step) > Math.floor((index - 1) / step));
}
