import { randomUUID } from 'node:crypto';
import { listFilters } from '../../schemas/operations.ts';
import type { ArrayEncoding, Settings } from '../config/settings.ts';
import { nonCsvType } from '../csv/csv-form.ts';
import { difference, inAny } from '../csv/multiset.ts';
import type { CsvTable } from '../csv/read-csv.ts';
import { NoResponse } from '../http/no-response.ts';
import { Inconclusive } from '../outcomes.ts';
import { type CsvDownload, tableOf } from './downloads.ts';
import type { Exports } from './exports.ts';
import { eventsOf, type Knowledge, type Window } from './knowledge.ts';
import { columnsOfTheExport } from './learn-columns.ts';
import { heardEncodings, workingEncodings } from './learn-encoding.ts';
import { type FilterClues, learnFilters } from './learn-filters.ts';
import { findSample } from './learn-sample.ts';
import { findMovedDates, findTimes, isOneOutside, timesOfRanges } from './learn-times.ts';
import { findWindow } from './learn-window.ts';
import type { ExportQuery, FilterSet } from './query.ts';

/** What learning stands on. */
export interface LearningParts {
  readonly exports: Exports;
  readonly settings: Pick<Settings, 'exportWindow' | 'filterValues' | 'arrayEncoding'>;
  /** Ids of records at hand, by filter; asked for when they are needed. */
  readonly records: () => Promise<FilterClues['records']>;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Finds out what the target's exports are made of: a window of the past, columns, times, how lists are encoded,
 * and values for the filters. Nothing of it is assumed.
 *
 * @throws Inconclusive where the exports cannot be read at all
 */
export async function learn({
  exports,
  settings,
  records,
  now,
}: LearningParts): Promise<Knowledge> {
  const found = await findCommonWindow(exports, settings.exportWindow, now);
  const { window, download: baseDownload, refused, common } = found;
  expectCsv(baseDownload);
  const base = tableOf(baseDownload);
  const fetch = (set: FilterSet, encoding: ArrayEncoding): Promise<CsvDownload> =>
    exports.csv({ ...window, ...common, filters: set }, encoding, base);
  const impossible = randomUUID();
  const { arrayEncoding } = settings;
  const [again, cut, heard] = await Promise.all([
    exports.csvAnew({ ...window, ...common }, 'repeat', base),
    cutInTwo(exports, window, common, base),
    arrayEncoding === 'auto' ? heardEncodings(fetch, impossible) : [arrayEncoding],
  ]);
  const ignored = columnsOfTheExport(base, tableOf(again));
  const times = await timesOfRanges(findTimes(base, ignored, cut), base, async (start, end) =>
    tableOf(await exports.csv({ start, end, ...common }, 'repeat', base)),
  );
  const moved = times === undefined ? findMovedDates(base, ignored, cut) : undefined;
  const [first = 'repeat'] = heard;
  const filtered: CsvDownload[] = [];
  const [filters, sample] = await Promise.all([
    learnFilters({
      base,
      ignored,
      given: settings.filterValues,
      records: await records(),
      fetch: async (set) => {
        const download = await fetch(set, first);
        filtered.push(download);
        return download;
      },
    }),
    findSample(exports, window, common, base, times),
  ]);
  const beyond = filtered.find(({ table }) => {
    if (table === undefined || times === undefined) return false;
    const { missing } = difference(eventsOf(table, ignored), eventsOf(base, ignored));
    return isOneOutside(missing, window, times);
  });
  const working = await encodingsForTwo(fetch, heard, filters, ignored);
  return {
    ...{ window, refused, common, baseDownload, base, again, ignored, times, moved },
    ...{
      middle: cut.at,
      sample,
      heard,
      working,
      encoding: working[0] ?? first,
      filters,
      beyond,
      impossible,
    },
  };
}

/** @throws Inconclusive where the file is none: nothing could be learned of it but nonsense */
function expectCsv({ answer: { request, text, exchange } }: CsvDownload): void {
  const kind = nonCsvType(text);
  if (kind === undefined) return;
  throw new Inconclusive(
    `No export to learn from: ${request} gave ${kind} in place of a CSV (#${exchange.number}).`,
  );
}

/** The encodings that work for two values of the first list of which two are known; none where there is no such list. */
async function encodingsForTwo(
  fetch: (set: FilterSet, encoding: ArrayEncoding) => Promise<CsvDownload>,
  heard: readonly ArrayEncoding[],
  filters: Knowledge['filters'],
  ignored: ReadonlySet<number>,
): Promise<ArrayEncoding[]> {
  for (const filter of listFilters) {
    const [one, other] = filters.get(filter)?.values ?? [];
    if (one === undefined || other === undefined) continue;
    const set = { [filter]: [one.value, other.value] };
    const expected = inAny([one.events, other.events]);
    const working = await workingEncodings((how) => fetch(set, how), heard, expected, ignored);
    if (working.length > 0) return working;
  }
  return [];
}

/** An instant that no event can be at: the answer is a file without events, and soon there. */
export const longAgo = { start: Date.UTC(1990, 0, 1), end: Date.UTC(1990, 0, 1) };

/** UTC, under one of its names, so that written dates can be read as instants; nothing where it is not taken. */
const commonParameters: readonly Pick<ExportQuery, 'timezone'>[] = [
  { timezone: 'UTC' },
  { timezone: 'Etc/UTC' },
  {},
];

/** The window, found with dates in UTC where the target takes that. */
async function findCommonWindow(
  exports: Exports,
  given: Settings['exportWindow'],
  now: number,
): Promise<Awaited<ReturnType<typeof findWindow>> & { common: Pick<ExportQuery, 'timezone'> }> {
  let obstacle: unknown;
  for (const common of commonParameters) {
    try {
      const fetch = ({ start, end }: Window) => exports.csv({ start, end, ...common });
      return { ...(await findWindow(fetch, given, now)), common };
    } catch (error) {
      // Not heard is not heard in any time zone; a refusal may be one of the name.
      if (!(error instanceof Inconclusive) || error instanceof NoResponse) throw error;
      obstacle = error;
    }
  }
  throw obstacle;
}

/** Part of the window, from an instant in it on, that holds some of its events and not all, where there is one. */
async function cutInTwo(
  exports: Exports,
  { start, end }: Window,
  common: Pick<ExportQuery, 'timezone'>,
  base: CsvTable,
): Promise<{ at: number; part: CsvTable }> {
  // Halving goes for the end of the window: where it begins long before the first event, that is where events are.
  let [before, after] = [start, end];
  for (let attempt = 1; ; attempt += 1) {
    const at = before + Math.floor((after - before) / 2);
    const part = tableOf(await exports.csv({ start: at, end, ...common }, 'repeat', base));
    const cuts = part.count > 0 && part.count < base.count;
    if (cuts || attempt === mostCuts) return { at, part };
    if (part.count === 0) after = at;
    else before = at;
  }
}

const mostCuts = 8;
