/*
 * When an event happened is known only by what bounds say of it: the column of times may be cut or rounded, and services
 * keep times more finely than they show them, and read bounds more coarsely than they keep times. So one real event is
 * looked for with ever finer bounds, until one instant is found that includes it as range_start and as range_end. What
 * remains when there is none: bounds that disagree, or times that are finer than bounds can say.
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

/** Units to which bounds may be rounded, in nanoseconds. */
const coarseUnits = {
  second,
  minute: 60n * second,
  hour: 3600n * second,
  day: 86_400n * second,
} as const;

export type CoarseUnit = keyof typeof coarseUnits;

export type BoundName = 'range_start' | 'range_end';

export const bothBounds: readonly BoundName[] = ['range_start', 'range_end'];

/** What bounds say of when an event happened. Instants are in nanoseconds since 1970. */
export type EventInstant =
  /** Both include it at this instant, range_end not a unit earlier, range_start not a unit later. */
  | { readonly kind: 'exact'; readonly at: bigint; readonly unit: bigint }
  /**
   * Between an instant at which both agree and the next one, a bound excludes its own instant; at this one neither includes
   * it; or range_start includes it although it is later by a millisecond than a range_end that does.
   */
  | {
      readonly kind: 'excluded' | 'lost' | 'twice';
      readonly at: bigint;
      /** The bounds that are to blame for it. */
      readonly by: readonly BoundName[];
      /** Bounds begin to include every event at the same part of this unit, and not at its very instant. */
      readonly readTo?: CoarseUnit;
    }
  /** It may lie between two instants that bounds can say, or one of the bounds excludes its own. */
  | { readonly kind: 'unclear'; readonly at: bigint };

/**
 * What the bounds say of an event in the middle of the sample. Not on a whole second where there is a choice, so that a
 * bound cut to seconds shows.
 *
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
  const event = middleOf(shown, count);
  const found = await locate(probe, event);
  if (found.kind === 'lost' || found.kind === 'twice') {
    const { kind, at } = found;
    return { kind, at, by: await guilty(probe, found, event) };
  }
  const others = shown.filter(({ rank }) => rank !== event.rank);
  if (found.kind === 'between') return await betweenBounds(probe, found, others);
  if (found.unit === second) {
    // Where times are kept to the second, bounds may be read so too: then all events lie on whole seconds.
    const areWhole = (await locateMore(probe, others)).every(
      (other) => other.kind === 'exact' && other.unit === second,
    );
    return areWhole ? found : { kind: 'twice', at: found.at, by: bothBounds };
  }
  const beyondMs = found.at % millisecond;
  if (beyondMs === 0n || beyondMs > microsecond) return found;
  // Right behind a whole millisecond is an instant of times that are kept more finely. Where other events lie on whole
  // milliseconds it is not: range_end excludes the one before.
  const behind = (await locateMore(probe, others)).flatMap((other) =>
    other.kind === 'exact' ? [other.at % millisecond] : [],
  );
  const isKeptFiner = behind.some((one) => one > microsecond) || !behind.includes(0n);
  return isKeptFiner ? found : { kind: 'excluded', at: found.at, by: ['range_end'] };
}

/** An event by its place in time, counted from 1, and the instant at which it is shown, where it is. */
interface Ranked {
  readonly rank: number;
  /** In nanoseconds since 1970. */
  readonly shown?: bigint;
  /** What is written of it, in nanoseconds. */
  readonly unit?: bigint;
  /** Of its row; undefined where others of the window are equal. */
  readonly key?: string | undefined;
  /** Whether a value of a list filter keeps it, and one of a metadata filter. */
  readonly isKept?: () => boolean;
}

/**
 * The events of the sample that are shown at different instants; none where the column of times is not known. The same
 * ones when a scenario runs again, but for those that did not stand still.
 */
