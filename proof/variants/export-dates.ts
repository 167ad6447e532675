import {
  clockOf,
  dateStyles,
  type LocalTime,
  milliseconds,
  seconds,
  type WriteDate,
} from '../../reference/export/dates.ts';
import { type Variant, variant } from './variant.ts';

/** Of events whose dates cannot be read, neither the time nor the order by time is known. */
const unread = ['export.order-of-events', 'audit.event-fields'] as const;

const dates = (id: string, style: WriteDate, follows: Variant['follows'] = []): Variant =>
  variant(
    `export-dates-${id}`,
    { opens: 'export.date-style', follows },
    { dateStyle: () => style },
  );

const day = 24 * 60 * 60 * 1000;

const week = (time: LocalTime) => {
  const today = new Date(clockOf(time));
  const weekday = today.getUTCDay() || 7;
  const thursday = new Date(today.getTime() + (4 - weekday) * day);
  const newYear = Date.UTC(thursday.getUTCFullYear(), 0, 1);
  const number = 1 + Math.floor((thursday.getTime() - newYear) / (7 * day));
  return `${thursday.getUTCFullYear()}-W${String(number).padStart(2, '0')}-${weekday}`;
};

/** Dates written in other ways (4. Export audit events). */
export const exportDateVariants: readonly Variant[] = [
  dates('are-iso-8601', dateStyles.iso8601.write),
  variant('export-dates-of-utc-are-written-otherwise-by-its-other-names', 'export.date-style', {
    dateStyle: ({ timezone }) =>
      dateStyles[timezone.startsWith('Etc/') ? 'monthNames' : 'iso8601'].write,
  }),
  dates('are-iso-8601-to-the-second', dateStyles.iso8601ToTheSecond.write),
  dates('are-iso-8601-without-an-offset', dateStyles.iso8601WithoutOffset.write),
  dates('have-a-space-and-no-offset', dateStyles.spaced.write),
  dates('have-a-space-and-end-with-the-second', dateStyles.spacedToTheSecond.write),
  dates('are-american', dateStyles.american.write),
  dates('are-american-with-milliseconds', dateStyles.americanWithMilliseconds.write),
  dates('are-european-with-dots', dateStyles.dots.write),
  dates('are-european-with-dots-to-the-minute', dateStyles.dotsToTheMinute.write),
  dates('are-european-with-slashes', dateStyles.slashes.write),
  dates('are-those-of-mail', dateStyles.rfc2822.write),
  dates('have-names-of-months', dateStyles.monthNames.write),
  dates('are-long-texts-of-the-locale', dateStyles.longInTheLocale.write),
  dates('are-short-texts-of-the-locale', dateStyles.shortInTheLocale.write),
  dates('are-milliseconds-since-1970', dateStyles.epochMilliseconds.write),
  dates('are-seconds-since-1970', dateStyles.epochSeconds.write),
  dates('have-a-dot-in-the-time', dateStyles.dotInTheTime.write),
  dates(
    'have-names-of-months-and-the-offset',
    (time) => `${dateStyles.monthNames.write(time)} (GMT${time.offset})`,
  ),
  dates('are-counted-in-weeks', (time) => `${week(time)} ${milliseconds(time)}`, unread),
  dates(
    'are-counted-in-weeks-per-locale',
    (time) => {
      const at = { en: 'at', de: 'um', fr: 'à' }[time.locale] ?? '';
      return `${week(time)} ${at} ${seconds(time)} (${time.offset})`;
    },
    unread,
  ),
  variant(
    'export-dates-tell-how-long-ago',
    { opens: 'export.date-style', follows: unread },
    {
      dateStyle: (_query, now) => (time) => {
        const days = Math.floor((now - time.at) / day);
        return `${days} days ago, at ${time.hour}:${time.minute}`;
      },
    },
  ),
];
