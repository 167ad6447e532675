import { isUuidShaped } from '../../schemas/resources.ts';
import type { Row } from '../csv/csv-form.ts';
import {
  entriesIn,
  isSame,
  isSubset,
  keyOfRow,
  type Multiset,
  multiset,
  without,
} from '../csv/multiset.ts';
import type { CsvTable } from '../csv/read-csv.ts';
import { type DatesInStyle, readDate, readDateColumn } from '../dates/read-date.ts';
import { quarter, quartersWithin } from '../dates/time-zones.ts';
import { groupBy, Memory } from '../maps.ts';
import type { Cut, TimeRange } from './window.ts';

/** What is known of the columns of an export. */
export type KnownColumns = Readonly<Awaited<ReturnType<typeof learnColumns>>>;

/** When events happened, by row, as dates show it: perhaps cut or rounded, so they say only where to look for an event. */
export interface KnownTimes extends DatesInStyle {
  /** The column of the dates; or the columns of day, time of day and perhaps time zone, in this order. */
  readonly columns: readonly number[];
}

/** Dates that fit with ranges only when moved by whole quarters of an hour: dates or ranges are not in UTC. */
export interface ShiftedDates {
  /** How much later than asked the dates in a range are, in milliseconds: -3,600,000 where dates are an hour behind. */
  readonly byMs: number;
  /** Whether the dates say how far from UTC they are. */
  readonly hasOffsets: boolean;
}

/** Finds out which columns belong to the export and which holds the time. @param again the same query, asked for twice */
export async function learnColumns(
  base: CsvTable,
  again: CsvTable,
  cut: Cut,
  fetch: (range: TimeRange) => Promise<CsvTable>,
) {
  const ignored = columnsOfTheExport(base, again);
  const isKept: IsKept = async (row, range) => {
    const key = keyOfRow(base.rows[row] ?? [], ignored);
    return (await fetch(range)).rows.some((cells) => keyOfRow(cells, ignored) === key);
  };
  const candidates = findTimes(base, ignored, cut);
  const times = await timesOfRanges(candidates, base, isKept);
  return {
    /** Columns that belong to the export and not to the event: times of export, row numbers. */
    ignored,
    /** The time of the event that ranges go by; undefined where no column shows it. */
    times,
    /** `times`, or else dates that lie near the time of the event, such as that of its recording. */
    dates: times ?? candidates[0],
    /** Dates in another time zone than ranges; looked for only where no column of times was found. */
    shifted: times === undefined ? await shiftOfRanges(base, ignored, cut, isKept) : undefined,
  };
}

/** Whether the export of a range holds an event; `row` is its index in the export of the window. */
type IsKept = (row: number, range: TimeRange) => Promise<boolean>;

/** The range about an instant that a cell shows, a unit wider on both sides: cells may be rounded, and bounds excluded. */
function rangeAbout(at: number, unitMs: number): TimeRange {
  const unit = Math.max(1, unitMs);
  return { start: at - unit, end: at + 2 * unit };
}

const multisets = new Memory<CsvTable, string, Multiset>();

/** The events of an export, without what belongs to the export itself. Made once for each table. */
export function eventsOf(table: CsvTable, ignored: ReadonlySet<number>): Multiset {
  return multisets.get(table, [...ignored].join(), () => multiset(table.rows, ignored));
}

/** The columns of a table, from 0, but for those that are ignored. */
export function columnsOfEvents(
  { columns }: Pick<CsvTable, 'columns'>,
  ignored: ReadonlySet<number>,
): number[] {
  return [...Array(columns).keys()].filter((column) => !ignored.has(column));
}

/** Columns of UUIDs, which are written alike in every locale and timezone: some cells may be empty, but not all. */
export function columnsOfIds(
  table: Pick<CsvTable, 'columns' | 'rows'>,
  { ignored, dates }: Pick<KnownColumns, 'ignored' | 'dates'>,
): number[] {
  return columnsOfEvents(table, ignored).filter((column) => {
    if (dates?.columns.includes(column)) return false;
    const values = table.rows.map((row) => row[column] ?? '').filter((value) => value !== '');
    return values.length > 0 && values.every(isUuidShaped);
  });
}

const several = new Memory<CsvTable, string, boolean>();

