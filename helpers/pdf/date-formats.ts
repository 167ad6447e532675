import { languages } from '../dates/read-date.ts';
import { utcOf, type WallTime } from '../dates/time-zones.ts';
import { plain } from './plain-text.ts';

/** Writes a date in the form in which texts are compared, without spaces and hyphens: see `plain`. */
export type DateFormat = (date: WallTime) => string;

function two(value: number): string {
  return String(value).padStart(2, '0');
}

const toTheMinute: DateFormat = ({ hour, minute }) => `${two(hour)}:${two(minute)}`;
const toTheSecond: DateFormat = (date) => `${toTheMinute(date)}:${two(date.second)}`;
const milliseconds: DateFormat = ({ millisecond }) => String(millisecond).padStart(3, '0');

/** Times of day, the most precise ones first. */
export const clockFormats: readonly DateFormat[] = [
  (date) => `${toTheSecond(date)}.${milliseconds(date)}`,
  (date) => `${toTheSecond(date)},${milliseconds(date)}`,
  toTheSecond,
  (date) => `${date.hour}:${two(date.minute)}:${two(date.second)}`,
  ...halves(({ minute, second }) => `${two(minute)}:${two(second)}`),
  toTheMinute,
  ...halves(({ minute }) => two(minute)),
];

/** Formats with am or pm: the hour from 1 to 12, in two digits and without a leading zero, before the rest. */
function halves(rest: DateFormat): DateFormat[] {
  return [two, String].map(
    (number): DateFormat =>
      (date) =>
        `${number(date.hour % 12 || 12)}:${rest(date)}${date.hour < 12 ? 'am' : 'pm'}`,
  );
}

const months =
  'january february march april may june july august september october november december'.split(
    ' ',
  );

/** With the English name of the month, short and long, as programs write it in any language: 09 Mar 2026, March 9 2026. */
const daysInWords = [3, undefined].flatMap((length) =>
  [two, String].flatMap((number): DateFormat[] => {
    const name = ({ month }: WallTime) => months[month - 1]?.slice(0, length) ?? '';
    return [
      (date) => `${number(date.day)}${name(date)}${date.year}`,
      (date) => `${name(date)}${number(date.day)}${date.year}`,
    ];
  }),
);

// Without a separator for 2026-11-20 too: texts are compared without hyphens.
const daysInNumbers: readonly DateFormat[] = ['', '/', '.'].flatMap((separator) =>
  [two, String].flatMap((number): DateFormat[] => [
    ({ year, month, day }) => [year, number(month), number(day)].join(separator),
    ({ year, month, day }) => [number(day), number(month), year].join(separator),
    ({ year, month, day }) => [number(month), number(day), year].join(separator),
    ({ year, month, day }) => [number(day), number(month), two(year % 100)].join(separator),
    ({ year, month, day }) => [number(month), number(day), two(year % 100)].join(separator),
  ]),
);

const days = [...daysInNumbers, ...daysInWords];

/** Styles in which the platform writes days. */
const dayStyles: readonly Intl.DateTimeFormatOptions[] = [
  ...([undefined, 'long', 'short'] as const).flatMap((weekday) =>
    (['long', 'short'] as const).map(
      (month) => ({ weekday, day: 'numeric', month, year: 'numeric' }) as const,
    ),
  ),
  ...(['full', 'long', 'medium', 'short'] as const).map((dateStyle) => ({ dateStyle })),
];

/** As the platform writes dates in the known languages. */
const ofPlatform = (['medium', 'short'] as const).flatMap((timeStyle) =>
  languages.flatMap((language) =>
    (['medium', 'long', 'short', 'full'] as const).map((dateStyle) =>
      platformFormat(language, { dateStyle, timeStyle }),
    ),
  ),
);

/** Making a format costs far more than using it: it is made when it is first used. */
function platformFormat(language: string, style: Intl.DateTimeFormatOptions): DateFormat {
  let format: Intl.DateTimeFormat | undefined;
  return (date) => {
    format ??= new Intl.DateTimeFormat(language, { ...style, timeZone: 'UTC' });
    return plain(format.format(utcOf(date)));
  };
}

/**
 * The usual ways to write both the day and the time of day, the most precise ones first.
 * @param isLikely whether to go on with a clock format, for each of which there are dozens of whole formats
 */
export function wholeFormats(isLikely = (_clock: DateFormat): boolean => true): DateFormat[] {
  const joined = clockFormats.filter(isLikely).flatMap((clock) =>
    days.flatMap((day) =>
      ['', 't', ','].map(
        (separator): DateFormat =>
          (date) =>
            day(date) + separator + clock(date),
      ),
    ),
  );
  return [...joined, ...ofPlatform];
}

/** The usual ways to write a date with its time of day; then the time alone, as below a heading, and the day alone. */
export function dateFormats(isLikely?: (clock: DateFormat) => boolean): DateFormat[] {
  return [...wholeFormats(isLikely), ...clockFormats, ...days];
}

/** Days as headings write them, in any known language: 20/11/2026, 20 Nov 2026, Friday, November 20, 2026. */
export const dayFormats: readonly DateFormat[] = [
  ...days,
  ...languages.flatMap((language) => dayStyles.map((style) => platformFormat(language, style))),
];
