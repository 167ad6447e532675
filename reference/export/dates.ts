import type { Observation } from '../../schemas/observations.ts';

/** What the clocks of a zone show at an instant, as texts of fixed length. */
export type LocalTime = Readonly<ReturnType<typeof localTime>>;

/** Writes an instant, for people who read the locale. */
export type WriteDate = (time: LocalTime) => string;

const minute = 60_000;

/**
 * @param offset in minutes ahead of UTC
 * @param beyondMs what there is beyond the millisecond, in nanoseconds
 */
export function localTime(at: number, offset: number, locale: string, beyondMs = 0) {
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
    /** Six digits. */
    beyondMs: String(beyondMs).padStart(6, '0'),
    /** `+01:00`. */
    offset: offsetText(offset),
    locale,
  };
}

function offsetText(minutes: number): string {
  const size = Math.abs(minutes);
  const hours = String(Math.trunc(size / 60)).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${hours}:${String(size % 60).padStart(2, '0')}`;
}

/** The clock of the zone, as if it were that of UTC: milliseconds since 1970. */
export function clockOf(time: LocalTime): number {
  const { year, month, day, hour, minute, second, millisecond } = time;
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${millisecond}Z`);
}

// Parts of a date, as texts.

const isoDay = ({ year, month, day }: LocalTime) => `${year}-${month}-${day}`;
const withDots = ({ year, month, day }: LocalTime) => `${day}.${month}.${year}`;
const withSlashes = ({ year, month, day }: LocalTime) => `${day}/${month}/${year}`;
const american = ({ year, month, day }: LocalTime) => `${month}/${day}/${year}`;

const minutes = ({ hour, minute }: LocalTime) => `${hour}:${minute}`;
export const seconds = (time: LocalTime) => `${minutes(time)}:${time.second}`;
export const milliseconds = (time: LocalTime) => `${seconds(time)}.${time.millisecond}`;
const offsetOrZ = ({ offset }: LocalTime) => (offset === '+00:00' ? 'Z' : offset);

const twelveHours = ({ hour, minute, second }: LocalTime) => {
  const ofDay = Number(hour);
  return `${ofDay % 12 || 12}:${minute}:${second} ${ofDay < 12 ? 'AM' : 'PM'}`;
};

const twelveHoursWithDot = ({ hour, minute }: LocalTime) => {
  const ofDay = Number(hour);
  return `${ofDay % 12 || 12}.${minute} ${ofDay < 12 ? 'am' : 'pm'}`;
};

/** `UTC`, `UTC+1`, `UTC+5:30`. */
const shortOffset = ({ offset }: LocalTime) =>
  offset === '+00:00' ? 'UTC' : `UTC${offset.replace(/^(.)0/, '$1').replace(/:00$/, '')}`;

const formats = new Map<string, Intl.DateTimeFormat>();

/** As Intl writes it in the locale: names of days and months, and the order that is usual there. */
const inWords = (time: LocalTime, options: Intl.DateTimeFormatOptions, locale = time.locale) => {
  const key = JSON.stringify([locale, options]);
  const format =
    formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  formats.set(key, format);
  return format.format(clockOf(time));
};

const monthName = (time: LocalTime) => inWords(time, { month: 'short' }, 'en');
const weekday = (time: LocalTime) => inWords(time, { weekday: 'short' }, 'en');

/** The day as the locale writes it, the time to the millisecond, the offset. */
export const localDate: WriteDate = (time) => {
  const days: Readonly<Record<string, WriteDate>> = { de: withDots, fr: withSlashes };
  const day = (days[time.locale] ?? isoDay)(time);
  return `${day} ${milliseconds(time)} ${time.offset}`;
};

type Order = Extract<Observation<'export.date-style'>, object>['order'];

const style = (order: Order, write: WriteDate) => ({ order, write });

/** The ways in which the service can write dates, each with the order of day, month and year where it is English. */
export const dateStyles = {
  local: style('year first', localDate),
  iso8601: style('year first', (time) => `${isoDay(time)}T${milliseconds(time)}${offsetOrZ(time)}`),
  iso8601ToTheSecond: style(
    'year first',
    (time) => `${isoDay(time)}T${seconds(time)}${offsetOrZ(time)}`,
  ),
  iso8601WithoutOffset: style('year first', (time) => `${isoDay(time)}T${milliseconds(time)}`),
  spaced: style('year first', (time) => `${isoDay(time)} ${milliseconds(time)}`),
  spacedToTheSecond: style('year first', (time) => `${isoDay(time)} ${seconds(time)}`),
  american: style('month first', (time) => {
    const day = `${Number(time.month)}/${Number(time.day)}/${time.year}`;
    return `${day}, ${twelveHours(time)}`;
  }),
  americanWithMilliseconds: style(
    'month first',
    (time) => `${american(time)} ${milliseconds(time)}`,
  ),
  dots: style('day first', (time) => `${withDots(time)} ${milliseconds(time)}`),
  dotsToTheMinute: style('day first', (time) => `${withDots(time)} ${minutes(time)}`),
  slashes: style('day first', (time) => `${withSlashes(time)} ${seconds(time)} ${time.offset}`),
  rfc2822: style('month by name', (time) => {
    const day = `${weekday(time)}, ${time.day} ${monthName(time)} ${time.year}`;
    return `${day} ${seconds(time)} ${time.offset.replace(':', '')}`;
  }),
  monthNames: style('month by name', (time) => {
    const day = `${Number(time.day)} ${monthName(time)} ${time.year}`;
    return `${day} ${milliseconds(time)}`;
  }),
  dotInTheTime: style('month by name', (time) => {
    const day = `${weekday(time)} ${Number(time.day)} ${monthName(time)} ${time.year}`;
    return `${day}, ${twelveHoursWithDot(time)} (${shortOffset(time)})`;
  }),
  longInTheLocale: style('month by name', (time) =>
    inWords(time, { dateStyle: 'full', timeStyle: 'medium' }),
  ),
  shortInTheLocale: style('month first', (time) =>
    inWords(time, { dateStyle: 'short', timeStyle: 'medium' }),
  ),
  epochMilliseconds: style('epoch milliseconds', ({ at }) => String(at)),
  epochSeconds: style('epoch seconds', ({ at }) => String(Math.floor(at / 1000))),
} as const satisfies Readonly<Record<string, { readonly order: Order; readonly write: WriteDate }>>;

const example = localTime(Date.UTC(2026, 0, 5, 3, 4, 5, 6), 0, 'en');

/** What dates of a style look like in English and in UTC: one or two digits as 9, more as so many, letters as a. */
export function patternOf(write: WriteDate): string {
  return write(example)
    .replace(/\d+/g, ({ length }) => '9'.repeat(length === 2 ? 1 : length))
    .replace(/\p{L}[\p{L}\p{M}]*/gu, 'a');
}
