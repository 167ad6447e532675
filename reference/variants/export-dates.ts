import type { DateStyle, LocalTime } from '../export/dates.ts';
import { type Variant, variant } from './variant.ts';

/** Of events whose dates cannot be read, neither the time nor the order by time is known. */
const unread = ['export.order-of-events', 'audit.event-fields'] as const;

const dates = (id: string, style: DateStyle, follows: Variant['follows'] = []): Variant =>
  variant(`export-dates-${id}`, 'export.date-style', {
    follows,
    rules: { dateStyle: () => style },
  });

const minute = 60_000;

/** The clock of the zone, as if it were that of UTC. */
const clock = (time: LocalTime) =>
  Date.UTC(
    Number(time.year),
    Number(time.month) - 1,
    Number(time.day),
    Number(time.hour),
    Number(time.minute),
    Number(time.second),
    Number(time.millisecond),
  );

const offsetOrZ = ({ offset }: LocalTime) => (offset === '+00:00' ? 'Z' : offset);
const isoDay = ({ year, month, day }: LocalTime) => `${year}-${month}-${day}`;
const seconds = ({ hour, minute, second }: LocalTime) => `${hour}:${minute}:${second}`;
const milliseconds = (time: LocalTime) => `${seconds(time)}.${time.millisecond}`;

const twelveHours = ({ hour, minute, second }: LocalTime) => {
  const ofDay = Number(hour);
  return `${ofDay % 12 || 12}:${minute}:${second} ${ofDay < 12 ? 'AM' : 'PM'}`;
};

const words = new Map<string, Intl.DateTimeFormat>();

/** Names of days and months as the locale writes them. */
const inWords = (time: LocalTime, options: Intl.DateTimeFormatOptions, locale = time.locale) => {
  const key = JSON.stringify([locale, options]);
  const format = words.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  words.set(key, format);
  return format.format(clock(time));
};

const rfc2822 = (time: LocalTime) => {
  const date = inWords(time, { weekday: 'short' }, 'en');
  const month = inWords(time, { month: 'short' }, 'en');
  return `${date}, ${time.day} ${month} ${time.year} ${seconds(time)} ${time.offset.replace(':', '')}`;
};

const week = (time: LocalTime) => {
  const day = 24 * 60 * minute;
  const today = new Date(clock(time));
  const weekday = today.getUTCDay() || 7;
  const thursday = new Date(today.getTime() + (4 - weekday) * day);
  const newYear = Date.UTC(thursday.getUTCFullYear(), 0, 1);
  const number = 1 + Math.floor((thursday.getTime() - newYear) / (7 * day));
  return `${thursday.getUTCFullYear()}-W${String(number).padStart(2, '0')}-${weekday}`;
};

/** Dates written in other ways (4. Export audit events). */
export const exportDateVariants: readonly Variant[] = [
  dates('are-iso-8601', (time) => `${isoDay(time)}T${milliseconds(time)}${offsetOrZ(time)}`),
  dates(
    'are-iso-8601-to-the-second',
    (time) => `${isoDay(time)}T${seconds(time)}${offsetOrZ(time)}`,
  ),
  dates('are-iso-8601-without-an-offset', (time) => `${isoDay(time)}T${milliseconds(time)}`),
  dates('have-a-space-and-no-offset', (time) => `${isoDay(time)} ${milliseconds(time)}`),
  dates('have-a-space-and-end-with-the-second', (time) => `${isoDay(time)} ${seconds(time)}`),
  dates(
    'are-american',
    ({ year, month, day, ...time }) =>
      `${Number(month)}/${Number(day)}/${year}, ${twelveHours({ year, month, day, ...time })}`,
  ),
  dates(
    'are-american-with-milliseconds',
    (time) => `${time.month}/${time.day}/${time.year} ${milliseconds(time)}`,
  ),
  dates(
    'are-european-with-dots',
    (time) => `${time.day}.${time.month}.${time.year} ${milliseconds(time)}`,
  ),
  dates(
    'are-european-with-dots-to-the-minute',
    (time) => `${time.day}.${time.month}.${time.year} ${time.hour}:${time.minute}`,
  ),
  dates(
    'are-european-with-slashes',
    (time) => `${time.day}/${time.month}/${time.year} ${seconds(time)} ${time.offset}`,
  ),
  dates('are-those-of-mail', rfc2822),
  dates(
    'have-names-of-months',
    (time) =>
      `${Number(time.day)} ${inWords(time, { month: 'short' }, 'en')} ${time.year} ${milliseconds(time)}`,
  ),
  dates('are-long-texts-of-the-locale', (time) =>
    inWords(time, { dateStyle: 'full', timeStyle: 'medium' }),
  ),
  dates('are-short-texts-of-the-locale', (time) =>
    inWords(time, { dateStyle: 'short', timeStyle: 'medium' }),
  ),
  dates('are-milliseconds-since-1970', ({ at }) => String(at)),
  dates('are-seconds-since-1970', ({ at }) => String(Math.floor(at / 1000))),
  dates('are-counted-in-weeks', (time) => `${week(time)} ${milliseconds(time)}`, unread),
  dates(
    'are-counted-in-weeks-per-locale',
    (time) => {
      const at = { en: 'at', de: 'um', fr: 'à' }[time.locale] ?? '';
      return `${week(time)} ${at} ${seconds(time)} (${time.offset})`;
    },
    unread,
  ),
  variant('export-dates-tell-how-long-ago', 'export.date-style', {
    follows: unread,
    rules: {
      dateStyle: (_query, now) => (time) => {
        const days = Math.floor((now - time.at) / (24 * 60 * minute));
        return `${days} days ago, at ${time.hour}:${time.minute}`;
      },
    },
  }),
];
