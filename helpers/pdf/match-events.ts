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
 * The layout is not known, and an event that is not recognized need not be missing. An event counts as missing only if
 * others are found in the same way and nothing of it is anywhere. An event counts as too many only if all of it is
 * there once more often than in the CSV, or if the query excludes it. What is enough is said in `thresholds.ts`.
 */
import type { Row } from '../csv/csv-form.ts';
import {
  type EventText,
  eventsAt,
  type Group,
  groupByKey,
  holds,
  type PrintedEvent,
  readEventText,
  type Trait,
  weightOf,
} from './find-events.ts';
import { bodyOf, isRightToLeft, isShowable, plain } from './plain-text.ts';
import type { PrintedColumn } from './printed-columns.ts';
import type { PdfReading } from './read-pdf.ts';
import { thresholds } from './thresholds.ts';
import { showsInParts, timesDivided, tracesOf } from './traces.ts';
import { unknownEvents } from './unknown-events.ts';

/** How the events of a CSV and of a PDF agree. Indexes are those of the rows given to `matchEvents`, from 0. */
export interface EventMatch {
  /** The rows that the PDF lacks, in order. Of rows that are alike in everything printed, any may stand for another. */
  readonly missing: readonly number[];
  /** The rows of which it cannot be told whether the PDF holds them, in order. */
  readonly doubtful: readonly number[];
  /** At least how many whole events the PDF holds beyond the rows. */
  readonly surplus: number;
  /** The rows that it holds more often than the CSV, as far as they were recognized. */
  readonly repeated: readonly number[];
  /** Indexes in `others` of the events that the PDF holds although the query excludes them, where recognized. */
  readonly excluded: readonly number[];
  /** Columns of the CSV by which events were recognized in the PDF; empty where nothing of the CSV was found in it. */
  readonly columns: readonly number[];
  /** Those of `columns` whose values the PDF cuts off: it shows only their beginnings. */
  readonly cut: readonly number[];
}

/**
 * Compares the events of a PDF export with the rows of the CSV export of the same query (4. Export audit events),
 * whatever the layout: tables, several lines an event, cards, running text; ids broken across lines; fewer columns and
 * other dates than in the CSV; text that is cut off or that the font cannot show.
 *
 * An empty CSV does not show what events look like: compare its PDF with the rows of a query that holds more; all must
 * be missing.
 * @param others rows of events that the query excludes, with the same columns
 */
export function matchEvents(
  rows: readonly Row[],
  reading: PdfReading,
  others: readonly Row[] = [],
): EventMatch {
  const body = bodyOf(reading.pages);
  const found = readEventText(rows, body, others);
  const { key, traits } = found;
  // Where only a few values of one column are found, and nothing beside them, they are the range in a title.
  if (key === undefined || (traits.length === 0 && key.found < thresholds.inTitles)) {
    return nothingFound(rows, reading);
  }
  const events = eventsAt(found.text, found.keys);
  const groups = groupByKey(events, key, rows.length).map((group) => assign(group, traits));
  const missed = groups.flatMap((group) => missedIn(group, key, found));
  const recognized = groups.reduce((sum, { whole }) => sum + whole, 0);
  const isReadable = recognized >= Math.max(1, Math.min(2, rows.length - 1));
  const hasTrace = tracesOf(isReadable ? missed.map(({ row }) => row) : [], found, body);
  const isWithoutKey = ({ group }: MissedRow): boolean => group.events.length === 0;
  // Where others are there without their key, as a time that does not stand beside its day, its absence tells nothing.
  const isKeyTelling = !missed.some((one) => isWithoutKey(one) && hasTrace.get(one.row) === true);
  const isMissing = (one: MissedRow): boolean => {
    const { row, group } = one;
    if (!isReadable || isScrambled(rows[row] ?? [], group)) return false;
    if (hasTrace.get(row) !== undefined) return hasTrace.get(row) === false;
    return isWithoutKey(one) ? isKeyTelling : isShort(row, group, traits);
  };
  // A layout in which many events leave traces alone may hide those of another.
  const traced = missed.filter(({ row }) => hasTrace.get(row) === true).length;
  const isClear = traced <= (1 - thresholds.most) * rows.length;
  const missing = new Set(isClear ? missed.filter(isMissing).map(({ row }) => row) : []);
  const beyond = groups.flatMap((group) => beyondIn(group, missing, traits));
  // A row whose key is not found may have another one in the PDF: the time of the event for that of its recording.
  const unkeyed = groups.reduce((sum, one) => sum + one.missed.length, 0) - missing.size;
  const doubtful = missed.filter(({ row, group }) => !missing.has(row) && beyondRows(group) < 0);
  const used = [key, ...traits];
  return {
    missing: inOrder(missing),
    doubtful: inOrder(doubtful.map(({ row }) => row)),
    surplus: beyond.length || Math.max(0, unknownEvents(found, rows.length) - unkeyed),
    repeated: inOrder(beyond.filter((row) => row < rows.length)),
    excluded: inOrder(beyond.map((row) => row - rows.length).filter((other) => other >= 0)),
    columns: inOrder(used.map(({ column }) => column)),
    cut: inOrder(used.filter(({ isCut }) => isCut).map(({ column }) => column)),
  };
}

