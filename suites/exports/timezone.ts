import {
  difference,
  intersection,
  isSame,
  type Multiset,
  multiset,
} from '../../helpers/csv/multiset.ts';
import type { CsvTable } from '../../helpers/csv/read-csv.ts';
import type { DatesInStyle } from '../../helpers/dates/date-column.ts';
import {
  type Precision,
  precisions,
  readTimeOfDay,
  timeText,
} from '../../helpers/dates/read-date.ts';
import { clockChanges, utcOf, type WallTime, wallTimeIn } from '../../helpers/dates/time-zones.ts';
import { columnsOfDates, dateCell, datesIn, datesOf } from '../../helpers/exports/columns.ts';
import { type CsvDownload, tableOf } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import type { ExportQuery } from '../../helpers/exports/query.ts';
import { dawn, type TimeRange } from '../../helpers/exports/window.ts';
import { Inconclusive, NothingSeen, NotJudged, Violation } from '../../helpers/outcomes.ts';
import { scenario } from '../../runner/scenario.ts';
import type { DatesDifference } from '../../schemas/difference.ts';
import { isUuidShaped } from '../../schemas/identifier.ts';
import { judgeEach } from '../expectations.ts';
import { csvAnswerJudges } from './answers.ts';
import { widestQueries } from './filter-combinations.ts';
import { expectSameEvents, expectServed, noEvents, noValues, rowsHolding } from './relations.ts';

/*
 * Identifiers of every form. Not by whole hours east of UTC, but by quarters; with a hyphen, with daylight saving west of
 * it; with a digit, and a sign that means the opposite of what it says; of three parts.
 */
const zoneOfSample = 'Asia/Kathmandu';
const zoneOfDays = 'America/Port-au-Prince';
export const changingZone = 'America/New_York';
const zonesBesideFilters = ['Etc/GMT+5', 'America/Argentina/Buenos_Aires'] as const;
const [anotherZone] = zonesBesideFilters;

/** The same query in UTC and in a zone. */
interface Zoned {
  readonly zone: string;
  readonly utc: CsvDownload;
  readonly download: CsvDownload;
}

interface InZones {
  readonly knowledge: Knowledge;
  readonly asked: readonly Zoned[];
  readonly besideZone: WithAndWithout;
  readonly ofDays: Zoned;
  /** Asked for where the window was not found with it. */
  readonly inUtc: CsvDownload | undefined;
}

/** The same query in a zone and without a timezone, asked for together. */
interface BesideZone {
  readonly zoned: Zoned;
  readonly without: CsvDownload;
}

interface WithAndWithout extends BesideZone {
  /** In another zone, where that without one shows the dates of the first. */
  readonly another: BesideZone | undefined;
}

const inTimezones = scenario({
  name: 'the timezone changes how dates are written, not which events are exported',
  async act({ exports }): Promise<InZones> {
    const knowledge = await exports.knowledge();
    const { sample } = knowledge.window;
    const [besideZone, ofDays] = await Promise.all([
      withAndWithout(exports, sample),
      inZoneFirst(exports, wholeDays(knowledge), zoneOfDays),
    ]);
    const { zoned, another } = besideZone;
    const asked = [zoned, ...(another === undefined ? [] : [another.zoned]), ofDays];
    const isInUtc = knowledge.base.utc.timezone === 'UTC';
    const inUtc = isInUtc ? undefined : await exports.within({ ...sample, timezone: 'UTC' });
    return { knowledge, asked, besideZone, ofDays, inUtc };
  },
  judges: {
    'export.timezone-keeps-the-events': ({ knowledge, asked, besideZone }) => {
      expectEventsKept(asked, knowledge);
      const { zoned, without } = besideZone;
      if (without.table === undefined) return;
      expectSameEvents('an export without timezone', zoned.utc, without, knowledge.columns);
    },
    'export.timezone-formats-the-dates': ({ knowledge, asked, besideZone, ofDays, inUtc }) => {
      if (knowledge.base.table.count === 0) throw noEvents();
      expectDatesInUtc(knowledge);
      for (const { zone, download } of asked)
        expectServed(`an export with timezone=${zone}`, download);
      if (inUtc !== undefined) expectServed('an export with timezone=UTC', inUtc);
      judgeEach(asked, (one) => expectDatesInZone(one, knowledge));
      expectNotOfZone(besideZone, ofDays, knowledge);
    },
    ...csvAnswerJudges(({ asked }: InZones) => asked.map(({ download }) => download.answer)),
  },
});

