import { remembered } from '../maps.ts';

/** What calendar and clock on a wall show; the month counts from 1. */
export type WallTime = Readonly<
  Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'millisecond', number>
>;

/** Lengths of time in milliseconds; a day has 24 hours. */
export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

/**
 * What clocks in an IANA time zone show at an instant, daylight saving included.
 * @param instantMs milliseconds since 1970 in UTC
 * @throws RangeError where the zone does not exist
 */
export function wallTimeIn(zone: string, instantMs: number): WallTime {
  // Clocks are changed on whole minutes, and the same events are looked at again and again.
  const inZone = remembered(offsets, zone, () => new Map<number, number>());
  const start = Math.floor(instantMs / minute) * minute;
  const offset = remembered(inZone, start, () => offsetAt(zone, start));
  const shown = new Date(instantMs + offset);
  return {
    year: shown.getUTCFullYear(),
    month: shown.getUTCMonth() + 1,
    day: shown.getUTCDate(),
    hour: shown.getUTCHours(),
    minute: shown.getUTCMinutes(),
    second: shown.getUTCSeconds(),
    millisecond: shown.getUTCMilliseconds(),
  };
}

/** By zone, how far its clocks are ahead of UTC from the beginning of a minute on, both in milliseconds. */
const offsets = new Map<string, Map<number, number>>();

function offsetAt(zone: string, instantMs: number): number {
  const style = { timeZone: zone, hourCycle: 'h23', ...fields } as const;
  const format = remembered(formats, zone, () => new Intl.DateTimeFormat('en', style));
  const parts = format.formatToParts(instantMs);
  const part = (wanted: Intl.DateTimeFormatPartTypes): number =>
    Number(parts.find(({ type }) => type === wanted)?.value ?? 0);
  const [year, month, day] = [part('year'), part('month'), part('day')];
  const shown = Date.UTC(year, month - 1, day, part('hour'), part('minute'), part('second'));
  return shown - instantMs;
}

/** The instant at which clocks in UTC show a time, in milliseconds since 1970. */
export function utcOf(wall: WallTime): number {
  const { year, month, day, hour, minute, second, millisecond } = wall;
  return Date.UTC(year, month - 1, day, hour, minute, second, millisecond);
}

/** By zone: making a format costs far more than using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

const numeric = 'numeric';
const fields: Intl.DateTimeFormatOptions = {
  ...{ year: numeric, month: numeric, day: numeric },
  ...{ hour: numeric, minute: numeric, second: numeric },
};

/** Local times differ from UTC by whole quarters of an hour, and clocks are changed on one. In milliseconds. */
export const quarter = 15 * minute;

/** All whole quarters of an hour from so many hours before to as many after, in milliseconds. */
export function quartersWithin(hours: number): number[] {
  return Array.from({ length: 8 * hours + 1 }, (_, index) => (index - 4 * hours) * quarter);
}

const week = 7 * day;

/**
 * The clock changes of an IANA time zone between two instants, in order. Finds one a week at the most, on a quarter of
 * an hour. `at`: the first instant of the new time; `byMs`: negative where clocks are set back.
 * @throws RangeError where the zone does not exist
 */
export function clockChanges(zone: string, start: number, end: number) {
  const offset = (at: number): number => utcOf(wallTimeIn(zone, at)) - at;
  const found: { readonly at: number; readonly byMs: number }[] = [];
  let before = offset(start);
  for (let from = Math.floor(start / quarter) * quarter; from < end; from += week) {
    let [earlier, at] = [from, from + week];
    const byMs = offset(at) - before;
    if (byMs === 0) continue;
    while (at - earlier > quarter) {
      const middle = earlier + Math.floor((at - earlier) / 2 / quarter) * quarter;
      if (offset(middle) === before) earlier = middle;
      else at = middle;
    }
    if (at <= end) found.push({ at, byMs });
    before += byMs;
  }
  return found;
}
