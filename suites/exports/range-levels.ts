/* Levels of ranges, each kind at several events. Whoever wants one more, or one more notation, adds a row to `rangesAbout`. */

import type { Row } from '../../helpers/csv/csv-form.ts';
import {
  type Bounds,
  entriesIn,
  exactly,
  isSubset,
  isWithin,
  keyOfRow,
  type Multiset,
  multiset,
} from '../../helpers/csv/multiset.ts';
import type { CsvTable } from '../../helpers/csv/read-csv.ts';
import { clockChanges, day, hour, minute } from '../../helpers/dates/time-zones.ts';
import { datesOf, eventsOf, type KnownColumns } from '../../helpers/exports/columns.ts';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import type { ExportQuery } from '../../helpers/exports/query.ts';
import { dawn, type TimeRange } from '../../helpers/exports/window.ts';
import { groupBy, Memory, remembered } from '../../helpers/maps.ts';
import { boundOf, findEventInstant, shownAt, units } from './event-instants.ts';
import { levelsOfFilters } from './filter-levels.ts';
import { formLevel, type Level } from './levels.ts';
import { changesAmong, changingZone, withYearsOf, years } from './timezone.ts';

interface AskedRange {
  readonly name: string;
  /** How its bounds are written, where that is not as the document writes them. */
  readonly notation?: string;
  /** What bounds of its kind are at, as it is said of them. */
  readonly place?: string;
  /** What it counts as beside another parameter: ranges of one kind show the same there. */
  readonly kind: string;
  /** What is sent; as numbers, what that means. */
  readonly query: Pick<ExportQuery, 'start' | 'end'>;
  readonly means?: Interval;
  /** The ways in which a service may misread it: each is a level. */
  readonly misread?: readonly Misread[];
  /** Whether it has one bound alone, where all others have the other bound of the window too. */
  readonly isAlone?: true;
  /** The range as it is written otherwise, or one that nearly is the same: where that is wrong too, this one is not to blame. */
  readonly simpler?: AskedRange;
}

/** Bounds in milliseconds since 1970. */
interface Interval {
  readonly start?: number;
  readonly end?: number;
}

/** When events happened that a misreading would lose or add. */
interface Misread extends Interval {
  /** What a range that shows it counts as; left out, as its own kind. */
  readonly kind?: string;
}

type BoundOf = 'start' | 'end';

/** A range whose bounds are written as the document writes them. */
type UsualRange = AskedRange & { readonly query: Interval };

/** From an instant on, or up to it. */
function usual(bound: BoundOf, at: number): UsualRange {
  const name = bound === 'start' ? 'from an event on' : 'up to an event';
  return { name, kind: `range_${bound}`, query: { [bound]: at } };
}

/** A bound where it may be misread, as one a little `earlier` is not. @param what it is at: “midnight” */
function boundAt(
  bound: BoundOf,
  what: string,
  at: number,
  misread: Interval,
  { kind = `range_${bound}`, earlier = 1 } = {},
): UsualRange {
  return {
    name: bound === 'start' ? `from ${what} on` : `up to ${what}`,
    place: `at ${what}`,
    kind,
    query: { [bound]: at },
    misread: [misread],
    simpler: usual(bound, at - earlier),
  };
}

const startAtMidnight = { kind: 'a range_start at midnight' };
const endAtMidnight = { kind: 'a range_end at midnight' };

export const anInstant = 'the instant of an event';

