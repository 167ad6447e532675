import type { DateReading, DateStyle, Precision } from './date-reading.ts';
import { readingsByStyle } from './parse-date.ts';
import { utcOf } from './wall-time.ts';

/** A column read as dates in one style. */
export interface DatesInStyle {
  readonly style: DateStyle;
  /** Of the row that is written most precisely: some writers drop fractions that are zero. */
  readonly precision: Precision;
  /** Whether every row says how far from UTC it is. */
  readonly hasOffsets: boolean;
  /** One for each row. */
  readonly readings: readonly DateReading[];
}

export interface ColumnOfDates {
  /** One, or two where nothing in the column tells day and month apart. */
  readonly candidates: readonly DatesInStyle[];
}

const precisions = ['day', 'min', 's', 'ms', 'us'] as const satisfies readonly Precision[];

/**
 * Reads a column in the one style in which every value is a date.
 *
 * @returns null where there is none: one value that is no date is enough, also an empty one
 */
export function readDateColumn(values: readonly string[]): ColumnOfDates | null {
  const [first, ...others] = values;
  if (first === undefined) return null;
  const columns = new Map<string, DateReading[]>();
  for (const [key, reading] of readingsByStyle(first)) columns.set(key, [reading]);
  for (const value of others) {
    const readings = readingsByStyle(value);
    for (const [key, column] of columns) {
      const reading = readings.get(key);
      if (reading) column.push(reading);
      else columns.delete(key);
    }
    if (columns.size === 0) return null;
  }
  return { candidates: different([...columns.values()]).map(inStyle) };
}

/** Languages that share all names of months that occur read a column alike. */
function different(columns: readonly DateReading[][]): DateReading[][] {
  const found = new Map<string, DateReading[]>();
  for (const column of columns) found.set(column.map(utcOf).join(), column);
  return [...found.values()];
}

function inStyle(readings: readonly DateReading[]): DatesInStyle {
  const written = new Set(readings.map(({ precision }) => precision));
  return {
    style: readings[0]?.style ?? 'year first',
    precision: precisions.findLast((precision) => written.has(precision)) ?? 'day',
    hasOffsets: readings.every(({ offset }) => offset !== null),
    readings,
  };
}
