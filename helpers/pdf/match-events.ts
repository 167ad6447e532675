/**
 * How the events of a PDF are compared with the rows of a CSV:
 *
 *     bytes ─ read-pdf ──────────▶ pages of text items, each with its position
 *           ─ plain-text ────────▶ one string without white space, in which values can be found
 *           ─ printed-columns ───▶ the columns of the CSV that are printed, and in what form (date-formats)
 *           ─ find-events ───────▶ the key column, where its values stand, and the text of each event around its key
 *           ─ this file ─────────▶ each row given the printed event most like it; rows missing, events surplus
 */
import type { Row } from '../csv/csv-form.ts';
import { groupBy } from '../group-by.ts';
import { findEvents, findKeys, type PrintedEvent, readEventText } from './find-events.ts';
import { bodyOf, isShowable, type PlainText } from './plain-text.ts';
import { isWord, type PrintedColumn } from './printed-columns.ts';
import type { PdfReading } from './read-pdf.ts';

/** How the events of a CSV and of a PDF agree. */
export interface EventMatch {
  /** Indexes of the rows that the PDF lacks, in order. Of rows alike in everything printed, any may stand for the others. */
  readonly missing: readonly number[];
  /** At least how many events the PDF holds beyond the rows, those printed twice among them. */
  readonly surplus: number;
  /** Columns of the CSV by which events were recognized in the PDF; empty where nothing of the CSV was found in it. */
  readonly columns: readonly number[];
  /** Those of them of which the PDF shows only the beginnings. */
  readonly cut: readonly number[];
}

/**
 * Compares the events of a PDF export with the rows of the CSV export of the same query (4. Export audit events),
 * whatever the layout: tables, several lines an event, cards; ids broken across lines; fewer columns and other
 * dates than in the CSV; text that is cut off or that the font cannot show.
 *
 * An event is there when the key that identifies it (an id, a time) is, and with it the better part of what tells it
 * from others. An empty CSV does not show what events look like: compare its PDF with the rows of a query that
 * holds more; all of them must be missing.
 */
export function matchEvents(rows: readonly Row[], reading: PdfReading): EventMatch {
  const { text, columns, key } = readEventText(rows, bodyOf(reading.pages));
  const nothing = { missing: [...rows.keys()], surplus: 0, columns: [], cut: [] };
  if (!key) return nothing;
  const events = findEvents(text, key, columns);
  const groups = groupByKey(events, key);
  const traits = traitsOf(groups, key, columns);
  // A few values of one column, and nothing else of their events: the range in a title.
  if (traits.length === 0 && key.found < 0.1) return nothing;

  const missing: number[] = [];
  let beyond = events.filter((event) => event.key === null).length;
  for (const group of groups) {
    const { missed, left } = assign(group, traits, key);
    missing.push(...missed);
    beyond += left.filter(({ isAtUsualPlace }) => isAtUsualPlace).length;
  }
  const used = [key, ...traits];
  return {
    missing: missing.sort((a, b) => a - b),
    surplus: surplusOf(beyond, key, columns, text),
    columns: numbersOf(used),
    cut: numbersOf(used.filter(({ isCut }) => isCut)),
  };
}

function numbersOf(columns: readonly PrintedColumn[]): number[] {
  return columns.map(({ column }) => column).sort((a, b) => a - b);
}

/** Rows and printed events that have the same key: mostly one of each. */
interface Group {
  /** Indexes of rows. */
  readonly rows: readonly number[];
  readonly events: readonly PrintedEvent[];
}

function groupByKey(events: readonly PrintedEvent[], { values }: PrintedColumn): Group[] {
  const eventsByKey = groupBy(events, ({ key }) => key);
  return [...groupBy(values.keys(), (row) => values[row] ?? '')].map(([key, rows]) => ({
    rows,
    events: eventsByKey.get(key) ?? [],
  }));
}

/** A printed column whose values stand beside the key of their event, always on the same side. */
interface Trait extends PrintedColumn {
  readonly side: 'before' | 'after';
}

/** By so many groups it is found out on which side of the key a column stands. */
const sampledGroups = 300;

/** Finds the columns by which an event can be recognized beside its key. */
function traitsOf(
  groups: readonly Group[],
  key: PrintedColumn,
  columns: readonly PrintedColumn[],
): Trait[] {
  const sample = groups
    .filter(({ rows, events }) => events.length > 0 && rows.length <= 5)
    .slice(0, sampledGroups);
  return columns.flatMap((column) => {
    if (column.column === key.column) return [];
    const before = shareOn('before', sample, column);
    const after = shareOn('after', sample, column);
    if (Math.max(before, after) < 0.8) return [];
    return [{ ...column, side: before >= after ? 'before' : 'after' } as const];
  });
}