/** Ranges about an event, the two basic ones first. @param slack how far its time may be from the one that its row shows */
function rangesAbout({ at, earlier }: Anchor, slack: number): readonly AskedRange[] {
  const [from, upTo] = [at - slack, at + slack];
  const second = Math.floor(at / 1000) * 1000;
  const aSecond = { start: second, end: second + 999 };
  const midnight = Math.floor(at / day) * day;
  /** A service may exclude the instant of a bound, take it for a local time, or cut it to its second. */
  const misreadings = (inAnotherZone: Interval): readonly Misread[] => [
    { start: from, end: upTo },
    { ...inAnotherZone, kind: 'in another zone' },
    { ...aSecond, end: from - 1, kind: 'after others of its second' },
    { ...aSecond, start: upTo + 1, kind: 'before others of its second' },
  ];
  const [before, after] = [
    { start: from - 2 * hour, end: from - 1 },
    { start: upTo + 1, end: upTo + 2 * hour },
  ];
  const fromOn = { ...usual('start', from), misread: misreadings(before) };
  const upToIt = { ...usual('end', upTo), misread: misreadings(after) };
  const offset = 'with an offset';
  /** The range in another notation. */
  const written = (
    range: UsualRange,
    notation: string,
    query: AskedRange['query'],
    misread?: Misread,
  ): AskedRange => ({
    ...range,
    notation,
    kind: notation,
    query,
    means: range.query,
    simpler: range,
    misread: misread ? [misread] : (range.misread?.slice(0, 1) ?? []),
  });
  const alone = (range: typeof fromOn, other: string, misread: Interval): AskedRange => ({
    ...range,
    name: `${range.name}, and no ${other}`,
    kind: `${range.kind} alone`,
    misread: [misread, ...range.misread],
    isAlone: true,
    simpler: range,
  });
  // As texts, “:05.123Z” comes before “:05Z”.
  const fromSecond = boundAt('start', 'a whole second', second, aSecond);
  const upToSecond = boundAt('end', 'a whole second', second, { ...aSecond, start: second + 1 });
  const inSecond = { name: 'a second', kind: 'a second', query: aSecond };
  const lastOfDay = midnight + day - 1;
  return [
    fromOn,
    upToIt,
    fromSecond,
    upToSecond,
    { name: 'between two events', kind: 'a range', query: { start: earlier, end: upTo } },
    inSecond,
    {
      name: anInstant,
      kind: 'an instant',
      query: { start: from, end: upTo },
      misread: misreadings(after),
    },
    boundAt('start', 'midnight', midnight, { start: midnight, end: lastOfDay }, startAtMidnight),
    boundAt('end', 'midnight', midnight, { start: midnight + 1, end: lastOfDay }, endAtMidnight),
    alone(fromOn, 'range_end', before),
    alone(upToIt, 'range_start', after),
    written(fromOn, offset, { start: withOffset(from, 2) }, { start: from, end: from + 2 * hour }),
    written(upToIt, offset, { end: withOffset(upTo, -2) }, { start: upTo - 2 * hour, end: upTo }),
    written(fromOn, 'with +00:00', { start: withOffset(from, 0) }),
    written(upToIt, 'with +00:00', { end: withOffset(upTo, 0) }),
    written(fromSecond, withoutFractions, { start: withoutFraction(second) }),
    written(upToSecond, withoutFractions, { end: withoutFraction(second) }),
    // As texts, “:05Z” comes after “:05.999Z”.
    written(inSecond, withoutFractions, { ...aSecond, start: withoutFraction(second) }),
    ...[1, 2, 6, 9].map((digits) => withDigits('start', from, digits)),
    // To a service that keeps microseconds, “.123Z” may be all of that millisecond, and “.123000000Z” its beginning.
    withDigits('end', upTo + 1, 9),
  ];
}

/** Up to the last millisecond of the day before an event: a service may take it for the end of that day. */
function endOfDayBefore({ at }: Anchor): AskedRange {
  const midnight = Math.floor(at / day) * day;
  const misread = { start: midnight, end: midnight + day - 1 };
  const besides = { ...endAtMidnight, earlier: 1000 };
  return boundAt('end', 'the end of a day', midnight - 1, misread, besides);
}

/** Ranges where a month ends, which a service may cut there; not to blame where the same is wrong two days before. */
function rangesAtEndOfMonth(at: number, slack: number): readonly AskedRange[] {
  const bounds = [
    { bound: 'start', instant: at - slack },
    { bound: 'end', instant: at + slack },
  ] as const;
  return bounds.flatMap(({ bound, instant }) => {
    const kind = `range_${bound}`;
    const rangeAt = (place: string, instant: number): UsualRange => ({
      name: `${kind} ${place}`,
      place,
      kind,
      query: { [bound]: instant },
      simpler: usual(bound, instant - 2 * day),
    });
    const onLastDay = rangeAt('on the last day of a month', instant);
    const query = { [bound]: withOffset(instant, 0) };
    return [
      onLastDay,
      { ...onLastDay, notation: 'with +00:00', query, means: onLastDay.query },
      rangeAt('at the first midnight of a month', firstOfMonth(at + day)),
    ];
  });
}

