import { groupBy } from '../maps.ts';
import { literal } from '../texts.ts';
import { type EventText, eventsAt, type PrintedEvent, type PrintedKey } from './find-events.ts';
import type { PlainText } from './plain-text.ts';
import { thresholds } from './thresholds.ts';

/**
 * Counts printed events that look like those of the CSV and that no row has. What looks like a key must stand at a
 * usual place, with a value of each column that all events show beside it, and its neighbours must have theirs too. Ids
 * and times of other things look like keys as well, but no event of their own stands around them.
 * @param count how many rows the CSV has; values behind those of rows are of known events too
 */
export function unknownEvents(found: EventText, count: number): number {
  const { text, key, keys, traits } = found;
  const known = key?.values.slice(0, count) ?? [];
  if (key?.isCut || known.some(({ length }) => length < thresholds.lookalikeLength)) return 0;
  const always = traits
    .map((trait) => ({ ...trait, values: trait.values.slice(0, count) }))
    .filter(({ share, isProse, values }) => {
      return share >= thresholds.all && !isProse && values.every(Boolean);
    })
    .map(({ side, values }) => ({ side, isShown: showing(values) }));
  if (always.length < 2) return 0;
  const unknown = new Set(lookalikes(found, known));
  const all = [...keys, ...unknown].sort((a, b) => a.start - b.start);
  const events = eventsAt(text, all);
  const isWhole = (event: PrintedEvent | undefined) =>
    event === undefined || always.every(({ side, isShown }) => isShown(event[side]));
  return all.filter(
    (one, index) =>
      unknown.has(one) && events.slice(Math.max(0, index - 1), index + 2).every(isWhole),
  ).length;
}

/** Where texts of the form of these keys stand at usual places that are neither keys nor values of other columns. */
function lookalikes(
  { text, columns, keys, places = [] }: EventText,
  known: readonly string[],
): PrintedKey[] {
  const taken = new Set(keys.map(({ start }) => start));
  const patterns = formsOf(known).map((form) => new RegExp(form, 'yu'));
  const placesByEdge = groupBy(places, ({ x }) => x);
  const alike = text.pieces.flatMap(({ x }, index) =>
    (placesByEdge.get(Math.round(x)) ?? []).flatMap(({ within }) => {
      const start = (text.starts[index] ?? 0) + within;
      const end = endOfMatch(text, start, patterns);
      if (end === undefined || taken.has(start)) return [];
      return [{ value: text.text.slice(start, end), start, end, isAtUsualPlace: true }];
    }),
  );
  // Values are many, and mostly nothing else looks like a key.
  if (alike.length === 0) return [];
  const values = new Set(columns.flatMap((column) => column.values));
  return alike.filter(({ value }) => !values.has(value));
}

/** Tells whether a text shows a value of a column: one of its words, or any id or time in the form of its own. */
function showing(values: readonly string[]): (text: string) => boolean {
  const distinct = [...new Set(values)];
  // A column of more values, or of one for every other event, holds ids or times: unknown events have other ones.
  const { columnOfWords, half } = thresholds;
  if (distinct.length <= columnOfWords && distinct.length < half * values.length) {
    return (text) => distinct.some((value) => text.includes(value));
  }
  const pattern = new RegExp(formsOf(distinct).join('|'), 'u');
  return (text) => pattern.test(text);
}

/** Patterns for texts of the form of these values, as `\d\d:\d\d` for 07:05: other characters must be the same. */
function formsOf(values: readonly string[]): string[] {
  const forms = values.map((value) => {
    if (/^[\da-f]{16,}$/.test(value)) return `[\\da-f]{${value.length}}`;
    // A class that is repeated is compiled once; to compile one of letters takes milliseconds.
    return literal(value).replace(/\p{L}+|\d+/gu, (run) => {
      return `${/\d/.test(run) ? '\\d' : '\\p{L}'}{${[...run].length}}`;
    });
  });
  // Each is tried at every place.
  return [...new Set(forms)].slice(0, thresholds.forms);
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
