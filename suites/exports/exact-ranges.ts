/*
 * Ranges of exactly so many events, however finely times are kept and however they are shown. Where the column of times
 * leaves gaps that are wider than it may be cut or rounded, a range that begins and ends in two of them is known without
 * asking; else a bound is looked for by counting, as the instants of events are. Whoever uses such a range counts its events
 * once more.
 */

import type { KnownTimes } from '../../helpers/exports/columns.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Bound } from '../../helpers/exports/query.ts';
import type { TimeRange } from '../../helpers/exports/window.ts';
import { boundOf, boundSteps, halve, tableIn, units } from './event-instants.ts';

/** A range as a query has it. */
export interface ExactRange {
  readonly start: Bound;
  readonly end: Bound;
}

/**
 * A range of exactly so many events by the column of times, its bounds in the widest gaps there are.
 * @returns undefined where no two gaps lie so many events apart
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
    const byMs = Math.min(before?.byMs ?? Infinity, after?.byMs ?? Infinity);
    if (byMs <= widest) continue;
    range = { start: before?.middle ?? start, end: after?.middle ?? end };
    widest = byMs;
  }
  return range;
}

/** undefined before the first event, and behind the last one: there a range may begin and end wherever the window does. */
function gapBefore(index: number, sorted: readonly number[]) {
  const [earlier, later] = [sorted[index - 1], sorted[index]];
  if (earlier === undefined || later === undefined) return undefined;
  return { middle: earlier + Math.floor((later - earlier) / 2), byMs: later - earlier };
}

/** How many beginnings of the range are tried. */
const maxPlaces = 3;
/** So many events and fewer are counted again and again; more only until there are so few. */
const fewEvents = 500;

/**
 * A range of exactly so many events, found by counting. Events of the same instant cannot be cut apart: other beginnings
 * are tried.
 *
 * @param total of the events in the window
 * @returns undefined where none was found
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
  for (let place = 0; place < maxPlaces && left >= count; place += 1) {
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

/** A range_end, and how many events there are up to it. */
interface CountedBound {
  readonly at: bigint;
  readonly count: number;
}

/**
 * A range_end up to which there are so many events from a start on; or the earliest with more, where they share it.
 * @returns also how far it may lie from the one before
 */
async function upToEvent(
  wanted: number,
  exports: Exports,
  start: bigint,
  all: CountedBound,
): Promise<CountedBound & { readonly step: bigint }> {
  const countIn = async (from: bigint, to: bigint) => (await tableIn(exports, [from, to]))?.count;
  let before = { at: start - units.millisecond, count: 0 };
  let found = all;
  let near: CountedBound | undefined;
  const reaches = async (at: bigint): Promise<boolean | undefined> => {
    if (near === undefined && before.at >= start && found.count - before.count <= fewEvents) {
      // What lies at the place itself is counted twice: up to it, and from it on.
      const twice = (await countIn(before.at, before.at)) ?? 0;
      near = { at: before.at, count: before.count - twice };
    }
    const counted = await countIn(near?.at ?? start, at);
    if (counted === undefined) return undefined;
    const count = counted + (near?.count ?? 0);
    if (count >= wanted) found = { at, count };
    else before = { at, count };
    return count === wanted ? undefined : count > wanted;
  };
  let edge: Awaited<ReturnType<typeof halve>> = { before: before.at, at: all.at };
  let step: bigint = units.millisecond;
  for (const finer of found.count === wanted ? [] : boundSteps) {
    step = finer;
    edge = await halve(edge, step, reaches);
    if (edge === undefined) break;
  }
  return { ...found, step };
}
