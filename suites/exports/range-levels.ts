/*
 * Levels of ranges: kinds of ranges, as “from an event on”, each at several events of the window. The column of times
 * tells what a range keeps. Whoever wants one more kind, or one more notation of a bound, adds a row to `rangesAbout`.
 */

import type { Row } from '../../helpers/csv/csv-form.ts';
import {
  type Bounds,
  exactly,
  isSubset,
  isWithin,
  keyOfRow,
  type Multiset,
} from '../../helpers/csv/multiset.ts';
import type { CsvTable } from '../../helpers/csv/read-csv.ts';
import { hour } from '../../helpers/dates/time-zones.ts';
import { eventsOf, type KnownColumns } from '../../helpers/exports/columns.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import type { ExportQuery } from '../../helpers/exports/query.ts';
import { groupBy } from '../../helpers/group-by.ts';
import { Memory } from '../../helpers/memory.ts';
import { findEventInstant, units } from './event-instants.ts';
import { levelsOfFilters } from './filter-levels.ts';
import type { Level } from './levels.ts';

/** A range about an event, and the same range in another notation, where there is one to try. */
interface AskedRange {
  readonly name: string;
  readonly query: Pick<ExportQuery, 'start' | 'end'>;
  readonly written?: Written;
}

interface Written {
  readonly notation: string;
  readonly query: AskedRange['query'];
}

/** @param at the time of an event @param earlier that of an event well before it */
function rangesAbout({ at, earlier }: Anchor): readonly AskedRange[] {
  const second = Math.floor(at / 1000) * 1000;
  const withinSecond = { start: second, end: second + 1000 };
  const [offset, fraction] = ['with an offset', 'without fraction'];
  return [
    {
      name: 'from an event on',
      query: { start: at },
      written: { notation: offset, query: { start: withOffset(at, 2) } },
    },
    {
      name: 'up to an event',
      query: { end: at },
      written: { notation: offset, query: { end: withOffset(at, -2) } },
    },
    {
      name: 'from a whole second on',
      query: { start: second },
      written: { notation: fraction, query: { start: withoutFraction(second) } },
    },
    { name: 'between two events', query: { start: earlier, end: at } },
    {
      name: 'a second',
      query: withinSecond,
      written: {
        notation: fraction,
        query: { start: withoutFraction(second), end: withoutFraction(second + 1000) },
      },
    },
    { name: 'the instant of an event', query: { start: at, end: at } },
  ];
}

/**
 * Levels of ranges within the window: from an event on, up to an event, between two events, at the instant of an event;
 * and the same ranges in other notations, where the target reads these. They are about several events, so that each
 * value of a filter keeps one of them. The column of times tells what they keep; where it does not, or there is none,
 * there are two ranges amid the window, and their own exports tell.
 */
export async function levelsOfRanges(
  exports: Exports,
  known: Knowledge,
): Promise<readonly Level[]> {
  const { window, base, columns } = known.asLearned ?? known;
  if (base.table.count === 0) return [];
  const anchors = anchorsOf(known.asLearned ?? known);
  const amidAt = anchors[0]?.at ?? window.middle;
  const amid = await Promise.all([
    levelByExport('from an event on', { start: amidAt }, exports, known),
    levelByExport('up to an event', { end: amidAt }, exports, known),
  ]);
  const grain = columns.times && (await grainOfBounds(exports, known, columns.times.unit));
  const isPredicted = amid.every(([level]) => {
    const bounds = grain !== undefined && eventsWithin(level?.query ?? {}, known, grain);
    return bounds && level?.keeps && isWithin(bounds, level.keeps.least);
  });
  if (grain === undefined || !isPredicted) return amid.flat();
  const refused = await notationsRefused(anchors.slice(-1).flatMap(rangesAbout), exports);
  return anchors.flatMap((anchor) => {
    const instant = { start: anchor.at, end: anchor.at };
    // A request that keeps the event at the bound shows most: a service that misreads the bound loses this event.
    const atBound = grain === 0 && { each: [eventsWithin(instant, known, 0)] };
    return rangesAbout(anchor).flatMap(({ name, query, written }): Level[] => {
      const range = rangeLevel(name, query, eventsWithin(query, known, grain), base.download);
      const plain: Level = { ...range, isLearned: true };
      const levels = [{ ...plain, ...atBound }, plain];
      if (written === undefined || refused.has(nameIn(name, written))) return levels;
      const clause = 'export.range-bounds-are-instants';
      const inNotation = { name: nameIn(name, written), clause, simpler: [plain] } as const;
      return [...levels, { ...range, ...atBound, ...written, ...inNotation }];
    });
  });
}

