import type { Row } from '../csv/csv-form.ts';
import { groupBy } from '../group-by.ts';
import {
  findOccurrences,
  isShowable,
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
  /** Where its values stand. */
  readonly keys: readonly PrintedKey[];
  /** The places at which most of them do; undefined in running text. */
  readonly places: readonly KeyPlace[] | undefined;
  /** The columns that are printed beside it. */
  readonly traits: readonly Trait[];
}

/** An event as the PDF prints it: the key that identifies it, and the text on both sides up to its neighbours' keys. */
export interface PrintedEvent {
  readonly key: string;
  readonly before: string;
  readonly after: string;
  /** Whether its key stands where keys stand; a title that names an id does not. */
  readonly isAtUsualPlace: boolean;
}

/** Where a key is printed. */
export interface PrintedKey extends Occurrence {
  /** Whether it stands where keys stand; the range in a title does not. */
  readonly isAtUsualPlace: boolean;
}

/** A printed column whose values stand beside the key of their event, always on the same side. */
export interface Trait extends PrintedColumn {
  readonly side: 'before' | 'after';
  /** In which share of a sample of events its values stand there, from 0 to 1. */
  readonly share: number;
}

/**
 * Finds the columns of the CSV in the PDF. Most files write an event cell by cell, and their own order is the best
 * there is. Some write tables line by line, which splits cells of several lines, or column by column, which takes
 * events apart: these are put together again by their position on the page.
 *
 * @param others rows of events that may be there too
 */
export function readEventText(
  rows: readonly Row[],
  body: readonly Piece[],
  others: readonly Row[] = [],
): EventText {
  const asWritten = recognize(joinPieces(body), rows);
  if (isClear(asWritten)) return asWritten;
  const byColumn = recognize(joinPieces(sorted(body, () => 0)), rows);
  // Where lines are written one by one, whole keys can stand together by column only.
  const keyed = worthOfKey(byColumn) >= worthOfKey(asWritten) ? byColumn : asWritten;
  if (keyed.key === undefined) return asWritten;
  const keys = [...keyed.keys, ...findOtherKeys(keyed, keyed.key, others)];
  const edges = edgesOf(keyed.text, keys);
  const inRows = [rowsBelow(edges), rowsAround(edges)].map((bandOf) =>
    recognize(joinPieces(sorted(body, bandOf)), rows),
  );
  return [byColumn, ...inRows].reduce(
    (best, one) => (clarity(one) > 1.2 * clarity(best) ? one : best),
    asWritten,
  );
}

function recognize(text: PlainText, rows: readonly Row[]): EventText {
  const columns = printedColumns(rows, text);
  const [first, second] = keysOf(columns).map((key): EventText => {
    const { keys, places } = findKeys(text, key);
    return {
      text,
      columns,
      key,
      keys,
      places,
      traits: traitsOf(eventsAt(text, keys), key, columns),
    };
  });
  if (first === undefined) {
    return { text, columns, key: undefined, keys: [], places: undefined, traits: [] };
  }
  return second !== undefined && clarity(second) > clarity(first) ? second : first;
}

/** Whether about everything that is found stands beside the key of its event, whole: lines can be cut by other cells. */
function isClear({ key, columns, traits }: EventText): boolean {
  if (key === undefined || key.isCut || key.found <= 0.9) return false;
  const others = columns.filter(
    ({ column, found, isProse }) => column !== key.column && found > 0.8 && !isProse,
  );
  const beside = others.filter(
    ({ column, isCut }) => !isCut && traits.some((trait) => trait.column === column),
  );
  return beside.length >= 0.7 * others.length;
}

function worthOfKey({ key }: EventText): number {
  return key === undefined ? 0 : worth(key);
}

/** How much of what tells events apart is found, in bits. */
function clarity({ key, traits }: EventText): number {
  if (key === undefined) return 0;
  const whole = (column: PrintedColumn) => (column.isCut ? 0.3 : 1) * weightOf(column);
  const beside = traits.reduce((sum, trait) => sum + trait.share * whole(trait), 0);
  return key.found ** 2 * whole(key) + beside;
}

/** How much a column tells events apart, in bits. */
export function weightOf({ distinct }: PrintedColumn): number {
  return Math.log2(Math.max(1, distinct));
}

/**
 * The columns that may identify events best: a value in every row, too long to be found by accident, different from
 * row to row, and found in the PDF; where most events are missing, those with most values found.
 */