function shownInstants(knowledge: Knowledge): Ranked[] {
  const { base, columns, window } = knowledge.asLearned ?? knowledge;
  const { times, ignored } = columns;
  if (times === undefined) return [];
  const { sample } = window;
  const unit = BigInt(Math.round(times.unit * 1_000_000));
  const standing = eventsOf(knowledge.base.table, ignored);
  const inSample = times.instants
    .map((at, row) => ({ at, row }))
    .filter(({ at }) => at >= sample.start && at <= sample.end)
    .map(({ at, row }) => ({
      shown: BigInt(at) * millisecond + BigInt(times.beyondMs[row] ?? 0),
      key: keyOfRow(base.table.rows[row] ?? [], ignored),
    }))
    .sort((a, b) => (a.shown < b.shown ? -1 : a.shown > b.shown ? 1 : 0));
  return inSample.flatMap(({ shown, key }, index) => {
    const count = timesIn(standing, key);
    if (count === 0 || shown === inSample[index - 1]?.shown) return [];
    const own = count === 1 ? key : undefined;
    return [{ rank: index + 1, shown, unit, key: own, isKept: () => isKept(key, knowledge) }];
  });
}

/** When an event happened whose milliseconds end in a zero, in milliseconds since 1970; undefined where none is shown. */
export function instantEndingInZero(knowledge: Knowledge): number | undefined {
  const isMeant = ({ shown = 1n }: Ranked) =>
    shown % second !== 0n && shown % (10n * millisecond) === 0n;
  const shown = shownInstants(knowledge).find(isMeant)?.shown;
  return shown === undefined ? undefined : Number(shown / millisecond);
}

function isKept(key: string, { filters }: Knowledge): boolean {
  const keeping = [...filters.known].flatMap(([filter, { values }]) =>
    values.some(({ events }) => timesIn(events, key) > 0) ? [filter] : [],
  );
  return keeping.some(isListFilter) && !keeping.every(isListFilter);
}

/**
 * Not on a whole second, one that list filters and metadata filters keep, and one that arithmetic changes, where there is a
 * choice.
 */
function middleOf(shown: readonly Ranked[], total: number): Ranked {
  const later = shown.slice(shown.length >> 1);
  const inSecond = later.filter((event) => (event.shown ?? 0n) % second !== 0n);
  const changing = inSecond.filter((event) => changesAsFloat(event.shown ?? 0n));
  const kept = [changing, inSecond].flatMap((some) => some.find(({ isKept }) => isKept?.()) ?? []);
  const [best = { rank: Math.ceil(total / 2) }] = [...kept, ...changing, ...inSecond, ...later];
  return best;
}

/** Whether the millisecond is another one for a program that computes it from seconds in floating point, and cuts it. */
function changesAsFloat(at: bigint): boolean {
  const ms = Number(at / millisecond);
  return Math.trunc((Number(at) / 1e9) * 1000) !== ms;
}

