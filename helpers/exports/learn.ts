/*
 * What is learned of a target's exports, once a run, before any scenario compares them. Nothing is assumed: the document
 * shows no column (4. Export audit events). The way of the data, each step on what the one before it found:
 *
 *   query.ts         a query, and how it goes over the wire
 *   downloads.ts     the files that queries are answered with, each sent once and read
 *   window.ts        -> `window`: a closed range of the past, its middle, a small sample; `base`: all its events
 *   columns.ts       -> `columns`: which belong to the export itself, which holds the time of the event
 *   encoding.ts      -> `encoding`: how lists of values are sent (one value before the filters, two after them)
 *   filters.ts       -> `filters` (known-filters.ts): values that each filter selects, and the column that shows them,
 *   filter-search.ts    found by asking for one after another
 *   filter-candidates.ts   of those that may be some, the most promising first: by what names tell (filter-names.ts),
 *   shown-values.ts     and by the values that rows show,
 *   cell-readings.ts    in whatever way a cell shows one; all of them candidates until an export has confirmed them
 *   learn.ts         these steps in order, and Knowledge: the five records together
 *   learning.ts      who learns, once for all who ask
 *   readings.ts      what was read, read once more: what changed meanwhile is judged by nobody
 *   exports.ts       what scenarios ask: downloads, as what was learned wants them
 */

import type { ListEncoding } from '../../schemas/operations.ts';
import type { Settings } from '../config/settings.ts';
import { nonCsvType } from '../csv/csv-form.ts';
import type { CsvTable } from '../csv/read-csv.ts';
import { Inconclusive } from '../outcomes.ts';
import { type KnownColumns, learnColumns } from './columns.ts';
import { type CsvDownload, type ExportSource, tableOf } from './downloads.ts';
import {
  type BracketStyle,
  bracketsHonoured,
  encodingsForOne,
  encodingsForTwo,
  type FetchFiltered,
  type KnownEncoding,
} from './encoding.ts';
import type { FilterClues } from './filter-candidates.ts';
import { learnFilters } from './filters.ts';
import type { KnownFilters } from './known-filters.ts';
import type { ExportQuery, FilterSet } from './query.ts';
import {
  type Cut,
  cutInTwo,
  type FetchRange,
  type FoundWindow,
  findSample,
  findWindow,
  type KnownWindow,
  NoWindow,
  type TimeRange,
} from './window.ts';

/** What is learned first: all that a query without filters needs. */
export interface KnownEvents {
  readonly window: TimeRange;
  readonly base: Base;
  readonly columns: KnownColumns;
}

/** What was learned of a target's exports. */
export interface Knowledge extends KnownEvents {
  readonly window: KnownWindow;
  readonly encoding: KnownEncoding;
  readonly filters: KnownFilters;
  /**
   * The same before events were taken out that did not stand still: queries are chosen by it, so that a scenario that runs
   * again asks what it asked before. undefined where none were taken out.
   */
  readonly asLearned?: Knowledge;
}

/** All events of the window: what filtered exports are compared with. */
export interface Base {
  readonly table: CsvTable;
  readonly download: CsvDownload;
  /** The same query, asked for a second time. */
  readonly again: CsvDownload;
  /**
   * Sent with every query that is compared with the base: dates in UTC, where the target takes it, and brackets as it
   * takes them.
   */
  readonly utc: Utc;
}

/**
 * UTC, under one of its names, so that written dates can be read as instants; empty where it is not accepted. With
 * file_type where only that makes a CSV: what is wrong with the default must not hide everything else.
 */
type Utc = Pick<ExportQuery, 'timezone' | 'fileType' | 'plainBrackets'>;

const namesOfUtc: readonly Utc[] = [{ timezone: 'UTC' }, { timezone: 'Etc/UTC' }, {}];

const waysToAsk: readonly Utc[] = [
  ...namesOfUtc,
  ...namesOfUtc.map((utc) => ({ ...utc, fileType: 'csv' })),
];

/** What learning needs. */
export interface LearningParts {
  readonly downloads: ExportSource;
  readonly settings: Pick<Settings, 'exportWindow' | 'filterValues' | 'arrayEncoding'>;
  /** Ids of records at hand, by filter; asked for when they are needed. */
  readonly records: () => Promise<FilterClues['records']>;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** A value that no event has. */
  readonly impossible: string;
}

/** What is being learned: whoever needs no more than the events need not wait for the filters. */
export interface Learned {
  readonly events: Promise<KnownEvents>;
  readonly knowledge: Promise<Knowledge>;
}

/**
 * Finds out what the target's exports are made of. Both promises reject with Inconclusive where they cannot be read at
 * all.
 */
