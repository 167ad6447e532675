/**
 * How the events of a PDF are compared with the rows of a CSV:
 *
 *     bytes ─ read-pdf ──────────▶ pages of text items, each with its position
 *           ─ plain-text ────────▶ one string without white space, in which values can be found
 *           ─ printed-columns ───▶ the columns of the CSV that are printed, and in what form (date-formats)
 *           ─ find-events ───────▶ the key column, where its values stand, and what of each event stands beside its key
 *           ─ this file ─────────▶ each row given the printed event most like it
 *           ─ traces ────────────▶ rows without one: whether anything of them is in the PDF
 *           ─ unknown-events ────▶ events that look like the others, and that no row has
 *
 * The layout is not known, and what was not recognized is not missing. So an event is missing only where others are
 * found by the same means and nothing of it is anywhere; one is too many only where all of it is there, once more
 * than in the CSV or although another query would hold it.
 */
import type { Row } from '../csv/csv-form.ts';
import { groupBy } from '../group-by.ts';
import {
  type EventText,
  eventsAt,
  findOtherKeys,
  type Group,
  groupByKey,
  holds,
  type PrintedEvent,
  type PrintedKey,
  readEventText,
  type Trait,
  weightOf,
} from './find-events.ts';
import { bodyOf, isRightToLeft, isShowable, plain } from './plain-text.ts';
import type { PrintedColumn } from './printed-columns.ts';
import type { PdfReading } from './read-pdf.ts';
import { Traces } from './traces.ts';
import { unknownEvents } from './unknown-events.ts';

/** How the events of a CSV and of a PDF agree. */
export interface EventMatch {
  /** Indexes of the rows that the PDF lacks, in order. Of rows alike in everything printed, any may stand for the others. */
  readonly missing: readonly number[];
  /** Indexes of the rows of which the PDF does not show whether it holds them, in order. */
  readonly doubtful: readonly number[];
  /** At least how many whole events the PDF holds beyond the rows. */
  readonly surplus: number;
  /** Indexes of the rows that it holds more than once, as far as they were recognized. */
  readonly repeated: readonly number[];
  /** Indexes of the events that the query excludes and the PDF holds, as far as they were recognized. */
  readonly excluded: readonly number[];
  /** Columns of the CSV by which events were recognized in the PDF; empty where nothing of the CSV was found in it. */
  readonly columns: readonly number[];
  /** Those of them of which the PDF shows only the beginnings. */
  readonly cut: readonly number[];
}

/**
 * Compares the events of a PDF export with the rows of the CSV export of the same query (4. Export audit events),
 * whatever the layout: tables, several lines an event, cards, running text; ids broken across lines; fewer columns and
 * other dates than in the CSV; text that is cut off or that the font cannot show.
 *
 * An empty CSV does not show what events look like: compare its PDF with the rows of a query that holds more; all of
 * them must be missing.
 *
 * @param others rows of events that the query excludes, with the same columns
 */
