import type { Row } from '../csv/csv-form.ts';
import {
  difference,
  isSame,
  isSubset,
  keyOfRow,
  type Multiset,
  multiset,
} from '../csv/multiset.ts';
import type { CsvTable } from '../csv/read-csv.ts';
import {
  type DateStyle,
  type DatesInStyle,
  precisions,
  readDate,
  readDateColumn,
} from '../dates/read-date.ts';
import { Memory } from '../memory.ts';
import type { Cut, TimeRange } from './window.ts';

/** What is known of the columns of an export. */
export interface KnownColumns {
  /** Columns that belong to the export and not to the event: times of export, row numbers. */
  readonly ignored: ReadonlySet<number>;
  /** The time of the event that ranges go by; undefined where no column shows it. */
  readonly times: KnownTimes | undefined;
  /** These, or else dates of about the time of the event, such as when it was recorded. */
  readonly dates: KnownTimes | undefined;
  /** Looked for where no column of times was found. */
  readonly shifted: ShiftedDates | undefined;
}

/**
 * When the events of the window happened, by row of its export: as it is shown, perhaps cut, perhaps rounded to what is
 * written. So it says where to look for an event, and not what a bound is to include.
 */
export interface KnownTimes {
  /** The column of the dates; or those of the day, of the time of day and perhaps of the zone, in this order. */
  readonly columns: readonly number[];
  /** A small export may not show which is the day and which the month; the whole window does. */
  readonly style: DateStyle;
  /** The unit that is written, in milliseconds: 0.001 where microseconds are. */
  readonly unit: number;
  /** By row, in milliseconds since 1970; what is finer is cut off. */
  readonly instants: readonly number[];
  /** By row, what is written beyond the millisecond, in nanoseconds. */
  readonly beyondMs: readonly number[];
}

/** Dates that fit with ranges only if these are moved by whole quarters of an hour: one of both is not in UTC. */
export interface ShiftedDates {
  readonly columns: readonly number[];
  /** By how much ranges reach later than was asked, in milliseconds. */
  readonly byMs: number;
  /** Whether the dates say how far from UTC they are. */
  readonly hasOffsets: boolean;
}

/**
 * Finds out which columns belong to the export, and which holds the time of the event.
 *
 * @param again the same query, asked for a second time
 * @param fetch the events between two instants; asked for where several columns may hold the time
 */
export async function learnColumns(
  base: CsvTable,
  again: CsvTable,
  cut: Cut,
  fetch: (range: TimeRange) => Promise<CsvTable>,
): Promise<KnownColumns> {
  const ignored = columnsOfTheExport(base, again);
  const isKept: IsKept = async (row, range) => {
    const key = keyOfRow(base.rows[row] ?? [], ignored);
    return (await fetch(range)).rows.some((cells) => keyOfRow(cells, ignored) === key);
  };
  const found = findTimes(base, ignored, cut);
  const times = await timesOfRanges(found, base, isKept);
  const shifted = times === undefined ? await shiftOfRanges(base, ignored, cut, isKept) : undefined;
  return { ignored, times, dates: times ?? found[0], shifted };
}

/** Whether a range holds an event, which is given by its row. */
type IsKept = (row: number, range: TimeRange) => Promise<boolean>;

/**
 * About an instant that is shown, wider by a unit on both sides: where a column is rounded, or a bound excludes its own
 * instant, it is still the right one.
 */
function rangeAbout(at: number, unitMs: number): TimeRange {
  const unit = Math.max(1, unitMs);
  return { start: at - unit, end: at + 2 * unit };
}

const multisets = new Memory<CsvTable, string, Multiset>();

/** The events of an export, without what belongs to the export itself. Made once for each table. */
export function eventsOf(table: CsvTable, ignored: ReadonlySet<number>): Multiset {
  return multisets.get(table, [...ignored].join(), () => multiset(table.rows, ignored));
}

/** With fewer rows a column may hold one value by coincidence. */
const fewRows = 20;

/**
 * Columns that belong to the export and not to its events: those that change from one identical request to the
 * next, row numbers, and dates that are the same in every row (the time of the export).
 *
 * @param again the same query, asked for a second time
 */
