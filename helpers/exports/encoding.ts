import { listFilters } from '../../schemas/operations.ts';
import type { ArrayEncoding } from '../config/settings.ts';
import { inAny, isWithin } from '../csv/multiset.ts';
import { eventsOf } from './columns.ts';
import type { CsvDownload } from './downloads.ts';
import type { KnownFilters } from './filters.ts';
import type { FilterSet } from './query.ts';

/** How lists of values can be sent; the document does not say how (4. Export audit events). */
export interface KnownEncoding {
  /** The one to use. */
  readonly best: ArrayEncoding;
  /** All under which a list filter with one value is honoured. */
  readonly forOneValue: readonly ArrayEncoding[];
  /** Those of them under which two values keep what either keeps alone. */
  readonly forTwoValues: readonly ArrayEncoding[];
}

/** Fetches the events of the window that match. */
export type FetchFiltered = (filters: FilterSet, encoding: ArrayEncoding) => Promise<CsvDownload>;

/** For one value, `repeat` and `comma` are the same request. */
const tried = ['repeat', 'brackets', 'indices'] as const;

/**
 * The encodings under which a list filter is honoured at all: with a value that cannot exist no event is left.
 *
 * @param impossible a value that no event has
 * @returns none where every list filter is ignored, or refused, under all of them
 */
export async function encodingsForOne(
  fetch: FetchFiltered,
  impossible: string,
): Promise<ArrayEncoding[]> {
  // A user's id first: a service may refuse an event type that it does not know.
  for (const filter of listFilters) {
    const downloads = await Promise.all(
      tried.map((encoding) => fetch({ [filter]: [impossible] }, encoding)),
    );
    const honoured = tried.filter((_, index) => downloads[index]?.table?.count === 0);
    if (honoured.length > 0) {
      return honoured.flatMap((one) => (one === 'repeat' ? ['repeat', 'comma'] : [one]));
    }
  }
  return [];
}

/** Those encodings under which two values of a list keep what either keeps alone; none where no list has two known values. */
export async function encodingsForTwo(
  fetch: FetchFiltered,
  forOneValue: readonly ArrayEncoding[],
  filters: KnownFilters,
  ignored: ReadonlySet<number>,
): Promise<ArrayEncoding[]> {
  for (const filter of listFilters) {
    const [one, other] = filters.known.get(filter)?.values ?? [];
    if (one === undefined || other === undefined) continue;
    const expected = inAny([one.events, other.events]);
    const downloads = await Promise.all(
      forOneValue.map((encoding) => fetch({ [filter]: [one.value, other.value] }, encoding)),
    );
    const working = forOneValue.filter((_, index) => {
      const table = downloads[index]?.table;
      return table !== undefined && isWithin(expected, eventsOf(table, ignored));
    });
    if (working.length > 0) return working;
  }
  return [];
}
