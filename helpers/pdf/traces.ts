// What rows that were given no printed event leave in a PDF: values of their own, and keys that a page end divides.

import { groupBy } from '../maps.ts';
import { type EventText, placeAt } from './find-events.ts';
import {
  findAll,
  findOccurrences,
  isShowable,
  joinPieces,
  type Occurrence,
  type Piece,
  type PlainText,
  placesOf,
} from './plain-text.ts';
import { thresholds } from './thresholds.ts';

/**
 * For each of these rows, by index, whether the PDF shows something that is its alone.
 * @returns undefined for a row that has nothing of its own that every font can show
 */
export function tracesOf(
  rows: readonly number[],
  found: EventText,
  body: readonly Piece[],
): ReadonlyMap<number, boolean | undefined> {
  if (rows.length === 0) return new Map();
  const own = ownOf(rows, found);
  const ownByRow = groupBy(own, ({ row }) => row);
  const ownValues = new Set(own.map(({ value }) => value));
  const placesIn = (text: PlainText) => groupBy(placesOf(text, ownValues), ({ value }) => value);
  const [inOrder, inFile] = [placesIn(found.text), placesIn(joinPieces(body))];
  const isAmong = amongEvents(found);
  const keys = keysAside(rows, found, isAmong);
  const hasTrace = (row: number): boolean | undefined => {
    const values = ownByRow.get(row) ?? [];
    if (values.some(({ value }) => inOrder.get(value)?.some(isAmong))) return true;
    if (keys.has(found.key?.values[row] ?? '')) return true;
    // Outside of the events two columns must agree: a title names a time, or the id asked for, but not both.
    const anywhere = values.filter(({ value }) => inOrder.has(value) || inFile.has(value));
    if (new Set(anywhere.map(({ column }) => column)).size > 1) return true;
    return values.some(({ value }) => isShowable(value)) ? false : undefined;
  };
  return new Map(rows.map((row) => [row, hasTrace(row)]));
}

/** The values of these rows, and parts of them, that stand once in the CSV and in no row of other events. */
function ownOf(rows: readonly number[], { columns }: EventText) {
  const candidates = columns.flatMap(({ column, values }) =>
    rows.flatMap((row) => {
      const value = values[row] ?? '';
      // A short value without digits is a word, which can stand anywhere.
      const { ownLength, ownWord } = thresholds;
      if (value.length < (/\d/.test(value) ? ownLength : ownWord)) return [];
      return [value, ...partsOf(value)].map((part) => ({ row, column, value: part }));
    }),
  );
  const csv = columns.flatMap(({ values }) => values).join(' ');
  const places = findAll(csv, new Set(candidates.map(({ value }) => value)));
  return candidates.filter(({ value }) => places.get(value)?.length === 1);
}

/** The two halves of an id, or the parts of a longer value: a page can end anywhere in it. */
function partsOf(value: string): string[] {
  const length = thresholds.partLength;
  if (value.length < length) return [];
  const half = Math.ceil(value.length / 2);
  if (half <= length) return [value.slice(0, half), value.slice(-half)];
  return value.match(new RegExp(`.{${length}}`, 'gsu')) ?? [];
}

/** Tells whether what stands in the text begins between the first and the last key at a usual place. */
function amongEvents({ keys }: EventText): (place: Occurrence) => boolean {
  const usual = keys.filter(({ isAtUsualPlace }) => isAtUsualPlace);
  const [first, last] = [usual[0]?.start ?? 0, usual.at(-1)?.end ?? 0];
  return ({ start }) => start >= first && start < last;
}

/**
 * The keys of these rows, or only their times of day, that stand at a place that was taken for no event: among the events, or
 * behind the last key where on the page times of day stand.
 */
function keysAside(
  rows: readonly number[],
  { key, keys, text }: EventText,
  isAmong: (place: Occurrence) => boolean,
): ReadonlySet<string> {
  const wanted = new Set(rows.map((row) => key?.values[row] ?? ''));
  const byClock = groupBy(
    [...wanted].flatMap((value) => clocksOf(value).map((clock) => ({ value, clock }))),
    ({ clock }) => clock,
  );
  const isTaken = ({ start, end }: Occurrence): boolean =>
    keys.some((one) => one.start <= start && end <= one.end);
  const isWord = ({ start, end }: Occurrence): boolean => text.isBreak(start) && text.isBreak(end);
  const positionOf = (offset: number): string => Object.values(placeAt(text, offset)).join(' ');
  const usual = new Set(
    keys.flatMap(({ value, end, isAtUsualPlace }) =>
      isAtUsualPlace ? clocksOf(value).map((clock) => positionOf(end - clock.length)) : [],
    ),
  );
  return new Set(
    findOccurrences(text, [...wanted, ...byClock.keys()])
      .filter((place) => isAmong(place) || usual.has(positionOf(place.start)))
      .filter((place) => !isTaken(place))
      .flatMap((place) => {
        const ofClock = isWord(place) ? (byClock.get(place.value) ?? []) : [];
        return wanted.has(place.value) ? [place.value] : ofClock.map(({ value }) => value);
      }),
  );
}

/** The time of day behind the day of a key, with an hour of two digits or of one: its day may stand above, for several events. */
const clocksOf = (key: string): string[] =>
  [/(?<=.)\d\d:\d\d.*$/, /(?<=.)\d:\d\d.*$/].flatMap((clock) => clock.exec(key)?.[0] ?? []);

/** Whether a value stands in the text in two parts and not whole, as where a page ends within a cell. */
export function showsInParts(value: string, { text: { text } }: EventText): boolean {
  return !text.includes(value) && isDivided(value, text, text);
}

/** At how many page ends a value stands in two parts, behind the last key and before the next; 0 if it is short. */
export function timesDivided(value: string, { text: { text, pages }, keys }: EventText): number {
  let next = 0;
  return pages.slice(1).filter((start) => {
    while ((keys[next]?.start ?? text.length) < start) next += 1;
    const tail = text.slice(keys[next - 1]?.end ?? 0, start);
    return isDivided(value, tail, text.slice(start, keys[next]?.start ?? text.length));
  }).length;
}

/** Whether a long value begins in one text and ends in another. */
function isDivided(value: string, before: string, behind: string): boolean {
  const { dividedLength, dividedPart } = thresholds;
  if (value.length < dividedLength || !before.includes(value.slice(0, dividedPart))) return false;
  // The longest beginning that stands there leaves the shortest end: where that does not stand behind, no longer one does.
  let [at, last] = [dividedPart, value.length - dividedPart];
  while (at < last) {
    const middle = Math.ceil((at + last) / 2);
    if (before.includes(value.slice(0, middle))) at = middle;
    else last = middle - 1;
  }
  return behind.includes(value.slice(at));
}
