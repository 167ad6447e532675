/*
 * How a written date is read: text -> plain form -> time of day (parseClock) and day (parseDay) -> readings. A text can
 * have several: 03/04/2026 is in March or in April, and only a whole column may show which (readDateColumn).
 */

import { remembered } from '../maps.ts';
import { utcOf, type WallTime, wallTimeIn } from './time-zones.ts';

/**
 * What is written of a time, from the day alone to nanoseconds. `unitMs`: how exactly an instant is then known, in
 * milliseconds; `textLength`: how much of `2026-11-20 14:05:33.123` it is.
 */
export const precisions = {
  day: { unitMs: 86_400_000, textLength: 10 },
  min: { unitMs: 60_000, textLength: 16 },
  s: { unitMs: 1000, textLength: 19 },
  ms: { unitMs: 1, textLength: 23 },
  us: { unitMs: 0.001, textLength: 23 },
  ns: { unitMs: 0.000_001, textLength: 23 },
} as const;

export type Precision = keyof typeof precisions;

/** The most precise of several precisions; `day` where there are none. */
export function finest(written: Iterable<Precision>): Precision {
  const all = [...written, 'day'] as const;
  return all.reduce((one, other) =>
    precisions[other].unitMs < precisions[one].unitMs ? other : one,
  );
}

/** A time as text, to a precision: `2026-11-20 14:05` to the minute. */
export function timeText(wall: WallTime, precision: Precision): string {
  const text = new Date(utcOf(wall)).toISOString().replace('T', ' ');
  return text.slice(0, precisions[precision].textLength);
}

/** In which order day, month and year are read. */
export type DateStyle =
  | `${'year' | 'day' | 'month'} first`
  | 'month by name'
  | `epoch ${'seconds' | 'milliseconds'}`;

/** One way to read a written date. Fields that are not written are 0. */
export interface DateReading extends WallTime {
  readonly style: DateStyle;
  readonly precision: Precision;
  /** The part of a second beyond whole milliseconds, in nanoseconds. */
  readonly beyondMs: number;
  /** Minutes east of UTC; null where the text does not say. */
  readonly offset: number | null;
}

/** In characters; longer texts are no dates. */
const maxLength = 80;
const isoWithoutSeparators =
  /^(\d{4})(\d{2})(\d{2})t?(\d{2})(\d{2})(\d{2})((?:[.,]\d+)?)((?:z|[+-]\d{2}:?\d{2})?)$/;

/**
 * The ways in which a text can be read as a date, in the usual styles: ISO 8601, day, month and year in any order,
 * names of months in thirty languages, RFC 2822, seconds or milliseconds since 1970.
 * @returns no reading where the text is no date, two where nothing shows which is the day and which the month
 */
export function readDate(text: string): readonly DateReading[] {
  return readDateColumn([text]).flatMap(({ readings }) => readings);
}

/** A column read as dates in one style. */
export type DatesInStyle = Readonly<ReturnType<typeof dates>>;

/**
 * Reads a column in every style in which all its values are dates.
 * @returns no style where any value is no date, or empty; two where nothing shows which is the day and which the month
 */
export function readDateColumn(values: readonly string[]): readonly DatesInStyle[] {
  const columns = [...readingsByStyle(values[0] ?? '').keys()]
    .filter((key) => values.every((value) => readingsByStyle(value).has(key)))
    .map((key) => values.flatMap((value) => readingsByStyle(value).get(key) ?? []));
  // Two languages may have the same names for all months that occur: of equal readings one is enough.
  const different = new Map(columns.map((column) => [column.map(utcOf).join(), column]));
  return [...different.values()].map(dates);
}

/** @param readings one for each row */
function dates(readings: readonly DateReading[]) {
  const precision = finest(readings.map((one) => one.precision));
  return {
    style: readings[0]?.style ?? 'year first',
    /** Of the row that is written most precisely: some writers drop fractions that are zero. */
    precision,
    /** The smallest unit that is written, in milliseconds: 1000 for seconds, 0.001 for microseconds. */
    unit: precisions[precision].unitMs,
    /** Whether every row says how far from UTC it is. */
    hasOffsets: readings.every(({ offset }) => offset !== null),
    readings,
    /** The instant of each row, in milliseconds since 1970; rows without an offset are read as UTC. */
    instants: readings.map((reading) => utcOf(reading) - (reading.offset ?? 0) * 60_000),
    /** The part of a second beyond whole milliseconds of each row, in nanoseconds. */
    beyondMs: readings.map(({ beyondMs }) => beyondMs),
  };
}

/** The readings of a text by what must be the same in a whole column: `day first`, or `month by name, fr`. */
export function readingsByStyle(text: string): ReadonlyMap<string, DateReading> {
  if (text.length > maxLength || !/\d/.test(text)) return new Map();
  if (knownReadings.size >= maxKnown) knownReadings.clear();
  return remembered(knownReadings, text, () => readAll(text));
}