/** The name of a range in a notation: “from an event on, with an offset”. */
function nameIn(name: string, { notation }: Written): string {
  return `${name}, ${notation}`;
}

/** No range at all: a service that then reaches back only for a while loses events of the early half of the window. */
export function withoutRange(known: Knowledge): Level {
  const asLearned = known.asLearned ?? known;
  const early = eventsWithin({ end: asLearned.window.middle - 1 }, asLearned, 0);
  const each = asLearned.columns.times === undefined ? [] : [early];
  const level = { factor: 'range', name: 'none', query: {}, from: [] } as const;
  return { ...level, each, isAnytime: true, isUnknown: true };
}

/** The level of a range that keeps what its export holds; [] where it is refused, or the window lacks its events. */
async function levelByExport(
  name: string,
  query: AskedRange['query'],
  exports: Exports,
  { base, columns: { ignored } }: Knowledge,
): Promise<Level[]> {
  const download = await exports.within(query);
  const events = download.table && eventsOf(download.table, ignored);
  if (events === undefined || !isSubset(events, eventsOf(base.table, ignored))) return [];
  return [{ ...rangeLevel(name, query, exactly(events), download), isLearned: true }];
}

/** A range and the clause that is violated where no other parameter that selects events is needed to show it. */
function rangeLevel(
  name: string,
  query: AskedRange['query'],
  keeps: Bounds,
  from: CsvDownload,
): Level {
  const { start, end } = query;
  const clause =
    start === end
      ? 'export.range-start-equal-to-end'
      : start === undefined
        ? 'export.range-end-includes-its-instant'
        : 'export.range-start-includes-its-instant';
  return { factor: 'range', name, query, keeps, from: [from], clause };
}

/** The ranges, by `nameIn`, that the target refuses: which notations are read, beside the document's, is open. */
async function notationsRefused(
  asked: readonly AskedRange[],
  exports: Exports,
): Promise<ReadonlySet<string>> {
  const refused = asked.map(async ({ name, written }) => {
    const isRefused = written && (await exports.within(written.query)).table === undefined;
    return isRefused ? [nameIn(name, written)] : [];
  });
  return new Set((await Promise.all(refused)).flat());
}

/**
 * How far the time of an event may be from the one that its row shows, in milliseconds: 0 where bounds show that times
 * are kept to the millisecond.
 */
async function grainOfBounds(exports: Exports, known: Knowledge, unit: number): Promise<number> {
  if (unit > 1) return unit;
  const found = await findEventInstant(exports, known);
  return found.kind === 'exact' && found.unit === units.millisecond ? 0 : 1;
}

/** The events of the window that a range keeps, by the column of times. @param grain as of `grainOfBounds` */
function eventsWithin(
  { start = Number.NEGATIVE_INFINITY, end = Number.POSITIVE_INFINITY }: AskedRange['query'],
  { base, columns }: Knowledge,
  grain: number,
): Bounds {
  const all = timedEvents(base.table, columns);
  const within = (by: number): Multiset => {
    const kept = all.filter(({ at }) => at - by >= Number(start) && at + by <= Number(end));
    const size = kept.reduce((sum, { entry: [, { times }] }) => sum + times, 0);
    return { size, entries: new Map(kept.map(({ entry }) => entry)) };
  };
  return grain === 0 ? exactly(within(0)) : { least: within(grain), most: within(-grain) };
}

