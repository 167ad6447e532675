/*
 * What is learned of a target's exports, once a run, before any scenario compares them. Nothing is assumed: the
 * document shows no column (4. Export audit events). The steps in order, each building on what the earlier ones found:
 *
 *   query.ts         a query, and how it goes over the wire
 *   downloads.ts     the files that queries are answered with, each sent once and read
 *   window.ts        -> `window`: a closed range of the past, its middle, a small sample; `base`: all its events;
 *                       a larger one for the limit of PDFs alone
 *   columns.ts       -> `columns`: which belong to the export itself, which holds the time of the event
 *   encoding.ts      -> `encoding`: how lists of values are sent (one value before the filters, two after them)
 *   filters.ts       -> `filters`: values that each filter selects, and the column that shows them,
 *   filter-search.ts    asks for one candidate after another, the most promising first, until enough values are known
 *   meeting-values.ts   and for further ones, by which filters meet
 *   shown-values.ts     candidates are the values that rows show,
 *   cell-readings.ts    in each way in which a cell may show a value, until an export has confirmed them
 *   learn.ts         runs these steps in order, once for all who ask; Knowledge holds their five results
 *   readings.ts      what was read, read once more: what changed meanwhile is judged by nobody
 *   exports.ts       what scenarios ask: downloads, as what was learned wants them
 */

import { randomUUID } from 'node:crypto';
import { pdfEventLimit } from '../../schemas/operations.ts';
import type { Settings } from '../config/settings.ts';
import { nonCsvType } from '../csv/csv-form.ts';
import { isSame } from '../csv/multiset.ts';
import type { CsvTable } from '../csv/read-csv.ts';
import { NotConfigured } from '../outcomes.ts';
import { datesOf, eventsOf, type KnownColumns, learnColumns } from './columns.ts';
import { type CsvDownload, type ExportSource, type Fetch, tableOf } from './downloads.ts';
import {
  bracketsHonoured,
  encodingsForOne,
  encodingsForTwo,
  type KnownEncoding,
} from './encoding.ts';
import type { FilterClues } from './filter-search.ts';
import { type KnownFilters, learnFilters } from './filters.ts';
import type { ExportQuery } from './query.ts';
import {
  cutInTwo,
  dawn,
  type FoundWindow,
  findSample,
  findWindow,
  type KnownWindow,
  largeSize,
  longAgo,
  NoWindow,
  noExport,
  type TimeRange,
} from './window.ts';

/** What is learned first, and enough for queries without filters. */
export interface KnownEvents {
  readonly window: TimeRange;
  /** Whether the window is configured: then no larger one is looked at. */
  readonly isGiven: boolean;
  readonly base: Base;
  readonly columns: KnownColumns;
}

/** What was learned of a target's exports. */
export interface Knowledge extends KnownEvents {
  readonly window: KnownWindow;
  readonly encoding: KnownEncoding;
  readonly filters: KnownFilters;
  /** This knowledge with the events that were taken out as they moved: queries are chosen by it, and so stay the same. */
  readonly original: Knowledge;
  /** Whether those events were taken out of CSVs in another locale or timezone too: ids tell them there. */
  readonly isSettledInForms?: boolean;
}

/** All events of the window: what filtered exports are compared with. */
export interface Base {
  readonly table: CsvTable;
  readonly download: CsvDownload;
  /** The answer to the same query, asked for a second time. */
  readonly again: CsvDownload;
  /** Sent with every query that is compared with the base: UTC, if the target accepts it, and the brackets' style. */
  readonly utc: Utc;
}

/** What is sent so that dates are in UTC; file_type only where no CSV comes without it: that fault must not hide others. */
type Utc = Pick<ExportQuery, 'timezone' | 'fileType' | 'brackets'>;

const waysToAsk: readonly Utc[] = [{}, { fileType: 'csv' }].flatMap((file) =>
  [{ timezone: 'UTC' }, { timezone: 'Etc/UTC' }, {}].map((utc) => ({ ...utc, ...file })),
);

/** What learning starts from, apart from the exports themselves. */
interface Start {
  readonly settings: Pick<Settings, 'exportWindow' | 'filterValues' | 'arrayEncoding'>;
  /** Ids of records at hand, by filter; asked for when they are needed. */
  readonly records: () => Promise<FilterClues['records']>;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly impossible?: string;
}

