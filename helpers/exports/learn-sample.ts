import type { CsvTable } from '../csv/csv-table.ts';
import { tableOf } from './downloads.ts';
import type { Exports } from './exports.ts';
import type { KnownTimes, Window } from './knowledge.ts';
import type { ExportQuery } from './query.ts';

const wanted = { fewest: 40, most: 600, aim: 250 };

/**
 * A part of the window, at its end, with a few hundred events: enough for many checks, and soon downloaded.
 * From the known times where there are any, else by halving.
 */
export async function findSample(
  exports: Exports,
  window: Window,
  common: Pick<ExportQuery, 'timezone'>,
  base: CsvTable,
  times: KnownTimes | undefined,
): Promise<Window> {
  if (base.count <= wanted.most) return window;
  if (times !== undefined) {
    const latest = times.instants.toSorted((a, b) => b - a);
    return { start: latest[wanted.aim] ?? window.start, end: window.end };
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