/** Share of the events whose text on this side holds the value of one of their rows, from 0 to 1. */
function shareOn(side: Trait['side'], groups: readonly Group[], { values }: PrintedColumn): number {
  let [held, all] = [0, 0];
  for (const { rows, events } of groups) {
    const own = rows.map((row) => values[row] ?? '').filter(isShowable);
    if (own.length === 0) continue;
    all += events.length;
    held += events.filter((event) => own.some((value) => holds(event[side], value))).length;
  }
  return held / Math.max(1, all);
}

/** Whether a text, as compared, holds the value, or its beginning and an ellipsis. */
function holds(text: string, value: string): boolean {
  if (text.includes(value)) return true;
  const beginnings = text.split('...').slice(0, -1);
  return beginnings.some((part) => part.length >= 8 && value.includes(part.slice(-8)));
}

/** Larger groups are compared by their size alone. */
const maxGroup = 300;

/** Gives each row of a group the printed event that is most like it, one each, and tells what is left over. */
function assign(
  { rows, events }: Group,
  traits: readonly Trait[],
  key: PrintedColumn,
): { missed: Iterable<number>; left: readonly PrintedEvent[] } {
  if (Math.max(rows.length, events.length) > maxGroup) {
    return { missed: rows.slice(events.length), left: events.slice(rows.length) };
  }
  const pairs = rows.flatMap((row) =>
    events.map((event) => {
      // A key of its own tells an event from the others; one that is shared, or part of a title, does not.
      const keyWeight = rows.length === 1 && event.isAtUsualPlace ? weightOf(key) : 0;
      return { row, event, similarity: similarity(row, event, traits, keyWeight) };
    }),
  );
  const missed = new Set(rows);
  const left = new Set(events);
  for (const { row, event, similarity } of pairs.sort((a, b) => b.similarity - a.similarity)) {
    if (similarity < 0.5 || !missed.has(row) || !left.has(event)) continue;
    missed.delete(row);
    left.delete(event);
  }
  return { missed, left: [...left] };
}

/** Which part of what tells the row from others is found beside the key, from 0 to 1. */
function similarity(
  row: number,
  event: PrintedEvent,
  traits: readonly Trait[],
  keyWeight: number,
): number {
  let [found, all] = [keyWeight, keyWeight];
  for (const trait of traits) {
    const value = trait.values[row] ?? '';
    if (value === '') continue;
    const isThere = holds(event[trait.side], value);
    if (isThere) found += weightOf(trait);
    if (isThere || isShowable(value)) all += weightOf(trait);
  }
  if (all > 0) return found / all;
  if (event.isAtUsualPlace) return 1;
  // Where nothing but the key is known of events, its place alone does not say that one is missing.
  return traits.length === 0 ? 0.5 : 0;
}

/** How much a column tells events apart, in bits. */
function weightOf({ distinct }: PrintedColumn): number {
  return Math.log2(Math.max(1, distinct));
}

/**
 * How many events the PDF holds beyond the rows, as far as the columns agree that can tell: those with a value of
 * their own in about every row, like ids and times. What one column alone takes for an event, an id of another kind
 * for example, is none.
 *
 * @param byKey how many there are by the key column
 */
function surplusOf(
  byKey: number,
  key: PrintedColumn,
  columns: readonly PrintedColumn[],
  text: PlainText,
): number {
  if (byKey === 0) return 0;
  const others = columns
    .filter((column) => column.column !== key.column && tellsEvents(column, key))
    .map(({ values }) => surplusIn(values, text));
  return Math.min(byKey, ...others);
}

function tellsEvents(column: PrintedColumn, key: PrintedColumn): boolean {
  const isFilled = column.values.every(({ length }) => length >= 6);
  const isDifferent = column.distinct >= 0.2 * key.distinct;
  const isPrinted = column.found >= 0.8 * key.found;
  return isFilled && isDifferent && isPrinted && !column.isProse && !isWord(column);
}

/** How often values of a column are printed beyond its rows, and values that look like them. */
function surplusIn(values: readonly string[], text: PlainText): number {
  const left = new Map<string, number>();
  for (const value of values) left.set(value, (left.get(value) ?? 0) + 1);
  let count = 0;
  for (const { value, isAtUsualPlace } of findKeys(text, values)) {
    const rows = value === null ? 0 : (left.get(value) ?? 0);
    if (value !== null && rows > 0) left.set(value, rows - 1);
    else if (isAtUsualPlace) count += 1;
  }
  return count;
}