/** A row that was given no printed event, and the group of its key. */
interface MissedRow {
  readonly row: number;
  readonly group: AssignedGroup;
}

/** The rows of a group that were given no event, less those whose key is divided, as where a page ends within it. */
function missedIn(group: AssignedGroup, key: PrintedColumn, found: EventText): MissedRow[] {
  const [first] = group.missed;
  if (first === undefined) return [];
  const value = key.values[first] ?? '';
  const isAlone = group.rows.length === 1;
  // For a key of several events, the page ends that divide it are counted.
  const divided = isAlone ? Number(showsInParts(value, found)) : timesDivided(value, found);
  return group.missed.slice(divided).map((row) => ({ row, group }));
}

/**
 * What the events of a group that no row was given show whole: rows of it once more, then rows that the query excludes,
 * as far as they are too many. An excluded event of another key is too many by itself.
 */
function beyondIn(
  group: AssignedGroup,
  missing: ReadonlySet<number>,
  traits: readonly Trait[],
): number[] {
  const left = group.left.filter(({ isAtUsualPlace }) => isAtUsualPlace);
  const shown = left.flatMap((event) => {
    return [...group.others, ...group.rows].find((row) => isWhole(row, event, traits)) ?? [];
  });
  // No more events can be too many than are left when each row that is not missing is given one.
  const most = beyondRows(group) + group.missed.filter((row) => missing.has(row)).length;
  return shown.sort((a, b) => a - b).slice(0, Math.max(0, most));
}

/**
 * Whether an event may be printed in a line from right to left, in which its text cannot be found: its row holds such
 * text, and either no id that would be found elsewhere, or its group has an event for each row already.
 */
function isScrambled(row: Row, group: Group): boolean {
  if (!row.some(isRightToLeft)) return false;
  const isNamed = row.some((cell) => /[0-9a-f]{8}-?[0-9a-f]{4}/i.test(cell));
  return !isNamed || beyondRows(group) >= 0;
}

/** Where nothing is recognized, all rows are doubtful, or missing if neither text nor pictures could show them. */
function nothingFound(rows: readonly Row[], { pages }: PdfReading): EventMatch {
  const characters = pages
    .flatMap(({ texts }) => texts)
    .reduce((sum, { text }) => sum + plain(text).length, 0);
  const isScant =
    characters < thresholds.textOfAnEvent * rows.length && !pages.some((page) => page.hasPictures);
  const all = [...rows.keys()];
  const [missing, doubtful] = isScant ? [all, []] : [[], all];
  return { missing, doubtful, surplus: 0, repeated: [], excluded: [], columns: [], cut: [] };
}

/** These indexes in order, each once. */
function inOrder(indexes: Iterable<number>): number[] {
  return [...new Set(indexes)].sort((a, b) => a - b);
}

/** A group whose rows were given printed events: `missed` rows got none, and events in `left` no row. */
interface AssignedGroup extends Group {
  readonly missed: readonly number[];
  readonly left: readonly PrintedEvent[];
  /** How many rows were given an event that holds most of what tells them apart. */
  readonly whole: number;
}

