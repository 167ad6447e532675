import type { Row } from '../csv/csv-form.ts';
import { groupBy } from '../group-by.ts';
import {
  findOccurrences,
  joinPieces,
  type Occurrence,
  type Piece,
  type PlainText,
  pieceAt,
} from './plain-text.ts';
import { isWord, type PrintedColumn, printedColumns, worth } from './printed-columns.ts';

/** The text of a PDF in an order in which its events can be recognized, and by what. */
export interface EventText {
  readonly text: PlainText;
  readonly columns: readonly PrintedColumn[];
  /** The column whose values identify the events; undefined where no column of the CSV is found. */
  readonly key: PrintedColumn | undefined;
}

/** An event as the PDF prints it: the key that identifies it, and the text on both sides up to its neighbours' keys. */
export interface PrintedEvent {
  /** Null where it looks like a key and stands where keys stand, but no row has it. */
  readonly key: string | null;
  readonly before: string;
  readonly after: string;
  /** Whether its key stands where keys stand; a title that names an id does not. */
  readonly isAtUsualPlace: boolean;
}

/** Where a key is printed. */
export interface PrintedKey extends Omit<Occurrence, 'value'> {
  /** Null where it looks like a key and stands where keys stand, but no row has it. */
  readonly value: string | null;
  /** Whether it stands where keys stand; the range in a title does not. */
  readonly isAtUsualPlace: boolean;
}

/** Maximal length of the text of an event on either side of its key, in characters. */
const maxLength = 5000;

/**
 * Finds the columns of the CSV in the PDF. Most files write an event cell by cell, and their own order is the best
 * there is. Some write tables line by line, which splits cells of several lines: these are joined again by their
 * position on the page.
 */
export function readEventText(rows: readonly Row[], body: readonly Piece[]): EventText {
  const asWritten = withColumns(joinPieces(body), rows);
  if (asWritten.key && asWritten.key.found > 0.9 && !asWritten.key.isCut) return asWritten;
  const byColumn = withColumns(joinPieces(sorted(body, () => 0)), rows);
  if (!byColumn.key || gain(asWritten, byColumn) < 2) return asWritten;
  return withColumns(joinPieces(sorted(body, bandsBelow(byColumn.text, byColumn.key))), rows);
}

function withColumns(text: PlainText, rows: readonly Row[]): EventText {
  const columns = printedColumns(rows, text);
  return { text, columns, key: keyOf(columns) };
}

/**
 * The column that identifies events best: a value in every row, found in the PDF, too long to be found by accident,
 * and different from row to row.
 */
function keyOf(columns: readonly PrintedColumn[]): PrintedColumn | undefined {
  const keys = columns.filter(({ values }) => values.every((value) => value.length >= 6));
  return keys.sort((a, b) => rank(b) - rank(a))[0];
}

function rank(column: PrintedColumn): number {
  return worth(column) * (column.isProse ? 0.25 : 1) * (isWord(column) ? 0.02 : 1);
}

function gain(before: EventText, { key }: EventText): number {
  return key ? worth(key) / (before.key ? worth(before.key) : 1) : 0;
}

/** Pieces page by page, in each band of a page column by column, each from top to bottom. */
function sorted(pieces: readonly Piece[], bandOf: (piece: Piece) => number): Piece[] {
  return pieces
    .map((piece) => ({ piece, band: bandOf(piece), x: Math.round(piece.x) }))
    .sort(
      (a, b) =>
        a.piece.page - b.piece.page || a.band - b.band || a.x - b.x || a.piece.y - b.piece.y,
    )
    .map(({ piece }) => piece);
}

/** Each key begins a band of its page, which reaches to the next one: the row of a table. */
function bandsBelow(text: PlainText, { values }: PrintedColumn): (piece: Piece) => number {
  const tops = groupBy(
    findKeys(text, values).flatMap(({ start }) => pieceAt(text, start)?.piece ?? []),
    ({ page }) => page,
  );
  // Base lines of one row differ a little where its fonts do.
  return (piece) => (tops.get(piece.page) ?? []).filter(({ y }) => y <= piece.y + 2).length;
}