/** Learning under way: two promises, so that who needs only the events need not wait for the filters. */
interface Begun {
  readonly start: Required<Start>;
  readonly events: ReturnType<typeof learnEvents>;
  readonly knowledge: Promise<Knowledge>;
}

/** Learns what a target's exports are made of, once for all who ask. */
export class Learning {
  readonly downloads: ExportSource;
  readonly #startNow: () => Start;
  readonly #before: Learning | undefined;
  #begun: Begun | undefined;
  #endedAt: number | undefined;

  /** @param before what it has learned of filters holds as long as the window has the same events */
  constructor(downloads: ExportSource, startNow: () => Start, before?: Learning) {
    this.downloads = downloads;
    this.#startNow = startNow;
    this.#before = before;
  }

  /** Learns again from other answers to the same queries, which may show what the first did not. */
  from(downloads: ExportSource): Learning {
    const { start, events } = this.#begin();
    const records = async () => (await events).records;
    return new Learning(downloads, () => ({ ...start, records }));
  }

  /** How long ago learning ended, in milliseconds; 0 while it goes on. */
  get ageMs(): number {
    return this.#endedAt === undefined ? 0 : performance.now() - this.#endedAt;
  }

  /** All that is learned. @throws Inconclusive where the exports cannot be read at all; asking again learns again */
  knowledge(): Promise<Knowledge> {
    return this.#begin().knowledge;
  }

  /** What is learned of the events, before filters are. @throws Inconclusive as `knowledge` does */
  events(): Promise<KnownEvents> {
    return this.#begin().events;
  }

  /** A window with more events than a PDF may hold, where there is one. @throws Inconclusive as `knowledge` does */
  async large(): Promise<LargeWindow> {
    return await largeWindow(await this.events(), this.downloads);
  }

  /** Whether there are more events than a PDF may hold; what is not known counts as no. */
  async areMany(): Promise<boolean> {
    const large = await this.large().catch(() => undefined);
    return large !== undefined && large.table.rows.length > pdfEventLimit;
  }

