/** What the clocks of a zone show at an instant, as texts of fixed length. */
export interface LocalTime {
  readonly at: number;
  readonly year: string;
  readonly month: string;
  readonly day: string;
  readonly hour: string;
  readonly minute: string;
  readonly second: string;
  readonly millisecond: string;
  /** `+01:00`. */
  readonly offset: string;
  readonly locale: string;
}

/** Writes an instant, for people who read the locale. */
export type DateStyle = (time: LocalTime) => string;

const minute = 60_000;

/** @param offset in minutes ahead of UTC */
export function localTime(at: number, offset: number, locale: string): LocalTime {
  const iso = new Date(at + offset * minute).toISOString();
  return {
    at,
    year: iso.slice(0, -20),
    month: iso.slice(-19, -17),
    day: iso.slice(-16, -14),
    hour: iso.slice(-13, -11),
    minute: iso.slice(-10, -8),
    second: iso.slice(-7, -5),
    millisecond: iso.slice(-4, -1),
    offset: offsetText(offset),
    locale,
  };
}

function offsetText(minutes: number): string {
  const size = Math.abs(minutes);
  const hours = String(Math.trunc(size / 60)).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${hours}:${String(size % 60).padStart(2, '0')}`;
}

/** The day as the locale writes it, the time to the millisecond, the offset. */
export const localDate: DateStyle = (time) => {
  const { year, month, day, hour, minute, second, millisecond, offset } = time;
  const days: Record<string, string> = {
    de: `${day}.${month}.${year}`,
    fr: `${day}/${month}/${year}`,
  };
  const written = days[time.locale] ?? `${year}-${month}-${day}`;
  return `${written} ${hour}:${minute}:${second}.${millisecond} ${offset}`;
};