/** Finds the events that the PDF prints, in the order of its text. */
export function findEvents(
  text: PlainText,
  key: PrintedColumn,
  columns: readonly PrintedColumn[],
): PrintedEvent[] {
  const others = columns.filter(({ column }) => column !== key.column);
  const elsewhere = new Set(others.flatMap(({ values }) => values));
  // What looks like a key can be an id of another kind, which begins a line where keys do.
  const keys = findKeys(text, key.values).filter(
    ({ value, start, end }) => value !== null || !elsewhere.has(text.text.slice(start, end)),
  );
  return keys.map(({ value, start, end, isAtUsualPlace }, index) => {
    const previous = keys[index - 1]?.end ?? 0;
    const next = keys[index + 1]?.start ?? text.text.length;
    return {
      key: value,
      before: text.text.slice(Math.max(previous, start - maxLength), start),
      after: text.text.slice(end, Math.min(next, end + maxLength)),
      isAtUsualPlace,
    };
  });
}

/**
 * Finds keys in the order of the text: the given values, and what looks like them, stands where they stand, and is
 * none of them, as the keys of events that the CSV does not hold do.
 */
export function findKeys(text: PlainText, values: readonly string[]): PrintedKey[] {
  const places = keyPlaces(text, values);
  const most = places[0]?.occurrences.length ?? 0;
  const isUsual = ({ occurrences }: Place) => occurrences.length * 10 >= most;
  const known = places.flatMap((place) =>
    place.occurrences.map((occurrence) => ({ ...occurrence, isAtUsualPlace: isUsual(place) })),
  );
  const taken = new Set(known.map(({ start }) => start));
  const unknown = keysAt(places.filter(isUsual), text, values).filter(
    ({ start }) => !taken.has(start),
  );
  return [...known, ...unknown].sort((a, b) => a.start - b.start);
}

/** A column of a table, or what follows a label: texts that begin at one left edge and offset. */
interface Place {
  /** Left edge of the piece, in whole points. */
  readonly x: number;
  /** Offset within the piece, in characters. */
  readonly within: number;
  /** The values that stand there. */
  readonly occurrences: readonly Occurrence[];
}

/**
 * The places at which the values stand, the one with the most of them first, without those that only repeat what
 * stands elsewhere: layouts can print an id in the heading of an event and in a line of its own, and titles name a
 * range or a filter.
 */
function keyPlaces(text: PlainText, values: readonly string[]): Place[] {
  const located = findOccurrences(text, values).map((occurrence) => {
    const { piece, within = 0 } = pieceAt(text, occurrence.start) ?? {};
    return { occurrence, x: Math.round(piece?.x ?? 0), within };
  });
  const places = [...groupBy(located, ({ x, within }) => `${x} ${within}`).values()]
    .map((group) => ({
      x: group[0]?.x ?? 0,
      within: group[0]?.within ?? 0,
      occurrences: group.map(({ occurrence }) => occurrence),
    }))
    .sort((a, b) => b.occurrences.length - a.occurrences.length);
  const wanted = new Map<string, number>();
  for (const value of values) wanted.set(value, (wanted.get(value) ?? 0) + 1);
  return places.filter(({ occurrences }) => {
    const needed = occurrences.filter(({ value }) => (wanted.get(value) ?? 0) > 0);
    for (const { value } of occurrences) wanted.set(value, (wanted.get(value) ?? 0) - 1);
    return needed.length * 2 >= occurrences.length;
  });
}

/** Whatever looks like one of the values and stands at one of the places. */
function keysAt(
  places: readonly Place[],
  text: PlainText,
  values: readonly string[],
): PrintedKey[] {
  const forms = [...new Set(values.map(formOf))].sort((a, b) => b.length - a.length).slice(0, 20);
  const patterns = forms.map((form) => new RegExp(form, 'yu'));
  const placesByEdge = groupBy(places, ({ x }) => x);
  return text.pieces.flatMap(({ x }, index) =>
    (placesByEdge.get(Math.round(x)) ?? []).flatMap(({ within }) => {
      const start = (text.starts[index] ?? 0) + within;
      const end = endOfMatch(text, start, patterns);
      return end === undefined ? [] : [{ value: null, start, end, isAtUsualPlace: true }];
    }),
  );
}

/** A pattern for values like this one: any digit or letter for each of its own, the rest to the letter. */
function formOf(value: string): string {
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