/** As how many columns an event that takes several rows may tell of a detail: its name, and its value. */
const maxOfDetails = 2;

/**
 * Whether an event may take several rows: different ones share an id, and all that do one time, and no column tells all apart. Or
 * many share their times, or an id where no times can be read, and with these all but a detail.
 */
export function takeSeveralRows(table: CsvTable, columns: KnownColumns): boolean {
  const { ignored, times } = columns;
  const timeOf = (row: Row): string | undefined => times?.columns.map((one) => row[one]).join();
  return several.get(table, JSON.stringify([[...ignored], times?.columns]), () => {
    const rows = [...entriesIn(eventsOf(table, ignored)).values()].map(({ row }) => row);
    const ids = columnsOfIds({ ...table, rows }, columns).map((column) =>
      groupBy(rows, (row) => row[column]),
    );
    const others = columnsOfEvents(table, ignored).filter((one) => !times?.columns.includes(one));
    const differ = (some: readonly Row[], column: number): boolean =>
      some.some((row) => row[column] !== some[0]?.[column]);
    type Groups = ReadonlyMap<string | undefined, readonly Row[]>;
    const shareTimes = (groups: Groups): boolean =>
      groups.size < 0.99 * rows.length &&
      [...groups.values()].every((some) => new Set(some.map(timeOf)).size === 1);
    const shareAllButDetails = (groups: Groups): boolean => {
      const all = [...groups.values()];
      const details = others.filter((column) => all.some((some) => differ(some, column)));
      const telling = others.filter((one) => !details.includes(one) && differ(rows, one));
      const areFew = all.length < 0.7 * rows.length && details.length <= maxOfDetails;
      return areFew && telling.length > details.length;
    };
    const areOfDetails = times
      ? ids.some(shareTimes) || shareAllButDetails(groupBy(rows, timeOf))
      : ids.some(shareAllButDetails);
    return ids.every(({ size }) => size < rows.length) && areOfDetails;
  });
}

/** A table of fewer rows may show the same date in every row by coincidence. */
const fewRows = 20;

/** Columns of the export, not of its events: row numbers, one constant date, and what changes in `again`, the same query. */
export function columnsOfTheExport(base: CsvTable, again: CsvTable): ReadonlySet<number> {
  const columns = columnsOfEvents(base, new Set());
  const constant = columns.filter((column) => {
    const values = base.rows.map((row) => row[column] ?? '');
    return areRowNumbers(values) || isTimeOfExport(values);
  });
  const isAsBefore = (column: number): boolean =>
    base.rows.every((row, index) => row[column] === again.rows[index]?.[column]);
  // Where the numbers of events differ, a column lacks values without being written anew.
  const changing = (base.rows.length === again.rows.length ? columns : [])
    .filter((column) => !constant.includes(column) && !isAsBefore(column))
    .filter((column) => cellsLost(base, again, column) > 0);
  const areRewritten = isRewritten(changing, base, again);
  const found = new Set(areRewritten ? [...constant, ...changing] : constant);
  // Without any other column all events would be equal.
  return found.size < columns.length ? found : new Set();
}

/**
 * Whether columns differ because each export writes them anew, and not by moving events: most cells of each do; or without them
 * both exports are the same and tell their events apart, while with them most rows differ.
 */
function isRewritten(columns: readonly number[], base: CsvTable, again: CsvTable): boolean {
  if (columns.length === 0) return false;
  const others = new Set(columns);
  const [first, second] = [multiset(base.rows, others), multiset(again.rows, others)];
  const [written, rewritten] = [multiset(base.rows), multiset(again.rows)];
  const areDistinct = entriesIn(first).size >= entriesIn(written).size / 2;
  const areMost = without(written, rewritten).size > base.rows.length / 2;
  if (areDistinct && areMost && isSame(first, second)) return true;
  return columns.every((column) => cellsLost(base, again, column) > base.rows.length / 2);
}

/** How many cells of a column the second export lacks, in whatever order. */
function cellsLost(base: CsvTable, again: CsvTable, column: number): number {
  const cellsOf = ({ rows }: CsvTable) => multiset(rows.map((row) => [row[column] ?? '']));
  return without(cellsOf(base), cellsOf(again)).size;
}

