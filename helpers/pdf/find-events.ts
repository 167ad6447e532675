import type { Row } from '../csv/csv-form.ts';
import { countsOf, groupBy } from '../maps.ts';
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
import { thresholds } from './thresholds.ts';

/** The text of a PDF in an order in which its events can be recognized, and the columns that they are recognized by. */
export interface EventText {
  readonly text: PlainText;
  readonly columns: readonly PrintedColumn[];
  /** The column whose values identify the events; undefined where no column of the CSV is found. */
  readonly key: PrintedColumn | undefined;
  /** Every place in the text where a value of the key column stands, in the order of the text. */
  readonly keys: readonly PrintedKey[];
  /** The usual places: positions on the page at which most keys stand; undefined in running text. */
  readonly places: readonly KeyPlace[] | undefined;
  /** The columns whose values are printed beside the key of their event. */
  readonly traits: readonly Trait[];
}

/** An event as the PDF prints it: the key that identifies it, and the text on both sides up to its neighbours' keys. */
export interface PrintedEvent {
  readonly key: string;
  readonly before: string;
  readonly after: string;
  /** Whether its key stands at a usual place; an id in a title does not. */
  readonly isAtUsualPlace: boolean;
}

/** A position on the page that text of many events shares: a column of a table, or behind a label such as “Id:”. */
interface KeyPlace {
  /** Left edge of the piece, in whole points. */
  readonly x: number;
  /** Offset within the piece, in characters. */
  readonly within: number;
}

/** The position on the page of what stands at an offset of the text. */
export function placeAt(text: PlainText, offset: number): KeyPlace {
  const { piece, within = 0 } = pieceAt(text, offset) ?? {};
  return { x: Math.round(piece?.x ?? 0), within };
}

/** Where a key is printed. */
export interface PrintedKey extends Occurrence {
  /** Whether it stands at a usual place; the range in a title does not. */
  readonly isAtUsualPlace: boolean;
}

/** A printed column whose values stand beside the key of their event, always on the same side. */
export interface Trait extends PrintedColumn {
  readonly side: 'before' | 'after';
  /** In which share of a sample of events its values stand there, from 0 to 1. */
  readonly share: number;
}

/**
 * Finds the columns of the CSV in the text of the PDF. Most files write an event cell by cell, and then the order of
 * the file is best. Some write tables line by line, which splits cells of several lines, or column by column, which
 * takes events apart: for these the text is sorted by its position on the page, in the way in which most is recognized.
 * @param rows events of the CSV; `others`: rows of events that the PDF may print as well
 */
export function readEventText(
  rows: readonly Row[],
  body: readonly Piece[],
  others: readonly Row[] = [],
): EventText {
  const inOrder = (pieces: readonly Piece[]) => recognize(joinPieces(pieces), rows, others);
  const asWritten = inOrder(body);
  if (isClear(asWritten)) return asWritten;
  const byColumn = inOrder(sorted(body, () => 0));
  // Where the file writes tables line by line, a key of several lines is whole only in the order of columns.
  const worthOf = ({ key }: EventText): number => (key === undefined ? 0 : worth(key));
  const keyed = worthOf(byColumn) >= worthOf(asWritten) ? byColumn : asWritten;
  const inRows = rowStarts.map((startOf) => inOrder(sorted(body, rowsOf(keyed, startOf))));
  return [byColumn, ...inRows].reduce(
    (best, one) => (clarity(one) > thresholds.clearer * clarity(best) ? one : best),
    asWritten,
  );
}

/** The columns of the rows in a text of one order, its key column, and what stands beside the keys. */
function recognize(text: PlainText, rows: readonly Row[], others: readonly Row[]): EventText {
  const columns = printedColumns(rows, text, others);
  const none = { text, columns, key: undefined, keys: [], places: undefined, traits: [] };
  const [first = none, second = first] = keysOf(columns, rows.length).map((key): EventText => {
    const { keys, places } = findKeys(text, key, rows.length);
    const groups = groupByKey(eventsAt(text, keys), key, rows.length);
    return { text, columns, key, keys, places, traits: traitsOf(groups, key, columns) };
  });
  return clarity(second) > clarity(first) ? second : first;
}

/**
 * Whether most columns that are found stand whole beside the key of their event, so that no other order is needed. Keys
 * that are not found belong to events that are missing where other columns that tell events apart lack as many.
 */
function isClear({ key, columns, traits }: EventText): boolean {
  if (key === undefined || key.isCut) return false;
  const others = columns.filter(({ column, isProse }) => column !== key.column && !isProse);
  const telling = others.filter(({ distinct }) => distinct >= thresholds.half * key.distinct);
  const due = telling.length === 0 ? 1 : Math.max(...telling.map(({ found }) => found));
  if (key.found <= thresholds.nearlyAll * due) return false;
  const found = others.filter((one) => one.found > thresholds.most * due);
  const beside = found.filter(
    ({ column, isCut }) => !isCut && traits.some((trait) => trait.column === column),
  );
  return beside.length >= thresholds.clear * found.length;
}