/** Equal rows of the window, each once with how often it is there, and the time that it shows. */
interface TimedEvents {
  readonly at: number;
  readonly entry: readonly [key: string, Readonly<{ row: Row; times: number }>];
}

const timed = new Memory<CsvTable, KnownColumns, readonly TimedEvents[]>();

/** The events of the window in the order of time, worked out once; [] where no column of times is known. */
function timedEvents(table: CsvTable, columns: KnownColumns): readonly TimedEvents[] {
  const { times, ignored } = columns;
  if (times === undefined) return [];
  return timed.get(table, columns, () => {
    const atByKey = new Map(
      table.rows.map((row, index) => [keyOfRow(row, ignored), times.instants[index]]),
    );
    return [...eventsOf(table, ignored).entries]
      .map((entry) => ({ at: atByKey.get(entry[0]) ?? Number.NaN, entry }))
      .sort((one, other) => one.at - other.at);
  });
}

/** An event to set bounds at. */
interface Anchor {
  readonly at: number;
  /** The time of an event well before it. */
  readonly earlier: number;
}

const maxAnchors = 6;

/**
 * Events to set bounds at, such that as many levels of filters as possible keep one of them. Preferred are events that
 * share their instant or second with others, and are not on a whole one. [] where no column of times is known.
 */
function anchorsOf(known: Knowledge): readonly Anchor[] {
  const { base, columns } = known;
  if (columns.times === undefined || columns.times.unit > 1000) return [];
  const byTime = timedEvents(base.table, columns);
  const amid = byTime.slice(Math.floor(byTime.length / 8), Math.ceil((byTime.length * 7) / 8));
  const shareAt = (by: number) => {
    const times = groupBy(amid, ({ at }) => Math.floor(at / by));
    return (at: number): number => Math.min(times.get(Math.floor(at / by))?.length ?? 0, 3);
  };
  const [sharingInstant, sharingSecond] = [shareAt(1), shareAt(1000)];
  const candidates = amid.map(({ at, entry: [key] }) => ({
    at,
    key,
    worth: 2 * sharingInstant(at) + sharingSecond(at) + (at % 1000 === 0 ? 0 : 1),
  }));
  const anchors: Anchor[] = [];
  let uncovered = levelsOfFilters(known).flatMap(({ keeps }) => keeps?.least ?? []);
  while (anchors.length < maxAnchors) {
    const keeping = ({ key }: (typeof candidates)[number]): number =>
      uncovered.filter(({ entries }) => entries.has(key)).length;
    const best = maxBy(candidates, (one) => one.worth + 4 * keeping(one));
    if (best === undefined || (anchors.length > 0 && keeping(best) === 0)) break;
    uncovered = uncovered.filter(({ entries }) => !entries.has(best.key));
    const before = byTime.filter(({ at }) => at < best.at);
    anchors.push({ at: best.at, earlier: before[before.length >> 1]?.at ?? best.at });
  }
  return anchors;
}

/** The first of those with the highest number; undefined where there are none. */
function maxBy<T>(all: readonly T[], numberOf: (one: T) => number): T | undefined {
  let [best, most] = [all[0], Number.NEGATIVE_INFINITY];
  for (const one of all) {
    const number = numberOf(one);
    if (number > most) [best, most] = [one, number];
  }
  return best;
}

/** The instant with an offset: 10:00Z as 12:00+02:00 for two hours. A service that ignores the offset reads 12:00. */
function withOffset(at: number, hours: number): string {
  const sign = hours < 0 ? '-' : '+';
  const offset = `${sign}${String(Math.abs(hours)).padStart(2, '0')}:00`;
  return new Date(at + hours * hour).toISOString().replace('Z', offset);
}

function withoutFraction(at: number): string {
  return new Date(at).toISOString().replace('.000', '');
}