export function matchEvents(
  rows: readonly Row[],
  reading: PdfReading,
  others: readonly Row[] = [],
): EventMatch {
  const body = bodyOf(reading.pages);
  const found = readEventText(rows, body, others);
  const { text, key, traits } = found;
  // A few values of one column, and nothing else of their events: the range in a title.
  if (key === undefined || (traits.length === 0 && key.found < 0.1)) {
    return nothingFound(rows, reading);
  }
  const traces = new Traces(found, body, others);
  const excluded = excludedOf(found, key, others);
  const keys = [...found.keys, ...excluded.keys].sort((a, b) => a.start - b.start);
  const events = eventsAt(text, keys);
  const groups = groupByKey(events, key).map((group) => ({ group, ...assign(group, traits, key) }));
  const gone = new Set<number>();
  const missed = groups.flatMap(({ group, missed: [row, ...others] }) => {
    if (row === undefined) return [];
    const value = key.values[row] ?? '';
    // A page can end within a key; of one that several events have, it is counted how often.
    const divided = group.rows.length > 1 ? traces.timesDivided(value) : 0;
    const isDivided = group.rows.length === 1 && traces.showInParts(value);
    return isDivided ? [] : [row, ...others].slice(divided).map((one) => ({ row: one, group }));
  });
  const wholes = groups.reduce((sum, { whole }) => sum + whole, 0);
  if (wholes >= Math.max(1, Math.min(2, rows.length - 1))) {
    const isThere = traces.of(missed.map(({ row }) => row));
    for (const { row, group } of missed) {
      if (isScrambled(rows[row] ?? [], group)) continue;
      const hasTrace = isThere.get(row);
      if (hasTrace === false || (hasTrace === undefined && isShort(row, group, traits))) {
        gone.add(row);
      }
    }
  }
  const beyond = groups.flatMap((one) => {
    const usual = one.left.filter(({ isAtUsualPlace }) => isAtUsualPlace);
    const rowOf = (event: PrintedEvent): number | undefined =>
      one.group.rows.find((row) => isWhole(row, event, traits));
    const repeated = usual.filter((event) => rowOf(event) !== undefined);
    // As many as are left where each of the others has a row, whichever it is.
    const spare = beyondRows(one.group) + one.missed.filter((row) => gone.has(row)).length;
    const most = Math.max(0, spare);
    const foreign = usual.filter(
      (event) => !repeated.includes(event) && excluded.rowOf(event) !== undefined,
    );
    return [...repeated, ...foreign].slice(0, most).map((event) => ({ event, row: rowOf(event) }));
  });
  const foreign = events.filter(
    (event) => excluded.values.has(event.key) && excluded.rowOf(event) !== undefined,
  );
  const known = beyond.length + foreign.length;
  // Of a row whose key is not printed, the event can have another one: the time of the event where the CSV has that of its recording.
  const unkeyed = groups.reduce((sum, one) => sum + one.missed.length, 0) - gone.size;
  const used = [key, ...traits];
  return {
    missing: inOrder(gone),
    doubtful: inOrder(
      missed.filter((one) => !gone.has(one.row) && beyondRows(one.group) < 0).map(({ row }) => row),
    ),
    surplus: known || Math.max(0, unknownEvents(found, keys) - unkeyed),
    repeated: inOrder(new Set(beyond.flatMap(({ row }) => row ?? []))),
    excluded: inOrder(
      new Set(
        [...beyond.map(({ event }) => event), ...foreign].flatMap(
          (one) => excluded.rowOf(one) ?? [],
        ),
      ),
    ),
    columns: numbersOf(used),
    cut: numbersOf(used.filter(({ isCut }) => isCut)),
  };
}

/**
 * Whether an event can stand in a line that is written from right to left, in which nothing of it is found: one that no id
 * names, or that has its key; as many events as rows have that, and ids are broken in such lines as well.
 */
function isScrambled(row: Row, group: Group): boolean {
  if (!row.some(isRightToLeft)) return false;
  const isNamed = row.some((cell) => /[0-9a-f]{8}-?[0-9a-f]{4}/i.test(cell));
  return !isNamed || beyondRows(group) >= 0;
}

/** Characters that an event takes at the least: a time. */
const leastText = 4;

/**
 * Where nothing is recognized, nothing can be said, unless there is no text that could hold the events, and no picture
 * of one either.
 */
function nothingFound(rows: readonly Row[], { pages }: PdfReading): EventMatch {
  const characters = pages
    .flatMap(({ texts }) => texts)
    .reduce((sum, { text }) => sum + plain(text).length, 0);
  const isScant = characters < leastText * rows.length && !pages.some((page) => page.hasPictures);
  const all = [...rows.keys()];
  const [missing, doubtful] = isScant ? [all, []] : [[], all];
  return { missing, doubtful, surplus: 0, repeated: [], excluded: [], columns: [], cut: [] };
}

function inOrder(rows: Iterable<number>): number[] {
  return [...rows].sort((a, b) => a - b);
}

function numbersOf(columns: readonly PrintedColumn[]): number[] {
  return inOrder(columns.map(({ column }) => column));
}

/** Larger groups are compared by their size alone. */
const maxGroup = 300;

interface Assignment {
  readonly missed: readonly number[];
  readonly left: readonly PrintedEvent[];
  /** How many rows were given an event that holds about everything of theirs. */
  readonly whole: number;
}

/** Gives each row of a group the printed event that is most like it, one each, and tells what is left over. */
function assign({ rows, events }: Group, traits: readonly Trait[], key: PrintedColumn): Assignment {
  if (Math.max(rows.length, events.length) > maxGroup) {
    const whole = Math.min(rows.length, events.length);
    return { missed: rows.slice(events.length), left: events.slice(rows.length), whole };
  }
  const pairs = rows.flatMap((row) =>
    events.map((event) => {
      // A key of its own tells an event from the others; one that is shared, or part of a title, does not.
      const keyWeight = rows.length === 1 && event.isAtUsualPlace ? weightOf(key) : 0;
      return { row, event, ...similarity(row, event, traits, keyWeight) };
    }),
  );
  const missed = new Set(rows);
  const left = new Set(events);
  let whole = 0;
  pairs.sort((a, b) => b.likeness - a.likeness || b.bits - a.bits);
  for (const { row, event, likeness } of pairs) {
    // Where there is no other choice, the key decides: cells can be in an order that is not understood.
    const isOnly = rows.length === 1 && events.length === 1 && event.isAtUsualPlace;
    if ((likeness < 0.5 && !isOnly) || !missed.has(row) || !left.has(event)) continue;
    missed.delete(row);
    left.delete(event);
    if (likeness >= 0.8 && event.isAtUsualPlace) whole += 1;
  }
  const others = othersFor([...missed], [...left], rows, traits);
  for (const event of others) left.delete(event);
  return { missed: others.length > 0 ? [] : [...missed], left: [...left], whole };
}