  #begin(): Begun {
    if (this.#begun !== undefined) return this.#begun;
    const start = { impossible: randomUUID(), ...this.#startNow() };
    const events = learnEvents(this.downloads, start);
    const knowledge = events.then(
      async (found) => (await this.#asBefore(found)) ?? (await found.learnRest()),
    );
    // Not awaited: who wants only the events does not wait for the filters.
    knowledge.then(
      () => {
        this.#endedAt = performance.now();
      },
      (error) => {
        // The target may respond when somebody asks again.
        if (!(error instanceof NotConfigured)) this.#begun = undefined;
      },
    );
    this.#begun = { start, events, knowledge };
    return this.#begun;
  }

  /** What was learned before, of the same events, though the window may be seconds later; undefined of others, or of none. */
  async #asBefore({ base }: KnownEvents): Promise<Knowledge | undefined> {
    const begun = this.#before === undefined ? undefined : this.#before.#begun;
    const before = await begun?.knowledge.catch(() => undefined);
    if (before === undefined) return undefined;
    const eventsIn = ({ table }: Base) => eventsOf(table, before.columns.ignored);
    return isSame(eventsIn(base), eventsIn(before.base))
      ? withAllEvents({ ...before, base })
      : undefined;
  }
}

/** Among so few rows no table is recognized that stands between title lines, subtotals or a second line of headings. */
const fewRows = 20;

/** Learns of the events; `learnRest` goes on with the filters. @throws NotConfigured where no row is known to be an event */
async function learnEvents(downloads: ExportSource, start: Required<Start>) {
  const { settings, impossible } = start;
  const { window, download, utc } = await windowOf(downloads, start);
  const table = tableOf(download);
  const fetch: Fetch = (query) => downloads.csv({ ...window, ...utc, ...query }, { like: table });
  // Where an export without events holds rows too, those of the window need not be events either.
  if (table.rows.length <= fewRows && (await fetch(longAgo)).table?.rows.length) {
    const what = 'a window that holds events; none were recognized';
    throw new NotConfigured('EXPORT_RANGE_START', what);
  }
  // Where there are no events, none is left whatever is ignored.
  const areSeen = table.rows.length > 0;
  const [again, cut, brackets, records] = await Promise.all([
    downloads.csv({ ...window, ...utc }, { like: table, isAnew: true }),
    cutInTwo(fetch, window, table),
    areSeen ? bracketsHonoured(fetch, impossible) : [],
    start.records(),
  ]);
  const base: Base = { table, download, again, utc: { ...utc, brackets: brackets[0] } };
  const fetchFiltered: Fetch = (query) => fetch({ brackets: base.utc.brackets, ...query });
  const { arrayEncoding } = settings;
  const isGiven = arrayEncoding !== 'auto';
  const [forOneValue, columns] = await Promise.all([
    isGiven ? [arrayEncoding] : areSeen ? encodingsForOne(fetchFiltered, impossible) : [],
    learnColumns(table, tableOf(again), cut, async (range) => tableOf(await fetch(range))),
  ]);
  const events = { window, base, columns, isGiven: settings.exportWindow.start !== undefined };
  const learnRest = async (): Promise<Knowledge> => {
    const [first = 'repeat'] = forOneValue;
    const [filters, sample] = await Promise.all([
      learnFilters({
        ...{ base: table, window, columns, impossible, records },
        given: settings.filterValues,
        fetch: (set) => fetchFiltered({ encoding: first, filters: set }),
      }),
      // Brackets show in no request without a filter.
      findSample(fetch, window, table, columns.times?.instants),
    ]);
    const { ignored } = columns;
    const forTwoValues = await encodingsForTwo(fetchFiltered, forOneValue, filters, ignored);
    return withAllEvents({
      ...events,
      window: { ...window, middle: cut.at, sample },
      encoding: { best: forTwoValues[0] ?? first, isGiven, forOneValue, forTwoValues, brackets },
      filters,
    });
  };
  return { ...events, records, learnRest };
}

/** A window with more events than a PDF may hold, where there is one, and its events. */
export interface LargeWindow extends FoundWindow {
  readonly table: CsvTable;
  /** When its events happened, in milliseconds since 1970; undefined where no column shows it. */
  readonly instants: readonly number[] | undefined;
  /** The smallest window found that holds more events than the target exports at once; undefined where none was. */
  readonly refused: FoundWindow | undefined;
}

/** What is learned of a target's exports, and whether there are more events than a PDF may hold. */
export type LearnedExports = Knowledge & { readonly areMany: boolean };

/**
 * The window itself where it is large enough, is configured, or holds all there is; else one that begins earlier.
 * @throws NoWindow where its export cannot be read
 */
async function largeWindow(
  { window, base, columns: { times }, isGiven }: KnownEvents,
  source: ExportSource,
): Promise<LargeWindow> {
  const { table, download, utc } = base;
  if (isGiven || table.rows.length > pdfEventLimit || window.start <= dawn) {
    return { window, download, table, instants: times?.instants, refused: undefined };
  }
  const fetch: Fetch = (range) => source.csv({ ...range, ...utc }, { like: table });
  const { start, end } = window;
  const length = Math.min((largeSize.aim / table.rows.length) * (end - start), end - dawn);
  const within = { start: undefined, end };
  const found = await findWindow(fetch, within, end, largeSize, length);
  const large = tableOf(found.download);
  const instants = times && datesOf(large, times)?.instants;
  return { ...found, table: large, instants };
}

/** Knowledge of which nothing was taken out is its own original. */
function withAllEvents(known: Omit<Knowledge, 'original'>): Knowledge {
  const all: Knowledge = {
    ...known,
    get original() {
      return all;
    },
  };
  return all;
}

/** The window and its export, by the first of `waysToAsk` that the target accepts. @throws NoWindow without one */
async function windowOf(downloads: ExportSource, { settings, now }: Start) {
  let obstacle: unknown;
  for (const utc of waysToAsk) {
    try {
      const fetch: Fetch = async (range) => {
        const download = await downloads.csv({ ...range, ...utc });
        // Of HTML or a PDF only nonsense could be learned. A refusal does not end this way: the window may be too large.
        const { answer } = download;
        const type = answer.status === 200 ? nonCsvType(answer.text) : undefined;
        if (type !== undefined) throw noExport(answer, `${type} in place of a CSV`);
        return download;
      };
      return { ...(await findWindow(fetch, settings.exportWindow, now)), utc };
    } catch (error) {
      // The target may have refused this name of UTC: the next way may work.
      if (!(error instanceof NoWindow)) throw error;
      obstacle ??= error;
    }
  }
  throw obstacle;
}