export function columnsOfTheExport(base: CsvTable, again: CsvTable): ReadonlySet<number> {
  const columns = Array.from({ length: base.columns }, (_, column) => column);
  const constant = columns.filter((column) => {
    const values = base.rows.map((row) => row[column] ?? '');
    return isRowNumber(values) || isTimeOfExport(values);
  });
  const changing = columns.filter(
    (column) => !constant.includes(column) && changes(base, again, column),
  );
  const areRewritten = isRewritten(changing, base, again);
  const found = new Set(areRewritten ? [...constant, ...changing] : constant);
  // Without any other column all events would be equal.
  return found.size < columns.length ? found : new Set();
}

/**
 * Whether columns differ because each export writes them anew: then most of their cells do, or without them both
 * exports are the same, still distinguish their events, and write most of these in another way. Where events come and go,
 * or a name in some of them is replaced, neither is the case.
 */
function isRewritten(columns: readonly number[], base: CsvTable, again: CsvTable): boolean {
  if (columns.length === 0) return false;
  const [one, other] = [base, again].map(({ rows }) => multiset(rows, new Set(columns)));
  if (one === undefined || other === undefined) return false;
  const [written, rewritten] = [multiset(base.rows), multiset(again.rows)];
  const areDistinct = one.entries.size >= written.entries.size / 2;
  const areMost = difference(written, rewritten).missing.length > base.count / 2;
  if (areDistinct && areMost && isSame(one, other)) return true;
  return columns.every((column) => {
    const [a, b] = [cellsOf(base.rows, column), cellsOf(again.rows, column)];
    return difference(a, b).missing.length > base.count / 2;
  });
}

function changes(base: CsvTable, again: CsvTable, column: number): boolean {
  if (base.count !== again.count) return false;
  const isAsBefore = base.rows.every((row, index) => row[column] === again.rows[index]?.[column]);
  if (isAsBefore) return false;
  const { missing } = difference(cellsOf(base.rows, column), cellsOf(again.rows, column));
  return missing.length > 0;
}

function cellsOf(rows: readonly Row[], column: number): Multiset {
  return multiset(rows.map((row) => [row[column] ?? '']));
}