/** Readings by text: the exports of a run show the same events again and again. */
const knownReadings = new Map<string, ReadonlyMap<string, DateReading>>();
const maxKnown = 60_000;

function readAll(text: string): ReadonlyMap<string, DateReading> {
  const plain = plainForm(text);
  const epoch = parseEpoch(plain);
  if (epoch) return new Map([[epoch.style, epoch]]);
  const spaced = plain.replace(isoWithoutSeparators, '$1-$2-$3 $4:$5:$6$7$8');
  const clock = parseClock(spaced) ?? { ...midnight, rest: spaced };
  const { hour, minute, second, millisecond, beyondMs, precision, offset } = clock;
  // The names of a month are the same in many languages: tens of thousands of texts are known.
  const dates = new Map<string, DateReading>();
  const readings = parseDay(clock.rest).map(({ key, style, year, month, day }) => {
    // Field by field: spread from others, each object would have a shape of its own, and take twice the memory.
    const made = (): DateReading => ({
      style,
      year,
      month,
      day,
      hour,
      minute,
      second,
      millisecond,
      beyondMs,
      precision,
      offset,
    });
    return [key, remembered(dates, `${style} ${month}`, made)] as const;
  });
  return new Map(readings.filter(([, reading]) => exists(reading)));
}

/** Whether the calendar has this day, from 1900 to 2199, and the clock this time. */
function exists({ year, month, day, hour, minute, second }: DateReading): boolean {
  if (year < 1900 || year > 2199 || month < 1 || month > 12) return false;
  const daysOfMonth = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return day >= 1 && day <= daysOfMonth && hour <= 23 && minute <= 59 && second <= 60;
}

const midnight: Omit<Clock, 'rest'> = {
  ...{ hour: 0, minute: 0, second: 0, millisecond: 0, beyondMs: 0 },
  ...{ precision: 'day', offset: null },
};

/** Lower case, plain spaces, no marks of writing direction; "a. m." is one word, and the T of ISO 8601 a space. */
function plainForm(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\u200e\u200f\u061c]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/(?<=\d)t(?=\d{1,2}:)/, ' ')
    .replace(/[−‐–]/g, '-')
    .replace(/(?<!\p{L})(\p{L})\. ?(\p{L})\.(?!\p{L})/gu, '$1$2')
    .trim();
}

/** Reads ten digits as seconds since 1970, and thirteen as milliseconds; undefined for other texts, and before 2001. */
function parseEpoch(text: string): DateReading | undefined {
  const [, digits, fraction = ''] = text.match(/^([1-4]\d{9}|[1-4]\d{12})(?:\.(\d+))?$/) ?? [];
  if (digits === undefined) return undefined;
  const style = digits.length === 10 ? 'epoch seconds' : 'epoch milliseconds';
  // As text: multiplied as floating point, 1.001 seconds are 1000.9999 milliseconds.
  const written = `${digits}${fraction}`;
  const precision = precisionOf('', written.slice(10) || undefined);
  const instant = Number(written.padEnd(13, '0').slice(0, 13));
  const beyondMs = Number(written.padEnd(19, '0').slice(13, 19));
  return { ...wallTimeIn('UTC', instant), style, precision, beyondMs, offset: 0 };
}

/** The time of day in a written date; `rest`: the text without it. */
interface Clock extends Omit<DateReading, 'style' | 'year' | 'month' | 'day'> {
  readonly rest: string;
}

/** Times such as 14:05, 14h05 or 14時05分. In "2.05 pm UTC+5:30" the sign shows that 5:30 is an offset and no time. */
const withColons =
  /(?<![\d:]|(?<!\d)[+-])(\d{1,2})(?::|\s?h\s?|時)(\d{2})分?(?:(?::|\s?m(?:in)?\s?|(?<=分))(\d{2})(?:[.,](\d{1,9}))?秒?)?(?![\d:])/;
