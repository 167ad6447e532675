import type { DateReading, Precision } from './date-reading.ts';
import { dateWords, plainWords } from './date-words.ts';

/** The time of day in a written date. */
export interface Clock
  extends Pick<DateReading, 'hour' | 'minute' | 'second' | 'millisecond' | 'precision' | 'offset'> {
  /** What is left of the text. */
  readonly day: string;
}

const withColons =
  /(?<![\d:])(\d{1,2})(?::|\s?h\s?)(\d{2})(?:(?::|\s?m(?:in)?\s?)(\d{2})(?:[.,](\d{1,9}))?)?(?![\d:])/;
const withDots = /(?<=[^\d.]\s?)(\d{1,2})\.(\d{2})(?:\.(\d{2})(?:[.,](\d{1,9}))?)?(?=\s|$)/;
const writtenOffset = /^(?:utc|gmt|ut|z)?\s?([+-])(\d{1,2})(?::?(\d{2}))?(?!\d)\s?/;
const zoneName = /^[([]?[\p{L}\p{M}\s'’./_-]*[)\]]?$/u;

/** Hours east of UTC that RFC 2822 gives to names; what other names mean depends on who writes them. */
const namedOffsets: Readonly<Record<string, number>> = {
  ...{ utc: 0, gmt: 0, ut: 0, z: 0 },
  ...{ est: -5, edt: -4, cst: -6, cdt: -5, mst: -7, mdt: -6, pst: -8, pdt: -7 },
};

/**
 * Takes the time of day out of a written date, with "PM" and the zone.
 *
 * @param text in lower case
 * @returns undefined where the text holds no time, or one that is not readable
 */
export function parseClock(text: string): Clock | undefined {
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
  const hour = hourOf(Number(hours), halfBefore ?? halfAfter);
  if (hour === undefined || offset === undefined) return undefined;
  return {
    hour,
    minute: Number(minutes),
    second: Number(seconds ?? 0),
    millisecond: Number((fraction ?? '').padEnd(3, '0').slice(0, 3)),
    precision: precisionOf(seconds, fraction),
    offset,
    day: dayStandsBefore ? `${before} ${year}` : after,
  };
}

function precisionOf(seconds: string | undefined, fraction: string | undefined): Precision {
  if (seconds === undefined) return 'min';
  if (fraction === undefined) return 's';
  return fraction.length > 3 ? 'us' : 'ms';
}

type Half = 'am' | 'pm';

/** Takes away the word at this place if it says which half of the day is meant. */
function withoutHalf(text: string, place: RegExp): [rest: string, half: Half | undefined] {
  const [word] = plainWords(text.match(place)?.[0] ?? '');
  const half = word === undefined ? undefined : halfOfDay(word);
  return half ? [text.replace(place, '').trim(), half] : [text, undefined];
}

function halfOfDay(word: string): Half | undefined {
  if (dateWords().some(({ beforeNoon }) => beforeNoon.has(word))) return 'am';
  return dateWords().some(({ afterNoon }) => afterNoon.has(word)) ? 'pm' : undefined;
}

function hourOf(written: number, half: Half | undefined): number | undefined {
  if (half === undefined) return written;
  if (written > 12) return undefined;
  return (written % 12) + (half === 'pm' ? 12 : 0);
}

/** Minutes east of UTC, null where the zone does not say, undefined where the text is no zone. */
function parseOffset(zone: string): number | null | undefined {
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
