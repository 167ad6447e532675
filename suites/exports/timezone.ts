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
import { dateCell, dateColumns, datesIn, datesOf } from '../../helpers/exports/columns.ts';
import { type CsvDownload, type PdfDownload, tableOf } from '../../helpers/exports/downloads.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import type { ExportQuery } from '../../helpers/exports/query.ts';
import { Inconclusive, NothingSeen, NotJudged, other, Violation } from '../../helpers/outcomes.ts';
import type { DatesDifference } from '../../schemas/difference.ts';
import { isUuidShaped } from '../../schemas/resources.ts';
import { expectSameEvents, outcomeOf, rowsHolding } from './relations.ts';

/* In a timezone a CSV and a PDF must show what clocks in that zone show when events happen, as the CSV in UTC tells. */

/** What clocks in a zone show when the events of a CSV happen. */
export interface LocalTimes {
  readonly zone: string;
  /** By row of the CSV in UTC, as all that follows. */
  readonly utc: CsvDownload;
  readonly instants: readonly number[];
  readonly times: readonly WallTime[];
  readonly precision: Precision;
}

/** The local times in a zone of the events of a CSV in UTC; undefined where its dates are not known, or days alone. */
export function localTimes(
  zone: string,
  utc: CsvDownload,
  { columns: { dates } }: Pick<Knowledge, 'columns'>,
): LocalTimes | undefined {
  const written = dates && datesOf(tableOf(utc), dates);
  // Days without a time of day do not show whether an event is moved by the offset of the zone.
  if (written === undefined || written.precision === 'day') return undefined;
  const instants = withYearsOf(utc.query, written.instants);
  const times = instants.map((at) => wallTimeIn(zone, at));
  return { zone, utc, instants, times, precision: written.precision };
}

/** These instants, with the year before or after where only with that they lie in, or a day about, the range of their query. */
export function withYearsOf(
  { start, end }: ExportQuery,
  instants: readonly number[],
): readonly number[] {
  if (typeof start !== 'number' || typeof end !== 'number') return instants;
  const isNear = (at: number): boolean => at >= start - day && at <= end + day;
  const right = instants.flatMap((at) => {
    const year = new Date(at).getUTCFullYear();
    const others = [year, year + 1, year - 1].map((one) => new Date(at).setUTCFullYear(one));
    return others.find(isNear) ?? [];
  });
  return instants.some(isNear) && right.length === instants.length ? right : instants;
}

/** The CSVs of one query in UTC and in a zone. */
export interface Zoned {
  readonly zone: string;
  readonly utc: CsvDownload;
  readonly csv: CsvDownload;
}

/**
 * Judges that a column of the CSV shows the local times of all events, or times of day where dates cannot be read.
 * @throws Violation where no column does, NothingSeen without events, Inconclusive where the exports hold different ones
 */
export function expectDatesInZone(zoned: Zoned, knowledge: Knowledge): void {
  const { zone, utc, csv } = zoned;
  if (tableOf(utc).rows.length === 0) throw new NothingSeen();
  const what = `timezone=${zone}`;
  if (outcomeOf(() => expectSameEvents(what, utc, csv, knowledge.columns)).wrong) {
    throw new Inconclusive(
      `The export in the timezone ${zone} holds other events than the one without: that is export.timezone-keeps-the-events.`,
      [csv.answer, utc.answer],
    );
  }
  const { dates, ignored } = knowledge.columns;
  const table = tableOf(csv);
  const due = localTimes(zone, utc, knowledge);
  const [shown] = dates === undefined ? [] : datesIn(table, dates.columns);
  if (due === undefined || shown === undefined) {
    expectTimesOfDayInZone(zoned, knowledge);
    return;
  }
  const candidates = dateColumns(table, ignored);
  if (candidates.some((column) => showsTimes(column, due))) return;

  const textsOf = (times: readonly WallTime[]) => times.map((one) => timeText(one, due.precision));
  const { missing, extra } = difference(bag(textsOf(due.times)), bag(textsOf(shown.readings)));
  const lacking = new Set(missing.map(([time]) => time));
  throw otherDates(due, csv, {
    expected: missing[0]?.[0] ?? 'the same instants',
    actual: extra[0]?.[0] ?? dateCell(table.rows[0] ?? [], dates?.columns ?? []),
    ...(missing.length > 0 && { wrong: missing.length, of: due.times.length }),
    ...(changesAmong(due.instants, zone).length > 0 && { isAboutChange: true }),
    ...markedExample(due, table, shown, lacking),
  });
}

/** By how many minutes a date at the least is late or early that has another year, and no other offset. */
const aboutAYear = 300 * 24 * 60;

/** The violation that a file shows other dates than the local times. */
export function otherDates(
  { zone: timezone, utc }: LocalTimes,
  { answer, query }: CsvDownload | PdfDownload,
  values: Omit<DatesDifference, 'kind' | 'timezone' | 'fileType'>,
): Violation {
  const on = [answer, utc.answer];
  const fileType = query.fileType === 'pdf' ? 'pdf' : 'csv';
  if (Math.abs(values.lateBy ?? 0) < aboutAYear) {
    return new Violation({ kind: 'dates', timezone, fileType, ...values }, on);
  }
  const [expected, actual] = [values.expected.slice(0, 10), values.actual.slice(0, 10)];
  const of = fileType === 'pdf' ? { of: 'PDF' } : {};
  return new Violation(other('shows dates of another year', { ...of, expected, actual }), on);
}

