import type { CsvTable } from '../csv/read-csv.ts';
import { tableOf } from './downloads.ts';
import type { Exports } from './exports.ts';
import type { KnownTimes, Window } from './knowledge.ts';
import type { ExportQuery } from './query.ts';

const wanted = { fewest: 40, most: 400, aim: 120, after: 20 };

/**
 * A part of the window with a hundred events or some more: enough for many checks, and soon downloaded. Where times are
 * known it ends before the window does, so that a bound that is lost shows on either side.
 * From the known times where there are any, else by halving.
 */
export async function findSample(
  exports: Exports,
  window: Window,
  common: Pick<ExportQuery, 'timezone'>,
  base: CsvTable,
  times: KnownTimes | undefined,
): Promise<Window> {
  const { aim, after } = wanted;
  if (base.count <= (times === undefined ? wanted.most : 2 * aim)) return window;
  if (times !== undefined) {
    const latest = times.instants.toSorted((a, b) => b - a);
    return {
      start: cutFrom(latest, aim + after) ?? window.start,
      end: cutFrom(latest, after) ?? window.end,
    };
  }
  let { start } = window;
  let tooFew = window.end;
  for (let attempt = 0; attempt < 12; attempt += 1) {
    const middle = start + Math.floor((tooFew - start) / 2);
    const { count } = tableOf(
      await exports.csv({ start: middle, end: window.end, ...common }, 'repeat', base),
    );
    if (count >= wanted.fewest && count <= wanted.most) return { start: middle, end: window.end };
    if (count < wanted.fewest) tooFew = middle;
    else start = middle;
  }
  return { start, end: window.end };
}

const gapMs = 2000;

/** An instant between two events that are not close together, from this rank on; instants are given latest first. */
function cutFrom(latest: readonly number[], rank: number): number | undefined {
  for (let index = rank; index + 1 < latest.length; index += 1) {
    const [later = 0, earlier = 0] = latest.slice(index, index + 2);
    if (later - earlier >= gapMs) return earlier + Math.floor((later - earlier) / 2);
  }
  return undefined;
}
