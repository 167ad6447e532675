/** What calendar and clock on a wall show; the month counts from 1. */
export interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * What clocks in an IANA time zone show at an instant, daylight saving included.
 *
 * @param instantMs milliseconds since 1970 in UTC
 * @throws RangeError where the zone does not exist
 */
export function wallTimeIn(zone: string, instantMs: number): WallTime {
  const parts = Object.fromEntries(
    formatIn(zone)
      .formatToParts(instantMs)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts;
  const millisecond = ((instantMs % 1000) + 1000) % 1000;
  return { year, month, day, hour, minute, second, millisecond };
}

/** The instants at which clocks in the zone show this, in order: two when they are set back, none when set forward. */
export function instantsIn(zone: string, wall: WallTime): readonly number[] {
  const asUtc = utcOf(wall);
  const day = 24 * 60 * 60 * 1000;
  const offsets = [asUtc - day, asUtc + day].map((near) => utcOf(wallTimeIn(zone, near)) - near);
  return [...new Set(offsets)]
    .map((offset) => asUtc - offset)
    .filter((instant) => utcOf(wallTimeIn(zone, instant)) === asUtc)
    .sort((a, b) => a - b);
}

/** The instant at which clocks in UTC show this, in milliseconds since 1970. */
export function utcOf(wall: WallTime): number {
  const { year, month, day, hour, minute, second, millisecond } = wall;
  return Date.UTC(year, month - 1, day, hour, minute, second, millisecond);
}

/** Making a format costs far more than using it. */
function formatIn(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(zone, format);
  }
  return format;
}
