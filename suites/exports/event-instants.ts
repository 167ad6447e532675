/*
 * Only bounds tell exactly when an event happened: columns may be cut or rounded, and times be kept more finely than they are
 * shown and bounds are read. So the first range_end and the last range_start that include an event are searched, with ever finer
 * bounds. Where they are one instant, it happened then; else it follows from the two, and from those of a few other events,
 * whether a bound is wrong, or times are finer than bounds are read.
 */

import type { Row } from '../../helpers/csv/csv-form.ts';
import { keyOfRow, timesIn } from '../../helpers/csv/multiset.ts';
import type { CsvTable } from '../../helpers/csv/read-csv.ts';
import { eventsOf, type KnownTimes } from '../../helpers/exports/columns.ts';
import { tableOf } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import { type Bound, isListFilter } from '../../helpers/exports/query.ts';
import { noEvents } from './relations.ts';

/** Units of time in nanoseconds. */
export const units = {
  second: 1_000_000_000n,
  millisecond: 1_000_000n,
  microsecond: 1000n,
  nanosecond: 1n,
} as const;

const { second, millisecond, microsecond, nanosecond } = units;

const coarseUnits = [
  ['second', second],
  ['minute', 60n * second],
  ['hour', 3600n * second],
  ['day', 86_400n * second],
] as const;

type CoarseUnit = (typeof coarseUnits)[number][0];

export type BoundName = 'range_start' | 'range_end';

const bothBounds: readonly BoundName[] = ['range_start', 'range_end'];

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

/** When an event of the sample happened, off whole seconds if possible. @throws NotConfigured where it holds no events */
export async function findEventInstant(
  exports: Exports,
  knowledge: Knowledge,
): Promise<EventInstant> {
  const table = tableOf(await exports.within(knowledge.window.sample));
  const sample = new Sample(exports, knowledge, table);
  return await instantBy(await sample.edgesOf(sample.chosen), sample);
}

/** Decides by the edges of an event, and by those of a few others, when it happened, or which bound is wrong. */
async function instantBy(edges: Edges, sample: Sample): Promise<EventInstant> {
  const { end: at, step } = edges;
  switch (kindOf(edges)) {
    case 'lost':
      return { kind: 'lost', at: at - step, by: sample.guilty(edges) };
    case 'twice':
      return { kind: 'twice', at, by: sample.guilty(edges) };
    case 'between':
      return await betweenBounds(edges, sample);
    case 'second': {
      // A service that keeps times to the second may read bounds so too. Then other events lie on whole seconds as well.
      const areWhole = (await sample.more()).every((other) => kindOf(other) === 'second');
      return areWhole ? { kind: 'exact', at, unit: second } : { kind: 'twice', at, by: bothBounds };
    }
    case 'exact': {
      const beyondMs = at % millisecond;
      const exact = { kind: 'exact', at, unit: millisecond } as const;
      if (beyondMs === 0n || beyondMs > microsecond) return exact;
      // The instant is right after a whole millisecond. Either times are kept more finely than that, or, where other
      // events are on whole milliseconds, this one is too, and range_end excludes the events of its own instant.
      const fractions = (await sample.more()).flatMap((other) =>
        other.end <= other.start ? [other.end % millisecond] : [],
      );
      const isKeptFiner = fractions.some((one) => one > microsecond) || !fractions.includes(0n);
      return isKeptFiner ? exact : { kind: 'excluded', at, by: ['range_end'] };
    }
  }
}

/** What bounds tell of an event: the first range_end and the last range_start that include it, in nanoseconds. */
interface Edges {
  readonly event: SampleEvent;
  readonly end: bigint;
  readonly start: bigint;
  /** The finest step in which bounds were tried. */
  readonly step: bigint;
}

/** `exact`: both bounds include one instant; `second`: a whole second; `between`: it may lie between; see `EventInstant`. */
function kindOf({ end, start, step }: Edges) {
  if (end - start > step) return 'lost';
  if (end > start) return 'between';
  if (start - end < millisecond) return 'exact';
  return end % second === 0n && start - end === second - millisecond ? 'second' : 'twice';
}

/** How many further events exclude a coincidence that has one chance in two, and one in a thousand. */
const enough = { ofTwo: 10, ofThousand: 3 };

