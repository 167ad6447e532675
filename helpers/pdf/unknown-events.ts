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
 * Counts events that look in everything like those of the CSV, and that no row has: what looks like a key stands
 * where keys stand, all that the others have stands beside it, and its neighbours are whole without that.
 * Ids and times of other things look like keys; but no event of their own stands around them.
 *
 * @param keys of all known events, in the order of the text
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

/** What is shorter can look like a key by accident. */
const leastLength = 12;

/** Whatever looks like a key and stands where keys stand, and is neither one nor a value of another column. */
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

/** A column of more values than these, or of about one for each event, holds ids and times: there are always others. */
const mostWords = 100;

/** Whether a text shows a value of the column: one of the words that it holds, or what looks like its ids and times. */
function showing({ values }: Trait): (text: string) => boolean {
  const distinct = [...new Set(values)];
  if (distinct.length <= mostWords && distinct.length < 0.5 * values.length) {
    return (text) => distinct.some((value) => text.includes(value));
  }
  const pattern = new RegExp(formsOf(distinct).join('|'), 'u');
  return (text) => pattern.test(text);
}

/** Each is tried at every place. */
const mostForms = 20;

/** Patterns for values like these: any digit or letter for each of their own, the rest to the letter. */
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

function endOfMatch(text: PlainText, start: number, patterns: readonly RegExp[]) {
  for (const pattern of patterns) {
    pattern.lastIndex = start;
    if (!pattern.test(text.text)) continue;
    const end = pattern.lastIndex;
    if (text.isBreak(end) || !/[\p{L}\d]/u.test(text.text.charAt(end))) return end;
  }
  return undefined;
}
