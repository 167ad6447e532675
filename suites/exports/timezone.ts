import { difference, isSame, multiset } from '../../helpers/csv/multiset.ts';
import type { CsvTable } from '../../helpers/csv/read-csv.ts';
import {
  type DatesInStyle,
  type Precision,
  precisions,
  readTimeOfDay,
  timeText,
} from '../../helpers/dates/read-date.ts';
import {
  clockChanges,
  day,
  minute,
  utcOf,
  type WallTime,
  wallTimeIn,
} from '../../helpers/dates/time-zones.ts';
import { columnsOfDates, dateCell, datesIn, datesOf } from '../../helpers/exports/columns.ts';
import { type CsvDownload, tableOf } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import { dawn, type TimeRange } from '../../helpers/exports/window.ts';
import { Inconclusive, NothingSeen, NotJudged, Violation } from '../../helpers/outcomes.ts';
import type { DatesDifference } from '../../schemas/difference.ts';
import { isUuidShaped } from '../../schemas/identifier.ts';
import { expectSameEvents, rowsHolding } from './relations.ts';

/*
 * The dates of an export in a timezone are the local times of its events, each with the offset of its own time of year.
 */

/** The CSVs of one query in UTC and in a zone. */
export interface Zoned {
  readonly zone: string;
  readonly utc: CsvDownload;
  readonly csv: CsvDownload;
}

/**
 * Judges that a column of the CSV shows the local times of all events in the zone. Other columns may stay in UTC.
 * Where dates cannot be read, times of day are judged instead.
 * @throws Violation where no column does
 * @throws NothingSeen without events, Inconclusive where the exports hold different ones
 */
export function expectDatesInZone(zonedCsv: Zoned, knowledge: Knowledge): void {
  const { zone, utc, csv } = zonedCsv;
  const [plain, zoned] = [tableOf(utc), tableOf(csv)];
  const { dates, ignored } = knowledge.columns;
  if (plain.count === 0) throw new NothingSeen();
  requireSameEvents(zonedCsv, knowledge);
  const written = dates && datesOf(plain, dates);
  const [shown] = dates === undefined ? [] : datesIn(zoned, dates.columns);
  // Days without a time of day do not show whether an event is moved by the offset of the zone.
  if (written === undefined || written.precision === 'day' || shown === undefined) {
    expectTimesOfDayInZone(zonedCsv, knowledge);
    return;
  }
  const expected = written.instants.map((at) => wallTimeIn(zone, at));
  const candidates = columnsOfDates(zoned, ignored).flatMap((columns) => datesIn(zoned, columns));
  if (candidates.some((column) => showsInZone(column, written, expected))) return;

  throw otherDates(zonedCsv, { written, shown, expected, dates: dates?.columns ?? [] });
}

/** The dates of one query: in UTC, as the zone should show them, and as a column in the zone shows them. */
interface DatesCompared {
  readonly written: DatesInStyle;
  readonly expected: readonly WallTime[];
  readonly shown: DatesInStyle;
  /** The columns of the CSV that hold the dates. */
  readonly dates: readonly number[];
}

/** The violation that dates are not the local ones, with an event as an example where a unique id marks one. */
function otherDates(zonedCsv: Zoned, compared: DatesCompared): Violation {
  const { zone, utc, csv } = zonedCsv;
  const { written, expected, shown, dates } = compared;
  const { precision, instants } = written;
  const textsOf = (times: readonly WallTime[]) => times.map((time) => timeText(time, precision));
  const local = textsOf(expected);
  const { missing, extra } = difference(bag(local), bag(textsOf(shown.readings)));
  const lacking = new Set(missing.map(([time]) => time));
  const exampleAt = (index: number) => markedExample(index, zonedCsv, compared);
  const first = local.findIndex((time, index) => lacking.has(time) && exampleAt(index));
  return new Violation(
    {
      kind: 'dates',
      timezone: zone,
      fileType: 'csv',
      expected: missing[0]?.[0] ?? 'the same instants',
      actual: extra[0]?.[0] ?? dateCell(tableOf(csv).rows[0] ?? [], dates),
      ...(missing.length > 0 && { wrong: missing.length, of: expected.length }),
      ...(changesAmong(instants, zone).length > 0 && { isAboutChange: true }),
      ...exampleAt(first),
    },
    [csv.answer, utc.answer],
  );
}

