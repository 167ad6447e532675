import { type Multiset, multiset } from '../../helpers/csv/multiset.ts';
import { datesIn } from '../../helpers/exports/columns.ts';
import { tableOf } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/learn.ts';
import type { TimeRange } from '../../helpers/exports/window.ts';
import { noEvents } from './relations.ts';

/**
 * The exact instant of an event in the middle of the sample, in milliseconds since 1970: read off the column of
 * times where that shows milliseconds, else found by bisection. Not on a whole second where there is a
 * choice, so that a bound cut to seconds shows.
 */
export async function findEventInstant(exports: Exports, knowledge: Knowledge): Promise<number> {
  const { sample } = knowledge.window;
  const { times } = knowledge.columns;
  if (times?.unit === 1) {
    const inSample = times.instants.filter((at) => at >= sample.start && at <= sample.end);
    const sorted = inSample.toSorted((a, b) => a - b);
    const later = sorted.slice(Math.floor(sorted.length / 2));
    const at = later.find((instant) => instant % 1000 !== 0) ?? later[0];
    if (at !== undefined) return at;
  }
  const count = counter(exports);
  const total = await count(sample.start, sample.end);
  const found = await instantOfEvent(count, { ...sample, total }, Math.ceil(total / 2));
  if (total === 0 || found === undefined) throw noEvents();
  return found.instant;
}

/** An instant as a bound, and those just before and after it: milliseconds since 1970, or texts that are finer. */
export interface Instant {
  readonly before: number | string;
  readonly at: number | string;
  readonly after: number | string;
}

/**
 * A service may keep times more finely than it shows them: an event shown at a millisecond then lies behind it.
 *
 * @param shown the instant as it is shown, in milliseconds since 1970
 * @returns the microsecond at which a range_end begins to include the event; undefined where it is the one that
 *   is shown, or the next (then the bound excludes its own instant), or where bounds are not read so finely
 */
export async function findFinerInstant(
  exports: Exports,
  { window: { sample } }: Knowledge,
  shown: number,
): Promise<Instant | undefined> {
  const bound = (micros: number): string =>
    new Date(shown).toISOString().replace('Z', `${String(micros).padStart(3, '0')}Z`);
  const count = async (micros: number): Promise<number> => {
    const { table } = await exports.within({ start: sample.start, end: bound(micros) });
    return table?.count ?? 0;
  };
  const without = await count(0);
  if ((await count(999)) <= without) return undefined;
  let [before, at] = [0, 999];
  while (at - before > 1) {
    const middle = Math.floor((before + at) / 2);
    if ((await count(middle)) > without) at = middle;
    else before = middle;
  }
  return at === 1 ? undefined : { before: bound(at - 1), at: bound(at), after: bound(at + 1) };
}

/** The events of a range by the column of times; undefined where that does not show milliseconds. */
export function eventsBetween(
  knowledge: Knowledge,
  start: number,
  end: number,
): Multiset | undefined {
  const { ignored, times } = knowledge.columns;
  if (times?.unit !== 1) return undefined;
  const isWithin = (at: number | undefined) => at !== undefined && at >= start && at <= end;
  return multiset(
    knowledge.base.table.rows.filter((_, index) => isWithin(times.instants[index])),
    ignored,
  );
}

/**
 * A range of exactly so many events. Events of the same millisecond cannot be cut apart: other places are tried.
 * @returns undefined where none was found
 */
export async function rangeOf(
  count: number,
  exports: Exports,
  knowledge: Knowledge,
): Promise<TimeRange | undefined> {
  const { times } = knowledge.columns;
  if (knowledge.base.table.count < count) return undefined;
  if (times?.unit === 1) return rangeByTimes(count, times.instants, knowledge.window);
  return await rangeByBisection(count, exports, knowledge);
}

/**
 * What is known, with the events that the window holds by now.
 * @returns undefined where their times are not shown
 */
export async function knownNow(
  exports: Exports,
  knowledge: Knowledge,
): Promise<Knowledge | undefined> {
  const { window, base, columns } = knowledge;
  const download = await exports.anew({ start: window.start, end: window.end });
  const { table } = download;
  const { times } = columns;
  const dates =
    table && times && datesIn(table, times.column).find(({ style }) => style === times.style);
  if (table === undefined || times === undefined || dates === undefined) return undefined;
  return {
    ...knowledge,
    base: { ...base, table, download },
    columns: { ...columns, times: { ...times, instants: dates.instants } },
  };
}

function rangeByTimes(
  count: number,
  instants: readonly number[],
  { start, end }: TimeRange,
): TimeRange | undefined {
  const sorted = instants.toSorted((a, b) => a - b);
  for (let first = 0; first + count <= sorted.length; first += 1) {
    const [before, from] = [sorted[first - 1] ?? start - 1, sorted[first] ?? start];
    const [to, after] = [sorted[first + count - 1] ?? end, sorted[first + count] ?? end + 1];
    if (before < from && to < after) return { start: from, end: to };
  }
  return undefined;
}

/** How many beginnings of the range are tried. */
const maxPlaces = 3;

async function rangeByBisection(
  count: number,
  exports: Exports,
  { window: { start: first, end }, base }: Knowledge,
): Promise<TimeRange | undefined> {
  const countIn = counter(exports);
  let start = first;
  let total = base.table.count;
  for (let place = 0; place < maxPlaces; place += 1) {
    const found = await instantOfEvent(countIn, { start, end, total }, count);
    if (found?.upTo === count) return { start, end: found.instant };
    // The event at the end shares its instant with others: begin after the first events, and try again.
    const next = await instantOfEvent(countIn, { start, end, total }, 1);
    if (next === undefined) return undefined;
    start = next.instant + 1;
    total -= next.upTo;
  }
  return undefined;
}

/** How many events a range holds, both bounds included, in milliseconds since 1970. */
type Count = (start: number, end: number) => Promise<number>;

function counter(exports: Exports): Count {
  return async (start, end) => tableOf(await exports.within({ start, end })).count;
}

/**
 * The instant of the n-th event from a start on, found by bisection, to the millisecond. Asks for ever shorter ranges,
 * so that the files stay small.
 *
 * @param n counts from 1
 * @returns the instant, and how many events there are from the start up to and including it (more than n where
 *   several share it); undefined where the range holds fewer than n
 */
export async function instantOfEvent(
  count: Count,
  range: { readonly start: number; readonly end: number; readonly total: number },
  n: number,
): Promise<{ instant: number; upTo: number } | undefined> {
  if (range.total < n) return undefined;
  // Up to and including `before` there are fewer than n events, up to and including `instant` there are enough.
  let before = range.start - 1;
  let upToBefore = 0;
  let instant = range.end;
  let upTo = range.total;
  while (instant - before > 1) {
    const middle = before + Math.floor((instant - before) / 2);
    const between = await count(before + 1, middle);
    if (upToBefore + between >= n) {
      instant = middle;
      upTo = upToBefore + between;
    } else {
      before = middle;
      upToBefore += between;
    }
  }
  return { instant, upTo };
}