/** The midnight at which the month of an instant begins, in UTC. */
function firstOfMonth(at: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}

/** Ranges with a bound at events of midnight, as jobs make them: a service may take it for a day, and leave these out. */
function rangesAtEventOfMidnight({ at }: Anchor): readonly AskedRange[] {
  return (['start', 'end'] as const).map((bound) => {
    const kind = `a range_${bound} at an event of midnight`;
    return boundAt(bound, 'an event of midnight', at, { start: at, end: at }, { kind });
  });
}

const sets = new Memory<Knowledge, string, Promise<RangeLevels>>();

/**
 * Levels of ranges: from an event on, up to an event, at midnight …; and in other notations, where the target reads these. They are
 * about several events, so that each value of a filter keeps one. The column of times tells what they keep; without it they
 * are about the one event whose instant is searched by bounds, and their own exports tell.
 */
export function levelsOfRanges(known: Knowledge, exports: Exports): Promise<RangeLevels> {
  return sets.get(known, '', () => makeLevels(exports, known));
}

export interface RangeLevels {
  readonly basic: readonly Level[];
  /** The same ranges where events show whether they are misread in one more way: these count as kinds of their own. */
  readonly misread: readonly Level[];
  /** Up to the end of a day, which a service may take for the next one; and where a month ends. */
  readonly ends: readonly Level[];
  /** Whether events happened at the very times that rows show, as far as ranges of these tell. */
  readonly areExact: boolean;
}

