import { listFilters } from '../../schemas/operations.ts';
import type { ArrayEncoding } from '../config/settings.ts';
import { type Bounds, isWithin } from '../csv/multiset.ts';
import type { CsvDownload } from './downloads.ts';
import { eventsOf } from './knowledge.ts';
import type { FilterSet } from './query.ts';

export type FetchFiltered = (filters: FilterSet, encoding: ArrayEncoding) => Promise<CsvDownload>;

/** For one value, `repeat` and `comma` are the same request. */
const tried = ['repeat', 'brackets', 'indices'] as const;

/**
 * The encodings under which a list filter is heard at all: with a value that cannot exist nothing is left.
 *
 * @param impossible a value that no event has
 * @returns none where every list filter is ignored, or refused, under all of them
 */
export async function heardEncodings(
  fetch: FetchFiltered,
  impossible: string,
): Promise<ArrayEncoding[]> {
  // A user's id first: a service may refuse an event type that it does not know.
  for (const filter of listFilters) {
    const downloads = await Promise.all(
      tried.map((encoding) => fetch({ [filter]: [impossible] }, encoding)),
    );
    const heard = tried.filter((_, index) => downloads[index]?.table?.count === 0);
    if (heard.length > 0)
      return heard.flatMap((one) => (one === 'repeat' ? ['repeat', 'comma'] : [one]));
  }
  return [];
}

/**
 * The encodings under which two values of a list keep what either keeps alone.
 *
 * @param expected the events that either value keeps
 */
export async function workingEncodings(
  fetch: (encoding: ArrayEncoding) => Promise<CsvDownload>,
  heard: readonly ArrayEncoding[],
  expected: Bounds,
  ignored: ReadonlySet<number>,
): Promise<ArrayEncoding[]> {
  const downloads = await Promise.all(heard.map((encoding) => fetch(encoding)));
  return heard.filter((_, index) => {
    const table = downloads[index]?.table;
    return table !== undefined && isWithin(expected, eventsOf(table, ignored));
  });
}
