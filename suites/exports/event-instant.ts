import { type Multiset, multiset } from '../../helpers/csv/multiset.ts';
import { instantOfEvent } from '../../helpers/exports/bisect.ts';
import { tableOf } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/knowledge.ts';
import { noEvents } from './relations.ts';

/**
 * The exact instant of an event in the middle of the sample, in milliseconds since 1970: read off the column of
 * times where that shows milliseconds, else found by halving ranges. Not on a whole second where there is a
 * choice, so that a bound cut to seconds shows.
 */
export async function findEventInstant(exports: Exports, knowledge: Knowledge): Promise<number> {
  const { times, sample } = knowledge;
  if (times?.unit === 1) {
    const inSample = times.instants.filter((at) => at >= sample.start && at <= sample.end);
    const sorted = inSample.toSorted((a, b) => a - b);
    const later = sorted.slice(Math.floor(sorted.length / 2));
    const at = later.find((instant) => instant % 1000 !== 0) ?? later[0];
    if (at !== undefined) return at;
  }
  const count = async (start: number, end: number): Promise<number> =>
    tableOf(await exports.within({ start, end })).count;
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
  { sample }: Knowledge,
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
  const { times, base, ignored } = knowledge;
  if (times?.unit !== 1) return undefined;
  const isWithin = (at: number | undefined) => at !== undefined && at >= start && at <= end;
  return multiset(
    base.rows.filter((_, index) => isWithin(times.instants[index])),
    ignored,
  );
}