interface BesideFilters {
  readonly knowledge: Knowledge;
  /** Of combinations in which every filter counts; of the sample alone where no values are known. */
  readonly asked: readonly Zoned[];
  readonly hasFilters: boolean;
}

/** By itself, so that the clause says whether it stands on filters too. */
const besideFilters = scenario({
  name: 'a timezone beside filters keeps the events that they keep',
  async act({ exports }): Promise<BesideFilters> {
    const knowledge = await exports.knowledge();
    const filtered = widestQueries(knowledge);
    const hasFilters = filtered.length > 0;
    const queries = hasFilters ? filtered : [knowledge.window.sample];
    const each = Array.from({ length: Math.max(queries.length, zonesBesideFilters.length) });
    const asked = await Promise.all(
      each.map((_, index) => {
        const zone = zonesBesideFilters[index] ?? anotherZone;
        return inZone(exports, queries[index % queries.length] ?? {}, zone);
      }),
    );
    return { knowledge, asked, hasFilters };
  },
  judges: {
    'export.timezone-keeps-the-events': ({ knowledge, asked, hasFilters }) => {
      expectEventsKept(asked, knowledge);
      if (!hasFilters) throw noValues('values of filters that occur in the window', knowledge);
    },
    'export.timezone-formats-the-dates': ({ knowledge, asked }) => {
      for (const { zone, utc, download } of asked) {
        // What is refused in UTC has clauses of its own.
        if (utc.answer.status < 400) expectServed(`an export with timezone=${zone}`, download);
      }
      judgeEach(asked, (one) => expectDatesInZone(one, knowledge));
    },
    ...csvAnswerJudges(({ asked }: BesideFilters) => asked.map(({ download }) => download.answer)),
  },
});

interface AmidAnother {
  readonly knowledge: Knowledge;
  /** A long export in UTC, by itself. */
  readonly alone: CsvDownload;
  /** The same while another one is asked for in a zone. */
  readonly amid: CsvDownload;
  readonly zoned: CsvDownload;
}

/** By itself at the end: two requests that wait in a queue are not under way at the same time. */
const amidAnother = scenario({
  name: 'a long export in UTC is in UTC to its end while another one is asked for in a timezone',
  async act({ exports, othersAreDone }): Promise<AmidAnother> {
    const knowledge = await exports.knowledge();
    const { sample, middle, end } = knowledge.window;
    const half = { start: middle, end };
    const alone = await exports.within(half);
    await othersAreDone();
    const [amid, zoned] = await Promise.all([
      exports.anew(half),
      exports.anew({ ...sample, timezone: zoneOfSample }),
    ]);
    return { knowledge, alone, amid, zoned };
  },
  judges: {
    // A file that takes its time to be made is written as its own request wants it, from its first row to its last.
    'export.timezone-formats-the-dates': ({ knowledge, alone, amid, zoned }) => {
      try {
        expectDatesInZone({ zone: 'UTC', utc: alone, download: amid }, knowledge);
      } catch (error) {
        // Where other events are recorded meanwhile it shows nothing.
        if (error instanceof Inconclusive) throw new NothingSeen();
        if (!(error instanceof Violation)) throw error;
        throw ofAnotherRequest(amid, { zone: zoneOfSample, download: zoned }, alone);
      }
    },
    ...csvAnswerJudges(({ amid, zoned }: AmidAnother) => [amid.answer, zoned.answer]),
  },
});