/** How clearly a text shows which event is which, in bits: the weight of its key and of the columns beside it. */
function clarity({ key, traits }: EventText): number {
  if (key === undefined) return 0;
  const whole = (column: PrintedColumn) => (column.isCut ? thresholds.cut : 1) * weightOf(column);
  const beside = traits.reduce((sum, trait) => sum + trait.share * whole(trait), 0);
  return key.found ** 2 * whole(key) + beside;
}

/** How well a column tells events apart, in bits: 10 for a thousand different values. */
export function weightOf({ distinct }: PrintedColumn): number {
  return Math.log2(Math.max(1, distinct));
}

/**
 * The one or two columns that may identify events best: each has a value in every row, too long to be found by
 * accident. The first is the best by share and number of values found, the second by number alone.
 */
function keysOf(columns: readonly PrintedColumn[], count: number): PrintedColumn[] {
  const { keyLength, clockLength } = thresholds;
  const isLong = (value: string): boolean =>
    value.length >= (/^\d\d?:\d\d/.test(value) ? clockLength : keyLength);
  const keys = columns.filter(({ values }) => values.slice(0, count).every(isLong));
  const rank = (column: PrintedColumn): number =>
    worth(column) *
    (column.isProse ? thresholds.prose : 1) *
    (isWord(column) ? thresholds.words : 1);
  const byFound = keys.toSorted((a, b) => rank(b) - rank(a));
  const byNumber = keys.toSorted((a, b) => rank(b) / b.found - rank(a) / a.found);
  return [...new Set([...byFound.slice(0, 1), ...byNumber.slice(0, 1)])];
}

/** The pieces page by page, band by band within a page, within a band by left edge, and from top to bottom. */
function sorted(pieces: readonly Piece[], bandOf: (piece: Piece) => number): Piece[] {
  return pieces
    .map((piece) => ({ piece, band: bandOf(piece), x: Math.round(piece.x) }))
    .sort(
      (a, b) =>
        a.piece.page - b.piece.page || a.band - b.band || a.x - b.x || a.piece.y - b.piece.y,
    )
    .map(({ piece }) => piece);
}

/** The first and the last base line of a key, in points from the top of its page. */
interface KeyLines {
  readonly page: number;
  readonly top: number;
  readonly foot: number;
}

/** Where the row of a key begins, in points from the top of the page, by the ways in which tables place cells. */
const rowStarts: readonly ((key: KeyLines, above: KeyLines | undefined) => number)[] = [
  // At the top of the row. Base lines of one row differ a little where its fonts do.
  ({ top }) => top - thresholds.points,
  // In the middle of the row: it begins halfway between its key and the key above.
  ({ top }, above) => (above === undefined ? 0 : (top + above.foot) / 2),
];

/** Tells in which row of its page a piece stands. */
function rowsOf({ text, keys }: EventText, startOf: (typeof rowStarts)[number]) {
  const lines = keys.flatMap(({ start, end }): KeyLines[] => {
    const [first, last] = [start, end - 1].map((offset) => pieceAt(text, offset)?.piece);
    return first && last ? [{ page: first.page, top: first.y, foot: last.y }] : [];
  });
  lines.sort((a, b) => a.top - b.top);
  const byPage = groupBy(lines, ({ page }) => page);
  return ({ page, y }: Piece): number =>
    (byPage.get(page) ?? []).filter((key, index, all) => startOf(key, all[index - 1]) <= y).length;
}

/** One event for each of these keys, in the order of the text. Its text reaches to the next keys at usual places. */
export function eventsAt({ text }: PlainText, keys: readonly PrintedKey[]): PrintedEvent[] {
  const usual = keys.filter(({ isAtUsualPlace }) => isAtUsualPlace);
  const { eventLength } = thresholds;
  let next = 0;
  return keys.map(({ value, start, end, isAtUsualPlace }) => {
    while ((usual[next]?.start ?? Number.POSITIVE_INFINITY) <= start) next += 1;
    const previous = usual[next - (isAtUsualPlace ? 2 : 1)]?.end ?? 0;
    const following = usual[next]?.start ?? text.length;
    return {
      key: value,
      before: text.slice(Math.max(previous, start - eventLength), start),
      after: text.slice(end, Math.min(following, end + eventLength)),
      isAtUsualPlace,
    };
  });
}

/** Where values of a key column stand, and the usual places of most: values of other rows count at these alone. */
function findKeys(text: PlainText, { values }: PrintedColumn, count: number) {
  const placed = findOccurrences(text, values).map((key) => ({
    ...key,
    ...placeAt(text, key.start),
  }));
  const wanted = countsOf(values.slice(0, count));
  const groups = keysByPlace(
    placed.filter(({ value }) => wanted.has(value)),
    new Map(wanted),
  );
  const places = mostUsed(groups);
  const isUsual = ({ x, within }: KeyPlace): boolean =>
    places === undefined || places.some((place) => place.x === x && place.within === within);
  const ofOthers = placed.filter((key) => !wanted.has(key.value) && isUsual(key));
  const keys = [...groups.flat(), ...ofOthers]
    .sort((a, b) => a.start - b.start)
    .map(({ x, within, ...key }) => ({ ...key, isAtUsualPlace: isUsual({ x, within }) }));
  return { keys, places };
}

