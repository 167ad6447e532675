import type { CsvTable } from '../csv/csv-table.ts';
import { isSubset } from '../csv/multiset.ts';
import { readDateColumn } from '../dates/date-column.ts';
import type { DateReading, Precision } from '../dates/date-reading.ts';
import { utcOf } from '../dates/wall-time.ts';
import { eventsOf, type KnownTimes } from './knowledge.ts';

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
 * The column that holds the time of the event: one that reads as dates in every row, and whose order fits with
 * what a range_start left of the table.
 *
 * @returns undefined where there is none, or where the dates written do not fit with UTC
 */
export function findTimes(
  base: CsvTable,
  ignored: ReadonlySet<number>,
  { at, part }: Cut,
): KnownTimes | undefined {
  const fitting = candidates(base, part, ignored).filter(
    ({ times, later }) =>
      !cuts(base, part, ignored) || (later !== undefined && fits(times, later, at)),
  );
  // Of several, the one that tells most events apart, and most finely.
  const best = fitting.sort(
    (a, b) => a.times.unit - b.times.unit || b.times.distinct - a.times.distinct,
  )[0];
  if (best === undefined) return undefined;
  const { unit, instants } = best.times;
  return { column: best.column, unit, instants };
}

/** Dates that fit with what a range left only if the range is moved. */
export interface MovedDates {
  readonly column: number;
  /** By how much the range reaches later than was asked, in milliseconds. */
  readonly byMs: number;
  /** Whether the dates say how far from UTC they are. */
  readonly hasOffsets: boolean;
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
  readonly style: string;
  readonly unit: number;
  readonly hasOffsets: boolean;
  readonly instants: readonly number[];
  readonly distinct: number;
}

function timesIn(table: CsvTable, column: number): Times[] {
  const values = table.rows.map((row) => row[column] ?? '');
  return (readDateColumn(values)?.candidates ?? []).map((dates) => {
    const { style, precision, hasOffsets, readings } = dates;
    const instants = readings.map(instantOf);
    const distinct = new Set(instants).size;
    return { style, unit: units[precision], hasOffsets, instants, distinct };
  });
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