/** The right and the shown time of the event in a row in UTC; undefined where no unique id marks it, or it is right. */
function markedExample(
  index: number,
  { utc, csv }: Zoned,
  { written: { precision, instants }, expected, shown }: DatesCompared,
) {
  const plain = tableOf(utc);
  const isMark = (cell: string) => isUuidShaped(cell) && rowsHolding(cell, plain) === 1;
  const mark = plain.rows[index]?.find(isMark);
  const place = tableOf(csv).rows.findIndex((row) => mark !== undefined && row.includes(mark));
  const [right, wrong] = [expected[index], shown.readings[place]];
  if (mark === undefined || right === undefined || wrong === undefined) return undefined;
  const [local, actual] = [timeText(right, precision), timeText(wrong, precision)];
  if (actual === local) return undefined;
  const error = movedBy({ expected: right, actual: wrong }, instants[index]);
  return { expected: local, actual, mark, ...error };
}

/**
 * By how many minutes the shown time is late, and whether it is the time in UTC; {} where it is right to the minute.
 * @param at the instant of the event, in milliseconds since 1970
 */
export function movedBy(
  { expected, actual }: Readonly<Record<'expected' | 'actual', WallTime>>,
  at: number | undefined,
): Pick<DatesDifference, 'isUtc' | 'lateBy'> {
  const minutesAfter = (time: number): number => Math.round((utcOf(actual) - time) / minute);
  const lateBy = minutesAfter(utcOf(expected));
  if (lateBy === 0) return {};
  return { lateBy, ...(at !== undefined && minutesAfter(at) === 0 && { isUtc: true }) };
}

/** @throws Inconclusive where both exports hold different events, which a clause of its own judges */
function requireSameEvents({ zone, utc, csv }: Zoned, { columns }: Knowledge): void {
  try {
    expectSameEvents(`timezone=${zone}`, utc, csv, columns);
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    throw new Inconclusive(
      `The export in the timezone ${zone} holds other events than the one without: that is export.timezone-keeps-the-events.`,
      [csv.answer, utc.answer],
    );
  }
}

/**
 * Where dates cannot be read, times of day still can: a column must show those in UTC plus the offset of the zone.
 * @throws Violation where times of day move with the timezone, but in no column by the offset, which is always the same
 * @throws NotJudged where the rows are the same in both exports, or clocks are changed in the range
 * @throws Inconclusive where the rows differ otherwise
 */
function expectTimesOfDayInZone({ zone, utc, csv }: Zoned, { base }: Knowledge): void {
  const [plain, zoned] = [tableOf(utc), tableOf(csv)];
  const on = [csv.answer, utc.answer];
  const hidden = new NotJudged(
    `The export shows no dates that can be read, and its times of day do not show the timezone ${zone}.`,
  );
  const unread = new Inconclusive(
    `In the timezone ${zone} the rows differ from those in UTC, and not by dates that can be read.`,
    on,
  );
  if (isSame(multiset(plain.rows), multiset(zoned.rows))) throw hidden;
  const { start, end } = utc.query;
  if (typeof start !== 'number' || typeof end !== 'number') throw unread;
  if (base.utc.timezone === undefined) throw unread;
  if (clockChanges(zone, start, end).length > 0) throw hidden;
  const ahead = (utcOf(wallTimeIn(zone, end)) - end) / minute;
  const moved = Array.from({ length: zoned.columns }, (_, column) => ({
    unmoved: timesOfDay(plain, column),
    expected: timesOfDay(plain, column, ahead),
    actual: timesOfDay(zoned, column),
  })).filter(({ unmoved, actual }) => unmoved && actual && unmoved.join() !== actual.join());
  if (moved.some(({ expected, actual }) => isSame(bag(expected), bag(actual)))) return;
  // Which dates these times of day belong to is not known: in a zone with daylight saving, neither is their offset.
  if (moved.length === 0 || clockChanges(zone, start - years, end).length > 0) throw unread;
  throw new Violation({ kind: 'other', wrong: 'shows other times of day', of: zone }, on);
}