type PlacedKey = Occurrence & KeyPlace;

/** The places with at least a tenth as many keys as the first; undefined in running text, which has no usual place. */
function mostUsed(groups: readonly PlacedKey[][]): EventText['places'] {
  const most = groups[0]?.length ?? 0;
  if (most < thresholds.inOnePlace * groups.flat().length) return undefined;
  return groups.flatMap((group) =>
    group.length >= thresholds.inPlaces * most ? group.slice(0, 1) : [],
  );
}

/**
 * The values by the place at which they stand, the place with the most of them first. Places that mostly repeat values
 * of earlier ones are left out: a layout can print an id in the heading of an event and again below, and titles can
 * name values. @param wanted how often each value is looked for
 */
function keysByPlace(placed: readonly PlacedKey[], wanted: Map<string, number>): PlacedKey[][] {
  const groups = [...groupBy(placed, ({ x, within }) => `${x} ${within}`).values()];
  return groups
    .sort((a, b) => b.length - a.length)
    .filter((group) => {
      const needed = group.filter(({ value }) => (wanted.get(value) ?? 0) > 0);
      for (const { value } of group) wanted.set(value, (wanted.get(value) ?? 0) - 1);
      return needed.length >= thresholds.half * group.length;
    });
}

/** The rows of the CSV, those of other events, and the printed events that have one key: mostly one row and event. */
export interface Group {
  /** Indexes of rows. */
  readonly rows: readonly number[];
  /** Indexes behind those of the rows. */
  readonly others: readonly number[];
  readonly events: readonly PrintedEvent[];
}

/** @param count how many of the values are those of rows; those behind them are of other events */
export function groupByKey(
  events: readonly PrintedEvent[],
  { values }: Pick<PrintedColumn, 'values'>,
  count: number,
): Group[] {
  const eventsByKey = groupBy(events, ({ key }) => key);
  // Others are thousands, and most are not printed: a key that no row and no event has is no group.
  const isOfGroup = (row: number): boolean => row < count || eventsByKey.has(values[row] ?? '');
  const indexes = [...values.keys()].filter(isOfGroup);
  return [...groupBy(indexes, (row) => values[row] ?? '')].map(([key, all]) => ({
    rows: all.filter((row) => row < count),
    others: all.filter((row) => row >= count),
    events: eventsByKey.get(key) ?? [],
  }));
}

/** Finds the columns whose values stand beside the key of their event, in most of a sample and on the same side. */
function traitsOf(
  groups: readonly Group[],
  key: PrintedColumn,
  columns: readonly PrintedColumn[],
): Trait[] {
  const { sampledGroups, enoughAlone, rowsOfAKey, most } = thresholds;
  // Groups of one row and one event tell most: where events share a key, values of the others stand near it too.
  const alone = groups.filter(({ rows, events }) => rows.length === 1 && events.length === 1);
  const few = groups.filter(({ rows, events }) => events.length > 0 && rows.length <= rowsOfAKey);
  const sample = (alone.length >= enoughAlone ? alone : few).slice(0, sampledGroups);
  return columns.flatMap((column) => {
    if (column.column === key.column) return [];
    const before = heldOn('before', sample, column);
    const after = heldOn('after', sample, column);
    // A value that neighbours share stands on both sides of the key: the side with more events is the column's.
    const { side, share } = before.atOuterEnd > after.atOuterEnd ? before : after;
    return share < most ? [] : [{ ...column, share, side }];
  });
}

/**
 * In which share of groups the values of a column stand on one side of the keys. `atOuterEnd`: how many groups show a
 * value of their rows at their outer end, where no other event of the group stands.
 */
function heldOn(side: Trait['side'], groups: readonly Group[], { values }: PrintedColumn) {
  let [needed, held, atOuterEnd] = [0, 0, 0];
  for (const { rows, events } of groups) {
    const own = rows.map((row) => values[row] ?? '').filter(isShowable);
    const showsOwn = (event: PrintedEvent): boolean => own.some((one) => holds(event[side], one));
    // Where a group has more events than rows, the events beyond have other values.
    const most = Math.min(own.length, events.length);
    needed += most;
    held += Math.min(most, events.filter(showsOwn).length);
    const outer = side === 'before' ? events.slice(0, 1) : events.slice(-1);
    atOuterEnd += outer.filter(showsOwn).length;
  }
  return { side, atOuterEnd, share: held / Math.max(1, needed) };
}

/** Whether a text holds the value, or a beginning of it before an ellipsis; both as `plain` makes them. */
export function holds(text: string, value: string): boolean {
  if (text.includes(value)) return true;
  const least = thresholds.beforeEllipsis;
  const beginnings = text.split('...').slice(0, -1);
  return beginnings.some((part) => part.length >= least && value.includes(part.slice(-least)));
}
