import type { Row } from '../csv/csv-form.ts';
import { isSubset } from '../csv/multiset.ts';
import type { CsvTable } from '../csv/read-csv.ts';
import { readDateColumn } from '../dates/date-column.ts';
import type { DateReading, DateStyle, Precision } from '../dates/date-reading.ts';
import { utcOf } from '../dates/wall-time.ts';
import { eventsOf, type KnownTimes, type MovedDates, type Window } from './knowledge.ts';

const units: Readonly<Record<Precision, number>> = {
  us: 1,
  ms: 1,
  s: 1000,
  min: 60_000,
  day: 86_400_000,
};

/** The range that cut a table in two. */
export interface Cut {
  /** Milliseconds since 1970: the range_start of the part. */
  readonly at: number;
  /** The events from then on. */
  readonly part: CsvTable;
}

/**
 * The columns that may hold the time of the event, the most telling one first: they read as dates in every row,
 * and their order fits with what a range_start left of the table. Columns that say the same count once.
 *
 * @returns none also where the dates written do not fit with UTC
 */
export function findTimes(
  base: CsvTable,
  ignored: ReadonlySet<number>,
  { at, part }: Cut,
): KnownTimes[] {
  const fitting = candidates(base, part, ignored).filter(
    ({ times, later }) =>
      !cuts(base, part, ignored) || (later !== undefined && fits(times, later, at)),
  );
  const ranked = fitting
    .sort((a, b) => a.times.unit - b.times.unit || b.times.distinct - a.times.distinct)
    .map(({ column, times }): KnownTimes => {
      const { style, unit, instants } = times;
      return { column, style, unit, instants };
    });
  return ranked.filter(
    (times, index) => !ranked.slice(0, index).some((better) => rowThatDiffers(better, times) < 0),
  );
}

/**
 * Of columns that differ, such as the times of an event and of its recording, the one that ranges go by: a range of
 * one of its instants holds the event.
 */
export async function timesOfRanges(
  found: readonly KnownTimes[],
  { rows }: CsvTable,
  fetch: (start: number, end: number) => Promise<CsvTable>,
): Promise<KnownTimes | undefined> {
  const [first, second] = found;
  if (first === undefined || second === undefined) return first;
  const index = rowThatDiffers(first, second);
  const row = rows[index]?.join('\u0000');
  for (const times of found.slice(0, 3)) {
    const at = times.instants[index] ?? 0;
    const part = await fetch(at, at + times.unit - 1);
    if (part.rows.some((cells) => cells.join('\u0000') === row)) return times;
  }
  return first;
}

/** The first row for which they tell different times, as far as both are written; -1 where there is none. */
function rowThatDiffers(one: KnownTimes, other: KnownTimes): number {
  const unit = Math.max(one.unit, other.unit);
  return one.instants.findIndex(
    (at, row) => Math.floor(at / unit) !== Math.floor((other.instants[row] ?? 0) / unit),
  );
}

const quarter = 900_000;
/** In quarters of an hour: as far as clocks on Earth differ. */
const farthest = 56;

/**
 * A column whose dates lie apart from the range by a whole number of quarters of an hour: as if one of them were
 * read or written in another zone.
 */
export function findMovedDates(
  base: CsvTable,
  ignored: ReadonlySet<number>,
  { at, part }: Cut,
): MovedDates | undefined {
  if (!cuts(base, part, ignored)) return undefined;
  const steps = Array.from({ length: farthest }, (_, index) => (index + 1) * quarter);
  const moves = steps.flatMap((step) => [step, 0 - step]);
  for (const { column, times, later } of candidates(base, part, ignored)) {
    if (later === undefined || times.unit >= quarter) continue;
    const { earliestKept, latestLeft } = edges(times, later);
    const byMs = moves.find((move) => latestLeft < at + move && earliestKept >= at + move);
    if (byMs !== undefined) return { column, byMs, hasOffsets: times.hasOffsets };
  }
  return undefined;
}

/** Whether the part is one: some of the events, and not all. */
function cuts(base: CsvTable, part: CsvTable, ignored: ReadonlySet<number>): boolean {
  const kept = eventsOf(part, ignored);
  return kept.size > 0 && kept.size < base.rows.length && isSubset(kept, eventsOf(base, ignored));
}

/** Every way to read a column as dates, with the same of the part. */
function candidates(base: CsvTable, part: CsvTable, ignored: ReadonlySet<number>) {
  return Array.from({ length: base.columns }, (_, column) => column)
    .filter((column) => !ignored.has(column))
    .flatMap((column) => {
      const ways = timesIn(base, column);
      const ofPart = ways.length === 0 ? [] : timesIn(part, column);
      return ways.map((times) => {
        const later = ofPart.find(({ style }) => style === times.style);
        return { column, times, later };
      });
    });
}

interface Times {
  readonly style: DateStyle;
  readonly unit: number;
  readonly hasOffsets: boolean;
  readonly instants: readonly number[];
  readonly distinct: number;
}

function timesIn({ rows }: Pick<CsvTable, 'rows'>, column: number): Times[] {
  const values = rows.map((row) => row[column] ?? '');
  return (readDateColumn(values)?.candidates ?? []).map((dates) => {
    const { style, precision, hasOffsets, readings } = dates;
    const instants = readings.map(instantOf);
    const distinct = new Set(instants).size;
    return { style, unit: units[precision], hasOffsets, instants, distinct };
  });
}

/** Whether some of the events happened before the window or after it; false where their dates cannot be read. */
export function isOneOutside(
  rows: readonly Row[],
  { start, end }: Window,
  { column, style }: KnownTimes,
): boolean {
  const dates = timesIn({ rows }, column).find((one) => one.style === style);
  return dates?.instants.some((at) => at > end || at + dates.unit - 1 < start) ?? false;
}

/** The instant that a date names where it is written in UTC, or says how far from UTC it is. */
export function instantOf(reading: DateReading): number {
  return utcOf(reading) - (reading.offset ?? 0) * 60_000;
}

/**
 * Whether a column's times fit with a part that begins at an instant: nothing in it is earlier, and nothing
 * outside it later. A service may cut the bound to whole units: that is for judges to say.
 */
function fits(all: Times, part: Times, at: number): boolean {
  const { earliestKept, latestLeft } = edges(all, part);
  return [1, 1000, 60_000, 3_600_000, 86_400_000].some((unit) => {
    const floor = Math.floor(at / unit) * unit;
    const bounds = [floor, floor + unit];
    return bounds.some((bound) => earliestKept + all.unit > bound && latestLeft <= bound);
  });
}

/** The earliest instant in the part, and the latest one outside it. */
function edges(all: Times, part: Times): { earliestKept: number; latestLeft: number } {
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