async function makeLevels(exports: Exports, known: Knowledge): Promise<RangeLevels> {
  const { window, base, columns } = known;
  if (base.table.rows.length === 0) return { basic: [], misread: [], ends: [], areExact: false };
  const candidates = anchorsOf(known);
  const first = rangesAbout(candidates[0] ?? { at: window.middle, earlier: window.start }, 0);
  const [exact, bounds, refused] = await Promise.all([
    exactAnchors(candidates, exports, known),
    levelsByExports(first.slice(0, 2), exports, known),
    refusedAmong(first, exports),
  ]);
  const unit = columns.times?.unit ?? Number.POSITIVE_INFINITY;
  const areExact = candidates.every((one) => exact.includes(one));
  const exactTimes = new Set(exact.map(({ at }) => at));
  /** Of these, bounds in milliseconds miss a part, whatever holds of the anchors. */
  const finer = new Set(columns.times?.instants.filter((_, row) => columns.times?.beyondMs[row]));
  const slackOf: Slack = (shown) =>
    exactTimes.has(shown) || (areExact && !finer.has(shown)) ? 0 : Math.max(1, unit);
  /** What ranges keep, worked out once: each is many levels, one for each way to misread it, and several are misread alike. */
  const keeping = (slack?: Slack) => {
    const kept = new Map<string, Bounds>();
    return (range: AskedRange['query']): Bounds =>
      remembered(kept, `${range.start} ${range.end}`, () => eventsWithin(range, known, slack));
  };
  const [keptIn, shownBy] = [keeping(slackOf), keeping()];
  const anchors = exact.length < enoughAnchors ? candidates : exact;
  const isPredicted = bounds.every(
    ({ query, keeps }) => keeps && isWithin(keptIn(query), keeps.least),
  );
  const isRead = (range: AskedRange): boolean => !refused.has(notationOf(range));
  /** Ranges about the very instant of one event, by their own exports. */
  const atInstant = async (): Promise<Level[]> => {
    const { at } = await findEventInstant(exports, known);
    const ms = Number(at / units.millisecond);
    const ranges = rangesAbout({ at: ms, earlier: window.start }, 0).filter(isRead);
    const levels = await levelsByExports(ranges, exports, known);
    // Its events, or else those of its second, show whether a bound excludes its own instant, or is taken for another one.
    const [own] = [anInstant, 'a second'].flatMap((name) => {
      const { keeps } = levels.find((level) => level.name === name) ?? {};
      return keeps && keeps.least.size > 0 ? [keeps] : [];
    });
    return levels.map((level) => (own ? { ...level, misread: own } : level));
  };
  if (!isPredicted || bounds.length === 0 || anchors.length === 0) {
    return { basic: await atInstant(), misread: [], ends: [], areExact: false };
  }
  // Where times are shown coarsely, these alone show how the very instant of an event is read.
  const ofInstant = unit > 1 ? await atInstant() : [];
  const exactLevels = ofInstant.map((level) =>
    level.isLearned ? { ...level, name: `${level.name}${atVeryInstant}` } : level,
  );
  const times = timedEvents(base.table, columns);
  const [firstAt, lastAt] = [times[0]?.at ?? window.start, times.at(-1)?.at ?? window.end];
  /** Of a bound alone the half of its events that are far from it: a service may reach only for a while. */
  const farHalf = ({ start, end }: AskedRange['query']): Bounds =>
    start === undefined
      ? keptIn({ end: (firstAt + Number(end)) / 2 })
      : keptIn({ start: (Number(start) + lastAt) / 2 });
  /** What came before the window is not known: a midnight may lie there. */
  const isInWindow = ({ query, means }: AskedRange): boolean =>
    Number((means ?? query).start ?? window.start) >= window.start;
  const isUsable = (range: AskedRange): boolean => isRead(range) && isInWindow(range);
  const levelOf = (range: AskedRange, misread?: Misread): Level => {
    const { query, means = query, kind, isAlone } = range;
    const simpler = range.simpler && isInWindow(range.simpler) && levelOf(range.simpler);
    return {
      ...rangeLevel(range, keptIn(means), base.download),
      ...(misread && { misread: shownBy(misread) }),
      ...(misread?.kind && { inPairs: [`${kind} ${misread.kind}`] }),
      ...(isAlone && { each: [farHalf(means)] }),
      ...(simpler && { simpler: [...(simpler.simpler ?? []), simpler] }),
    };
  };
  /** Of bounds alone those come first that leave most of the window to be kept. */
  const isFar = ({ isAlone, query: { start, end } }: AskedRange): boolean =>
    isAlone !== true || Number(start ?? window.middle) <= Number(end ?? window.middle);
  const ranges = anchors
    .flatMap((anchor) => rangesAbout(anchor, slackOf(anchor.at)))
    .filter(isUsable)
    .toSorted((one, other) => Number(isFar(other)) - Number(isFar(one)));
  const levelsThat = (isMeant: (way: Misread) => boolean): Level[] =>
    ranges.flatMap((range) =>
      (range.misread ?? []).filter(isMeant).map((way) => levelOf(range, way)),
    );
  const ofFine = await fineInstants(anchors, exports, known);
  return {
    areExact: unit < 1 ? ofFine.length > 0 : areExact && exact.length > 0,
    // Where no request shows a range misread, one that shows it ignored is the second best.
    basic: [
      ...exactLevels,
      ...ofFine,
      ...levelsThat(({ kind }) => kind === undefined),
      ...ranges.map((range) => levelOf(range)),
    ],
    misread: [
      ...levelsThat(({ kind }) => kind !== undefined),
      ...anchorsOf(known, { isMeant: (at) => at % day === 0 && slackOf(at) === 0 })
        .flatMap(rangesAtEventOfMidnight)
        .map((range) => levelOf(range, range.misread?.[0])),
    ],
    ends: [
      ...anchors.map(endOfDayBefore),
      ...lastOfMonth(times)
        .flatMap(({ at }) => rangesAtEndOfMonth(at, slackOf(at)))
        .filter(isUsable),
    ].map((range) => levelOf(range, range.misread?.[0])),
  };
}

/** How many events are asked for by their very instants, where times are shown finer than to the millisecond. */
const maxFine = 4;

