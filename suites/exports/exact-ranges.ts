/*
 * Finds a range of exactly 5,000 events, or any other number, however finely times are kept and shown. Where the column
 * of times has two gaps wider than it may be cut or rounded, the range from gap to gap needs no request (rangeByTimes).
 * Otherwise its bounds are searched by counting the events of exports (rangeBySearch). Events may come and go, so
 * whoever uses such a range counts its events once more.
 */

import type { KnownTimes } from '../../helpers/exports/columns.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Bound } from '../../helpers/exports/query.ts';
import type { TimeRange } from '../../helpers/exports/window.ts';
import { boundOf, boundSteps, halve, tableIn, units } from './event-instants.ts';

/** A range with its bounds as a query sends them. */
export interface ExactRange {
  readonly start: Bound;
  readonly end: Bound;
}

/**
 * A range of exactly `count` events by the column of times, with its bounds in the middle of the widest gaps there are.
 * @returns undefined where no two gaps that are wide enough have `count` events between them
 */
export function rangeByTimes(
  count: number,
  { instants, unit }: Pick<KnownTimes, 'instants' | 'unit'>,
  { start, end }: TimeRange,
): TimeRange | undefined {
  const sorted = instants.filter((at) => at >= start && at <= end).sort((a, b) => a - b);
  let range: TimeRange | undefined;
  let widest = 2 * Math.max(1, unit) + 1;
  for (let first = 0; first + count <= sorted.length; first += 1) {
    const [before, after] = [gapBefore(first, sorted), gapBefore(first + count, sorted)];
    const narrower = Math.min(before?.byMs ?? Infinity, after?.byMs ?? Infinity);
    if (narrower <= widest) continue;
    range = { start: before?.middle ?? start, end: after?.middle ?? end };
    widest = narrower;
  }
  return range;
}

/** The gap before an event, `byMs` wide; undefined at either end of the window, where a range may end as it does. */
function gapBefore(index: number, sorted: readonly number[]) {
  const [earlier, later] = [sorted[index - 1], sorted[index]];
  if (earlier === undefined || later === undefined) return undefined;
  return { middle: earlier + Math.floor((later - earlier) / 2), byMs: later - earlier };
}

const maxStarts = 3;
/** Among how few events a bound must be known to lie for these alone to be counted, and not all from the start. */
const fewEvents = 500;

/**
 * A range of exactly `count` events, found by counting. No bound can part events of the same instant: where it would
 * have to, a later start is tried.
 * @param total how many events the window holds
 * @returns undefined where none of the starts that were tried has such a range
 */
export async function rangeBySearch(
  count: number,
  exports: Exports,
  window: TimeRange,
  total: number,
): Promise<ExactRange | undefined> {
  let start = BigInt(window.start) * units.millisecond;
  const end = BigInt(window.end) * units.millisecond;
  let left = total;
  for (let tries = 0; tries < maxStarts && left >= count; tries += 1) {
    const all = { at: end, count: left };
    const last = await upToEvent(count, exports, start, all);
    if (last.count === count) return { start: boundOf(start), end: boundOf(last.at) };
    // The event at the end shares its instant with others: begin after the first events, and try again.
    const first = await upToEvent(1, exports, start, all);
    left -= first.count;
    start = first.at + first.step;
  }
  return undefined;
}

/** A range_end in nanoseconds since 1970, and how many events there are from the start up to it. */
interface CountedBound {
  readonly at: bigint;
  readonly count: number;
}

/**
 * A range_end up to which `wanted` events lie from `start` on; the earliest with more, where events share its instant.
 * It bisects by counting, between the latest bound that is known to have too few and the earliest known to have enough,
 * and ends at the first bound that has exactly `wanted`.
 * @param last a bound that is known to have enough: the end of the window
 * @returns the bound, the events up to it, and the finest step in which bounds were tried, in nanoseconds
 */
async function upToEvent(
  wanted: number,
  exports: Exports,
  start: bigint,
  last: CountedBound,
): Promise<CountedBound & { readonly step: bigint }> {
  const counter = new EventCounter(exports, start);
  let tooFew: CountedBound = { at: start - units.millisecond, count: 0 };
  let enough = last;
  /** Counts up to a bound, and notes the bound. @returns whether it has enough; undefined ends the search */
  const hasEnough = async (at: bigint): Promise<boolean | undefined> => {
    if (enough.count - tooFew.count <= fewEvents) await counter.countFrom(tooFew);
    const count = await counter.countUpTo(at);
    if (count === undefined) return undefined;
    if (count >= wanted) enough = { at, count };
    else tooFew = { at, count };
    return count === wanted ? undefined : count > wanted;
  };
  let edge: Awaited<ReturnType<typeof halve>> = { before: tooFew.at, at: last.at };
  let step: bigint = units.millisecond;
  for (const finer of enough.count === wanted ? [] : boundSteps) {
    step = finer;
    edge = await halve(edge, step, hasEnough);
    if (edge === undefined) break;
  }
  return { ...enough, step };
}

/** Counts the events from a start up to bounds: all of them, or only those after a bound whose count is known. */
class EventCounter {
  readonly #exports: Exports;
  readonly #start: bigint;
  #from: CountedBound | undefined;

  constructor(exports: Exports, start: bigint) {
    this.#exports = exports;
    this.#start = start;
  }

  /** How many events there are from the start up to a bound; undefined where so fine a bound is refused. */
  async countUpTo(at: bigint): Promise<number | undefined> {
    const from = this.#from ?? { at: this.#start, count: 0 };
    const table = await tableIn(this.#exports, [from.at, at]);
    return table && table.count + from.count;
  }

  /** Counts only the events from this bound on from now on, which makes files smaller; the first such bound is kept. */
  async countFrom({ at, count }: CountedBound): Promise<void> {
    if (this.#from !== undefined || at < this.#start) return;
    // Events at the bound itself belong to both counts, up to the bound and from it on: they are taken off once.
    const atBound = await tableIn(this.#exports, [at, at]);
    this.#from = { at, count: count - (atBound?.count ?? 0) };
  }
}