/** The times of day in a column, in minutes after midnight, plus `later`; undefined where a cell holds none. */
function timesOfDay({ rows }: CsvTable, column: number, later = 0): number[] | undefined {
  const times = rows.flatMap((row) => readTimeOfDay(row[column] ?? '') ?? []);
  if (times.length < rows.length) return undefined;
  return times.map((time) => (time.hour * 60 + time.minute + later + 24 * 60) % (24 * 60));
}

/**
 * Whether a column shows the expected local times. Dates with an offset must also denote the right instants; numbers
 * since 1970 must do only that, as they are the same in every zone.
 * @param written the dates of the same events in UTC
 * @param expected the local times of these dates
 */
function showsInZone(dates: DatesInStyle, written: DatesInStyle, expected: readonly WallTime[]) {
  const { style, readings, hasOffsets, instants } = dates;
  const precision = coarsest(dates.precision, written.precision);
  if (precision === 'day') return false;
  const isEpoch = style === 'epoch seconds' || style === 'epoch milliseconds';
  const texts = (times: readonly WallTime[]) => bag(times.map((time) => timeText(time, precision)));
  if (!isEpoch && !isSame(texts(readings), texts(expected))) return false;
  const unit = Math.max(1, precisions[precision].unitMs);
  const cut = (all: readonly number[]) => bag(all.map((at) => Math.floor(at / unit)));
  return (!isEpoch && !hasOffsets) || isSame(cut(instants), cut(written.instants));
}

function coarsest(one: Precision, other: Precision): Precision {
  return precisions[one].unitMs > precisions[other].unitMs ? one : other;
}

/** Values as a multiset of rows with one cell, so that their order does not count. */
function bag(values: readonly (string | number)[] = []) {
  return multiset(values.map((value) => [`${value}`]));
}

/** A zone whose offset is no whole number of hours (+05:45), without daylight saving. */
export const zoneOfQuarters = 'Asia/Kathmandu';

/** A zone west of UTC, with daylight saving. */
export const changingZone = 'America/New_York';

/** How long before the window clock changes are looked for, in milliseconds. */
const years = 2 * 366 * day;

/**
 * A range with events before and after a clock change, in the window or else about the last changes before it. A change
 * that sets clocks back is preferred. There a service that writes all dates with the offset of today is found out.
 * @returns undefined where there are no such events, or their dates are not known
 */
export async function rangeAboutChange(
  exports: Exports,
  known: Knowledge,
): Promise<TimeRange | undefined> {
  const { window, columns } = known.asLearned ?? known;
  const { dates } = columns;
  if (dates === undefined || dates.unit > minute) return undefined;
  const inWindow = aroundChange(dates.instants);
  if (inWindow !== undefined || window.start <= dawn) return inWindow;
  const changes = clockChanges(changingZone, window.start - years, window.start).reverse();
  for (const { at } of changes) {
    for (const span of [2 * day, 30 * day]) {
      const { table } = await exports.anytime({ start: at - span, end: at + span });
      const range = table && aroundChange(datesOf(table, dates)?.instants ?? []);
      if (range !== undefined) return range;
    }
  }
  return undefined;
}

/** From the first to the last of the events next to a clock change; undefined where no change lies between events. */
function aroundChange(instants: readonly number[]): TimeRange | undefined {
  const changes = changesAmong(instants, changingZone);
  const { at } = changes.find(({ byMs }) => byMs < 0) ?? changes.at(-1) ?? {};
  if (at === undefined) return undefined;
  const near = nextTo(at, instants);
  const [start = at, end = at] = [near[0], near.at(-1)];
  return { start, end };
}

/** The clock changes of a zone between the first and the last event. */
export function changesAmong(instants: readonly number[], zone: string) {
  const sorted = instants.toSorted((a, b) => a - b);
  return clockChanges(zone, sorted[0] ?? 0, sorted.at(-1) ?? 0);
}

/** How many events are taken on either side of an instant: more of them show nothing else. */
const oneSide = 40;

/** The instants next to an instant, at most `oneSide` before it and `oneSide` from it on, the earliest first. */
export function nextTo(at: number, instants: readonly number[]): number[] {
  const sorted = instants.toSorted((a, b) => a - b);
  const before = sorted.filter((instant) => instant < at).slice(-oneSide);
  return [...before, ...sorted.filter((instant) => instant >= at).slice(0, oneSide)];
}
