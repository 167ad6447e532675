import { utcOf, wallTimeIn } from './wall-time.ts';

/** Clocks set forward or back. */
export interface ClockChange {
  /** The first instant of the new time, in milliseconds since 1970. */
  readonly at: number;
  /** Negative where clocks are set back. */
  readonly byMs: number;
}

const minute = 60_000;
const day = 24 * 60 * minute;

/**
 * The clock changes of an IANA time zone between two instants, in order; one a day at the most.
 *
 * @throws RangeError where the zone does not exist
 */
export function clockChanges(zone: string, start: number, end: number): ClockChange[] {
  const offset = (at: number): number => utcOf(wallTimeIn(zone, at)) - at;
  const found: ClockChange[] = [];
  for (let from = Math.floor(start / minute) * minute; from < end; from += day) {
    const byMs = offset(from + day) - offset(from);
    if (byMs === 0) continue;
    let [before, at] = [from, from + day];
    while (at - before > minute) {
      const middle = before + Math.floor((at - before) / 2 / minute) * minute;
      if (offset(middle) === offset(from)) before = middle;
      else at = middle;
    }
    if (at > start && at <= end) found.push({ at, byMs });
  }
  return found;
}
