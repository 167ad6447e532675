import { findOccurrences } from './find-occurrences.ts';
import { type PlainText, pieceAt } from './plain-text.ts';
import type { PrintedColumn } from './printed-columns.ts';

/** An event as the PDF prints it: the value that marks it, and the text on both sides up to its neighbours' marks. */
export interface PrintedRecord {
  /** Null where it looks like a mark, stands where marks stand, and no row has it. */
  readonly value: string | null;
  readonly start: number;
  readonly before: string;
  readonly after: string;
  /** Whether it stands where marks stand; a title that names an id does not. */
  readonly isAtUsualPlace: boolean;
}

/** Longest text of an event on either side of its mark, in characters. */
const reach = 5000;

/**
 * The column whose values mark events best: in every row, found in the PDF, too long to be found by chance, and
 * different from row to row.
 */
export function markOf(columns: readonly PrintedColumn[]): PrintedColumn | undefined {
  const marks = columns.filter(({ values }) => values.every((value) => value.length >= 6));
  return marks.sort((a, b) => rank(b) - rank(a))[0];
}

/** Ids and times mark events better than prose, which layouts and fonts damage. */
function rank({ values, distinct, found }: PrintedColumn): number {
  const isProse = values.some((value) => !/\d/.test(value) || value.length > 60);
  // Squared, so that a column which is not printed, but shares values with one that is, does not win.
  return distinct * found ** 2 * (isProse ? 0.25 : 1);
}

/** Finds the events that the PDF prints, in its order, by the values that mark them. */
export function findRecords(text: PlainText, mark: PrintedColumn): PrintedRecord[] {
  const known = withoutRepeats(findOccurrences(text, mark.values), mark.values);
  const places = usualPlaces(text, known);
  const marks = [...known, ...strangers(text, known, places, mark.values)];
  marks.sort((a, b) => a.start - b.start);
  return marks.map(({ value, start, end }, index) => {
    const previous = marks[index - 1]?.end ?? 0;
    const next = marks[index + 1]?.start ?? text.text.length;
    return {
      value,
      start,
      before: text.text.slice(Math.max(previous, start - reach), start),
      after: text.text.slice(end, Math.min(next, end + reach)),
      isAtUsualPlace: places.has(placeOf(text, start)),
    };
  });
}

interface Mark {
  readonly value: string | null;
  readonly start: number;
  readonly end: number;
}

/** Layouts can print the mark of an event twice, in a heading and in a line of its own: only the first one counts. */
function withoutRepeats<M extends Mark>(found: readonly M[], values: readonly string[]): M[] {
  const rows = countsOf(values);
  const times = countsOf(found.map(({ value }) => value ?? ''));
  const ratios = [...times].map(([value, count]) => count / (rows.get(value) ?? 1));
  const perEvent = Math.max(1, Math.floor(ratios.sort((a, b) => a - b)[ratios.length >> 1] ?? 1));
  const seen = new Map<string | null, number>();
  return found.filter(({ value }) => {
    const index = seen.get(value) ?? 0;
    seen.set(value, index + 1);
    return index % perEvent === 0;
  });
}

function countsOf(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** Left edge and offset within the piece: a column of a table, or what follows a label. */
function placeOf(text: PlainText, offset: number): string {
  const { piece, within = 0 } = pieceAt(text, offset) ?? {};
  return `${Math.round(piece?.x ?? 0)} ${within}`;
}

function usualPlaces(text: PlainText, marks: readonly Mark[]): ReadonlySet<string> {
  const times = countsOf(marks.map(({ start }) => placeOf(text, start)));
  const often = [...times].filter(([, count]) => count >= marks.length / 50);
  return new Set(often.map(([place]) => place));
}

/** What looks like a mark and stands where marks stand, but is in no row: events that the CSV does not hold. */
function strangers(
  text: PlainText,
  known: readonly Mark[],
  places: ReadonlySet<string>,
  values: readonly string[],
): Mark[] {
  const looks = [...new Set(values.map(lookOf))].sort((a, b) => b.length - a.length).slice(0, 20);
  const patterns = looks.map((look) => new RegExp(look, 'yu'));
  const taken = new Set(known.map(({ start }) => start));
  const insets = new Map<number, number[]>();
  for (const place of places) {
    const [x = 0, within = 0] = place.split(' ').map(Number);
    insets.set(x, [...(insets.get(x) ?? []), within]);
  }
  return text.pieces.flatMap(({ x }, index) =>
    (insets.get(Math.round(x)) ?? []).flatMap((within) => {
      const start = (text.starts[index] ?? 0) + within;
      const end = taken.has(start) ? undefined : endOfMatch(text, start, patterns);
      return end === undefined ? [] : [{ value: null, start, end }];
    }),
  );
}

/** A pattern for values like this one: any digit or letter for each of its own, the rest to the letter. */
function lookOf(value: string): string {
  const isHex = /^[\da-f-]{16,}$/.test(value);
  return value.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&').replace(/\p{L}|\d/gu, (character) => {
    if (isHex) return '[\\da-f]';
    return /\d/.test(character) ? '\\d' : '\\p{L}';
  });
}

function endOfMatch(text: PlainText, start: number, patterns: readonly RegExp[]) {
  for (const pattern of patterns) {
    pattern.lastIndex = start;
    if (!pattern.test(text.text)) continue;
    const end = pattern.lastIndex;
    if (text.isBreak(end) || !/[\p{L}\d]/u.test(text.text.charAt(end))) return end;
  }
  return undefined;
}
