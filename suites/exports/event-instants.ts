/*
 * Only bounds of ranges tell exactly when an event happened: the column of times may be cut or rounded, and services
 * keep times more finely than they show them, and read bounds more coarsely than they keep times. So one real event is
 * searched with ever finer bounds, until one instant includes the event both as range_start and as range_end. Where no
 * instant does, the two bounds disagree, or times are finer than bounds are read.
 */

import { keyOfRow, timesIn } from '../../helpers/csv/multiset.ts';
import type { CsvTable } from '../../helpers/csv/read-csv.ts';
import { eventsOf, type KnownColumns } from '../../helpers/exports/columns.ts';
import { tableOf } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import { type Bound, isListFilter } from '../../helpers/exports/query.ts';
import type { TimeRange } from '../../helpers/exports/window.ts';
import { noEvents } from './relations.ts';

/** Units of time in nanoseconds. */
export const units = {
  second: 1_000_000_000n,
  millisecond: 1_000_000n,
  microsecond: 1000n,
  nanosecond: 1n,
} as const;

const { second, millisecond, microsecond, nanosecond } = units;

const coarseUnits = {
  second,
  minute: 60n * second,
  hour: 3600n * second,
  day: 86_400n * second,
} as const;

export type CoarseUnit = keyof typeof coarseUnits;

export type BoundName = 'range_start' | 'range_end';

export const bothBounds: readonly BoundName[] = ['range_start', 'range_end'];

/** When an event happened, as bounds tell it. Instants are in nanoseconds since 1970. */
export type EventInstant =
  /** At `at` both bounds include the event; range_end does not a unit earlier, nor range_start a unit later. */
  | { readonly kind: 'exact'; readonly at: bigint; readonly unit: bigint }
  /**
   * The bounds in `by` are wrong. `excluded`: they leave out events of their own instant. `lost`: at `at` neither bound
   * includes the event. `twice`: a range that ends at `at` has it, and so has one that starts a millisecond later.
   */
  | {
      readonly kind: 'excluded' | 'lost' | 'twice';
      readonly at: bigint;
      readonly by: readonly BoundName[];
      /** The unit to which bounds are cut or rounded, where several events show it. */
      readonly readTo?: CoarseUnit;
    }
  /** Either the event lies between two instants that bounds can name, or a bound excludes its own instant. */
  | { readonly kind: 'unclear'; readonly at: bigint };

/**
 * Finds out when an event in the middle of the sample happened. Where there is a choice it is not on a whole second, so
 * that bounds that are cut to seconds show.
 * @throws NotConfigured where the sample holds no events
 */
export async function findEventInstant(
  exports: Exports,
  knowledge: Knowledge,
): Promise<EventInstant> {
  const { window, columns } = knowledge;
  const { count } = tableOf(await exports.within(window.sample));
  if (count === 0) throw noEvents();
  const probe = new Probe(exports, window.sample, count, columns);
  const shown = shownInstants(knowledge);
  const event = eventToSearch(shown, count);
  const found = await locate(probe, event);
  if (found.kind === 'lost' || found.kind === 'twice') {
    const { kind, at } = found;
    return { kind, at, by: await guilty(probe, found, event) };
  }
  const others = shown.filter(({ rank }) => rank !== event.rank);
  if (found.kind === 'between') return await betweenBounds(probe, found, others);
  if (found.unit === second) {
    // A service that keeps times to the second may read bounds so too. Then other events lie on whole seconds as well.
    const areWhole = (await locateMore(probe, others)).every(
      (other) => other.kind === 'exact' && other.unit === second,
    );
    return areWhole ? found : { kind: 'twice', at: found.at, by: bothBounds };
  }
  const beyondMs = found.at % millisecond;
  if (beyondMs === 0n || beyondMs > microsecond) return found;
  // The instant is right after a whole millisecond. Either times are kept more finely than that, or, where other
  // events are on whole milliseconds, this one is too, and range_end excludes the events of its own instant.
  const fractions = (await locateMore(probe, others)).flatMap((other) =>
    other.kind === 'exact' ? [other.at % millisecond] : [],
  );
  const isKeptFiner = fractions.some((one) => one > microsecond) || !fractions.includes(0n);
  return isKeptFiner ? found : { kind: 'excluded', at: found.at, by: ['range_end'] };
}