export function learn(parts: LearningParts): Learned {
  const events = learnEvents(parts);
  return { events, knowledge: events.then((known) => learnFiltering(parts, known)) };
}

/** The events, and what is found out beside them. */
interface Beginnings extends KnownEvents {
  readonly cut: Cut;
  readonly refused: FoundWindow | undefined;
  readonly brackets: readonly BracketStyle[];
  readonly ids: FilterClues['records'];
  readonly forOneValue: readonly ListEncoding[];
  readonly fetchFiltered: FetchFiltered;
}

async function learnEvents(parts: LearningParts): Promise<Beginnings> {
  const { downloads, settings, records, impossible } = parts;
  const { window, download, refused, utc } = await findWindowInUtc(parts);
  const table = tableOf(download);
  const fetch = fetchOf(downloads, utc, table);
  const fetchWithBrackets = (filters: FilterSet, style: BracketStyle): Promise<CsvDownload> =>
    downloads.csv({ ...window, ...sent(utc, style), filters }, { like: table });
  const [again, cut, brackets, ids] = await Promise.all([
    downloads.csvAgain({ ...window, ...utc }, { like: table }),
    cutInTwo(fetch, window, table),
    bracketsHonoured(fetchWithBrackets, impossible),
    records(),
  ]);
  const always = sent(utc, brackets[0] ?? 'percent-encoded');
  const fetchFiltered: FetchFiltered = (filters, encoding) =>
    downloads.csv({ ...window, ...always, filters }, { encoding, like: table });
  const { arrayEncoding } = settings;
  const [forOneValue, columns] = await Promise.all([
    arrayEncoding === 'auto' ? encodingsForOne(fetchFiltered, impossible) : [arrayEncoding],
    learnColumns(table, tableOf(again), cut, async (range) => tableOf(await fetch(range))),
  ]);
  const base: Base = { table, download, again, utc: always };
  return { window, base, columns, cut, refused, brackets, ids, forOneValue, fetchFiltered };
}

async function learnFiltering(
  { downloads, settings, impossible }: LearningParts,
  { window, base, columns, cut, refused, brackets, ids, forOneValue, fetchFiltered }: Beginnings,
): Promise<Knowledge> {
  const { table, utc } = base;
  const [first = 'repeat'] = forOneValue;
  const [filters, sample] = await Promise.all([
    learnFilters({
      ...{ base: table, window, columns, impossible },
      given: settings.filterValues,
      records: ids,
      fetch: (set) => fetchFiltered(set, first),
    }),
    findSample(fetchOf(downloads, utc, table), window, table, columns.times?.instants),
  ]);
  const forTwoValues = await encodingsForTwo(fetchFiltered, forOneValue, filters, columns.ignored);
  const isGiven = settings.arrayEncoding !== 'auto';
  return {
    window: { ...window, middle: cut.at, sample, refused },
    base,
    columns,
    encoding: { best: forTwoValues[0] ?? first, isGiven, forOneValue, forTwoValues, brackets },
    filters,
  };
}

/** Fetches the events of a range as those of the window were fetched. */
function fetchOf(downloads: ExportSource, utc: Utc, like: CsvTable): FetchRange {
  return (range) => downloads.csv({ ...range, ...utc }, { like });
}

/** What every query is sent with. */
function sent(utc: Utc, style: BracketStyle): Utc {
  return style === 'plain' ? { ...utc, plainBrackets: true } : utc;
}

/** The window, found with dates in UTC where the target accepts that. */
async function findWindowInUtc({ downloads, settings, now }: LearningParts) {
  let obstacle: unknown;
  for (const utc of waysToAsk) {
    try {
      const fetch = async (range: TimeRange): Promise<CsvDownload> => {
        const download = await downloads.csv({ ...range, ...utc });
        // No window is looked for among files that are none; a refusal may be one of the size.
        if (download.answer.status === 200) expectCsv(download);
        return download;
      };
      return { ...(await findWindow(fetch, settings.exportWindow, now)), utc };
    } catch (error) {
      // A refusal may be one of the name.
      if (!(error instanceof NoWindow || error instanceof NoCsv)) throw error;
      obstacle ??= error;
    }
  }
  throw obstacle;
}

/** @throws Inconclusive where the file is none: nothing could be learned of it but nonsense */
function expectCsv({ answer }: CsvDownload): void {
  const type = nonCsvType(answer.text);
  if (type === undefined) return;
  throw new NoCsv(`No export to learn from: ${answer.request} gave ${type} in place of a CSV.`, [
    answer,
  ]);
}

class NoCsv extends Inconclusive {}