/** A zone that is refused has a clause of its own. @throws Violation where others keep other events than UTC */
function expectEventsKept(asked: readonly Zoned[], { columns }: Knowledge): void {
  const served = asked.filter(({ download }) => download.answer.status === 200);
  for (const { zone, utc, download } of served.length === 0 ? asked : served) {
    const { start } = utc.query;
    const isOfDays = typeof start === 'number' && start % day === 0;
    const what = `timezone=${zone}`;
    expectSameEvents(isOfDays ? `whole days with ${what}` : what, utc, download, columns);
  }
}

/** The zone of days is so far west of UTC at least, in milliseconds. */
const west = 4 * 60 * 60_000;

/**
 * Whole days of UTC, between a midnight after which there are events and another one: read as days of a zone west of it
 * they keep others.
 */
function wholeDays({ window: { sample }, columns: { times } }: Knowledge): TimeRange {
  const midnights = (times?.instants ?? [])
    .filter((at) => at % day < west)
    .map((at) => at - (at % day))
    .filter((at) => at > sample.start && at < sample.end);
  const start = Math.min(...midnights);
  const end = Math.max(...midnights);
  return start < end ? { start, end: end - 1 } : sample;
}

/** Right behind the one in a zone that without one: it gets what is set for the one before it, or for who asks at the same time. */
async function withAndWithout(exports: Exports, sample: TimeRange): Promise<WithAndWithout> {
  const ask = async (zone: string, which: 'once' | 'anew'): Promise<BesideZone> => {
    const [zoned, without] = await Promise.all([
      inZone(exports, sample, zone),
      exports.withoutTimezone(sample, which),
    ]);
    return { zoned, without };
  };
  const one = await ask(zoneOfSample, 'once');
  const { zoned, without } = one;
  const isInZone = showsDatesOf(without, zoned.download) && !showsDatesOf(without, zoned.utc);
  return { ...one, another: isInZone ? await ask(anotherZone, 'anew') : undefined };
}

/** Whether most rows are written as those of the other export. */
function showsDatesOf({ table }: CsvDownload, other: CsvDownload): boolean {
  if (table === undefined || other.table === undefined) return false;
  const rows = multiset(table.rows);
  return intersection(rows, multiset(other.table.rows)).size * 2 > rows.size;
}

/**
 * A timezone is that of its own request: without one, dates are in whatever zone the service takes then, each time, and in
 * UTC as they are in the window.
 *
 * @throws Violation where they are in the zone of another request, and not in the same one otherwise
 */
function expectNotOfZone(
  { zoned, without, another }: WithAndWithout,
  ofDays: Zoned,
  { base }: Knowledge,
): void {
  const again = another?.without;
  if (again?.table !== undefined && !showsDatesOf(again, zoned.download)) {
    throw ofAnotherRequest(without, zoned, again);
  }
  const { utc, download } = ofDays;
  if (showsDatesOf(utc, download) && !showsDatesOf(utc, base.download)) {
    throw ofAnotherRequest(utc, ofDays, base.download);
  }
}

function ofAnotherRequest(
  wrong: CsvDownload,
  { zone, download }: Pick<Zoned, 'zone' | 'download'>,
  right: CsvDownload,
): Violation {
  return new Violation(
    { kind: 'other', wrong: 'writes as in the timezone of another request', actual: zone },
    [wrong.answer, download.answer, right.answer],
  );
}

async function inZone(exports: Exports, query: ExportQuery, zone: string): Promise<Zoned> {
  const [utc, download] = await Promise.all([
    exports.within(query),
    exports.within({ ...query, timezone: zone }),
  ]);
  return { zone, utc, download };
}

/** In UTC right after the zone: what a service keeps of the one, whatever the timezone, shows in the other. */
async function inZoneFirst(exports: Exports, query: ExportQuery, zone: string): Promise<Zoned> {
  const download = await exports.within({ ...query, timezone: zone });
  return { zone, utc: await exports.within(query), download };
}

interface AcrossChange {
  readonly knowledge: Knowledge;
  /** undefined where no events are known before and after a change. */
  readonly zoned: Zoned | undefined;
}