/** An event of the sample: its place in the order of time, from 1, and the time that its row shows, if it is known. */
interface Ranked {
  readonly rank: number;
  /** The time that its row shows, in nanoseconds since 1970. */
  readonly shown?: bigint;
  /** The unit to which times are written, in nanoseconds: 1,000,000 for milliseconds. */
  readonly unit?: bigint;
  /** The key of its row; undefined where other rows of the window are equal. */
  readonly key?: string | undefined;
  /** Whether known values of list filters and of metadata filters keep it, of both kinds. */
  readonly isKept?: () => boolean;
}

/**
 * The events of the sample in the order of time; of several that show one instant only the first, and none where the
 * column of times is not known. A scenario that runs again gets the same events, without those that changed meanwhile.
 */
function shownInstants(knowledge: Knowledge): Ranked[] {
  const { base, columns, window } = knowledge.asLearned ?? knowledge;
  const { times, ignored } = columns;
  if (times === undefined) return [];
  const { sample } = window;
  const unit = BigInt(Math.round(times.unit * 1_000_000));
  const unchanged = eventsOf(knowledge.base.table, ignored);
  const inSample = times.instants
    .map((at, row) => ({ at, row }))
    .filter(({ at }) => at >= sample.start && at <= sample.end)
    .map(({ at, row }) => ({
      shown: BigInt(at) * millisecond + BigInt(times.beyondMs[row] ?? 0),
      key: keyOfRow(base.table.rows[row] ?? [], ignored),
    }))
    .sort((a, b) => (a.shown < b.shown ? -1 : a.shown > b.shown ? 1 : 0));
  return inSample.flatMap(({ shown, key }, index) => {
    const count = timesIn(unchanged, key);
    if (count === 0 || shown === inSample[index - 1]?.shown) return [];
    const uniqueKey = count === 1 ? key : undefined;
    return [{ rank: index + 1, shown, unit, key: uniqueKey, isKept: () => isKept(key, knowledge) }];
  });
}

/** The time of an event whose milliseconds end in 0, as .120, in milliseconds since 1970; undefined where none has. */
export function instantEndingInZero(knowledge: Knowledge): number | undefined {
  const endsInZero = ({ shown = 1n }: Ranked) =>
    shown % second !== 0n && shown % (10n * millisecond) === 0n;
  const shown = shownInstants(knowledge).find(endsInZero)?.shown;
  return shown === undefined ? undefined : Number(shown / millisecond);
}

/** Whether both list filters and metadata filters have known values that keep the row. */
function isKept(key: string, { filters }: Knowledge): boolean {
  const filtersKeeping = [...filters.known].flatMap(([filter, { values }]) =>
    values.some(({ events }) => timesIn(events, key) > 0) ? [filter] : [],
  );
  return filtersKeeping.some(isListFilter) && !filtersKeeping.every(isListFilter);
}

/**
 * The event to search, from the later half. Where there is a choice it is, in this order: not on a whole second; kept
 * by both kinds of filters; and one whose milliseconds change in floating point.
 */
function eventToSearch(shown: readonly Ranked[], total: number): Ranked {
  const later = shown.slice(shown.length >> 1);
  const inSecond = later.filter((event) => (event.shown ?? 0n) % second !== 0n);
  const changing = inSecond.filter((event) => changesAsFloat(event.shown ?? 0n));
  const kept = [changing, inSecond].flatMap((some) => some.find(({ isKept }) => isKept?.()) ?? []);
  const [best = { rank: Math.ceil(total / 2) }] = [...kept, ...changing, ...inSecond, ...later];
  return best;
}

