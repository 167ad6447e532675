import {
  type DateReading,
  type DateStyle,
  finest,
  type Precision,
  readingsByStyle,
} from './read-date.ts';
import { utcOf } from './time-zones.ts';

/** A column read as dates in one style. */
export interface DatesInStyle {
  readonly style: DateStyle;
  /** Of the row that is written most precisely: some writers drop fractions that are zero. */
  readonly precision: Precision;
  /** Whether every row says how far from UTC it is. */
  readonly hasOffsets: boolean;
  /** One for each row. */
  readonly readings: readonly DateReading[];
  /** What each row names where it is written in UTC, or says how far from UTC it is; in milliseconds since 1970. */
  readonly instants: readonly number[];
  /** What each row writes beyond the millisecond, in nanoseconds. */
  readonly beyondMs: readonly number[];
}

/**
 * Reads a column in every style in which all its values are dates.
 *
 * @returns none where one value is no date, also an empty one; two where nothing in the column shows which is the day and which the month
 */
export function readDateColumn(values: readonly string[]): readonly DatesInStyle[] {
  const [first, ...others] = values;
  if (first === undefined) return [];
  const columns = new Map<string, DateReading[]>();
  for (const [key, reading] of readingsByStyle(first)) columns.set(key, [reading]);
  for (const value of others) {
    const readings = readingsByStyle(value);
    for (const [key, column] of columns) {
      const reading = readings.get(key);
      if (reading) column.push(reading);
      else columns.delete(key);
    }
    if (columns.size === 0) return [];
  }
  return different([...columns.values()]).map(dates);
}

/** Languages that share all names of months that occur read a column in the same way. */
function different(columns: readonly DateReading[][]): readonly DateReading[][] {
  if (columns.length < 2) return columns;
  return [...new Map(columns.map((column) => [column.map(utcOf).join(), column])).values()];
}

function dates(readings: readonly DateReading[]): DatesInStyle {
  return {
    style: readings[0]?.style ?? 'year first',
    precision: finest(readings.map(({ precision }) => precision)),
    hasOffsets: readings.every(({ offset }) => offset !== null),
    readings,
    instants: readings.map((reading) => utcOf(reading) - (reading.offset ?? 0) * 60_000),
    beyondMs: readings.map(({ beyondMs }) => beyondMs),
  };
}