/** Every whole number from 0 or 1 on, once. */
function isRowNumber(values: readonly string[]): boolean {
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
 * The columns that may hold the time of the event, the most precise one first: they read as dates in every row,
 * and their order fits with what a range_start left of the table. Columns of the same times count once.
 *
 * @returns none also where the dates written do not fit with UTC
 */
export function findTimes(base: CsvTable, ignored: ReadonlySet<number>, cut: Cut): KnownTimes[] {
  const isCut = isPart(cut.part, base, ignored);
  const ranked = dateColumns(base, cut.part, ignored)
    .filter(({ all, part }) => !isCut || (part !== undefined && fits(all, part, cut.at)))
    .map(({ columns, all: { style, precision, instants, beyondMs } }) => ({
      times: { columns, style, unit: precisions[precision].unitMs, instants, beyondMs },
      distinct: new Set(instants).size,
    }))
    .sort((a, b) => a.times.unit - b.times.unit || b.distinct - a.distinct)
    .map(({ times }) => times);
  const areSame = (one: KnownTimes, other: KnownTimes): boolean =>
    base.rows.every((_, row) => !doTimesDiffer(one, other, row));
  return ranked.filter(
    (times, index) => !ranked.slice(0, index).some((one) => areSame(one, times)),
  );
}

/**
 * Of columns that may show other times than ranges go by, such as those of recording, one that does not: a range
 * about one of its instants holds the event.
 */
async function timesOfRanges(
  found: readonly KnownTimes[],
  { rows }: CsvTable,
  isKept: IsKept,
): Promise<KnownTimes | undefined> {
  const row = rowToAskFor(found, rows.length);
  for (const times of found.slice(0, 3)) {
    if (await isKept(row, rangeAbout(times.instants[row] ?? 0, times.unit))) return times;
  }
  return undefined;
}

/**
 * A row for which the times differ, where there are two. Its times do not end in a zero, where there is such a row: a service
 * that compares instants as texts without zeros at their end is wrong about those, and would hide which column it is.
 */
function rowToAskFor([first, second]: readonly KnownTimes[], count: number): number {
  const rows = Array.from({ length: count }, (_, row) => row);
  const possible =
    first === undefined || second === undefined
      ? rows.slice(count >> 1)
      : rows.filter((row) => doTimesDiffer(first, second, row));
  const endsInZero = (row: number): boolean =>
    [first, second].some((times) => times !== undefined && (times.instants[row] ?? 0) % 10 === 0);
  return possible.find((row) => !endsInZero(row)) ?? possible[0] ?? 0;
}

/** Whether two columns show different times in a row, compared in the coarser of the units that they are written in. */
function doTimesDiffer(one: KnownTimes, other: KnownTimes, row: number): boolean {
  const unit = Math.max(1, one.unit, other.unit);
  const [at, otherAt] = [one, other].map(({ instants }) => Math.floor((instants[row] ?? 0) / unit));
  return at !== otherAt;
}

const quarter = 900_000;
/** In quarters of an hour: as far as clocks on Earth differ. */
const maxShift = 56;
const shifts = Array.from({ length: 2 * maxShift + 1 }, (_, index) => (index - maxShift) * quarter);

/**
 * Dates that lie apart from the range by a whole number of quarters of an hour, as if one of them were read or written in
 * another zone, by as much for one event as for another: ranges about the shifted instants of two of them hold them. Dates
 * of another time, such as that of recording, lie apart by chance.
 */
async function shiftOfRanges(
  base: CsvTable,
  ignored: ReadonlySet<number>,
  cut: Cut,
  isKept: IsKept,
): Promise<ShiftedDates | undefined> {
  if (!isPart(cut.part, base, ignored)) return undefined;
  const [one = 0, other = 0] = [base.rows.length >> 1, (base.rows.length * 2) / 3].map(Math.floor);
  for (const { columns, all, part } of dateColumns(base, cut.part, ignored)) {
    const { unitMs } = precisions[all.precision];
    if (part === undefined || unitMs >= quarter) continue;
    const { earliestKept, latestLeft } = edges(all, part);
    let left = shifts.filter(
      (byMs) => byMs !== 0 && latestLeft < cut.at + byMs && earliestKept >= cut.at + byMs,
    );
    // Within a gap between events many shifts fit: one event tells which of them it is.
    const shown = all.instants[one] ?? 0;
    while (left.length > 1) {
      const half = left.length >> 1;
      const [start, end] = [left[half] ?? 0, left[0] ?? 0].map((by) => shown - by + quarter / 2);
      const isLess = await isKept(one, { start: start ?? 0, end: end ?? 0 });
      left = isLess ? left.slice(0, half) : left.slice(half);
    }
    const [byMs] = left;
    if (byMs === undefined) continue;
    const isConfirmed = (row: number): Promise<boolean> =>
      isKept(row, rangeAbout((all.instants[row] ?? 0) - byMs, unitMs));
    if ((await isConfirmed(one)) && (await isConfirmed(other)))
      return { columns, byMs, hasOffsets: all.hasOffsets };
  }
  return undefined;
}

/** Whether some of the events surely happened before the range or after it; false where their dates cannot be read. */
export function isAnyOutside(
  rows: readonly Row[],
  { start, end }: TimeRange,
  times: KnownTimes,
): boolean {
  const dates = datesOf({ rows }, times);
  if (dates === undefined) return false;
  const { unitMs } = precisions[dates.precision];
  return dates.instants.some((at) => at - unitMs > end || at + unitMs < start);
}

/** Whether these are some of the events, and not all. */
function isPart(part: CsvTable, base: CsvTable, ignored: ReadonlySet<number>): boolean {
  const kept = eventsOf(part, ignored);
  return kept.size > 0 && kept.size < base.rows.length && isSubset(kept, eventsOf(base, ignored));
}

/** One way to read a column as dates: in all rows, and in those of a part, where it holds the same style. */
interface DateColumn {
  readonly columns: readonly number[];
  readonly all: DatesInStyle;
  readonly part: DatesInStyle | undefined;
}

function dateColumns(base: CsvTable, part: CsvTable, ignored: ReadonlySet<number>): DateColumn[] {
  return columnsOfDates(base, ignored).flatMap((columns) => {
    const ofPart = datesIn(part, columns);
    return datesIn(base, columns).map((all) => {
      return { columns, all, part: ofPart.find(({ style }) => style === all.style) };
    });
  });
}

/** Columns with dates in every row: alone, or the day in one, the time of day in another, perhaps the zone in a third. */
export function columnsOfDates(
  table: Pick<CsvTable, 'rows' | 'columns'>,
  ignored: ReadonlySet<number>,
): (readonly number[])[] {
  const all = Array.from({ length: table.columns }, (_, column) => column);
  const free = all.filter((column) => !ignored.has(column));
  const alone = free.filter((column) => datesIn(table, [column]).length > 0);
  const isDay = (column: number) =>
    datesIn(table, [column]).every(({ precision }) => precision === 'day');
  const others = free.filter((column) => !alone.includes(column));
  const apart = alone
    .filter(isDay)
    .flatMap((day) =>
      others
        .filter((time) => datesIn(table, [day, time]).some(({ precision }) => precision !== 'day'))
        .flatMap((time) => [[day, time], ...withZone(table, [day, time], others)]),
    );
  return [...apart, ...alone.map((column) => [column])];
}

/** The same with a column that says how far from UTC they are. */
function withZone(
  table: Pick<CsvTable, 'rows'>,
  columns: readonly [number, number],
  others: readonly number[],
): number[][] {
  return others
    .filter((zone) => !columns.includes(zone))
    .map((zone) => [...columns, zone])
    .filter((three) => datesIn(table, three).some(({ hasOffsets }) => hasOffsets));
}

const datesRead = new Memory<readonly Row[], string, readonly DatesInStyle[]>();

/** The cells of one or several columns of a table as dates, in each style in which all of them can be read. */
export function datesIn(
  { rows }: Pick<CsvTable, 'rows'>,
  columns: readonly number[],
): readonly DatesInStyle[] {
  return datesRead.get(rows, columns.join(), () => readDates(rows, columns));
}

function readDates(rows: readonly Row[], columns: readonly number[]): readonly DatesInStyle[] {
  const [first] = rows;
  // Most columns hold no dates, and the first row shows it.
  if (first === undefined || readDateColumn([dateCell(first, columns)]).length === 0) return [];
  return readDateColumn(rows.map((row) => dateCell(row, columns)));
}

/** The text of a date that stands in one cell or in several. */
export function dateCell(row: Row, columns: readonly number[]): string {
  const [first = 0] = columns;
  if (columns.length === 1) return row[first] ?? '';
  return columns.map((column) => row[column] ?? '').join(' ');
}

/** The known dates as another table shows them; undefined where it does not, or in another style. */
export function datesOf(
  table: Pick<CsvTable, 'rows'>,
  { columns, style }: KnownTimes,
): DatesInStyle | undefined {
  return datesIn(table, columns).find((one) => one.style === style);
}

/**
 * Whether a column's times fit with a part that begins at an instant: nothing in it is earlier, and nothing
 * outside it later. A service may round the times to what it shows, and it may cut the bound to whole units: that is for
 * judges to say.
 */
function fits(all: DatesInStyle, part: DatesInStyle, at: number): boolean {
  const { earliestKept, latestLeft } = edges(all, part);
  const { unitMs } = precisions[all.precision];
  return [1, 1000, 60_000, 3_600_000, 86_400_000].some((unit) => {
    const floor = Math.floor(at / unit) * unit;
    const bounds = [floor, floor + unit];
    return bounds.some((bound) => earliestKept + unitMs > bound && latestLeft - unitMs <= bound);
  });
}

/** The earliest instant in the part, and the latest one outside it. */
function edges(
  all: DatesInStyle,
  part: DatesInStyle,
): { earliestKept: number; latestLeft: number } {
  const inPart = new Map<number, number>();
  for (const instant of part.instants) inPart.set(instant, (inPart.get(instant) ?? 0) + 1);
  let earliestKept = Number.POSITIVE_INFINITY;
  let latestLeft = Number.NEGATIVE_INFINITY;
  for (const instant of all.instants) {
    const left = inPart.get(instant) ?? 0;
    if (left > 0) {
      inPart.set(instant, left - 1);
      earliestKept = Math.min(earliestKept, instant);
    } else {
      latestLeft = Math.max(latestLeft, instant);
    }
  }
  return { earliestKept, latestLeft };
}