/** Whether a program that computes this millisecond from seconds in floating point, and cuts it, gets another. */
function changesAsFloat(at: bigint): boolean {
  const ms = Number(at / millisecond);
  return Math.trunc((Number(at) / 1e9) * 1000) !== ms;
}

/** Asks the target whether a range that starts or ends at an instant includes an event of the sample. */
class Probe {
  readonly #exports: Exports;
  /** How many events the sample holds. */
  readonly total: number;
  readonly start: bigint;
  readonly end: bigint;
  readonly #columns: KnownColumns;

  constructor(exports: Exports, sample: TimeRange, total: number, columns: KnownColumns) {
    this.#exports = exports;
    this.#columns = columns;
    this.total = total;
    this.start = BigInt(sample.start) * millisecond;
    this.end = BigInt(sample.end) * millisecond;
  }

  /** Whether the range from the sample's start to `at` (nanoseconds since 1970) has the event; undefined if refused. */
  async isInRangeUpTo(at: bigint, event: Ranked): Promise<boolean | undefined> {
    if (at < this.start) return false;
    return await this.#includes(event, [this.start, at], (count) => count >= event.rank);
  }

  /** Whether the range from `at` to the end of the sample has the event; undefined where the bound is refused. */
  async isInRangeFrom(at: bigint, event: Ranked): Promise<boolean | undefined> {
    if (at > this.end) return false;
    const others = this.total - event.rank;
    return await this.#includes(event, [at, this.end], (count) => count > others);
  }