/** Gives each row of a group the printed event that is most like it, and no event to two rows. */
function assign(group: Group, traits: readonly Trait[]): AssignedGroup {
  const { rows, events } = group;
  // Of so many, each is not compared with each: only how many rows and events there are.
  if (Math.max(rows.length, events.length) > thresholds.comparedEach) {
    const whole = Math.min(rows.length, events.length);
    return { ...group, missed: rows.slice(whole), left: events.slice(whole), whole };
  }
  const pairs = rows
    .flatMap((row) => events.map((event) => ({ row, event, ...alike(row, event, traits) })))
    .filter(({ likeness }) => likeness >= thresholds.half)
    .sort((a, b) => b.likeness - a.likeness || b.bits - a.bits);
  const missed = new Set(rows);
  const left = new Set(events);
  let whole = 0;
  const give = (some: typeof pairs): void => {
    for (const { row, event, likeness } of some) {
      if (!missed.has(row) || !left.has(event)) continue;
      missed.delete(row);
      left.delete(event);
      if (likeness >= thresholds.most && event.isAtUsualPlace) whole += 1;
    }
  };
  const giveLeftovers = (): boolean => {
    const given = leftoversFor([...missed], [...left], rows, traits);
    if (given.length > 0) missed.clear();
    for (const event of given) left.delete(event);
    return given.length > 0;
  };
  give(pairs.filter(({ bits }) => bits > 0));
  // Rows of which no font shows anything come last: else they take events that show a part of others.
  const isAnyRecognized = whole > 0;
  if (!(isAnyRecognized && giveLeftovers())) {
    give(pairs);
    giveLeftovers();
  }
  return { ...group, missed: [...missed], left: [...left], whole };
}

/**
 * Gives the rows that have no event those that are left over, one each, although little of them is recognized, as where
 * a page ends within a cell. An event that shows a different row of the group whole is not given: it repeats that row.
 * @returns the events given, in the order of the rows; an empty list where there are not enough for all of them
 */
function leftoversFor(
  missed: readonly number[],
  left: readonly PrintedEvent[],
  rows: readonly number[],
  traits: readonly Trait[],
): PrintedEvent[] {
  if (missed.length === 0) return [];
  // What a whole row has besides, as a comment behind a description, may be printed in a place of its own.
  const isPartOf = (row: number, whole: number): boolean =>
    traits.every(({ values }) => {
      const value = values[row] ?? '';
      return !isShowable(value) || values[whole]?.startsWith(value) === true;
    });
  const free = left.filter(({ isAtUsualPlace }) => isAtUsualPlace);
  const shownBy = new Map(
    free.map((event) => [event, rows.filter((row) => isWhole(row, event, traits))] as const),
  );
  const others = missed.flatMap((row) => {
    const fitting = [...shownBy].filter(([, shown]) => shown.every((one) => isPartOf(one, row)));
    // Best one that shows a part of the row.
    const [event] = fitting.toSorted(([, one], [, other]) => other.length - one.length)[0] ?? [];
    if (event !== undefined) shownBy.delete(event);
    return event ?? [];
  });
  return others.length === missed.length ? others : [];
}

/** Which share of what tells the row from others is found beside the key, from 0 to 1; and how much, in bits. */
function alike(row: number, event: PrintedEvent, traits: readonly Trait[]) {
  let [found, all] = [0, 0];
  for (const trait of traits) {
    const value = trait.values[row] ?? '';
    if (value === '') continue;
    const isThere = holds(event[trait.side], value);
    if (isThere) found += weightOf(trait);
    if (isThere || isShowable(value)) all += weightOf(trait);
  }
  if (all > 0) return { likeness: found / all, bits: found };
  // Where events show nothing but their key, an unusual place does not prove that one is missing.
  const least = traits.length === 0 ? thresholds.half : 0;
  return { likeness: event.isAtUsualPlace ? 1 : least, bits: 0 };
}

/** Whether everything of a row that fonts can show stands beside the key, and is enough to tell it from most rows. */
function isWhole(row: number, event: PrintedEvent, traits: readonly Trait[]): boolean {
  const shown = traits.filter(({ values }) => isShowable(values[row] ?? ''));
  const bits = shown.reduce((sum, trait) => sum + weightOf(trait), 0);
  return (
    bits >= thresholds.proof &&
    shown.every(({ side, values }) => holds(event[side], values[row] ?? ''))
  );
}

/** How many more events at usual places than rows a group has; negative where it has fewer. */
function beyondRows({ rows, events }: Group): number {
  return events.filter(({ isAtUsualPlace }) => isAtUsualPlace).length - rows.length;
}

/**
 * Whether a group shows too few events to hold this row: fewer than rows, while the value that tells the row apart best
 * stands there less often than rows have it. A time may stand once above all its events.
 */
function isShort(row: number, group: Group, traits: readonly Trait[]): boolean {
  const { rows, events } = group;
  if (beyondRows(group) >= 0) return false;
  // The value of the column that tells most is counted: common words stand in other events too.
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
