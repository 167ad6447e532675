import type { DateStyle } from './date-reading.ts';
import { dateWords, plainWords } from './date-words.ts';

/** One way to read the day in a written date. */
export interface Day {
  readonly style: DateStyle;
  /** Of the month's name: the same name can be another month in another language. */
  readonly language?: string;
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const threeNumbers = /^\D*(\d{1,4})\s?([./-])\s?(\d{1,2})\s?\2\s?(\d{1,4})\D*$/;

/**
 * The ways to read a day; not all of them need exist in the calendar.
 *
 * @param text in lower case, without a time of day
 */
export function parseDay(text: string): readonly Day[] {
  const spelled = text.replace(/[年月년월]\s?/g, '-').replace(/[日일]/g, '');
  const match = spelled.match(threeNumbers);
  const words = plainWords(spelled);
  if (!match) return byName(spelled, words);
  const known = words.every((word) => dateWords().some(({ fillers }) => fillers.has(word)));
  return known ? byNumber(match) : [];
}

function byNumber([, first = '', separator, second = '', third = '']: RegExpMatchArray): Day[] {
  if (first.length === 4 && third.length <= 2) {
    const [year, month, day] = [Number(first), Number(second), Number(third)];
    return [{ style: 'year first', year, month, day }];
  }
  if (first.length > 2 || third.length % 2 !== 0) return [];
  const year = yearOf(third);
  const [a, b] = [Number(first), Number(second)];
  const dayFirst: Day = { style: 'day first', year, month: b, day: a };
  const monthFirst: Day = { style: 'month first', year, month: a, day: b };
  return separator === '.' ? [dayFirst] : [dayFirst, monthFirst];
}

function byName(text: string, words: readonly string[]): Day[] {
  const numbers = text.match(/\d+/g) ?? [];
  const [first = '', second = ''] = numbers;
  const yearIsFirst = first.length === 4;
  const [year, day] = yearIsFirst ? [first, second] : [second, first];
  if (numbers.length !== 2 || day.length > 2 || (year.length !== 4 && year.length !== 2)) return [];
  const days: Day[] = [];
  for (const { language, months, fillers } of dateWords()) {
    if (!words.every((word) => months.has(word) || fillers.has(word) || isOrdinal(word))) continue;
    const named = words.filter((word) => months.has(word));
    // In French, "mar. 3 nov." is a Tuesday.
    const unmistakable = named.filter((word) => !fillers.has(word));
    if (unmistakable.length > 1) continue;
    const month = months.get(unmistakable[0] ?? named.at(-1) ?? '');
    if (month === undefined) continue;
    days.push({ style: 'month by name', language, year: yearOf(year), month, day: Number(day) });
  }
  return days;
}

/** What stands behind the number of a day: "1st", "2nd", "1er", "1º". */
function isOrdinal(word: string): boolean {
  return /^(?:st|nd|rd|th|er|re|e|o|a)$/.test(word);
}

function yearOf(digits: string): number {
  return digits.length === 2 ? 2000 + Number(digits) : Number(digits);
}