/**
 * Events that are left over for rows that have none, one each: of them less is recognized, as where a page ends within a cell.
 * An event that is another row twice is none of them.
 *
 * @returns none where there are not as many as rows
 */
function othersFor(
  missed: readonly number[],
  left: readonly PrintedEvent[],
  rows: readonly number[],
  traits: readonly Trait[],
): PrintedEvent[] {
  const isPartOf = (row: number, of: number): boolean =>
    traits.every(({ values }) => !isShowable(values[row] ?? '') || values[row] === values[of]);
  const free = new Set(left.filter(({ isAtUsualPlace }) => isAtUsualPlace));
  const others = missed.flatMap((row) => {
    const event = [...free].find((one) =>
      rows.every((other) => !isWhole(other, one, traits) || isPartOf(other, row)),
    );
    if (event !== undefined) free.delete(event);
    return event ?? [];
  });
  return others.length === missed.length ? others : [];
}

interface Similarity {
  /** Which part of what tells the row from others is found beside the key, from 0 to 1. */
  readonly likeness: number;
  /** How much that is. */
  readonly bits: number;
}

function similarity(
  row: number,
  event: PrintedEvent,
  traits: readonly Trait[],
  keyWeight: number,
): Similarity {
  let [found, all] = [keyWeight, keyWeight];
  for (const trait of traits) {
    const value = trait.values[row] ?? '';
    if (value === '') continue;
    const isThere = holds(event[trait.side], value);
    if (isThere) found += weightOf(trait);
    if (isThere || isShowable(value)) all += weightOf(trait);
  }
  if (all > 0) return { likeness: found / all, bits: found };
  // Where nothing but the key is known of events, its place alone does not say that one is missing.
  const least = traits.length === 0 ? 0.5 : 0;
  return { likeness: event.isAtUsualPlace ? 1 : least, bits: 0 };
}

/** In bits: what fewer tell can be so by accident. */
const leastProof = 3;

/** Whether everything of a row that can be shown stands beside the key, and tells it from most others. */
function isWhole(row: number, event: PrintedEvent, traits: readonly Trait[]): boolean {
  const shown = traits.filter(({ values }) => isShowable(values[row] ?? ''));
  const bits = shown.reduce((sum, trait) => sum + weightOf(trait), 0);
  return (
    bits >= leastProof && shown.every(({ side, values }) => holds(event[side], values[row] ?? ''))
  );
}

/** How many more events than rows have a key where keys stand; negative where there are fewer. */
function beyondRows({ rows, events }: Group): number {
  return events.filter(({ isAtUsualPlace }) => isAtUsualPlace).length - rows.length;
}

/**
 * Whether the events that have the key of a row show too few of the values that tell its rows apart: a time can stand
 * once above all events that have it.
 */
function isShort(row: number, group: Group, traits: readonly Trait[]): boolean {
  const { rows, events } = group;
  if (events.length === 0 || beyondRows(group) >= 0) return events.length === 0;
  // Words stand in other events too, and in other words.
  const [telling] = traits
    .filter(({ values }) => isShowable(values[row] ?? ''))
    .sort((one, other) => weightOf(other) - weightOf(one));
  if (telling === undefined) return false;
  const { side, values } = telling;
  const value = values[row] ?? '';
  const needed = rows.filter((other) => values[other] === value).length;
  const there = events.reduce((sum, event) => sum + event[side].split(value).length - 1, 0);
  return there < needed;
}

/** What of the events that the query excludes is printed. */
interface Excluded {
  /** Their keys that no row has. */
  readonly values: ReadonlySet<string>;
  readonly keys: readonly PrintedKey[];
  /** The first of them that the event is, whole; undefined where it is none. */
  rowOf(event: PrintedEvent): number | undefined;
}

function excludedOf(found: EventText, key: PrintedColumn, others: readonly Row[]): Excluded {
  const write = (column: PrintedColumn) =>
    column.write(others.map((row) => row[column.column] ?? ''));
  const written = write(key);
  const keys = findOtherKeys(found, key, others);
  const values = new Set(keys.map(({ value }) => value));
  const rowsByKey = groupBy(written.keys(), (row) => written[row] ?? '');
  const traits = found.traits.map((trait) => ({ ...trait, values: write(trait) }));
  return {
    values,
    keys,
    rowOf: (event) => rowsByKey.get(event.key)?.find((row) => isWhole(row, event, traits)),
  };
}