/** Ranges of the very instants of events, by their own exports; [] where times are not shown finer than to the millisecond. */
async function fineInstants(
  anchors: readonly Anchor[],
  exports: Exports,
  known: Knowledge,
): Promise<readonly Level[]> {
  const { times } = known.columns;
  if (times === undefined || times.unit >= 1) return [];
  const ranges = anchors.slice(0, maxFine).map(({ at }): AskedRange => {
    const bound = boundOf(shownAt(times, times.instants.indexOf(at)));
    const query = { start: bound, end: bound };
    return { name: anInstant, kind: 'an instant', query };
  });
  const levels = await levelsByExports(ranges, exports, known);
  return levels.filter(({ keeps }) => keeps !== undefined && keeps.least.size > 0);
}

/** Levels of ranges that keep what their exports hold; none of a range of which the window lacks events. */
async function levelsByExports(
  ranges: readonly AskedRange[],
  exports: Exports,
  { base, columns: { ignored } }: Knowledge,
): Promise<readonly Level[]> {
  const levels = ranges.map(async (range): Promise<Level[]> => {
    const { query, means = query, notation, simpler } = range;
    const download = await exports.within(means);
    const events = download.table && eventsOf(download.table, ignored);
    if (events === undefined || !isSubset(events, eventsOf(base.table, ignored))) return [];
    const level = rangeLevel(range, exactly(events), download);
    if (notation === undefined || simpler === undefined) return [{ ...level, isLearned: true }];
    return [{ ...level, simpler: [rangeLevel(simpler, exactly(events), download)] }];
  });
  return (await Promise.all(levels)).flat();
}

/** The notations of these ranges, by `notationOf`, that the target refuses: it need not read one that is not the document's. */
async function refusedAmong(
  ranges: readonly AskedRange[],
  exports: Exports,
): Promise<ReadonlySet<string>> {
  const refused = ranges.map(async (range) => {
    const { query, notation } = range;
    if (notation === undefined || notation === withoutFractions) return [];
    const { status } = (await exports.within(query)).answer;
    return status >= 400 && status <= 499 ? [notationOf(range)] : [];
  });
  return new Set((await Promise.all(refused)).flat());
}

/** The notation of a range, and the bounds that it has: “start with an offset”. */
const notationOf = ({ query, notation }: AskedRange): string =>
  `${Object.keys(query).join(' and ')} ${notation}`;

const withoutFractions = 'without fraction';

/** How the names of levels end that alone are exact where times are shown coarsely. */
export const atVeryInstant = ', at its very instant';

/** The name of a range, in its notation: “from an event on, with an offset”. */
function nameOf({ name, notation }: AskedRange): string {
  return notation === undefined ? name : `${name}, ${notation}`;
}

/** No range at all: a service that then reaches back only for a while loses events of the early half of the window. */
export function withoutRange(known: Knowledge): Level {
  const early = eventsWithin({ end: known.window.middle - 1 }, known);
  const each = known.columns.times === undefined ? [] : [early];
  const clause = 'export.range-bounds-are-independent';
  return { ...formLevel('range', 'none', {}), each, isAnytime: true, clause };
}

export const sampleName = 'the sample';

/** The range of the sample; none where it is refused. */
export async function sampleLevel(known: Knowledge, exports: Exports): Promise<readonly Level[]> {
  const { window, base, columns } = known;
  const { start, end } = window.sample;
  const download = await exports.within({ start, end });
  if (download.table === undefined) return [];
  const keeps = exactly(eventsOf(download.table, columns.ignored));
  const isPart = keeps.least.size < base.table.rows.length;
  const level: Level = { ...formLevel('range', sampleName, { start, end }), from: [download] };
  return [isPart ? { ...level, keeps } : level];
}

/** A range and the clause that is violated where no other parameter that selects events is needed to show it. */
function rangeLevel(range: AskedRange, keeps: Bounds, from: CsvDownload): Level {
  const { query, notation, place, kind, isAlone, simpler } = range;
  const { start, end } = query;
  const clause = isAlone
    ? 'export.range-bounds-are-independent'
    : notation !== undefined
      ? 'export.range-bounds-are-instants'
      : start === end
        ? 'export.range-start-equal-to-end'
        : start === undefined
          ? 'export.range-end-includes-its-instant'
          : 'export.range-start-includes-its-instant';
  return {
    factor: 'range',
    name: nameOf(range),
    inPairs: [kind],
    // By such ranges the column of times was found.
    isLearned: simpler === undefined,
    query,
    keeps,
    from: [from],
    clause,
    ...(notation && { notation }),
    ...(place && { place }),
    ...(isAlone && { isAnytime: true, notation: 'alone' }),
  };
}