const withDots = /(?<=[^\d.]\s?)(\d{1,2})\.(\d{2})(?:\.(\d{2})(?:[.,](\d{1,9}))?)?(?=\s|$|[ap]m)/;
const writtenOffset = /^[([]?(?:utc|gmt|ut|z)?\s?([+-])(\d{1,2})(?::?(\d{2}))?(?!\d)[)\]]?\s?/;
/** The name of a zone: words, or an IANA identifier such as Etc/GMT+5. */
const zoneName = /^[([]?(?:[\p{L}\p{M}\s'’./_-]*|[a-z_]+(?:\/[a-z0-9_+-]+)+)[)\]]?$/u;

/** Names of zones in RFC 2822, with hours east of UTC; what other names mean depends on who writes them. */
const namedOffsets: Readonly<Record<string, number>> = {
  ...{ utc: 0, gmt: 0, ut: 0, z: 0 },
  ...{ est: -5, edt: -4, cst: -6, cdt: -5, mst: -7, mdt: -6, pst: -8, pdt: -7 },
};

/**
 * Takes the time of day, with "PM" and the zone, out of a written date: “20.11.2026 2:05 pm UTC” has 14:05 in it.
 * @param text in lower case
 * @returns undefined where the text holds no time, or one that is not readable
 */
function parseClock(text: string): Clock | undefined {
  const match = text.match(withColons) ?? text.match(withDots);
  if (!match) return undefined;
  const [written, hours = '', minutes = '', seconds, fraction] = match;
  const [before, halfBefore] = withoutHalf(text.slice(0, match.index), /\p{L}+\s?$/u);
  const [after, halfAfter] = withoutHalf(
    text.slice((match.index ?? 0) + written.length).trim(),
    /^\p{L}+\.?/u,
  );
  // "Fri Nov 20 14:05:33 UTC 2026" has its year at the end.
  const [, zone = after, year = ''] = after.match(/^(.*?)(?:^|\s)(\d{4})$/) ?? [];
  const dayStandsBefore = /\d/.test(before);
  const offset = dayStandsBefore ? parseOffset(zone) : null;
  const half = halfBefore ?? halfAfter;
  if (offset === undefined || (half !== undefined && Number(hours) > 12)) return undefined;
  return {
    hour: half === undefined ? Number(hours) : (Number(hours) % 12) + (half === 'pm' ? 12 : 0),
    minute: Number(minutes),
    second: Number(seconds ?? 0),
    millisecond: Number((fraction ?? '').padEnd(3, '0').slice(0, 3)),
    beyondMs: Number((fraction ?? '').padEnd(9, '0').slice(3, 9)),
    precision: precisionOf(seconds, fraction),
    offset,
    rest: dayStandsBefore ? `${before} ${year}` : after,
  };
}

function precisionOf(seconds: string | undefined, fraction: string | undefined): Precision {
  if (seconds === undefined) return 'min';
  if (fraction === undefined) return 's';
  if (fraction.length <= 3) return 'ms';
  return fraction.length <= 6 ? 'us' : 'ns';
}

/** The time of day in a text that may hold more, such as a day that cannot be read; undefined where there is none. */
export function readTimeOfDay(text: string): Clock | undefined {
  if (text.length > maxLength || !/\d/.test(text)) return undefined;
  const clock = parseClock(plainForm(text));
  return clock !== undefined && clock.hour <= 23 && clock.minute <= 59 ? clock : undefined;
}

/** The text without the word at a place, and `am` or `pm`, if the word means that in any language; else as it is. */
function withoutHalf(text: string, place: RegExp): [rest: string, half: Half | undefined] {
  const [word = ''] = plainWords(text.match(place)?.[0] ?? '');
  const half = dateWords()
    .find(({ halves }) => halves.has(word))
    ?.halves.get(word);
  return half ? [text.replace(place, '').trim(), half] : [text, undefined];
}

/** Minutes east of UTC, null where the zone does not say, undefined where the text is no zone. */
function parseOffset(written: string): number | null | undefined {
  // Java writes "Z[Etc/UTC]".
  const zone = written.replace(/^z(?=\[)/, '+00');
  const match = zone.match(writtenOffset);
  const name = zone.slice(match?.[0].length ?? 0);
  if (!zoneName.test(name)) return undefined;
  if (!match) {
    const hours = namedOffsets[name.replace(/[()[\]]/g, '')];
    return hours === undefined ? null : hours * 60;
  }
  const [, sign, hours = '', minutes = '0'] = match;
  const size = Number(hours) * 60 + Number(minutes);
  return size > 14 * 60 ? undefined : sign === '-' ? 0 - size : size;
}

/** One way to read the day in a written date. `key`: the style, with the language where the month is a name, as others may differ. */
interface Day extends Pick<DateReading, 'style' | 'year' | 'month' | 'day'> {
  readonly key: string;
}

const threeNumbers = /^\D*(\d{1,4})\s?([./-])\s?(\d{1,2})\s?\2\s?(\d{1,4})\D*$/;

/** The ways to read a day, also one that the calendar does not have. @param text in lower case, without a time */
function parseDay(text: string): readonly Day[] {
  const spelled = text.replace(/(?<=\d)[年月년월]\s?/g, '-').replace(/(?<=\d)[日일]/g, '');
  const match = spelled.match(threeNumbers);
  const words = plainWords(spelled);
  if (!match) return byName(spelled, words);
  const known = words.every((word) => dateWords().some(({ fillers }) => fillers.has(word)));
  return known ? byNumber(match) : [];
}

/** The ways to read three numbers as a day: year first, or day first, and without dots also month first. */
function byNumber([, first = '', separator, second = '', third = '']: RegExpMatchArray): Day[] {
  if (first.length === 4) {
    const [year, month, day] = [Number(first), Number(second), Number(third)];
    return [{ key: 'year first', style: 'year first', year, month, day }];
  }
  const year = yearOf(third);
  const [a, b] = [Number(first), Number(second)];
  const dayFirst: Day = { key: 'day first', style: 'day first', year, month: b, day: a };
  const monthFirst: Day = { key: 'month first', style: 'month first', year, month: a, day: b };
  return separator === '.' ? [dayFirst] : [dayFirst, monthFirst];
}

/** The ways to read two numbers and the name of a month as a day, one for each language that has all the words. */
function byName(text: string, words: readonly string[]): Day[] {
  const numbers = text.match(/\d+/g) ?? [];
  const [first = '', second = ''] = numbers;
  const yearIsFirst = first.length === 4;
  const [year, day] = yearIsFirst ? [first, second] : [second, first];
  if (numbers.length !== 2) return [];
  const days: Day[] = [];
  for (const { key, months, fillers } of dateWords()) {
    const isKnown = (word: string) => months.has(word) || fillers.has(word) || ordinal.test(word);
    if (!words.every(isKnown)) continue;
    const named = words.filter((word) => months.has(word));
    // In French, "mar. 3 nov." is a Tuesday: of two names, the one that is no day of the week is the month.
    const unmistakable = named.filter((word) => !fillers.has(word));
    if (unmistakable.length > 1) continue;
    const month = months.get(unmistakable[0] ?? named.at(-1) ?? '');
    if (month === undefined) continue;
    days.push({ key, style: 'month by name', year: yearOf(year), month, day: Number(day) });
  }
  return days;
}

/** What follows the number of a day: "1st", "2nd", "1er", "1º". */
const ordinal = /^(?:st|nd|rd|th|er|re|e|o|a)$/;

function yearOf(digits: string): number {
  return digits.length === 2 ? 2000 + Number(digits) : Number(digits);
}

/** Languages whose names of months and days are known. */
export const languages: readonly string[] =
  'en de fr es it nl pt pl da sv nb fi cs sk hu ro tr hr sl lt lv et el uk bg ru ar ja ko zh'.split(
    ' ',
  );

type Half = 'am' | 'pm';

let tables: readonly ReturnType<typeof wordsOf>[] | undefined;

/** The words of all known languages; made when first needed. */
function dateWords() {
  tables ??= languages.map(wordsOf);
  return tables;
}

/** The words of a text in lower case without dots; "a. m." is one word. */
export function plainWords(text: string): string[] {
  const joined = text.replace(/(?<!\p{L})(\p{L})\.\s?(\p{L})\.(?!\p{L})/gu, '$1$2');
  return joined.toLowerCase().match(/\p{L}[\p{L}\p{M}'’]*/gu) ?? [];
}

/**
 * What the words of a written date mean in a language, by its code, as the platform's own formats write them.
 * @returns `months`: the number of each, from 1, by its long and short names, also as declined inside a date; `fillers`:
 *   words that can be left out, as days of the week, "at", "of"; `halves`: of the day, as `pm` for "odp." in Czech
 */
export function wordsOf(language: string) {
  const [months, fillers] = [new Map<string, number>(), new Set<string>()];
  const halves = new Map<string, Half>();
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { timeZone: 'UTC', ...options });
  const wordsIn = (one: Intl.DateTimeFormat, instant: number) =>
    one.formatToParts(instant).map(({ type, value }) => {
      return { type, words: plainWords(value.normalize('NFKC')) };
    });
  const formats = [
    format({ dateStyle: 'full', timeStyle: 'medium' }),
    format({ dateStyle: 'long', timeStyle: 'short' }),
    format({ dateStyle: 'medium', timeStyle: 'short' }),
    ...[format({ month: 'long' }), format({ month: 'short' }), format({ weekday: 'short' })],
  ];
  for (let month = 1; month <= 12; month++) {
    // The firsts of the months of 2026 fall on every day of the week.
    const instant = Date.UTC(2026, month - 1, 1);
    for (const { type, words } of formats.flatMap((one) => wordsIn(one, instant))) {
      if (type === 'month' && words[0] !== undefined) months.set(words[0], month);
      if (type === 'weekday' || type === 'literal') for (const word of words) fillers.add(word);
    }
  }
  const clock = format({ hour: 'numeric', hour12: true });
  for (const half of ['am', 'pm'] as const) {
    for (const { type, words } of wordsIn(clock, Date.UTC(2026, 0, 1, half === 'am' ? 9 : 15))) {
      if (type === 'dayPeriod' && words[0] !== undefined) halves.set(words[0], half);
    }
  }
  return { key: `month by name, ${language}`, months, fillers, halves };
}
