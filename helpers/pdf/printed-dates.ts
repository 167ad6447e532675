/*
 * Dates are looked for in the whole text of a PDF, whatever event they belong to: a date with its time of day is rarely
 * there by accident. How the file writes dates is learned from dates that are known. The absence of a date proves
 * nothing, as its text may be broken or cut: dates are wrong only if the same instants are printed with another offset
 * from UTC, or another year, instead.
 */

import { day, quartersWithin, utcOf, type WallTime, wallTimeIn } from '../dates/time-zones.ts';
import { groupBy, Memory, remembered } from '../maps.ts';
import { clockFormats, type DateFormat, dayFormats, wholeFormats } from './date-formats.ts';
import {
  bodyOf,
  findOccurrences,
  joinPieces,
  type Occurrence,
  type PlainText,
} from './plain-text.ts';
import type { PdfReading } from './read-pdf.ts';
import { thresholds } from './thresholds.ts';

/** One way of writing dates: looks for them in a PDF. `dates`: those whose days headings may name. */
export type DateForm = (reading: PdfReading, dates: readonly WallTime[]) => IsPrinted;

/** Whether a date is printed; undefined where the heading of its day is not. */
type IsPrinted = (date: WallTime) => boolean | undefined;

/**
 * The ways of writing dates in which a PDF prints these dates: with the day beside the time, or with the time below a
 * heading for the day. Several where the dates fit more than one, as 03/11 does; where they fit none, those of the same
 * instants with another offset from UTC; none where there are none either.
 */
export function dateForms(dates: readonly WallTime[], reading: PdfReading): DateForm[] {
  for (const byMs of offsets) {
    const printed = byMs === 0 ? dates : dates.map((date) => moved(date, byMs));
    const forms = formsOf(printed, reading);
    if (forms.length > 0) return forms;
  }
  return [];
}

function formsOf(dates: readonly WallTime[], reading: PdfReading): DateForm[] {
  const { text } = textOf(reading);
  const first = dates.slice(0, thresholds.firstDates);
  const isLikely = (clock: DateFormat) => first.some((date) => text.includes(clock(date)));
  const prints = (form: DateForm, share: number): boolean => {
    const isPrinted = form(reading, dates);
    return (
      first.some((date) => isPrinted(date)) &&
      dates.filter((date) => isPrinted(date)).length >= share * dates.length
    );
  };
  const whole = wholeFormats(isLikely)
    .map(wholeForm)
    .filter((form) => prints(form, thresholds.all));
  if (whole.length > 0) return whole;
  const days = daysAbout(dates, [0]);
  // A single heading proves nothing: all times stand below it.
  if (days.length < 2) return [];
  return dayFormats
    .filter((day) => days.every((date) => text.includes(day(date))))
    .flatMap((day) => clockFormats.map((clock) => headingForm(day, clock)))
    .filter((form) => prints(form, 1));
}

/** Dates with the day beside the time, written by a format. */
function wholeForm(write: DateFormat): DateForm {
  return (reading) => {
    const { text } = textOf(reading);
    return (date) => {
      const one = write(date);
      return written.get(reading, one, () => text.includes(one));
    };
  };
}

/** Times of day, each below a heading for its day. */
function headingForm(day: DateFormat, clock: DateFormat): DateForm {
  return (reading, dates) => {
    const text = textOf(reading);
    const headings = daysAbout(dates, [-1, 0, 1, ...daysOfAYear]).map(day);
    const sections = sectionsBelow(new Set(headings), text);
    return (date) => sections.get(day(date))?.some((one) => holdsWord(text, one, clock(date)));
  };
}

/** A part of a text, from its first character to behind its last one. */
type Section = Pick<Occurrence, 'start' | 'end'>;

/** By heading, the sections that follow it, each up to the next heading: a heading can be repeated on each page. */
function sectionsBelow(headings: ReadonlySet<string>, text: PlainText) {
  const found = findOccurrences(text, headings).filter(
    ({ start, end }) => text.isBreak(start) && text.isBreak(end),
  );
  const sections = found.map(({ value, end }, index) => {
    return { heading: value, start: end, end: found[index + 1]?.start ?? text.text.length };
  });
  return groupBy(sections, ({ heading }) => heading);
}

