import { groupBy } from '../group-by.ts';
import { literal } from '../text-pattern.ts';
import {
  type EventText,
  eventsAt,
  type PrintedEvent,
  type PrintedKey,
  type Trait,
} from './find-events.ts';
import type { PlainText } from './plain-text.ts';
import type { PrintedColumn } from './printed-columns.ts';

/**
 * Counts printed events that look like those of the CSV and that no row has. What looks like a key must stand at a
 * usual place, with a value of each column that all events show beside it, and its neighbours must have theirs too. Ids
 * and times of other things look like keys as well, but no event of their own stands around them.
 * @param keys where the keys of all known events stand, in the order of the text
 */
export function unknownEvents(found: EventText, keys: readonly PrintedKey[]): number {
  const { text, key, traits } = found;
  if (key === undefined || key.isCut) return 0;
  if (key.values.some(({ length }) => length < leastLength)) return 0;
  const always = traits
    .filter(({ share, isProse, values }) => share >= 0.95 && !isProse && values.every(Boolean))
    .map((trait) => ({ side: trait.side, isShown: showing(trait) }));
  if (always.length < 2) return 0;
  const unknown = new Set(lookalikes(found, key, keys));
  const all = [...keys, ...unknown].sort((a, b) => a.start - b.start);
  const events = eventsAt(text, all);
  const isWhole = (event: PrintedEvent | undefined) =>
    event === undefined || always.every(({ side, isShown }) => isShown(event[side]));
  return all.filter(
    (one, index) =>
      unknown.has(one) && [events[index - 1], events[index], events[index + 1]].every(isWhole),
  ).length;
}

/** In characters: a shorter text can look like a key by accident. */
const leastLength = 12;

/** Where texts of the form of a key stand at usual places that are neither known keys nor values of other columns. */
function lookalikes(
  { text, columns, places = [] }: EventText,
  key: PrintedColumn,
  keys: readonly PrintedKey[],
): PrintedKey[] {
  const taken = new Set(keys.map(({ start }) => start));
  const known = new Set(columns.flatMap(({ values }) => values));
  const patterns = formsOf(key.values).map((form) => new RegExp(form, 'yu'));
  const placesByEdge = groupBy(places, ({ x }) => x);
  return text.pieces.flatMap(({ x }, index) =>
    (placesByEdge.get(Math.round(x)) ?? []).flatMap(({ within }) => {
      const start = (text.starts[index] ?? 0) + within;
      const end = endOfMatch(text, start, patterns);
      if (end === undefined || taken.has(start)) return [];
      const value = text.text.slice(start, end);
      return known.has(value) ? [] : [{ value, start, end, isAtUsualPlace: true }];
    }),
  );
}

/** A column of more values, or of one for every other event, holds ids or times: unknown events have other ones. */
const mostWords = 100;

/** Tells whether a text shows a value of the column: one of its words, or any id or time in the form of its own. */
function showing({ values }: Trait): (text: string) => boolean {
  const distinct = [...new Set(values)];
  if (distinct.length <= mostWords && distinct.length < 0.5 * values.length) {
    return (text) => distinct.some((value) => text.includes(value));
  }
  const pattern = new RegExp(formsOf(distinct).join('|'), 'u');
  return (text) => pattern.test(text);
}

/** How many forms of values are tried at most: each of them is tried at every place. */
const mostForms = 20;

/** Patterns for texts of the form of these values, as `\d\d:\d\d` for 07:05: other characters must be the same. */
function formsOf(values: readonly string[]): string[] {
  return [...new Set(values.map(formOf))].slice(0, mostForms);
}

function formOf(value: string): string {
  const isHex = /^[\da-f]{16,}$/.test(value);
  return literal(value).replace(/\p{L}|\d/gu, (character) => {
    if (isHex) return '[\\da-f]';
    return /\d/.test(character) ? '\\d' : '\\p{L}';
  });
}

/** Where the first match of a pattern at an offset ends, if no word goes on there; undefined without a match. */
function endOfMatch(text: PlainText, start: number, patterns: readonly RegExp[]) {
  for (const pattern of patterns) {
    pattern.lastIndex = start;
    if (!pattern.test(text.text)) continue;
    const end = pattern.lastIndex;
    if (text.isBreak(end) || !/[\p{L}\d]/u.test(text.text.charAt(end))) return end;
  }
  return undefined;
}