/** By itself, so that the clause says whether it stands on both halves of a year. */
const acrossChange = scenario({
  name: 'dates before and after clocks are changed have offsets of their own',
  async act({ exports }): Promise<AcrossChange> {
    const knowledge = await exports.knowledge();
    const range = await rangeAboutChange(exports, knowledge);
    return { knowledge, zoned: range && (await inZone(exports, range, changingZone)) };
  },
  judges: {
    'export.timezone-keeps-the-events': ({ knowledge, zoned }) => {
      const { zone, utc, download } = requireChange(zoned);
      expectSameEvents(`timezone=${zone}`, utc, download, knowledge.columns);
    },
    'export.timezone-formats-the-dates': ({ knowledge, zoned }) => {
      const { zone, download, utc } = requireChange(zoned);
      expectServed(`an export with timezone=${zone}`, download);
      expectDatesInZone({ zone, utc, download }, knowledge);
    },
    ...csvAnswerJudges(({ zoned }: AcrossChange) => (zoned ? [zoned.download.answer] : [])),
  },
});

function requireChange(zoned: Zoned | undefined): Zoned {
  if (zoned !== undefined) return zoned;
  throw new NotJudged(
    `No events are known on both sides of a clock change in ${changingZone}: it is not seen whether each date has the offset of its own time of year.`,
  );
}

/** How many events on either side of a clock change: about a day of a busy service. */
const aboutChange = 40;

/**
 * A range with events before and after a clock change, rather one that sets clocks back: each of them has an offset of
 * its own, and one of both is not that of today. Looked for in the window, and else in all that there was before it.
 *
 * @returns undefined where there are no such events, or their dates are not known
 */