function keysOf(columns: readonly PrintedColumn[]): PrintedColumn[] {
  const keys = columns.filter(({ values }) =>
    values.every((value) => value.length >= (isClock(value) ? 5 : 6)),
  );
  const byFound = keys.toSorted((a, b) => rank(b) - rank(a));
  const byNumber = keys.toSorted((a, b) => rank(b) / b.found - rank(a) / a.found);
  return [...new Set([...byFound.slice(0, 1), ...byNumber.slice(0, 1)])];
}

function isClock(value: string): boolean {
  return /^\d\d?:\d\d/.test(value);
}

function rank(column: PrintedColumn): number {
  return worth(column) * (column.isProse ? 0.25 : 1) * (isWord(column) ? 0.02 : 1);
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

/** First and last base lines of the keys of each page, in points from its top, from top to bottom. */
type Edges = ReadonlyMap<number, readonly { readonly top: number; readonly foot: number }[]>;

function edgesOf(text: PlainText, keys: readonly PrintedKey[]): Edges {
  const lines = keys.flatMap(({ start, end }) => {
    const [first, last] = [pieceAt(text, start)?.piece, pieceAt(text, end - 1)?.piece];
    return first && last ? [{ page: first.page, top: first.y, foot: last.y }] : [];
  });
  const byPage = groupBy(lines, ({ page }) => page);
  return new Map([...byPage].map(([page, edges]) => [page, edges.sort((a, b) => a.top - b.top)]));
}

/** Each key begins a row of a table, which reaches to the next one: cells stand at the top of their row. */
function rowsBelow(edges: Edges): (piece: Piece) => number {
  // Base lines of one row differ a little where its fonts do.
  return ({ page, y }) => (edges.get(page) ?? []).filter(({ top }) => top <= y + 2).length;
}

/** Rows are divided halfway between their keys: cells stand in the middle of their row. */
function rowsAround(edges: Edges): (piece: Piece) => number {
  const borders = new Map(
    [...edges].map(([page, keys]) => [
      page,
      keys.slice(1).map(({ top }, index) => (top + (keys[index]?.foot ?? top)) / 2),
    ]),
  );
  return ({ page, y }) => (borders.get(page) ?? []).filter((border) => border <= y).length;
}

/** Maximal length of the text of an event on either side of its key, in characters. */
const maxLength = 5000;

/** The events that have these keys, in the order of the text; each reaches to its neighbours' usual places. */
export function eventsAt({ text }: PlainText, keys: readonly PrintedKey[]): PrintedEvent[] {
  const usual = keys.filter(({ isAtUsualPlace }) => isAtUsualPlace);
  let next = 0;
  return keys.map(({ value, start, end, isAtUsualPlace }) => {
    while ((usual[next]?.start ?? Number.POSITIVE_INFINITY) <= start) next += 1;
    const previous = usual[next - (isAtUsualPlace ? 2 : 1)]?.end ?? 0;
    const following = usual[next]?.start ?? text.length;
    return {
      key: value,
      before: text.slice(Math.max(previous, start - maxLength), start),
      after: text.slice(end, Math.min(following, end + maxLength)),
      isAtUsualPlace,
    };
  });
}

/** Finds where the values of the key stand, in the order of the text. */
function findKeys(text: PlainText, { values }: PrintedColumn): Pick<EventText, 'keys' | 'places'> {
  const used = keyPlaces(text, values);
  const places = mostUsed(used);
  const isUsual = usualPlaces(places);
  const keys = used.flatMap((place) =>
    place.occurrences.map((one) => ({ ...one, isAtUsualPlace: isUsual(place) })),
  );
  return { keys: keys.sort((a, b) => a.start - b.start), places };
}

/** Keys of other rows that none of the known ones has, where they stand as those do. */
export function findOtherKeys(
  { text, places }: EventText,
  key: PrintedColumn,
  others: readonly Row[],
): PrintedKey[] {
  const known = new Set(key.values);
  const values = key
    .write(others.map((row) => row[key.column] ?? ''))
    .filter((value) => value !== '' && !known.has(value));
  const isUsual = usualPlaces(places);
  return occurrencesOf(text, values)
    .filter((occurrence) => isUsual(placeOf(text, occurrence)))
    .map((occurrence) => ({ ...occurrence, isAtUsualPlace: true }));
}

/** Short values, such as times, are meant only where they are words. */
export function occurrencesOf(text: PlainText, values: readonly string[]): Occurrence[] {
  return findOccurrences(text, values).filter(
    ({ value, start, end }) => value.length > 8 || (text.isBreak(start) && text.isBreak(end)),
  );
}

/** A column of a table, or what follows a label: texts that begin at one left edge and offset. */
interface KeyPlace {
  /** Left edge of the piece, in whole points. */
  readonly x: number;
  /** Offset within the piece, in characters. */
  readonly within: number;
}

/** The values that stand at a place. */
interface UsedPlace extends KeyPlace {
  readonly occurrences: readonly Occurrence[];
}

function placeOf(text: PlainText, { start }: Pick<Occurrence, 'start'>): KeyPlace {
  const { piece, within = 0 } = pieceAt(text, start) ?? {};
  return { x: Math.round(piece?.x ?? 0), within };
}

function nameOf({ x, within }: KeyPlace): string {
  return `${x} ${within}`;
}

/** The places at which many keys stand; undefined in running text, where every place is as usual as another. */
function mostUsed(places: readonly UsedPlace[]): UsedPlace[] | undefined {
  const most = places[0]?.occurrences.length ?? 0;
  const all = places.reduce((sum, { occurrences }) => sum + occurrences.length, 0);
  if (most < 0.4 * all) return undefined;
  return places.filter(({ occurrences }) => occurrences.length * 10 >= most);
}

function usualPlaces(places: EventText['places']): (place: KeyPlace) => boolean {
  if (places === undefined) return () => true;
  const names = new Set(places.map(nameOf));
  return (place) => names.has(nameOf(place));
}

/**
 * The places at which the values stand, the one with the most of them first, without those that only repeat what
 * stands elsewhere: layouts can print an id in the heading of an event and in a line of its own, and titles name a
 * range or a filter.
 */
function keyPlaces(text: PlainText, values: readonly string[]): UsedPlace[] {
  const located = occurrencesOf(text, values).map((occurrence) => ({
    occurrence,
    ...placeOf(text, occurrence),
  }));
  const places = [...groupBy(located, nameOf).values()]
    .map((group) => ({
      x: group[0].x,
      within: group[0].within,
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

/** Rows and printed events that have the same key: mostly one of each. */
export interface Group {
  /** Indexes of rows. */
  readonly rows: readonly number[];
  readonly events: readonly PrintedEvent[];
}

export function groupByKey(
  events: readonly PrintedEvent[],
  { values }: Pick<PrintedColumn, 'values'>,
): Group[] {
  const eventsByKey = groupBy(events, ({ key }) => key);
  return [...groupBy(values.keys(), (row) => values[row] ?? '')].map(([key, rows]) => ({
    rows,
    events: eventsByKey.get(key) ?? [],
  }));
}

/** By so many groups it is found out on which side of the key a column stands. */
const sampledGroups = 300;
const enoughAlone = 12;

/** Finds the columns by which an event can be recognized beside its key. */
function traitsOf(
  events: readonly PrintedEvent[],
  key: PrintedColumn,
  columns: readonly PrintedColumn[],
): Trait[] {
  const groups = groupByKey(events, key);
  // Where one key is that of several events, another one's values stand beside it too.
  const alone = groups.filter((group) => group.rows.length === 1 && group.events.length === 1);
  const few = groups.filter((group) => group.events.length > 0 && group.rows.length <= 5);
  const sample = (alone.length >= enoughAlone ? alone : few).slice(0, sampledGroups);
  return columns.flatMap((column) => {
    if (column.column === key.column) return [];
    const before = heldOn('before', sample, column);
    const after = heldOn('after', sample, column);
    // Neighbours can share a value: it stands on both sides of some events then.
    const { side, share } = before.events > after.events ? before : after;
    return share < 0.8 ? [] : [{ ...column, share, side }];
  });
}

/** What of a column stands on one side of the keys. */
interface Held extends Pick<Trait, 'side' | 'share'> {
  /** How many groups hold the value of one of their rows at their outer end, where no other event of theirs follows. */
  readonly events: number;
}

function heldOn(side: Trait['side'], groups: readonly Group[], { values }: PrintedColumn): Held {
  let [held, needed, all] = [0, 0, 0];
  for (const { rows, events } of groups) {
    const own = rows.map((row) => values[row] ?? '').filter(isShowable);
    // Events beyond the rows have other values.
    const most = Math.min(own.length, events.length);
    needed += most;
    const valueBeside = (event: PrintedEvent) => own.find((one) => holds(event[side], one));
    held += Math.min(most, events.filter((event) => valueBeside(event) !== undefined).length);
    const outer = side === 'before' ? events[0] : events.at(-1);
    if (outer !== undefined && valueBeside(outer) !== undefined) all += 1;
  }
  return { side, events: all, share: held / Math.max(1, needed) };
}

/** Whether a text, as compared, holds the value, or its beginning and an ellipsis. */
export function holds(text: string, value: string): boolean {
  if (text.includes(value)) return true;
  const beginnings = text.split('...').slice(0, -1);
  return beginnings.some((part) => part.length >= 8 && value.includes(part.slice(-8)));
}
