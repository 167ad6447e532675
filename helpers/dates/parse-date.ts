import { type DateReading, type DateStyle, existing } from './date-reading.ts';
import { type Clock, parseClock } from './parse-clock.ts';
import { type Day, parseDay } from './parse-day.ts';
import { wallTimeIn } from './wall-time.ts';

const longestDate = 80;
const compact =
  /^(\d{4})(\d{2})(\d{2})t?(\d{2})(\d{2})(\d{2})((?:[.,]\d+)?)((?:z|[+-]\d{2}:?\d{2})?)$/;

/**
 * The ways in which a text can be read as a date, in the usual styles: ISO 8601, day, month and year in any order,
 * names of months in some twenty languages, RFC 2822, seconds or milliseconds since 1970.
 *
 * @returns no reading where the text is no date, two where day and month can be told apart by no one
 */
export function readDate(text: string): readonly DateReading[] {
  const readings = new Map<string, DateReading>();
  for (const reading of readingsByStyle(text).values()) {
    const { style, year, month, day } = reading;
    readings.set(`${style} ${year}-${month}-${day}`, reading);
  }
  return [...readings.values()];
}

/** The readings of a text by everything that must be the same in a whole column: style, and language where it counts. */
export function readingsByStyle(text: string): ReadonlyMap<string, DateReading> {
  if (text.length > longestDate || !/\d/.test(text)) return new Map();
  const known = remembered.get(text);
  if (known !== undefined) return known;
  if (remembered.size >= mostRemembered) remembered.clear();
  const readings = readAll(text);
  remembered.set(text, readings);
  return readings;
}

/** The exports of a run show the same events again and again. */
const remembered = new Map<string, ReadonlyMap<string, DateReading>>();
const mostRemembered = 20_000;

function readAll(text: string): ReadonlyMap<string, DateReading> {
  const readings = new Map<string, DateReading>();
  for (const { language, ...reading } of parse(text)) {
    const key = language === undefined ? reading.style : `${reading.style}, ${language}`;
    const found = existing(reading);
    if (found) readings.set(key, found);
  }
  return readings;
}

type Parsed = DateReading & Pick<Day, 'language'>;

function parse(text: string): readonly Parsed[] {
  const plain = plainForm(text);
  const epoch = parseEpoch(plain);
  if (epoch) return [epoch];
  // Written without separators, ISO 8601 reads as if it had them.
  const spaced = plain.replace(compact, '$1-$2-$3 $4:$5:$6$7$8');
  const clock = parseClock(spaced);
  const { day, ...time } = clock ?? { ...midnight, day: spaced };
  return parseDay(day).map((parsed) => ({ ...parsed, ...time }));
}

const midnight: Omit<Clock, 'day'> = {
  ...{ hour: 0, minute: 0, second: 0, millisecond: 0 },
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
    .replace(/[−‑–]/g, '-')
    .replace(/(?<!\p{L})(\p{L})\. ?(\p{L})\.(?!\p{L})/gu, '$1$2')
    .trim();
}

/** Ten digits are seconds, with or without a fraction, thirteen are milliseconds, from 2001 on. */
function parseEpoch(text: string): DateReading | undefined {
  const [, digits, fraction] = text.match(/^([1-4]\d{9}|[1-4]\d{12})(?:\.(\d+))?$/) ?? [];
  if (digits === undefined) return undefined;
  const inSeconds = digits.length === 10;
  const style: DateStyle = inSeconds ? 'epoch seconds' : 'epoch milliseconds';
  const instant = inSeconds ? Math.floor(Number(text) * 1000) : Number(digits);
  const fine = fraction !== undefined && fraction.length > (inSeconds ? 3 : 0);
  const precision = fine ? 'us' : inSeconds && fraction === undefined ? 's' : 'ms';
  return { ...wallTimeIn('UTC', instant), style, precision, offset: 0 };
}