/** At most `count` of the items, evenly spread. */
function spread<T>(all: readonly T[], count: number): readonly T[] {
  const every = Math.max(1, Math.floor(all.length / count));
  return all.filter((_, index) => index % every === 0).slice(0, count);
}

/**
 * Decides about an event that no instant has in both bounds. A service that keeps microseconds and reads bounds to the
 * millisecond is right; one whose bound excludes its own instant is wrong: further events show it, where times are shown as
 * finely as bounds are read. One that shows that bounds are read more finely decides in place of this one.
 */
async function betweenBounds(edges: Edges, sample: Sample): Promise<EventInstant> {
  const { end: at, step } = edges;
  const boundUnit = boundUnitOf(edges);
  if (boundUnit === microsecond && step === nanosecond) {
    // One instant in fifty looks like an edge of microseconds by coincidence: further events tell.
    const finer = (await sample.more()).find((other) => {
      const kind = kindOf(other);
      return kind === 'exact' || (kind === 'between' && boundUnitOf(other) !== microsecond);
    });
    if (finer !== undefined) return await instantBy(finer, sample);
  }
  // No event is right after a whole unit by chance: it is on that unit, and range_end excludes it.
  const before = at - nanosecond;
  const isRightAfterWhole = before % microsecond === 0n || before % millisecond < microsecond;
  if (isRightAfterWhole) return { kind: 'excluded', at, by: ['range_end'] };
  if (boundUnit === nanosecond) return { kind: 'excluded', at, by: bothBounds };
  const readTo = coarseUnit(at, await sample.more([millisecond]));
  if (readTo !== undefined) return { kind: 'excluded', at, by: bothBounds, readTo };
  return await byTimesShown(at, boundUnit, sample);
}

/** Which bound excludes its own instant: the same in all events whose rows show times as finely as bounds are read. */
async function byTimesShown(at: bigint, boundUnit: bigint, sample: Sample): Promise<EventInstant> {
  const shown = sample.others.filter(({ unit }) => unit !== undefined && unit <= boundUnit);
  const steps = boundSteps.filter((step) => step >= boundUnit);
  const boundsOff = new Set<BoundName>();
  const searched = spread(shown, enough.ofTwo);
  for (const event of searched) {
    const other = await sample.edgesOf(event, steps);
    if (kindOf(other) === 'exact') return { kind: 'exact', at: other.end, unit: millisecond };
    if (kindOf(other) !== 'between') return { kind: 'unclear', at };
    // A row shows .500: range_end is off if it has the event only from .501 on; else range_start has it only up to .499.
    boundsOff.add(other.end > (event.shown ?? 0n) ? 'range_end' : 'range_start');
  }
  if (searched.length < enough.ofTwo || boundsOff.size !== 1) return { kind: 'unclear', at };
  // A service that writes milliseconds often cuts times to them, which looks the same and is right.
  if (boundsOff.has('range_end') && boundUnit === millisecond) return { kind: 'unclear', at };
  return { kind: 'excluded', at, by: [...boundsOff] };
}

/** The coarsest unit at the same part of which bounds begin to include every event, as at half minutes; undefined: none. */
function coarseUnit(at: bigint, others: readonly Edges[]): CoarseUnit | undefined {
  // Where bounds are rounded, both of them include an event that is on a whole second (`twice`).
  const areCoarse = others.every((other) => ['between', 'twice'].includes(kindOf(other)));
  if (others.length === 0 || !areCoarse) return undefined;
  const isSamePart = (unit: bigint) => others.every(({ end }) => end % unit === at % unit);
  return coarseUnits.findLast(([, unit]) => isSamePart(unit))?.[0];
}