export async function rangeAboutChange(
  exports: Exports,
  known: Knowledge,
): Promise<TimeRange | undefined> {
  const {
    window,
    base,
    columns: { dates },
  } = known.asLearned ?? known;
  if (dates === undefined || dates.unit > minute) return undefined;
  const inWindow = aroundChange(dates.instants);
  if (inWindow !== undefined || window.start <= dawn || base.table.count === 0) return inWindow;
  const before = await exports.anytime({ end: window.start });
  if (before.table !== undefined) {
    const instants = datesOf(before.table, dates)?.instants ?? [];
    return aroundChange([...instants, ...dates.instants]);
  }
  // All of that is too much for one file: only what is about the last changes.
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

const minute = 60_000;
const day = 24 * 60 * minute;
/** How far back changes are looked for. */
const years = 2 * 366 * day;

/** A range of the events about one of the clock changes between them. */
function aroundChange(instants: readonly number[]): TimeRange | undefined {
  const sorted = instants.toSorted((a, b) => a - b);
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const changes = clockChanges(changingZone, first, last);
  const { at } = changes.find(({ byMs }) => byMs < 0) ?? changes.at(-1) ?? {};
  if (at === undefined) return undefined;
  const index = sorted.findIndex((instant) => instant >= at);
  const start = sorted[Math.max(0, index - aboutChange)] ?? first;
  const end = sorted[index + aboutChange] ?? last;
  return { start, end };
}

/** @throws Violation where dates that were asked for in UTC fit with the range only in another zone */
function expectDatesInUtc({ columns: { shifted }, base: { utc, download } }: Knowledge): void {
  if (shifted === undefined || shifted.hasOffsets || utc.timezone === undefined) return;
  throw new Violation(
    {
      kind: 'other',
      wrong: 'shows dates in another zone',
      of: utc.timezone,
      hours: shifted.byMs / 3_600_000,
    },
    [download.answer],
  );
}

/**
 * Some column of the export shows, for all events together, their local times in the zone. Beside it
 * there may be others, such as one that stays in UTC.
 *
 * @throws Violation where no column does
 * @throws Inconclusive where dates cannot be read
 */
export function expectDatesInZone({ zone, utc, download }: Zoned, knowledge: Knowledge): void {
  const [plain, zoned] = [tableOf(utc), tableOf(download)];
  const { dates, ignored } = knowledge.columns;
  if (plain.count === 0) throw new NothingSeen();
  requireSameEvents({ zone, utc, download }, knowledge);
  const written = dates && datesOf(plain, dates);
  const shown = dates === undefined ? [] : datesIn(zoned, dates.columns);
  // A column of days alone does not show at what hour the next day begins in another zone.
  if (written === undefined || written.precision === 'day' || shown.length === 0) {
    expectTimesOfDayInZone({ zone, utc, download }, knowledge);
    return;
  }

  const expected = written.instants.map((at) => wallTimeIn(zone, at));
  const candidates = columnsOfDates(zoned, ignored).flatMap((columns) => datesIn(zoned, columns));
  if (candidates.some((found) => showsInZone(found, written, expected))) return;

  const [{ readings } = written] = shown;
  const { precision } = written;
  const { missing, extra } = difference(texts(expected, precision), texts(readings, precision));
  const lacking = new Set(missing.map(([time = '']) => time));
  const same = firstOther(
    lacking,
    { table: plain, times: expected },
    { table: zoned, times: readings },
    precision,
  );
  const localTime = same === undefined ? missing[0]?.[0] : timeText(same.expected, precision);
  const actual =
    same === undefined
      ? (extra[0]?.[0] ?? dateCell(zoned.rows[0] ?? [], dates?.columns ?? []))
      : timeText(same.actual, precision);
  throw new Violation(
    {
      kind: 'dates',
      timezone: zone,
      fileType: 'csv',
      expected: localTime ?? 'the same instants',
      actual,
      ...(missing.length > 0 && { wrong: missing.length, of: expected.length }),
      ...(isAboutChange(zone, written.instants) && { isAboutChange: true }),
      ...(same && { mark: same.mark, ...movedBy(same, written.instants[same.index]) }),
    },
    [download.answer, utc.answer],
  );
}

/**
 * By how much what is shown is off.
 * @param at the instant of the event, in milliseconds since 1970
 */
export function movedBy(
  { expected, actual }: Readonly<Record<'expected' | 'actual', WallTime>>,
  at: number | undefined,
): Pick<DatesDifference, 'isUtc' | 'lateBy'> {
  const lateBy = minutesBetween(utcOf(expected), utcOf(actual));
  if (lateBy === 0) return {};
  const isUtc = at !== undefined && minutesBetween(at, utcOf(actual)) === 0;
  return { lateBy, ...(isUtc && { isUtc }) };
}

function minutesBetween(earlier: number, later: number): number {
  return Math.round((later - earlier) / 60_000);
}

/** The times of the events of a table, row by row. */
interface Timed {
  readonly table: CsvTable;
  readonly times: readonly WallTime[];
}

/**
 * The first event whose time is not there, known by an id that no other row holds, its place, and the time that it has in
 * its place; undefined where none is known so.
 */
function firstOther(
  lacking: ReadonlySet<string>,
  right: Timed,
  shown: Timed,
  precision: Precision,
) {
  for (const { table, times } of [right, shown]) {
    if (times.length !== table.rows.length) return undefined;
  }
  for (const [index, expected] of right.times.entries()) {
    const local = timeText(expected, precision);
    if (!lacking.has(local)) continue;
    const mark = right.table.rows[index]?.find(
      (cell) => isUuidShaped(cell) && rowsHolding(cell, right.table) === 1,
    );
    if (mark === undefined) continue;
    const actual = shown.times[shown.table.rows.findIndex((row) => row.includes(mark))];
    if (actual !== undefined && timeText(actual, precision) !== local) {
      return { index, mark, expected, actual };
    }
  }
  return undefined;
}

function isAboutChange(zone: string, instants: readonly number[]): boolean {
  const sorted = instants.toSorted((a, b) => a - b);
  return clockChanges(zone, sorted[0] ?? 0, sorted.at(-1) ?? 0).length > 0;
}

/** Which events there are is judged by a clause of its own. @throws Inconclusive where they are not the same */
function requireSameEvents({ zone, utc, download }: Zoned, { columns }: Knowledge): void {
  try {
    expectSameEvents(`timezone=${zone}`, utc, download, columns);
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    throw new Inconclusive(
      `The export in the timezone ${zone} holds other events than the one without: that is export.timezone-keeps-the-events.`,
      [download.answer, utc.answer],
    );
  }
}

/**
 * Where days cannot be read, times of day still can: they differ from those in UTC by the offset of the zone.
 *
 * @throws Violation where times of day move with the timezone, and in no column as its clocks do, which are not changed
 * @throws NotJudged where the rows are the same in both
 * @throws Inconclusive where they differ, and not in what can be read
 */
function expectTimesOfDayInZone({ zone, utc, download }: Zoned, { base }: Knowledge): void {
  const [plain, zoned] = [tableOf(utc), tableOf(download)];
  const on = [download.answer, utc.answer];
  if (isSame(multiset(plain.rows), multiset(zoned.rows))) {
    throw new NotJudged(
      `The export shows no dates that can be read, and in the timezone ${zone} the rows are the same as in UTC.`,
    );
  }
  const unread = new Inconclusive(
    `In the timezone ${zone} the rows differ from those in UTC, and not by dates that can be read.`,
    on,
  );
  const { start, end } = utc.query;
  if (typeof start !== 'number' || typeof end !== 'number') throw unread;
  if (base.utc.timezone === undefined) throw unread;
  if (clockChanges(zone, start, end).length > 0) {
    throw new NotJudged(
      'The range holds a clock change, and which local times lie on which side of it could not be found out.',
    );
  }
  const ahead = (utcOf(wallTimeIn(zone, end)) - end) / minute;
  const moved = Array.from({ length: zoned.columns }, (_, column) => ({
    before: timesOfDay(plain, column),
    after: timesOfDay(zoned, column),
  })).filter(({ before, after }) => before && after && before.join() !== after.join());
  if (moved.length === 0) throw unread;
  const isRight = moved.some(({ before = [], after = [] }) =>
    isSame(
      numbers(before.map((time) => (time + ahead + minutesOfDay) % minutesOfDay)),
      numbers(after),
    ),
  );
  if (isRight) return;
  // Whose times of day these are is not known, so neither is whether it is daylight saving time for them.
  if (clockChanges(zone, start - years, end).length > 0) throw unread;
  throw new Violation({ kind: 'other', wrong: 'shows other times of day', of: zone }, on);
}

const minutesOfDay = 24 * 60;

/** The time of day in each cell of a column, in minutes; undefined where one holds none. */
function timesOfDay({ rows }: CsvTable, column: number): number[] | undefined {
  const times: number[] = [];
  for (const row of rows) {
    const time = readTimeOfDay(row[column] ?? '');
    if (time === undefined) return undefined;
    times.push(time.hour * 60 + time.minute);
  }
  return times;
}

/**
 * Whether dates are local times in the zone, and denote the same instants where they can: with their offset from UTC,
 * or as numbers since 1970, which are the same in every zone.
 *
 * @param written in UTC
 * @param expected the local times of these
 */
function showsInZone(found: DatesInStyle, written: DatesInStyle, expected: readonly WallTime[]) {
  const { style, readings, hasOffsets, instants } = found;
  const precision = coarsest(found.precision, written.precision);
  if (precision === 'day') return false;
  const isEpoch = style === 'epoch seconds' || style === 'epoch milliseconds';
  if (!isEpoch && !isSame(texts(readings, precision), texts(expected, precision))) return false;
  const unit = Math.max(1, precisions[precision].unitMs);
  const cut = (at: number) => Math.floor(at / unit);
  return (
    (!isEpoch && !hasOffsets) ||
    isSame(numbers(instants.map(cut)), numbers(written.instants.map(cut)))
  );
}

function coarsest(one: Precision, other: Precision): Precision {
  return precisions[one].unitMs > precisions[other].unitMs ? one : other;
}

function texts(times: readonly WallTime[], precision: Precision): Multiset {
  return multiset(times.map((time) => [timeText(time, precision)]));
}

function numbers(values: readonly number[]): Multiset {
  return multiset(values.map((value) => [`${value}`]));
}

export const timezoneScenarios = [inTimezones, besideFilters, amidAnother, acrossChange];