/** How far the time of an event may be from the one that its row shows, in milliseconds, by the latter. */
type Slack = (shown: number) => number;

/**
 * The anchors whose times are exact, with others in place of those that are not: times may be kept more finely than shown, and
 * the range of the very instant that a row shows holds the event only where they are not.
 */
async function exactAnchors(
  anchors: readonly Anchor[],
  exports: Exports,
  known: Knowledge,
): Promise<readonly Anchor[]> {
  if (known.columns.times === undefined || known.columns.times.unit > 1) return [];
  const isExact = async ({ at }: Anchor): Promise<boolean> => {
    const { table } = await exports.within({ start: at, end: at });
    const { least } = eventsWithin({ start: at, end: at }, known);
    return table !== undefined && isSubset(least, eventsOf(table, known.columns.ignored));
  };
  let [tried, exact, round] = [anchors, [] as readonly Anchor[], anchors];
  for (let rounds = 0; rounds < maxRounds && round.length > 0; rounds += 1) {
    const are = await Promise.all(round.map(isExact));
    const found = round.filter((_, index) => are[index]);
    exact = [...exact, ...found];
    if (found.length === 0 || exact.length >= maxAnchors || found.length === round.length) break;
    round = anchorsOf(known, { exact, tried });
    tried = [...tried, ...round];
  }
  return exact;
}

/** The events of the window that a range keeps, by the column of times. */
function eventsWithin(
  { start = Number.NEGATIVE_INFINITY, end = Number.POSITIVE_INFINITY }: AskedRange['query'],
  { base, columns }: Knowledge,
  slackOf: Slack = () => 0,
): Bounds {
  const [from, upTo] = [Number(start), Number(end)];
  const [least, most]: [TimedEvents[], TimedEvents[]] = [[], []];
  for (const one of timedEvents(base.table, columns)) {
    const by = slackOf(one.at);
    if (one.at + by < from || one.at - by > upTo) continue;
    most.push(one);
    if (one.at - by >= from && one.at + by <= upTo) least.push(one);
  }
  const setOf = (all: readonly TimedEvents[]): Multiset =>
    multiset(
      all.flatMap(({ row, times }) => Array<Row>(times).fill(row)),
      columns.ignored,
    );
  const all = setOf(most);
  return least.length === most.length ? exactly(all) : { least: setOf(least), most: all };
}

/** Equal rows of the window, each once with how often it is there, and the time that it shows. */
interface TimedEvents {
  readonly at: number;
  readonly key: string;
  readonly row: Row;
  readonly times: number;
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
    return [...entriesIn(eventsOf(table, ignored))]
      .map(([key, entry]) => ({ ...entry, key, at: atByKey.get(key) ?? Number.NaN }))
      .sort((one, other) => one.at - other.at);
  });
}

/** An event to set bounds at. */
interface Anchor {
  readonly at: number;
  /** The time of an event well before it. */
  readonly earlier: number;
}

/** At how many events ranges begin and end; and how often others are looked for, where times of some are not exact. */
const maxAnchors = 8;
const maxRounds = 3;
/** How many events of exactly known times are enough to set bounds at these alone. */
const enoughAnchors = 3;

/**
 * Events to set bounds at, so that most levels of filters keep one of them, and then another; best sharing their instant or second
 * with others, not a whole one, and on the other side of a clock change, so that the offset of today is not theirs.
 * @param among those known to be exact, which count; all that were tried; and which times are meant, if not all
 */
