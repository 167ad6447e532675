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
  const kept = eventsOf(part, ignored);
  const cuts =
    kept.size > 0 && kept.size < base.rows.length && isSubset(kept, eventsOf(base, ignored));
  const candidates = Array.from({ length: base.columns }, (_, column) => column)
    .filter((column) => !ignored.has(column))
    .flatMap((column) => timesIn(base, column).map((times) => ({ times, column })));
  const fitting = candidates.filter(({ times, column }) => {
    if (!cuts) return true;
    const later = timesIn(part, column).find(({ style }) => style === times.style);
    return later !== undefined && fits(times, later, at);
  });
  // Of several, the one that tells most events apart, and most finely.
  const best = fitting.sort(
    (a, b) => a.times.unit - b.times.unit || b.times.distinct - a.times.distinct,
  )[0];
  if (best === undefined) return undefined;
  const { unit, instants } = best.times;
  return { column: best.column, unit, instants };
}

interface Times {
  readonly style: string;
  readonly unit: number;
  readonly instants: readonly number[];
  readonly distinct: number;
}

function timesIn(table: CsvTable, column: number): Times[] {
  const values = table.rows.map((row) => row[column] ?? '');
  return (readDateColumn(values)?.candidates ?? []).map(({ style, precision, readings }) => {
    const instants = readings.map(instantOf);
    return { style, unit: units[precision], instants, distinct: new Set(instants).size };
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
  return [1, 1000, 60_000, 3_600_000, 86_400_000].some((unit) => {
    const floor = Math.floor(at / unit) * unit;
    const bounds = [floor, floor + unit];
    return bounds.some((bound) => earliestKept + all.unit > bound && latestLeft <= bound);
  });
}
