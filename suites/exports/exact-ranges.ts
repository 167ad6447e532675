/*
 * Finds a range of exactly 5,000 events, or any other number, by counting the events of exports. Where the column of
 * times shows two gaps so many events apart, the range from gap to gap is the first that is counted. No bound can part
 * events of one instant: where it would have to, a later start is tried.
 */

import type { Exports } from '../../helpers/exports/exports.ts';
import type { KnownEvents } from '../../helpers/exports/learn.ts';
import type { Bound } from '../../helpers/exports/query.ts';
import type { TimeRange } from '../../helpers/exports/window.ts';
import { boundOf, boundSteps, halve, type Span, tableIn, units } from './event-instants.ts';

/** A range with its bounds as a query sends them. */
export interface ExactRange {
  readonly start: Bound;
  readonly end: Bound;
}

const maxStarts = 3;

/** A range of exactly `count` events in the window; undefined where none of the starts that were tried has one. */
export async function rangeOf(
  count: number,
  exports: Exports,
  { window, base, columns: { times } }: KnownEvents,
): Promise<ExactRange | undefined> {
  const likely = times && rangeByTimes(count, times.instants, window);
  if (likely && (await exports.within(likely)).table?.count === count) return likely;
  let start = BigInt(window.start) * units.millisecond;
  const end = BigInt(window.end) * units.millisecond;
  let left = base.table.count;
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

/**
 * A range of `count` events by the times that rows show, with its bounds in the middle of the widest gaps there are.
 * @returns undefined where no two gaps have `count` events between them
 */
export function rangeByTimes(
  count: number,
  instants: readonly number[],
  { start, end }: TimeRange,
): TimeRange | undefined {
  const sorted = instants.filter((at) => at >= start && at <= end).sort((a, b) => a - b);
  /** The gap before an event, `byMs` wide; at either end of the window a range may begin or end as it does. */
  const gapBefore = (index: number) => {
    const [earlier, later] = [sorted[index - 1], sorted[index]];
    if (earlier === undefined) return { middle: start, byMs: Infinity };
    if (later === undefined) return { middle: end, byMs: Infinity };
    return { middle: earlier + Math.floor((later - earlier) / 2), byMs: later - earlier };
  };
  const [widest] = sorted
    .slice(count - 1)
    .map((_, first) => ({ before: gapBefore(first), after: gapBefore(first + count) }))
    .map((gaps) => ({ ...gaps, narrower: Math.min(gaps.before.byMs, gaps.after.byMs) }))
    .filter(({ narrower }) => narrower > 1)
    .sort((one, other) => other.narrower - one.narrower);
  return widest && { start: widest.before.middle, end: widest.after.middle };
}

/** A range_end in nanoseconds since 1970, and how many events there are from the start up to it. */
interface CountedBound {
  readonly at: bigint;
  readonly count: number;
}

/** Among how few events a bound must be known to lie for these alone to be counted, and not all from the start. */
const fewEvents = 500;

/**
 * A range_end up to which `wanted` events lie from `start` on; the earliest with more, where events share its instant.
 * It bisects between the latest bound that has too few and the earliest that has enough, and ends at the first bound
 * that has exactly `wanted`.
 * @param last a bound that is known to have enough: the end of the window
 * @returns the bound, the events up to it, and the finest step in which bounds were tried, in nanoseconds
 */
async function upToEvent(
  wanted: number,
  exports: Exports,
  start: bigint,
  last: CountedBound,
): Promise<CountedBound & { readonly step: bigint }> {
  let tooFew: CountedBound = { at: start - units.millisecond, count: 0 };
  let enough = last;
  /** Where events are counted from, and how many there are before it: first all, later only the few in question. */
  let from: CountedBound = { at: start, count: 0 };
  /** Counts up to a bound, and notes the bound. @returns whether it has enough; undefined ends the search */
  const hasEnough = async (at: bigint): Promise<boolean | undefined> => {
    if (from.at === start && tooFew.at > start && enough.count - tooFew.count <= fewEvents) {
      // Events at the bound itself belong to both counts, up to the bound and from it on: they are taken off once.
      const atBound = await tableIn(exports, [tooFew.at, tooFew.at]);
      from = { at: tooFew.at, count: tooFew.count - (atBound?.count ?? 0) };
    }
    const table = await tableIn(exports, [from.at, at]);
    if (table === undefined) return undefined;
    const count = from.count + table.count;
    if (count >= wanted) enough = { at, count };
    else tooFew = { at, count };
    return count === wanted ? undefined : count > wanted;
  };
  let span: Span | undefined = { before: tooFew.at, at: last.at };
  let step: bigint = units.millisecond;
  for (const finer of enough.count === wanted ? [] : boundSteps) {
    step = finer;
    span = await halve(span, step, hasEnough);
    if (span === undefined) break;
  }
  return { ...enough, step };
}
