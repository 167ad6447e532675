import { keyOfRow, type Multiset } from '../csv/multiset.ts';
import { eventsOf, type KnownColumns, type KnownTimes } from './columns.ts';
import type { CsvDownload } from './downloads.ts';
import type { KnownFilter, KnownFilters, KnownPlace } from './known-filters.ts';
import type { Knowledge } from './learn.ts';
import type { Readings } from './readings.ts';

/**
 * The same knowledge without the events that did not stand still. Window, sample and values stay what they were, and so do
 * the queries that a scenario makes of them: what it asked before is not asked anew, and judged by what stood still.
 */
export function settledKnowledge(known: Knowledge, readings: Readings): Knowledge {
  const { base, columns, encoding } = known;
  const [first = 'repeat'] = encoding.forOneValue;
  const settled = (download: CsvDownload): CsvDownload =>
    readings.settled(download, { encoding: first, like: base.table });
  const stands = (key: string): boolean => !readings.isUnsettledRow(key);
  const download = settled(base.download);
  return {
    ...known,
    asLearned: known,
    base: {
      ...base,
      download,
      table: download.table ?? base.table,
      again: readings.withoutUnsettled(base.again),
    },
    columns: settledColumns(known, stands),
    filters: settledFilters(known.filters, columns, settled, stands),
  };
}

/** The times of the rows that are left. */
function settledColumns(
  { base: { table }, columns }: Knowledge,
  stands: (key: string) => boolean,
): KnownColumns {
  const isLeft = table.rows.map((row) => stands(keyOfRow(row, columns.ignored)));
  const left = <T>(all: readonly T[]): readonly T[] => all.filter((_, row) => isLeft[row]);
  const of = (times: KnownTimes | undefined): KnownTimes | undefined =>
    times && { ...times, instants: left(times.instants), beyondMs: left(times.beyondMs) };
  const times = of(columns.times);
  const dates = columns.dates === columns.times ? times : of(columns.dates);
  return { ...columns, times, dates };
}

function settledFilters(
  known: KnownFilters,
  { ignored }: KnownColumns,
  settled: (download: CsvDownload) => CsvDownload,
  stands: (key: string) => boolean,
): KnownFilters {
  const ofPlace = (place: KnownPlace): KnownPlace => ({
    ...place,
    eventsShowing: (value) => left(place.eventsShowing(value), stands),
  });
  const ofFilter = ({ values, shown, ...rest }: KnownFilter): KnownFilter => ({
    ...rest,
    values: values.map(({ value, download, events }) => {
      const now = settled(download);
      const kept = now.table === undefined ? left(events, stands) : eventsOf(now.table, ignored);
      return { value, download: now, events: kept };
    }),
    shown: shown && ofPlace(shown),
  });
  const all = [...known.known].map(([filter, one]) => [filter, ofFilter(one)] as const);
  return { ...known, known: new Map(all) };
}

function left({ entries }: Multiset, stands: (key: string) => boolean): Multiset {
  const kept = [...entries].filter(([key]) => stands(key));
  const size = kept.reduce((sum, [, { times }]) => sum + times, 0);
  return { size, entries: new Map(kept) };
}