/** Whether the values are row numbers: each whole number from 0 or 1 on, once, in any order. */
function areRowNumbers(values: readonly string[]): boolean {
  if (values.length < 3 || !values.every((value) => /^\d{1,9}$/.test(value))) return false;
  const numbers = values.map(Number).sort((a, b) => a - b);
  const [first = 0] = numbers;
  return first <= 1 && numbers.every((number, index) => number === first + index);
}

function isTimeOfExport(values: readonly string[]): boolean {
  const [first = ''] = values;
  const isConstant = values.length >= fewRows && values.every((value) => value === first);
  return isConstant && readDate(first).length > 0;
}

/**
 * The columns that may hold the time of the event, the most precise first: dates in every row, which fit with the `cut`. Of
 * those with the same times only the first is given. [] also where the dates are not in UTC.
 */
export function findTimes(base: CsvTable, ignored: ReadonlySet<number>, cut: Cut): KnownTimes[] {
  const isCut = isPart(cut.part, base, ignored);
  const distinctIn = ({ instants }: KnownTimes): number => new Set(instants).size;
  const ranked = dateColumns(base, ignored)
    .filter((times) => !isCut || fits(times, cut))
    .sort((a, b) => a.unit - b.unit || distinctIn(b) - distinctIn(a));
  const areSame = (one: KnownTimes, other: KnownTimes): boolean =>
    base.rows.every((_, row) => !doTimesDiffer(one, other, row));
  return ranked.filter(
    (times, index) => !ranked.slice(0, index).some((one) => areSame(one, times)),
  );
}

/** The first of three columns that ranges go by: a range about one of its instants holds the event. */
async function timesOfRanges(
  found: readonly KnownTimes[],
  { rows }: CsvTable,
  isKept: IsKept,
): Promise<KnownTimes | undefined> {
  const [first, second] = found;
  // Columns are told apart by a row in which their times differ and, if possible, end in no zero, which texts may leave out.
  const possible =
    first === undefined || second === undefined
      ? [...rows.keys()].slice(rows.length >> 1)
      : [...rows.keys()].filter((row) => doTimesDiffer(first, second, row));
  const endsInZero = (row: number): boolean =>
    found.slice(0, 2).some(({ instants }) => (instants[row] ?? 0) % 10 === 0);
  const row = possible.find((one) => !endsInZero(one)) ?? possible[0] ?? 0;
  for (const times of found.slice(0, 3)) {
    if (await isKept(row, rangeAbout(times.instants[row] ?? 0, times.unit))) return times;
  }
  return undefined;
}

/** Whether two columns show different times in a row, compared in the coarser of the units that they are written in. */
function doTimesDiffer(one: KnownTimes, other: KnownTimes, row: number): boolean {
  const unit = Math.max(1, one.unit, other.unit);
  const [at, otherAt] = [one, other].map(({ instants }) => Math.floor((instants[row] ?? 0) / unit));
  return at !== otherAt;
}

/** The shifts looked for: zones on Earth lie as far as 14 hours from UTC. */
const shifts = quartersWithin(14);

/** Dates that lie apart from ranges by whole quarters of an hour, as in another zone; two events confirm it, unlike recording times. */
async function shiftOfRanges(
  base: CsvTable,
  ignored: ReadonlySet<number>,
  cut: Cut,
  isKept: IsKept,
): Promise<ShiftedDates | undefined> {
  if (!isPart(cut.part, base, ignored)) return undefined;
  for (const times of dateColumns(base, ignored)) {
    const { instants, unit, hasOffsets } = times;
    const edges = edgesOf(times, cut);
    if (edges === undefined || unit >= quarter) continue;
    const { earliestKept, latestLeft } = edges;
    let left = shifts.filter(
      (byMs) => byMs !== 0 && latestLeft < cut.at + byMs && earliestKept >= cut.at + byMs,
    );
    const [row = 0, other = 0] = [instants.length >> 1, (instants.length * 2) / 3].map(Math.floor);
    // Several shifts fit where no event happened for hours. Halving finds the one by which a range holds one event.
    while (left.length > 1) {
      const half = left.length >> 1;
      const [start = 0, end = 0] = [left[half] ?? 0, left[0] ?? 0].map(
        (byMs) => (instants[row] ?? 0) - byMs + quarter / 2,
      );
      left = (await isKept(row, { start, end })) ? left.slice(0, half) : left.slice(half);
    }
    const [byMs] = left;
    if (byMs === undefined) continue;
    const isConfirmed = (at: number): Promise<boolean> =>
      isKept(at, rangeAbout((instants[at] ?? 0) - byMs, unit));
    if ((await isConfirmed(row)) && (await isConfirmed(other))) return { byMs, hasOffsets };
  }
  return undefined;
}