/** Whether a section holds a text as a whole word, with white space around it. */
function holdsWord({ text, isBreak }: PlainText, { start, end }: Section, word: string): boolean {
  for (let at = text.indexOf(word, start); at >= 0; at = text.indexOf(word, at + 1)) {
    const behind = at + word.length;
    if (behind > end) return false;
    if (isBreak(at) && isBreak(behind)) return true;
  }
  return false;
}

/** Midnight of the days of these dates, moved by each number of days in `away`; each day once. */
function daysAbout(dates: readonly WallTime[], away: readonly number[]): WallTime[] {
  const starts = dates.flatMap((date) => {
    const midnight = utcOf({ ...date, hour: 0, minute: 0, second: 0, millisecond: 0 });
    return away.map((days) => midnight + days * day);
  });
  return [...new Set(starts)].map((at) => wallTimeIn('UTC', at));
}

const texts = new WeakMap<PdfReading, PlainText>();

/** Whether texts hold dates as they are written: a long text is searched once for each. */
const written = new Memory<PdfReading, string, boolean>();

function textOf(reading: PdfReading): PlainText {
  return remembered(texts, reading, () => joinPieces(bodyOf(reading.pages)));
}

/** By how many days dates are wrong that are written with the year before or after. */
const daysOfAYear = [-366, -365, 365, 366];
const years = daysOfAYear.map((days) => days * day);

/** The offset from UTC that is asked for, and then all that clocks have somewhere. */
const offsets = [0, ...quartersWithin(14).filter((byMs) => byMs !== 0)];

/** By how much a date can be wrong: by a year, or by quarters of an hour, to more than a day either way. */
const errors = [...years, ...quartersWithin(27)];

/** How a PDF prints dates that it is known to hold. */
export type DatesFound =
  | { readonly kind: 'right' }
  /** With an example: the time that should be printed, and the time that is. */
  | { readonly kind: 'wrong'; readonly expected: WallTime; readonly actual: WallTime }
  | { readonly kind: 'unclear' };

/**
 * Whether a PDF prints these dates rightly, or the same instants with another offset from UTC, or another year.
 * @param forms the ways in which it may write dates: the one in which most of them are found decides
 */
export function findDates(
  dates: readonly WallTime[],
  reading: PdfReading,
  forms: readonly DateForm[],
): DatesFound {
  const all: FoundInForm[] = [];
  for (const form of forms) {
    const one = findInForm(dates, reading, form);
    if (one.found.kind === 'right') return one.found;
    all.push(one);
  }
  // Forms that wrote the known dates alike may differ here, as 1 and 01 do: the file's is the one that shows most.
  const most = Math.max(...all.map(({ shown }) => shown));
  const likely = all.filter(({ shown }) => shown === most).map(({ found }) => found);
  return likely.find(({ kind }) => kind === 'unclear') ?? likely[0] ?? { kind: 'unclear' };
}

/** How a PDF prints dates in one form; `shown`: how many it shows, rightly or all with the same wrong offset. */
interface FoundInForm {
  readonly found: DatesFound;
  readonly shown: number;
}

function findInForm(dates: readonly WallTime[], reading: PdfReading, form: DateForm): FoundInForm {
  const isPrinted = form(reading, dates);
  const printed = dates.filter((date) => isPrinted(date)).length;
  const isOfOtherYear = (date: WallTime) => years.some((byMs) => isPrinted(moved(date, byMs)));
  // The heading of a day is not there either where it has another year.
  const absent = dates.filter((date) => !(isPrinted(date) ?? !isOfOtherYear(date)));
  if (absent.length === 0) {
    return { found: { kind: printed > 0 ? 'right' : 'unclear' }, shown: printed };
  }
  // Only offsets that explain one of the first three absent dates are tried: one that explains most does so.
  const first = absent.slice(0, thresholds.firstDates);
  const [explained = []] = errors
    .filter((error) => first.some((date) => isPrinted(moved(date, error))))
    .map((error) =>
      absent
        .map((expected) => ({ expected, actual: moved(expected, error) }))
        .filter(({ actual }) => isPrinted(actual)),
    )
    .sort((one, other) => other.length - one.length);
  const [example] = explained;
  const shown = printed + explained.length;
  const least = Math.max(thresholds.wrongDates, thresholds.most * absent.length);
  const isWrong = example !== undefined && explained.length >= least;
  return { found: isWrong ? { kind: 'wrong', ...example } : { kind: 'unclear' }, shown };
}

function moved(date: WallTime, byMs: number): WallTime {
  return wallTimeIn('UTC', utcOf(date) + byMs);
}
