/*
 * Ranges of exactly so many events, however finely times are kept and however they are shown. Where the column of times
 * leaves gaps that are wider than it may be cut or rounded, a range that begins and ends in two of them is known without
 * asking; else a bound is looked for by counting. Whoever uses such a range counts its events once more.
 */

import type { KnownTimes } from '../../helpers/exports/columns.ts';
import { type CsvDownload, tableOf } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Bound } from '../../helpers/exports/query.ts';
import type { TimeRange } from '../../helpers/exports/window.ts';
import { boundOf, units } from './event-instants.ts';

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
  const needed = 2 * Math.max(1, unit) + 2;
  const gapBefore = (index: number) => {
    const [earlier = start, later = end] = [sorted[index - 1], sorted[index]];
    return { middle: earlier + Math.floor((later - earlier) / 2), width: later - earlier };
  };
  let best: { readonly range: TimeRange; readonly width: number } | undefined;
  for (let first = 0; first + count <= sorted.length; first += 1) {
    const [before, after] = [gapBefore(first), gapBefore(first + count)];
    const isWhole = { start: first === 0, end: first + count === sorted.length };
    const width = Math.min(
      isWhole.start ? Number.POSITIVE_INFINITY : before.width,
      isWhole.end ? Number.POSITIVE_INFINITY : after.width,
    );
    if (width < needed || width <= (best?.width ?? 0)) continue;
    const range = {
      start: isWhole.start ? start : before.middle,
      end: isWhole.end ? end : after.middle,
    };
    best = { range, width };
  }
  return best?.range;
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
  const search = new Search(exports, BigInt(window.end) * units.millisecond);
  let start = BigInt(window.start) * units.millisecond;
  let left = total;
  for (let place = 0; place < maxPlaces && left >= count; place += 1) {
    const end = await search.boundOf(count, start, left);
    if (end.count === count) return { start: boundOf(start), end: boundOf(end.at) };
    // The event at the end shares its instant with others: begin after the first events, and try again.
    const next = await search.boundOf(1, start, left);
    left -= next.count;
    start = next.at + next.step;
  }
  return undefined;
}

/** A bound, how many events there are up to it, and how far it may lie from the one before. */
interface CountedBound {
  readonly at: bigint;
  readonly count: number;
  readonly step: bigint;
}

class Search {
  readonly #exports: Exports;
  readonly #end: bigint;

  constructor(exports: Exports, end: bigint) {
    this.#exports = exports;
    this.#end = end;
  }

  /** A range_end up to which there are so many events from a start on; or the earliest with more, where they share it. */
  async boundOf(wanted: number, start: bigint, total: number): Promise<CountedBound> {
    let before = { at: start - units.millisecond, count: 0 };
    let found = { at: this.#end, count: total };
    let near: { readonly at: bigint; readonly without: number } | undefined;
    let step: bigint = units.millisecond;
    while (found.count !== wanted) {
      // A start between two steps leaves no whole one in the middle.
      if (found.at - before.at < 2n * step) {
        if (step === units.nanosecond) break;
        step /= 1000n;
      }
      const half = before.at + ((found.at - before.at) / 2n / step) * step;
      if (near === undefined && before.at >= start && found.count - before.count <= fewEvents) {
        // What lies at the place itself is counted twice: up to it, and from it on.
        const twice = (await this.#count(before.at, before.at)) ?? 0;
        near = { at: before.at, without: before.count - twice };
      }
      const counted = await this.#count(near?.at ?? start, half);
      // Bounds so fine are refused.
      if (counted === undefined) break;
      const counts = { at: half, count: counted + (near?.without ?? 0) };
      if (counts.count >= wanted) found = counts;
      else before = counts;
    }
    return { ...found, step };
  }

  async #count(start: bigint, end: bigint): Promise<number | undefined> {
    const query = { start: boundOf(start), end: boundOf(end) };
    const download: CsvDownload = await this.#exports.within(query);
    const isFine = [start, end].some((at) => at % units.millisecond !== 0n);
    if (isFine && download.answer.status === 400) return undefined;
    return tableOf(download).count;
  }
}