function anchorsOf(
  known: Knowledge,
  among: {
    readonly exact?: readonly Anchor[];
    readonly tried?: readonly Anchor[];
    readonly isMeant?: (at: number) => boolean;
  } = {},
): readonly Anchor[] {
  const { base, columns, window } = known;
  const { isMeant = () => true } = among;
  if (columns.times === undefined || columns.times.unit > 1000) return [];
  const byTime = timedEvents(base.table, columns);
  const amid = byTime.slice(Math.floor(byTime.length / 8), Math.ceil((byTime.length * 7) / 8));
  if (!amid.some(({ at }) => isMeant(at))) return [];
  const shareAt = (by: number) => {
    const times = groupBy(amid, ({ at }) => Math.floor(at / by));
    return (at: number): number => Math.min(times.get(Math.floor(at / by))?.length ?? 0, 3);
  };
  const [sharingInstant, sharingSecond] = [shareAt(1), shareAt(1000)];
  const changes = clockChanges(changingZone, amid[0]?.at ?? window.end, window.end);
  const movedSince = (time: number): number =>
    changes.reduce((sum, { at, byMs }) => (at > time ? sum + byMs : sum), 0);
  const tried = new Set(among.tried?.map(({ at }) => at));
  const candidates = amid.flatMap(({ at, key }) => {
    if (tried.has(at) || !isMeant(at)) return [];
    const shared = 2 * sharingInstant(at) + sharingSecond(at);
    return [{ at, key, worth: shared + Math.sign(at % 1000) + (movedSince(at) === 0 ? 0 : 2) }];
  });
  const anchors: Anchor[] = [];
  const kept = levelsOfFilters(known).flatMap(({ keeps }) => (keeps ? entriesIn(keeps.least) : []));
  let uncovered = kept.map((events) => ({ events, times: 2 }));
  const cover = (key: string): void => {
    uncovered = uncovered.map(({ events, times }) => {
      return { events, times: events.has(key) ? times - 1 : times };
    });
  };
  const exact = new Set(among.exact?.map(({ at }) => at));
  for (const { at, key } of amid) if (exact.has(at)) cover(key);
  while (anchors.length < maxAnchors) {
    const keeping = ({ key }: (typeof candidates)[number]): number =>
      uncovered.filter(({ events, times }) => times > 0 && events.has(key)).length;
    const [best] = candidates
      .map((one) => ({ ...one, worth: one.worth + 4 * keeping(one) }))
      .sort((one, other) => other.worth - one.worth);
    if (best === undefined || (anchors.length > 0 && keeping(best) === 0)) break;
    cover(best.key);
    const earlier = byTime.filter(({ at }) => at < best.at);
    anchors.push({ at: best.at, earlier: earlier[earlier.length >> 1]?.at ?? best.at });
  }
  return anchors;
}

/** An event of the last day of a month, well within the window, and before events of the next day; [] where there is none. */
function lastOfMonth(byTime: readonly TimedEvents[]): readonly TimedEvents[] {
  const days = new Set(byTime.map(({ at }) => Math.floor(at / day)));
  const isLast = ({ at }: TimedEvents): boolean =>
    firstOfMonth(at) < firstOfMonth(at + day) && days.has(Math.floor(at / day) + 1);
  return byTime
    .slice(Math.floor(byTime.length / 8))
    .filter(isLast)
    .slice(0, 1);
}

/** A range with so many fractional digits, at a tenth or hundredth if few; a service may read .7 as 7 ms, or not at all. */
function withDigits(bound: BoundOf, instant: number, digits: number): AskedRange {
  const unit = 10 ** Math.max(0, 3 - digits);
  const at = Math.ceil(instant / unit) * unit;
  const [whole = '', fraction = ''] = new Date(at).toISOString().slice(0, -1).split('.');
  const second = Math.floor(at / 1000) * 1000;
  const isStart = bound === 'start';
  const plain = usual(bound, at);
  return {
    ...plain,
    notation: `with ${digits} fractional digit${digits === 1 ? '' : 's'}`,
    // Microseconds are what many services write.
    kind: digits === 6 ? 'with microseconds' : 'with other digits',
    query: { [bound]: `${whole}.${fraction.slice(0, digits).padEnd(digits, '0')}Z` },
    means: { [bound]: at },
    misread: [
      isStart && digits > 3
        ? { start: at, end: second + 999 }
        : { start: second + 1, end: isStart ? at - 1 : at },
    ],
    simpler: plain,
  };
}

