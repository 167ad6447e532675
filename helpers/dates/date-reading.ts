import type { WallTime } from './wall-time.ts';

/** The finest unit that is written; `us` is anything finer than milliseconds. */
export type Precision = 'day' | 'min' | 's' | 'ms' | 'us';

/** In which order day, month and year are read. */
export type DateStyle =
  | 'year first'
  | 'day first'
  | 'month first'
  | 'month by name'
  | 'epoch seconds'
  | 'epoch milliseconds';

/** One way to read a written date. Fields that are not written are 0. */
export interface DateReading extends WallTime {
  readonly style: DateStyle;
  readonly precision: Precision;
  /** Minutes east of UTC; null where the text does not say. */
  readonly offset: number | null;
}

const unitsByPrecision = {
  day: ['year', 'month', 'day'],
  min: ['year', 'month', 'day', 'hour', 'minute'],
  s: ['year', 'month', 'day', 'hour', 'minute', 'second'],
  ms: ['year', 'month', 'day', 'hour', 'minute', 'second', 'millisecond'],
  us: ['year', 'month', 'day', 'hour', 'minute', 'second', 'millisecond'],
} as const satisfies Record<Precision, readonly (keyof WallTime)[]>;

/** Whether the reading is this time, cut to what the reading's precision shows. The offset does not count. */
export function shows(reading: DateReading, wall: WallTime): boolean {
  return unitsByPrecision[reading.precision].every((unit) => reading[unit] === wall[unit]);
}

/** Fields as a reading, or undefined where there is no such day or time. */
export function existing(reading: DateReading): DateReading | undefined {
  const { year, month, day, hour, minute, second } = reading;
  const monthExists = month >= 1 && month <= 12;
  const dayExists = day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
  const timeExists = hour <= 23 && minute <= 59 && second <= 60;
  return year >= 1900 && year <= 2199 && monthExists && dayExists && timeExists
    ? reading
    : undefined;
}