/** The unit of bounds: the first instant at which range_end includes an event is a whole one if they are cut, half if rounded. */
function boundUnitOf({ end, step }: Edges): bigint {
  const isWholeOrHalf = (unit: bigint): boolean => end % (unit / 2n) === 0n;
  // Where bounds are compared in floating point, they reach a millisecond a little before it.
  const isRightBeforeWhole = end % millisecond > millisecond - microsecond;
  if (step === millisecond || isWholeOrHalf(millisecond) || isRightBeforeWhole) return millisecond;
  // Edges of microseconds, of tenths of them, and those that floating point makes of them.
  const isFiner = step === microsecond || isWholeOrHalf(microsecond) || isWholeOrHalf(100n);
  return isFiner || isEdgeOfDoubles(end) ? microsecond : nanosecond;
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

/** An event of the sample: its row, and the time that this shows, if it is known. */
interface SampleEvent {
  /** The key of its row. Of several events with equal rows, the first is meant. */
  readonly key: string;
  /** How many rows of the sample are equal. */
  readonly times: number;
  /** The time that its row shows, in nanoseconds since 1970. */
  readonly shown?: bigint;
  /** The unit to which times are written, in nanoseconds: 1,000,000 for milliseconds. */
  readonly unit?: bigint;
}

/** The events of the sample as learned, so that a further run gets the same: in order, one of each instant, if times are known. */
function eventsIn(table: CsvTable, knowledge: Knowledge): SampleEvent[] {
  const { base, columns, window } = knowledge.original;
  const { times, ignored } = columns;
  const held = eventsOf(table, ignored);
  const eventOf = (row: Row) => {
    const key = keyOfRow(row, ignored);
    return { key, times: timesIn(held, key) };
  };
  if (times === undefined) return table.rows.map(eventOf);
  const unit = BigInt(Math.round(times.unit * 1_000_000));
  const { start, end } = window.sample;
  return times.instants
    .map((at, index) => ({ at, index }))
    .filter(({ at }) => at >= start && at <= end)
    .map(({ index }) => ({
      ...eventOf(base.table.rows[index] ?? []),
      shown: shownAt(times, index),
      unit,
    }))
    .sort((a, b) => Number(a.shown - b.shown))
    .filter(({ shown, times }, index, all) => times > 0 && shown !== all[index - 1]?.shown);
}

/** The time that a row shows, in nanoseconds since 1970. */
export function shownAt(
  { instants, beyondMs }: Pick<KnownTimes, 'instants' | 'beyondMs'>,
  row: number,
): bigint {
  return BigInt(instants[row] ?? 0) * millisecond + BigInt(beyondMs[row] ?? 0);
}

/** An event of the later half, best off whole seconds, kept by lists and metadata filters, and changed by floating point. */
function eventToSearch(events: readonly SampleEvent[], { filters }: Knowledge): SampleEvent {
  const worth = ({ key, shown = 0n }: SampleEvent): number => {
    const keeping = [...filters.known].flatMap(([filter, { values }]) =>
      values.some(({ events }) => timesIn(events, key) > 0) ? [filter] : [],
    );
    const isKept = keeping.some(isListFilter) && !keeping.every(isListFilter);
    // A program that computes this millisecond from seconds in floating point, and cuts it, gets another.
    const isFloat = Math.trunc((Number(shown) / 1e9) * 1000) !== Number(shown / millisecond);
    return (shown % second === 0n ? 0 : 4) + (isKept ? 2 : 0) + (isFloat ? 1 : 0);
  };
  const later = events.slice(events.length >> 1);
  const [best] = later.toSorted((one, other) => worth(other) - worth(one));
  if (best === undefined) throw noEvents();
  return best;
}

/** The sample, and what its ranges show of single events. */
class Sample {
  readonly #exports: Exports;
  readonly #start: bigint;
  readonly #end: bigint;
  readonly #ignored: ReadonlySet<number>;
  /** The event whose instant is searched. */
  readonly chosen: SampleEvent;
  readonly others: readonly SampleEvent[];

  constructor(exports: Exports, knowledge: Knowledge, table: CsvTable) {
    const { start, end } = knowledge.window.sample;
    const events = eventsIn(table, knowledge);
    this.#exports = exports;
    this.#start = BigInt(start) * millisecond;
    this.#end = BigInt(end) * millisecond;
    this.#ignored = knowledge.columns.ignored;
    this.chosen = eventToSearch(events, knowledge);
    this.others = events.filter((event) => event !== this.chosen);
  }

  /** Searches both edges with ever finer bounds. @param steps in nanoseconds, the coarsest first */
  async edgesOf(event: SampleEvent, steps: readonly bigint[] = boundSteps): Promise<Edges> {
    let ends: Span = { before: this.#start - millisecond, at: this.#end };
    let starts: Span = { before: this.#start, at: this.#end + millisecond };
    let edges: Edges = { event, end: ends.at, start: starts.before, step: millisecond };
    for (const step of steps) {
      const nearShown = guesses(event, step);
      // An event whose time is kept more coarsely lies at one of the two ends.
      const atEnds = step === millisecond ? [] : [ends.at - step, ends.before + step];
      const isUpTo = (at: bigint) => this.#holds(event, [this.#start, at], 1);
      const end = await halve(ends, step, isUpTo, [...nearShown, ...atEnds]);
      if (end === undefined) break;
      const isLater = async (at: bigint) => {
        const isFrom = await this.#holds(event, [at, this.#end], event.times);
        return isFrom === undefined ? undefined : !isFrom;
      };
      const nearEnd = [0n, -step, step, second - millisecond, second].map((by) => end.at + by);
      const start = await halve(starts, step, isLater, [...nearEnd, ...nearShown]);
      if (start === undefined) break;
      const finer = { event, end: end.at, start: start.before, step };
      if (kindOf(finer) === 'lost') {
        // A service that rounds fine bounds inwards reads one text as two bounds that are reversed, and refuses it.
        const before = end.at - step;
        const isFine = before % millisecond !== 0n;
        if (isFine && !(await tableIn(this.#exports, [before, before]))) break;
      }
      edges = finer;
      if (kindOf(edges) !== 'between') break;
      [ends, starts] = [end, start];
    }
    return edges;
  }

  /** The edges of three more events, spread over the sample. */
  async more(steps?: readonly bigint[]): Promise<Edges[]> {
    const chosen = spread(this.others, enough.ofThousand);
    return await Promise.all(chosen.map((event) => this.edgesOf(event, steps)));
  }

  /** The wrong bound of two: far from the time that the row shows, else on a whole second or the sample's end; both if unclear. */
  guilty({ event: { shown, unit }, end, start, step }: Edges): readonly BoundName[] {
    if (shown !== undefined && unit !== undefined && unit <= millisecond) {
      const isNear = (at: bigint) => at - shown <= millisecond && shown - at <= millisecond;
      if (isNear(end) !== isNear(start)) return [isNear(end) ? 'range_start' : 'range_end'];
    }
    const isCoarse = {
      range_start: start >= this.#end - step || (start + step) % second === 0n,
      range_end: end <= this.#start || end % second === 0n,
    };
    const coarse = bothBounds.filter((bound) => isCoarse[bound]);
    return coarse.length === 1 ? coarse : bothBounds;
  }

  /** Whether a range holds so many of the rows that are equal to the event's; undefined where a bound is refused. */
  async #holds({ key }: SampleEvent, [start, end]: readonly [bigint, bigint], times: number) {
    if (start > end) return false;
    const table = await tableIn(this.#exports, [start, end]);
    return table && timesIn(eventsOf(table, this.#ignored), key) >= times;
  }
}

/**
 * Bounds to try first, about the time that the row of an event shows. In steps of a millisecond ever further from it: of
 * 10:00:00.500 by 1 ms .500, .499, .501, .497, .503, .493, .507 …; in finer ones only that time and those beside it.
 */
function guesses({ shown, unit = 0n }: SampleEvent, step: bigint): bigint[] {
  if (shown === undefined) return [];
  const doublings = step === millisecond ? maxDoublings : 2;
  const by = unit > step && step === millisecond ? unit : step;
  const distances = Array.from({ length: doublings }, (_, times) => 2n ** BigInt(times) - 1n);
  const middle = shown - (shown % step);
  return distances.flatMap((distance) => [middle - distance * by, middle + distance * by]);
}

/** How many doublings make more than a year of a millisecond. */
const maxDoublings = 36;

/** The latest bound that is known not to reach far enough, and the earliest that is known to, in nanoseconds. */
export interface Span {
  readonly before: bigint;
  readonly at: bigint;
}

/** The steps in which bounds are tried, in nanoseconds, the coarsest first. */
export const boundSteps = [millisecond, microsecond, nanosecond] as const;

/**
 * Bisects between two bounds until they are one step apart; undefined where `reaches` has ended the search.
 * @param reaches whether a bound reaches far enough; undefined ends the search, as where so fine a bound is refused
 * @param likely bounds that are tried first, where they lie between the two; the list is emptied
 */
export async function halve(
  { before, at }: Span,
  step: bigint,
  reaches: (at: bigint) => Promise<boolean | undefined>,
  likely: bigint[] = [],
): Promise<Span | undefined> {
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

/** The export between two instants, in nanoseconds; undefined where bounds finer than a millisecond are refused: that is open. */
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