  /** Whether a range from an instant finer than a millisecond to itself is refused, as if it ended before its start. */
  async isReversed(at: bigint): Promise<boolean> {
    return at % millisecond !== 0n && (await tableIn(this.#exports, [at, at])) === undefined;
  }

  /** Tells by the row of the event; where other rows are equal to it, by how many events the range holds. */
  async #includes(
    { key }: Ranked,
    range: readonly [bigint, bigint],
    isEnough: (count: number) => boolean,
  ): Promise<boolean | undefined> {
    const table = await tableIn(this.#exports, range);
    if (table === undefined || key === undefined) return table && isEnough(table.count);
    return timesIn(eventsOf(table, this.#columns.ignored), key) > 0;
  }
}

/**
 * The export from one instant to another, in nanoseconds since 1970; undefined where the target refuses bounds that are
 * finer than a millisecond, which the document does not show.
 */
export async function tableIn(
  exports: Exports,
  [start, end]: readonly [bigint, bigint],
): Promise<CsvTable | undefined> {
  const download = await exports.within({ start: boundOf(start), end: boundOf(end) });
  const isFine = start % millisecond !== 0n || end % millisecond !== 0n;
  if (isFine && download.answer.status === 400) return undefined;
  return tableOf(download);
}

/** A bound of a query: a whole millisecond always as a number, so that equal queries are sent once. */
export function boundOf(at: bigint): Bound {
  return at % millisecond === 0n ? Number(at / millisecond) : at;
}

/** The steps in which bounds are tried, in nanoseconds, the coarsest first. */
export const boundSteps = [millisecond, microsecond, nanosecond] as const;

/** What the search for one event has found; instants and steps in nanoseconds. */
type Found =
  | Extract<EventInstant, { kind: 'exact' }>
  | { readonly kind: 'twice'; readonly at: bigint }
  /** At `at` neither bound includes the event; a step later range_end does. */
  | { readonly kind: 'lost'; readonly at: bigint; readonly step: bigint }
  /** range_end includes the event from `at` on, range_start up to a step earlier: it may lie between the two. */
  | { readonly kind: 'between'; readonly at: bigint; readonly step: bigint };

/**
 * Searches the instant of an event with ever finer bounds, beginning with the time that its row shows, if it is known.
 * @param steps the steps in which bounds are tried, in nanoseconds, the coarsest first
 */
async function locate(
  probe: Probe,
  event: Ranked,
  steps: readonly bigint[] = boundSteps,
): Promise<Found> {
  let edge: Edge = { before: probe.start - millisecond, at: probe.end };
  let finestStep: bigint = millisecond;
  for (const step of steps) {
    const finer = await halve(
      edge,
      step,
      (at) => probe.isInRangeUpTo(at, event),
      guesses(event, edge, step),
    );
    if (finer === undefined) break;
    const { at } = finer;
    const isIncluded = await probe.isInRangeFrom(at, event);
    if (isIncluded === undefined) break;
    if (isIncluded) return await exactOrTwice(probe, event, at);
    if (!(await probe.isInRangeFrom(at - step, event))) {
      // A service that rounds so fine bounds inwards reads one text as a later range_start and an earlier range_end.
      if (await probe.isReversed(at - step)) break;
      return { kind: 'lost', at: at - step, step };
    }
    edge = finer;
    finestStep = step;
  }
  return { kind: 'between', at: edge.at, step: finestStep };
}

/** The latest bound that is known not to reach far enough, and the earliest that is known to, in nanoseconds. */
export interface Edge {
  readonly before: bigint;
  readonly at: bigint;
}

/**
 * Bisects between two bounds until they are one step apart.
 * @param reaches whether a bound reaches far enough; undefined ends the search, as where so fine a bound is refused
 * @param likely bounds that are tried first, where they lie between the two; the list is emptied
 * @returns undefined where `reaches` has ended the search
 */
export async function halve(
  { before, at }: Edge,
  step: bigint,
  reaches: (at: bigint) => Promise<boolean | undefined>,
  likely: bigint[] = [],
): Promise<Edge | undefined> {
  while (at - before >= 2n * step) {
    const guess = likely.shift();
    if (guess !== undefined && (guess <= before || guess >= at || guess % step !== 0n)) continue;
    const next = guess ?? before + ((at - before) / 2n / step) * step;
    const isEnough = await reaches(next);
    if (isEnough === undefined) return undefined;
    if (isEnough) at = next;
    else before = next;
  }
  return { before, at };
}

/** Bounds to try first: about the time that the row of the event shows, in steps of a millisecond or finer ones. */
function guesses({ shown, unit }: Ranked, edge: Edge, step: bigint): bigint[] {
  if (step !== millisecond) return guessesWithin(edge, shown, step);
  if (shown === undefined || unit === undefined) return [];
  return guessesAround(shown - (shown % step), unit > step ? unit : step);
}

/** Times ever further before and after one: of 10:00:00.500 by 1 ms .500, .499, .501, .497, .503, .493, .507 … */
function guessesAround(shown: bigint, by: bigint): bigint[] {
  const away = Array.from({ length: maxDoublings }, (_, times) => (2n ** BigInt(times) - 1n) * by);
  return away.flatMap((distance) => [shown - distance, shown + distance]);
}

/** The time shown and the step before it, between which the edge lies if it is exact; and both ends of what is left. */
function guessesWithin({ before, at }: Edge, shown: bigint | undefined, step: bigint): bigint[] {
  // An event whose time is kept to the millisecond lies at one of the two ends.
  const ends = [at - step, before + step];
  return shown === undefined ? ends : [shown, shown - step, ...ends];
}

/** How many doublings make more than a year of a millisecond. */
const maxDoublings = 36;

/** For an instant at which both bounds include the event: `exact`, or `twice` where a later range_start does too. */
async function exactOrTwice(probe: Probe, event: Ranked, at: bigint): Promise<Found> {
  if (!(await probe.isInRangeFrom(at + millisecond, event))) {
    return { kind: 'exact', at, unit: millisecond };
  }
  const isWhole = at % second === 0n;
  const isSecond =
    isWhole &&
    (await probe.isInRangeFrom(at + second - millisecond, event)) &&
    !(await probe.isInRangeFrom(at + second, event));
  return isSecond ? { kind: 'exact', at, unit: second } : { kind: 'twice', at };
}

/** How many further events exclude a coincidence that has one chance in two, and one in a thousand. */
const enough = { ofTwo: 10, ofThousand: 3 };

/** At most `count` of the items, evenly spread. */
function spread<T>(all: readonly T[], count: number): readonly T[] {
  const every = Math.max(1, Math.floor(all.length / count));
  return all.filter((_, index) => index % every === 0).slice(0, count);
}

/**
 * Decides about an event for which no instant was found that both bounds include. A service that keeps microseconds and
 * reads bounds to the millisecond, as the document writes them, is right; one whose bound excludes its own instant is
 * wrong. Which of the two it is shows in further events, where times are shown as finely as bounds are read. Where one of
 * these shows that bounds are read more finely than it seemed, it decides about that event in place of this one.
 */
async function betweenBounds(
  probe: Probe,
  found: Extract<Found, { kind: 'between' }>,
  others: readonly Ranked[],
): Promise<EventInstant> {
  const { at } = found;
  const boundUnit = boundUnitOf(found);
  if (boundUnit === microsecond && found.step === nanosecond) {
    // One instant in fifty looks like an edge of microseconds by coincidence: further events tell.
    const finer = (await locateMore(probe, others)).find(
      (other) =>
        other.kind === 'exact' || (other.kind === 'between' && boundUnitOf(other) !== microsecond),
    );
    if (finer?.kind === 'exact') return finer;
    if (finer?.kind === 'between') return await betweenBounds(probe, finer, others);
  }
  if (isRightAfterWhole(at)) return { kind: 'excluded', at, by: ['range_end'] };
  if (boundUnit === nanosecond) return { kind: 'excluded', at, by: bothBounds };
  const readTo = coarseUnit(at, await locateMore(probe, others, [millisecond]));
  if (readTo !== undefined) return { kind: 'excluded', at, by: bothBounds, readTo };
  return await byTimesShown(probe, at, boundUnit, others);
}

/**
 * Whether an instant is a nanosecond after a whole microsecond, or up to a microsecond after a whole millisecond. No
 * event is there by chance: it is on that whole unit, and range_end excludes it.
 */
function isRightAfterWhole(at: bigint): boolean {
  const before = at - nanosecond;
  return before % microsecond === 0n || before % millisecond < microsecond;
}

/**
 * Which bound excludes its own instant, by events whose rows show times as finely as bounds are read (`boundUnit`): of
 * each such event the same bound must be off. Returns another event's instant where that one is exact.
 */
async function byTimesShown(
  probe: Probe,
  at: bigint,
  boundUnit: bigint,
  others: readonly Ranked[],
): Promise<EventInstant> {
  const boundsOff = new Set<BoundName>();
  const shown = others.filter(({ unit }) => unit !== undefined && unit <= boundUnit);
  const steps = boundSteps.filter((step) => step >= boundUnit);
  const searched = spread(shown, enough.ofTwo);
  for (const event of searched) {
    const other = await locate(probe, event, steps);
    if (other.kind === 'exact' && other.unit === millisecond) return other;
    if (other.kind !== 'between') return { kind: 'unclear', at };
    // A row shows .500: range_end is off if it has the event only from .501 on; else range_start has it only up to .499.
    boundsOff.add(other.at > (event.shown ?? 0n) ? 'range_end' : 'range_start');
  }
  if (searched.length < enough.ofTwo || boundsOff.size !== 1) return { kind: 'unclear', at };
  // A service that writes milliseconds often cuts times to them, which looks the same and is right.
  if (boundsOff.has('range_end') && boundUnit === millisecond) return { kind: 'unclear', at };
  return { kind: 'excluded', at, by: [...boundsOff] };
}

/**
 * The coarsest unit to which bounds are cut or rounded: they begin to include every event at the same part of it, for
 * example at half minutes. undefined where that is not even so for seconds.
 */
function coarseUnit(firstAt: bigint, others: readonly Found[]): CoarseUnit | undefined {
  const isSamePart = (unit: bigint) => others.every(({ at }) => at % unit === firstAt % unit);
  // Where bounds are rounded, both of them include an event that is on a whole second (`twice`).
  const areCoarse = others.every(({ kind }) => kind === 'between' || kind === 'twice');
  const names = ['second', 'minute', 'hour', 'day'] as const;
  return areCoarse ? names.findLast((name) => isSamePart(coarseUnits[name])) : undefined;
}

/** Searches three more events, spread over the sample: of those whose times are known, if there are enough. */
async function locateMore(
  probe: Probe,
  others: readonly Ranked[],
  steps?: readonly bigint[],
): Promise<Found[]> {
  const { total } = probe;
  const chosen =
    others.length >= enough.ofThousand
      ? spread(others, enough.ofThousand)
      : [1, Math.ceil(total / 4), total].map((rank) => ({ rank }));
  return await Promise.all(chosen.map((event) => locate(probe, event, steps)));
}

/**
 * The unit to which the target seems to cut or round bounds. The first instant at which range_end includes an event
 * shows it: that instant is a whole unit where bounds are cut, and half a unit where they are rounded.
 */
function boundUnitOf({ at, step }: Extract<Found, { kind: 'between' }>): bigint {
  const isWholeOrHalf = (unit: bigint): boolean => at % (unit / 2n) === 0n;
  if (step === millisecond || isWholeOrHalf(millisecond)) return millisecond;
  // Edges of microseconds, of tenths of them, and those that floating point makes of them.
  const isFiner = step === microsecond || isWholeOrHalf(microsecond) || isWholeOrHalf(100n);
  return isFiner || isEdgeOfDoubles(at) ? microsecond : nanosecond;
}

/** Whether this nanosecond and the one before, written as seconds or as milliseconds, differ in floating point. */
function isEdgeOfDoubles(at: bigint): boolean {
  return [9, 6].some((digits) => {
    const [one, other] = [at, at - nanosecond].map((instant) => {
      const text = instant.toString();
      return Number(`${text.slice(0, -digits)}.${text.slice(-digits)}`);
    });
    return one !== other;
  });
}

/**
 * Which bound is wrong where the two disagree: the one that is not near the time that the row shows; else the one that
 * is on a whole second, or at an end of the sample; both where that tells nothing.
 */
async function guilty(probe: Probe, found: Found, event: Ranked): Promise<readonly BoundName[]> {
  const end = found.kind === 'lost' ? found.at + found.step : found.at;
  const start = await latestStart(probe, event);
  if (event.shown !== undefined && event.unit !== undefined && event.unit <= millisecond) {
    const isNear = (instant: bigint) => {
      const away = instant - (event.shown ?? 0n);
      return away >= 0n - millisecond && away <= millisecond;
    };
    if (isNear(end) !== isNear(start)) return [isNear(end) ? 'range_start' : 'range_end'];
  }
  const isCoarse = {
    range_start: start >= probe.end - millisecond || (start + millisecond) % second === 0n,
    range_end: end <= probe.start || end % second === 0n,
  };
  const coarse = bothBounds.filter((bound) => isCoarse[bound]);
  return coarse.length === 1 ? coarse : bothBounds;
}

/** The latest range_start that includes the event, to the millisecond, in nanoseconds since 1970. */
async function latestStart(probe: Probe, event: Ranked): Promise<bigint> {
  const all = { before: probe.start, at: probe.end + millisecond };
  const isBeyond = async (at: bigint) => !(await probe.isInRangeFrom(at, event));
  return (await halve(all, millisecond, isBeyond))?.before ?? probe.start;
}