/** Asks whether bounds include an event. */
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

  /** Whether a range that ends then includes the event; undefined where the bound is refused. */
  async endsAfter(at: bigint, event: Ranked): Promise<boolean | undefined> {
    if (at < this.start) return false;
    return await this.#includes(event, [this.start, at], (count) => count >= event.rank);
  }

  /** Whether a range that starts then includes the event; undefined where the bound is refused. */
  async startsBefore(at: bigint, event: Ranked): Promise<boolean | undefined> {
    if (at > this.end) return false;
    const others = this.total - event.rank;
    return await this.#includes(event, [at, this.end], (count) => count > others);
  }

  /** Whether a range of one instant, finer than a millisecond, is refused. */
  async isReversed(at: bigint): Promise<boolean> {
    return at % millisecond !== 0n && (await tableIn(this.#exports, [at, at])) === undefined;
  }

  /** By its row, whatever comes and goes beside it; where that is not known, by how many events there are. */
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
 * The events between two instants. Every service reads bounds in milliseconds, as the document writes them; undefined where it
 * refuses finer ones.
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

/** A bound that asks for the same query however it was computed. */
export function boundOf(at: bigint): Bound {
  return at % millisecond === 0n ? Number(at / millisecond) : at;
}

/** The steps in which bounds are tried, the coarsest first. */
export const boundSteps = [millisecond, microsecond, nanosecond] as const;

/** What was found of one event. */
type Found =
  | Extract<EventInstant, { kind: 'exact' }>
  | { readonly kind: 'twice'; readonly at: bigint }
  /** range_end includes it a step later. */
  | { readonly kind: 'lost'; readonly at: bigint; readonly step: bigint }
  /** range_end includes it from this instant on, range_start up to the one before. */
  | { readonly kind: 'between'; readonly at: bigint; readonly step: bigint };

/**
 * Looks for the instant of an event with ever finer bounds, from the place where it is shown, if it is.
 * @param steps in which bounds are tried, the coarsest first
 */
async function locate(
  probe: Probe,
  event: Ranked,
  steps: readonly bigint[] = boundSteps,
): Promise<Found> {
  let edge: Edge = { before: probe.start - millisecond, at: probe.end };
  let told: bigint = millisecond;
  for (const step of steps) {
    const finer = await halve(
      edge,
      step,
      (at) => probe.endsAfter(at, event),
      guesses(event, edge, step),
    );
    if (finer === undefined) break;
    const { at } = finer;
    const isIncluded = await probe.startsBefore(at, event);
    if (isIncluded === undefined) break;
    if (isIncluded) return await sharpness(probe, event, at);
    if (!(await probe.startsBefore(at - step, event))) {
      // Rounded inwards, so fine a range_start is another instant than the same range_end.
      if (await probe.isReversed(at - step)) break;
      return { kind: 'lost', at: at - step, step };
    }
    edge = finer;
    told = step;
  }
  return { kind: 'between', at: edge.at, step: told };
}

/** The latest bound that is known not to reach far enough, and the earliest that is. */
export interface Edge {
  readonly before: bigint;
  readonly at: bigint;
}

/**
 * Halves until both lie a step apart.
 *
 * @param reaches undefined where the search is to end: bounds so fine are refused
 * @param likely is tried first, as far as it lies between them
 * @returns undefined where the search ended so
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

/**
 * Where an event is shown, and on either side of it, ever further away. In finer steps: where times are coarser than the
 * step they lie on either end of what is left.
 */
function guesses({ shown, unit }: Ranked, { before, at }: Edge, step: bigint): bigint[] {
  if (step !== millisecond) {
    return [...(shown === undefined ? [] : [shown, shown - step]), at - step, before + step];
  }
  if (shown === undefined || unit === undefined) return [];
  const [first, by] = [shown - (shown % step), unit > step ? unit : step];
  const away = Array.from({ length: maxDoublings }, (_, times) => (2n ** BigInt(times) - 1n) * by);
  return away.flatMap((far) => [first - far, first + far]);
}

/** Over so many doublings a millisecond becomes more than a year. */
const maxDoublings = 36;

/** Whether range_start stops including an event a millisecond later, or else, as one of whole seconds, a second later. */
async function sharpness(probe: Probe, event: Ranked, at: bigint): Promise<Found> {
  if (!(await probe.startsBefore(at + millisecond, event))) {
    return { kind: 'exact', at, unit: millisecond };
  }
  const isWhole = at % second === 0n;
  const isSecond =
    isWhole &&
    (await probe.startsBefore(at + second - millisecond, event)) &&
    !(await probe.startsBefore(at + second, event));
  return isSecond ? { kind: 'exact', at, unit: second } : { kind: 'twice', at };
}

/** In how many further events a coincidence of one in two, and one of one in a thousand, is excluded. */
const enough = { ofTwo: 10, ofThousand: 3 };

function spread<T>(all: readonly T[], count: number): readonly T[] {
  const every = Math.max(1, Math.floor(all.length / count));
  return all.filter((_, index) => index % every === 0).slice(0, count);
}

/**
 * No instant was found that both bounds include. Times may be kept more finely than bounds are read: a service that
 * stores microseconds and reads bounds to the millisecond, as the document writes them, is right. Or one of the bounds
 * excludes its own instant. In many events that shows, where they are shown as finely as bounds are read.
 */
async function betweenBounds(
  probe: Probe,
  found: Extract<Found, { kind: 'between' }>,
  others: readonly Ranked[],
): Promise<EventInstant> {
  const { at } = found;
  const boundUnit = boundUnitOf(found);
  if (boundUnit === microsecond && found.step === nanosecond) {
    // One nanosecond in fifty lies on it by coincidence.
    const finer = (await locateMore(probe, others)).find(
      (other) =>
        other.kind === 'exact' || (other.kind === 'between' && boundUnitOf(other) !== microsecond),
    );
    if (finer?.kind === 'exact') return finer;
    if (finer?.kind === 'between') return await betweenBounds(probe, finer, others);
  }
  // Right behind a whole millisecond or microsecond lies no event by coincidence, but the one that lies on it.
  const isBehind =
    (at - nanosecond) % microsecond === 0n || (at - nanosecond) % millisecond < microsecond;
  if (isBehind) return { kind: 'excluded', at, by: ['range_end'] };
  if (boundUnit === nanosecond) return { kind: 'excluded', at, by: bothBounds };
  const readTo = coarseUnit(at, await locateMore(probe, others, [millisecond]));
  if (readTo !== undefined) return { kind: 'excluded', at, by: bothBounds, readTo };
  const sides = new Set<BoundName>();
  const shown = spread(
    others.filter(({ unit }) => unit !== undefined && unit <= boundUnit),
    enough.ofTwo,
  );
  for (const event of shown) {
    const steps = boundSteps.filter((step) => step >= boundUnit);
    const other = await locate(probe, event, steps);
    if (other.kind === 'exact' && other.unit === millisecond) return other;
    if (other.kind !== 'between') return { kind: 'unclear', at };
    sides.add(other.at > (event.shown ?? 0n) ? 'range_end' : 'range_start');
  }
  if (shown.length < enough.ofTwo || sides.size !== 1) return { kind: 'unclear', at };
  // Shown times are rarely rounded up, and often cut: to milliseconds, where that is all that the service writes.
  if (sides.has('range_end') && boundUnit === millisecond) return { kind: 'unclear', at };
  return { kind: 'excluded', at, by: [...sides] };
}

/**
 * The unit at the same part of which bounds begin to include other events too: they are read no more finely. undefined where
 * that is not so for whole seconds.
 */
function coarseUnit(first: bigint, others: readonly Found[]): CoarseUnit | undefined {
  const isSamePart = (unit: bigint) => others.every(({ at }) => at % unit === first % unit);
  // An event on a whole second is included by both where bounds are rounded.
  const areCoarse = others.every(({ kind }) => kind === 'between' || kind === 'twice');
  const names = ['second', 'minute', 'hour', 'day'] as const;
  return areCoarse ? names.findLast((name) => isSamePart(coarseUnits[name])) : undefined;
}

/** A few events besides, by where they are shown, or by their places alone. */
async function locateMore(
  probe: Probe,
  others: readonly Ranked[],
  steps?: readonly bigint[],
): Promise<Found[]> {
  const { total } = probe;
  const some =
    others.length >= enough.ofThousand
      ? spread(others, enough.ofThousand)
      : [1, Math.ceil(total / 4), total].map((rank) => ({ rank }));
  return await Promise.all(some.map((event) => locate(probe, event, steps)));
}

/**
 * The unit to which the target seems to cut or round bounds. The first instant at which range_end includes an event shows it: a
 * whole unit where bounds are cut, half a one where they are rounded.
 */
function boundUnitOf({ at, step }: Extract<Found, { kind: 'between' }>): bigint {
  const isOn = (unit: bigint): boolean => at % (unit / 2n) === 0n;
  if (step === millisecond || isOn(millisecond)) return millisecond;
  // Microseconds and tenths of them, and what floating point makes of them.
  const isOnFiner = step === microsecond || isOn(microsecond) || isOn(100n);
  return isOnFiner || isEdgeOfDoubles(at) ? microsecond : nanosecond;
}

/** Whether this nanosecond and the one before are different numbers of seconds, or of milliseconds, as floating point. */
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
 * Which of the bounds is wrong where they disagree: the one that is not where the event is shown; or the one that lies
 * on a whole second, or begins or ends with the sample.
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

/** The latest range_start that includes an event, to the millisecond. */
async function latestStart(probe: Probe, event: Ranked): Promise<bigint> {
  const all = { before: probe.start, at: probe.end + millisecond };
  const isBeyond = async (at: bigint) => !(await probe.startsBefore(at, event));
  return (await halve(all, millisecond, isBeyond))?.before ?? probe.start;
}