/** The instant with an offset: 10:00Z as 12:00+02:00 for two hours. A service that ignores the offset reads 12:00. */
export function withOffset(at: number, hours: number): string {
  const sign = hours < 0 ? '-' : '+';
  const offset = `${sign}${String(Math.abs(hours)).padStart(2, '0')}:00`;
  return new Date(at + hours * hour).toISOString().replace('Z', offset);
}

function withoutFraction(at: number): string {
  return new Date(at).toISOString().replace('.000', '');
}

/* Levels of turns, with events on both sides: at clock changes dates have offsets of their own, and at New Year years. */

/** The turns, each with the zone in which it is looked at. */
const turns = [
  { name: 'about a clock change', zone: changingZone, rangeAbout: rangeAboutChange },
  { name: 'about a New Year', zone: 'UTC', rangeAbout: rangeAboutNewYear },
] as const;

/** Ranges with events on both sides of a turn, and the zones in which they are looked at. */
export async function levelsOfTurns(known: Knowledge, exports: Exports): Promise<Level[]> {
  const levels = turns.map(async ({ name, zone, rangeAbout }) => {
    const range = await rangeAbout(exports, known);
    if (range === undefined) return [];
    const level: Level = { ...formLevel('range', name, range), isUnknown: true };
    return [level, formLevel('timezone', zone, { timezone: zone })];
  });
  return (await Promise.all(levels)).flat();
}

/** Whether these are a turn and its zone. */
export function isTurn(...both: readonly Level[]): boolean {
  const names = both.map((level) => level.name);
  return turns.some(({ name, zone }) => names.includes(name) && names.includes(zone));
}

/** A range about a clock change, in the window or before it, best one that sets clocks back: there one offset for all shows. */
async function rangeAboutChange(
  exports: Exports,
  { window, columns }: Knowledge,
): Promise<TimeRange | undefined> {
  const { dates } = columns;
  if (dates === undefined || dates.unit > minute) return undefined;
  const inWindow = aboutChangeAmong(dates.instants);
  if (inWindow !== undefined || window.start <= dawn) return inWindow;
  const changes = clockChanges(changingZone, window.start - years, window.start).reverse();
  for (const { at } of changes) {
    for (const span of [2 * day, 30 * day]) {
      const { table } = await exports.anytime({ start: at - span, end: at + span });
      const range = table && aboutChangeAmong(datesOf(table, dates)?.instants ?? []);
      if (range !== undefined) return range;
    }
  }
  return undefined;
}

/** The range about a clock change between these events; undefined where there is none. */
function aboutChangeAmong(instants: readonly number[]): TimeRange | undefined {
  const changes = changesAmong(instants, changingZone);
  const { at } = changes.find(({ byMs }) => byMs < 0) ?? changes.at(-1) ?? {};
  return at === undefined ? undefined : rangeNextTo(at, instants);
}

/** How many events are taken on either side of a turn: more of them show nothing else. */
const oneSide = 40;

/** From the first to the last of the events next to a turn; undefined where there are no events. */
function rangeNextTo(turn: number, instants: readonly number[]): TimeRange | undefined {
  const sorted = instants.toSorted((a, b) => a - b);
  const before = sorted.filter((at) => at < turn).slice(-oneSide);
  const near = [...before, ...sorted.filter((at) => at >= turn).slice(0, oneSide)];
  const [start, end] = [near[0], near.at(-1)];
  return start === undefined || end === undefined ? undefined : { start, end };
}

/** How far from a New Year a week can belong to the other year, in milliseconds; it begins on a Sunday or a Monday. */
const days = 4 * day;

/** A range about the latest New Year that is over: the year of the week writes 30 December 2024 as 30 December 2025. */
async function rangeAboutNewYear(
  exports: Exports,
  { base, window, columns: { times } }: Knowledge,
): Promise<TimeRange | undefined> {
  const newYear = Date.UTC(new Date(window.end - days).getUTCFullYear(), 0, 1);
  const { query, table } = await exports.anytime({
    start: newYear - days,
    end: newYear + days - 1,
  });
  const dates = times && table && datesOf(table, times);
  if (dates === undefined || base.utc.timezone !== 'UTC') return undefined;
  return rangeNextTo(newYear, withYearsOf(query, dates.instants));
}