/** Whether `part` holds some of the events of the base, and neither all nor any others. */
function isPart(part: CsvTable, base: CsvTable, ignored: ReadonlySet<number>): boolean {
  const kept = eventsOf(part, ignored);
  return kept.size > 0 && kept.size < base.rows.length && isSubset(kept, eventsOf(base, ignored));
}

/**
 * The columns that hold a date in every row, in each style in which they can be read: `[2]`, or `[2, 3]` for day and time of
 * day, or `[2, 3, 4]` with a column that says how far from UTC they are.
 */
export function dateColumns(
  table: Pick<CsvTable, 'rows' | 'columns'>,
  ignored: ReadonlySet<number>,
): KnownTimes[] {
  const free = columnsOfEvents(table, ignored);
  const alone = free.filter((column) => datesIn(table, [column]).length > 0);
  const others = free.filter((column) => !alone.includes(column));
  const isDay = ({ precision }: DatesInStyle): boolean => precision === 'day';
  const apart = alone
    .filter((column) => datesIn(table, [column]).every(isDay))
    .flatMap((day) => others.map((time) => [day, time]))
    .filter((two) => !datesIn(table, two).every(isDay))
    .flatMap((two) => {
      const three = others.filter((one) => !two.includes(one)).map((zone) => [...two, zone]);
      return [two, ...three.filter((all) => datesIn(table, all).some((one) => one.hasOffsets))];
    });
  return [...apart, ...alone.map((column) => [column])].flatMap((columns) =>
    datesIn(table, columns).map((dates) => ({ ...dates, columns })),
  );
}

const datesRead = new Memory<readonly Row[], string, readonly DatesInStyle[]>();

/** The cells of one or several columns of a table as dates, in each style in which all of them can be read. */
export function datesIn(
  { rows }: Pick<CsvTable, 'rows'>,
  columns: readonly number[],
): readonly DatesInStyle[] {
  return datesRead.get(rows, columns.join(), () =>
    readDateColumn(rows.map((row) => dateCell(row, columns))),
  );
}

/** The text of a date that stands in one cell, or in several: these are joined by spaces. */
export function dateCell(row: Row, columns: readonly number[]): string {
  return columns.map((column) => row[column] ?? '').join(' ');
}

/** The dates of another table in the style that the window shows: a small one may not show which number is the day. */
export function datesOf(
  table: Pick<CsvTable, 'rows'>,
  { columns, style }: KnownTimes,
): DatesInStyle | undefined {
  return datesIn(table, columns).find((one) => one.style === style);
}

/** Whether none of the part's times is before the cut, and none outside after it, give or take a unit: judges are stricter. */
function fits(times: KnownTimes, cut: Cut): boolean {
  const edges = edgesOf(times, cut);
  if (edges === undefined) return false;
  const { earliestKept, latestLeft } = edges;
  return [1, 1000, 60_000, 3_600_000, 86_400_000].some((unit) => {
    const floor = Math.floor(cut.at / unit) * unit;
    const bounds = [floor, floor + unit];
    return bounds.some(
      (bound) => earliestKept + times.unit > bound && latestLeft - times.unit <= bound,
    );
  });
}

/** The earliest instant that the part holds, and the latest that it left out; undefined where its dates read otherwise. */
function edgesOf(all: KnownTimes, { part }: Cut) {
  const ofPart = datesOf(part, all);
  if (ofPart === undefined) return undefined;
  const [whole, kept] = [all, ofPart].map(({ instants }) => instants.toSorted((a, b) => b - a));
  return {
    earliestKept: kept?.at(-1) ?? Number.POSITIVE_INFINITY,
    // The part holds no other instants than the whole: up to the latest that it left out they are the same.
    latestLeft: whole?.find((at, index) => at !== kept?.[index]) ?? Number.NEGATIVE_INFINITY,
  };
}