/** Of how many events a unique id is looked for in all rows: of thousands that would take minutes. */
const maxExamples = 20;

/** The first event with a time that is `lacking` which a unique id marks in both CSVs; undefined where none of the first is. */
function markedExample(
  due: LocalTimes,
  zoned: CsvTable,
  { readings }: DatesInStyle,
  lacking: ReadonlySet<string | undefined>,
) {
  const plain = tableOf(due.utc);
  const isMark = (cell: string) => isUuidShaped(cell) && rowsHolding(cell, plain) === 1;
  const examples = [...due.times.entries()]
    .filter(([, expected]) => lacking.has(timeText(expected, due.precision)))
    .slice(0, maxExamples);
  for (const [row, expected] of examples) {
    const mark = plain.rows[row]?.find(isMark);
    const place = zoned.rows.findIndex((cells) => mark !== undefined && cells.includes(mark));
    const actual = readings[place];
    const values = actual && wrongTime(due, { expected, actual });
    if (mark !== undefined && values && values.expected !== values.actual)
      return { ...values, mark };
  }
  return undefined;
}

/** A local time and what is shown in its place, as texts; by how many minutes that is late, and whether it is UTC. */
export function wrongTime(
  { times, instants, precision }: LocalTimes,
  { expected, actual }: Readonly<Record<'expected' | 'actual', WallTime>>,
): Pick<DatesDifference, 'expected' | 'actual' | 'lateBy' | 'isUtc'> {
  const minutesAfter = (time: number): number => Math.round((utcOf(actual) - time) / minute);
  const lateBy = minutesAfter(utcOf(expected));
  const isUtc = minutesAfter(instants[times.indexOf(expected)] ?? Number.NaN) === 0;
  return {
    expected: timeText(expected, precision),
    actual: timeText(actual, precision),
    ...(lateBy !== 0 && { lateBy, ...(isUtc && { isUtc }) }),
  };
}

/**
 * Where dates cannot be read, times of day still can: a column must show those in UTC plus the offset of the zone.
 * @throws Violation where they move with the timezone, but in no column by its offset, which is always the same; NotJudged where
 * rows are the same in both exports, or clocks are changed in the range; Inconclusive where rows differ otherwise
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
  const [start, end] = [utc.query.start, utc.query.end].map((bound) =>
    typeof bound === 'string' ? Date.parse(bound) : bound,
  );
  const isUtc = base.utc.timezone !== undefined;
  if (!isUtc || typeof start !== 'number' || typeof end !== 'number') throw unread;
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
  throw new Violation(other('shows other times of day', { of: zone }), on);
}

/** The times of day in a column, in minutes after midnight, plus `later`; undefined where a cell holds none. */
function timesOfDay({ rows }: CsvTable, column: number, later = 0): number[] | undefined {
  const times = rows.flatMap((row) => readTimeOfDay(row[column] ?? '') ?? []);
  if (times.length < rows.length) return undefined;
  return times.map((time) => (time.hour * 60 + time.minute + later + 24 * 60) % (24 * 60));
}

/** Whether a column shows the local times, and with an offset the right instants; numbers since 1970, in each zone, only these. */
function showsTimes(dates: DatesInStyle, due: LocalTimes): boolean {
  const { style, readings, hasOffsets, instants } = dates;
  const isCoarser = precisions[dates.precision].unitMs > precisions[due.precision].unitMs;
  const precision = isCoarser ? dates.precision : due.precision;
  if (precision === 'day') return false;
  const isEpoch = style === 'epoch seconds' || style === 'epoch milliseconds';
  const texts = (times: readonly WallTime[]) => bag(times.map((time) => timeText(time, precision)));
  if (!isEpoch && !isSame(texts(readings), texts(due.times))) return false;
  const unit = Math.max(1, precisions[precision].unitMs);
  const cut = (all: readonly number[]) => bag(all.map((at) => Math.floor(at / unit)));
  return (!isEpoch && !hasOffsets) || isSame(cut(instants), cut(due.instants));
}

/** Values as a multiset of rows with one cell, so that their order does not count. */
function bag(values: readonly (string | number)[] = []) {
  return multiset(values.map((value) => [`${value}`]));
}

/** A zone whose offset is no whole number of hours (+05:45), without daylight saving. */
export const zoneOfQuarters = 'Asia/Kathmandu';

/** A zone west of UTC, with daylight saving. */
export const changingZone = 'America/New_York';

/** How far back clock changes are looked for, in milliseconds. */
export const years = 2 * 366 * day;

/** The clock changes of a zone between the first and the last event. */
export function changesAmong(instants: readonly number[], zone: string) {
  const sorted = instants.toSorted((a, b) => a - b);
  return clockChanges(zone, sorted[0] ?? 0, sorted.at(-1) ?? 0);
}
