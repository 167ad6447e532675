import { findOccurrences, type Occurrence } from './find-occurrences.ts';
import { type PlainText, pieceAt } from './plain-text.ts';

/** Where an event is printed, by the value that marks it. */
export interface Mark {
  /** Null where it looks like a mark, stands where marks stand, and no row has it. */
  readonly value: string | null;
  readonly start: number;
  readonly end: number;
  /** Whether it stands where marks stand; the range in a title does not. */
  readonly isAtUsualPlace: boolean;
}

/** Finds the marks of events in the order of the text, those of events that no row has among them. */
export function findMarks(text: PlainText, values: readonly string[]): Mark[] {
  const kept = keptPlaces(text, values);
  const most = [...kept.values()][0]?.length ?? 0;
  const usual = new Set(
    [...kept].filter(([, { length }]) => length * 10 >= most).map(([place]) => place),
  );
  const known = [...kept].flatMap(([place, occurrences]) => {
    const isAtUsualPlace = usual.has(place);
    return occurrences.map((occurrence) => ({ ...occurrence, isAtUsualPlace }));
  });
  const marks: Mark[] = [...known, ...strangers(text, values, known, usual)];
  return marks.sort((a, b) => a.start - b.start);
}

/**
 * Where on a page the values stand, by place, without places that only repeat what stands elsewhere too: layouts can
 * print an id in the heading of an event and in a line of its own, and titles name a range or a filter. The place
 * with the most of them comes first.
 */
function keptPlaces(
  text: PlainText,
  values: readonly string[],
): ReadonlyMap<string, readonly Occurrence[]> {
  const places = new Map<string, Occurrence[]>();
  for (const occurrence of findOccurrences(text, values)) {
    const place = placeOf(text, occurrence.start);
    const others = places.get(place);
    if (others) others.push(occurrence);
    else places.set(place, [occurrence]);
  }
  const wanted = new Map<string, number>();
  for (const value of values) wanted.set(value, (wanted.get(value) ?? 0) + 1);
  const kept = [...places]
    .sort(([, a], [, b]) => b.length - a.length)
    .filter(([, found]) => {
      const needed = found.filter(({ value }) => (wanted.get(value) ?? 0) > 0);
      for (const { value } of found) wanted.set(value, (wanted.get(value) ?? 0) - 1);
      return needed.length * 2 >= found.length;
    });
  return new Map(kept);
}

/** Left edge and offset within the piece: a column of a table, or what follows a label. */
function placeOf(text: PlainText, offset: number): string {
  const { piece, within = 0 } = pieceAt(text, offset) ?? {};
  return `${Math.round(piece?.x ?? 0)} ${within}`;
}

/** What looks like a mark and stands where marks stand, but is in no row: events that the CSV does not hold. */
function strangers(
  text: PlainText,
  values: readonly string[],
  known: readonly Occurrence[],
  places: Iterable<string>,
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
      return end === undefined ? [] : [{ value: null, start, end, isAtUsualPlace: true }];
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
