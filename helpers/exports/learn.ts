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
 *   filter-candidates.ts   of those that may be some, the most promising first: by what names tell,
 *   shown-values.ts     and by the values that rows show,
 *   cell-readings.ts    in whatever way a cell shows one; all of them candidates until an export has confirmed them
 *   learn.ts         these steps in order, once for all who ask, and Knowledge: the five records together
 *   readings.ts      what was read, read once more: what changed meanwhile is judged by nobody
 *   exports.ts       what scenarios ask: downloads, as what was learned wants them
 */

import { randomUUID } from 'node:crypto';
import type { ListEncoding } from '../../schemas/operations.ts';
import type { Settings } from '../config/settings.ts';
import { nonCsvType } from '../csv/csv-form.ts';
import type { CsvTable } from '../csv/read-csv.ts';
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
import type { ExportQuery } from './query.ts';
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

/** What learning starts from, apart from the exports themselves. */
interface Start {
  readonly settings: Pick<Settings, 'exportWindow' | 'filterValues' | 'arrayEncoding'>;
  /** Ids of records at hand, by filter; asked for when they are needed. */
  readonly records: () => Promise<FilterClues['records']>;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** A value that no event has. */
  readonly impossible?: string;
}

/** The events, and what is found out beside them. */
interface Beginnings extends KnownEvents {
  readonly cut: Cut;
  readonly refused: FoundWindow | undefined;
  readonly brackets: readonly BracketStyle[];
  readonly records: FilterClues['records'];
  readonly forOneValue: readonly ListEncoding[];
  readonly fetchFiltered: FetchFiltered;
}

/** Who needs no more than the events need not wait for the filters. */
interface Begun {
  readonly start: Required<Start>;
  readonly events: Promise<Beginnings>;
  readonly knowledge: Promise<Knowledge>;
}

/** Learns what a target's exports are made of, once for all who ask. */
export class Learning {
  readonly downloads: ExportSource;
  readonly #startNow: () => Start;
  #begun: Begun | undefined;
  #endedAt: number | undefined;

  /** @param downloads the exports that it learns from */
  constructor(downloads: ExportSource, startNow: () => Start) {
    this.downloads = downloads;
    this.#startNow = startNow;
  }

  /** The same from other readings of the same queries: what could not be learned then may be now. */
  from(downloads: ExportSource): Learning {
    const { start, events } = this.#begun ?? this.#begin();
    const records = async () => (await events).records;
    return new Learning(downloads, () => ({ ...start, records }));
  }

  /** For how long all of it has been known, in milliseconds; 0 while it is being learned. */
  get ageMs(): number {
    return this.#endedAt === undefined ? 0 : performance.now() - this.#endedAt;
  }

  /** @throws Inconclusive where the exports cannot be read at all; who asks again, learns again */
  knowledge(): Promise<Knowledge> {
    return (this.#begun ?? this.#begin()).knowledge;
  }

  /** What is known of the events, as soon as it is. @throws Inconclusive as `knowledge` does */
  events(): Promise<KnownEvents> {
    return (this.#begun ?? this.#begin()).events;
  }

  #begin(): Begun {
    const start = { impossible: randomUUID(), ...this.#startNow() };
    const events = this.#learnEvents(start);
    const knowledge = events.then((known) => this.#learnFiltering(start, known));
    // Who wants only the events does not wait for it.
    knowledge.then(
      () => {
        this.#endedAt = performance.now();
      },
      () => {
        // The target may respond by then.
        this.#begun = undefined;
      },
    );
    this.#begun = { start, events, knowledge };
    return this.#begun;
  }

  async #learnEvents(start: Required<Start>): Promise<Beginnings> {
    const { downloads } = this;
    const { window, download, refused, utc } = await this.#findWindow(start);
    const table = tableOf(download);
    const fetch = this.#fetchOf(utc, table);
    const [again, cut, brackets, records] = await Promise.all([
      downloads.csvAnew({ ...window, ...utc }, { like: table }),
      cutInTwo(fetch, window, table),
      bracketsHonoured(
        (filters, style) =>
          downloads.csv({ ...window, ...withBrackets(utc, style), filters }, { like: table }),
        start.impossible,
      ),
      start.records(),
    ]);
    const always = withBrackets(utc, brackets[0]);
    const fetchFiltered: FetchFiltered = (filters, encoding) =>
      downloads.csv({ ...window, ...always, filters }, { encoding, like: table });
    const { arrayEncoding } = start.settings;
    const [forOneValue, columns] = await Promise.all([
      arrayEncoding === 'auto' ? encodingsForOne(fetchFiltered, start.impossible) : [arrayEncoding],
      learnColumns(table, tableOf(again), cut, async (range) => tableOf(await fetch(range))),
    ]);
    const base: Base = { table, download, again, utc: always };
    return { window, base, columns, cut, refused, brackets, records, forOneValue, fetchFiltered };
  }

  async #learnFiltering(
    { settings, impossible }: Required<Start>,
    beginnings: Beginnings,
  ): Promise<Knowledge> {
    const { window, base, columns, cut, refused, brackets, records, ...rest } = beginnings;
    const { forOneValue, fetchFiltered } = rest;
    const { table, utc } = base;
    const [first = 'repeat'] = forOneValue;
    const [filters, sample] = await Promise.all([
      learnFilters({
        ...{ base: table, window, columns, impossible, records },
        given: settings.filterValues,
        fetch: (set) => fetchFiltered(set, first),
      }),
      findSample(this.#fetchOf(utc, table), window, table, columns.times?.instants),
    ]);
    const { ignored } = columns;
    const forTwoValues = await encodingsForTwo(fetchFiltered, forOneValue, filters, ignored);
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
  #fetchOf(utc: Utc, like: CsvTable): FetchRange {
    return (range) => this.downloads.csv({ ...range, ...utc }, { like });
  }

  /** The window, found with dates in UTC where the target accepts that. */
  async #findWindow({ settings, now }: Start) {
    let obstacle: unknown;
    for (const utc of waysToAsk) {
      try {
        const fetch = async (range: TimeRange): Promise<CsvDownload> => {
          const download = await this.downloads.csv({ ...range, ...utc });
          // No window is looked for among files that are none; a refusal may be one of the size.
          if (download.answer.status === 200) expectCsv(download);
          return download;
        };
        return { ...(await findWindow(fetch, settings.exportWindow, now)), utc };
      } catch (error) {
        // A refusal may be one of the name.
        if (!(error instanceof NoWindow)) throw error;
        obstacle ??= error;
      }
    }
    throw obstacle;
  }
}

/** What every query is sent with, brackets included in the style that the target takes. */
function withBrackets(utc: Utc, style: BracketStyle | undefined): Utc {
  return style === 'plain' ? { ...utc, plainBrackets: true } : utc;
}

/** @throws NoWindow where the file is none: nothing could be learned of it but nonsense */
function expectCsv({ answer }: CsvDownload): void {
  const type = nonCsvType(answer.text);
  if (type === undefined) return;
  throw new NoWindow(`No export to learn from: ${answer.request} gave ${type} in place of a CSV.`, [
    answer,
  ]);
}
