/*
 * A region lives: while its exports are judged, events are imported, purged and changed. So what one run of a scenario
 * has read is read once more before anything is called violated. Rows of which the two readings differ are unsettled:
 * taken out of every table, they are judged by nobody, and what stood still is judged in full.
 */

import type { ListEncoding } from '../../schemas/operations.ts';
import { cellsOfKey, isSame, keyOfRow, type Multiset, timesIn } from '../csv/multiset.ts';
import { pause } from '../http/waiting.ts';
import { datesOf, eventsOf, type KnownTimes } from './columns.ts';
import {
  type CsvDownload,
  type CsvOptions,
  type Downloads,
  type ExportSource,
  keyOf,
  type PdfDownload,
} from './downloads.ts';
import type { KnownFilter } from './known-filters.ts';
import type { Knowledge } from './learn.ts';
import type { ExportQuery } from './query.ts';

/** A file as it was read first, and what was read of the same query later. */
interface Reading<File extends CsvDownload | PdfDownload> {
  readonly query: ExportQuery;
  readonly encoding: ListEncoding | undefined;
  readonly first: Promise<File>;
  readonly readAnew: () => Promise<File>;
  /** Read at one moment with the plain CSV of its query; undefined where that has stood still, or is not read yet. */
  ofMoment?: File;
}

interface CsvReading extends Reading<CsvDownload> {
  /** When the first arrived, in milliseconds, as `performance.now()`. */
  readonly at: Promise<number>;
  /** The same query asked for a second time, where it was. */
  readonly again: CsvDownload | undefined;
  readonly later: LaterReading[];
}

interface LaterReading {
  /** When it arrived. */
  readonly at: number;
  /** How often it holds each row of which it holds more or fewer than the first. */
  readonly deviating: ReadonlyMap<string, number>;
}

/** What the readings of a query held. */
interface History {
  readonly query: ExportQuery;
  /** The first of them. */
  readonly known: Multiset;
  readonly at: number;
  readonly later: readonly LaterReading[];
}

/**
 * A query in forms of which rows do not compare by their content (PDF, another locale or time zone), and in the one of
 * which they do. Where its events changed, all are read at one moment: the CSV held the same events before and after.
 */
interface Forms {
  readonly plain: CsvReading;
  readonly others: Reading<CsvDownload | PdfDownload>[];
}

/** How often forms of a query are read anew in the hope of such a moment. */
const maxMoments = 4;

/** One event may be changed, and changed back; where more go and come back, it is the target that loses them. */
const enoughFlickering = 2;

/** The same of events that an export holds which is the file of another query, and that it holds no more later on. */
const enoughMixedUp = 2;

/** An event that is changed keeps most of what it shows. */
const maxCellsChanged = 2;

/** What exports are compared with: of filters, what is known of their values. */
type Compared = Pick<Knowledge, 'columns' | 'base'> &
  Partial<Pick<Knowledge, 'filters' | 'encoding'>>;

/** What one scenario has read of exports; serves what stood still. */
export class Readings implements ExportSource {
  readonly #source: ExportSource;
  readonly #anew: Downloads;
  /** How long what was recorded may come and go, in milliseconds: copies lag behind by different times. */
  readonly #settleMs: number;
  readonly #csv = new Map<string, CsvReading>();
  readonly #pdf = new Map<string, Reading<PdfDownload>>();
  /** Keys of the rows that are not served. */
  #unsettled: ReadonlySet<string> = new Set();
  /** Whether all of it was read once more since anything was asked for. */
  #isComplete = false;
  #hasAskedAnew = false;
  readonly #served = new Map<Promise<CsvDownload>, Promise<CsvDownload>>();
  #knowledge: Compared | undefined;
  /** Since when its values of filters are known, in milliseconds, as `performance.now()`. */
  #knownSince = 0;

  /** @param anew sends what is read once more */
  constructor(source: ExportSource, anew: Downloads, settleMs: number) {
    this.#source = source;
    this.#anew = anew;
    this.#settleMs = settleMs;
  }

  csv(query: ExportQuery, options: CsvOptions = {}): Promise<CsvDownload> {
    return this.#serve(this.#readingOf(query, options, this.#source));
  }

  /** Serves the same tables to learning, of which the first readings are taken from another source. */
  over(source: ExportSource): ExportSource {
    return {
      csv: (query, options = {}) => this.#serve(this.#readingOf(query, options, source)),
      csvAnew: async (query, options = {}) => {
        const again = this.#csv.get(keyOf(query, options))?.again;
        return again ? this.#withoutUnsettled(again) : await source.csvAnew(query, options);
      },
      pdf: (query, encoding) => this.pdf(query, encoding),
    };
  }

  /** Never read once more: its range ends now, and new events are what it is asked for. */
  csvAnew(query: ExportQuery, options?: CsvOptions): Promise<CsvDownload> {
    this.#hasAskedAnew = true;
    return this.#source.csvAnew(query, options);
  }

  async pdf(query: ExportQuery, encoding?: ListEncoding): Promise<PdfDownload> {
    const key = keyOf(query, { ...(encoding !== undefined && { encoding }) });
    let reading = this.#pdf.get(key);
    if (reading === undefined) {
      const first = this.#source.pdf(query, encoding);
      const readAnew = () => this.#anew.pdfAnew(query, encoding);
      reading = { query, encoding, first, readAnew };
      this.#pdf.set(key, reading);
      this.#isComplete = false;
    }
    return reading.ofMoment ?? (await reading.first);
  }

  /** What the scenario compares its exports with was read too: the events of the whole window. */
  compareWith(knowledge: Compared): void {
    const { base, columns } = knowledge;
    // By other columns, other rows are equal.
    if ([...columns.ignored].join() !== [...this.#ignored].join()) {
      for (const { later } of this.#csv.values()) later.splice(0);
      this.#isComplete = false;
    }
    if (this.#knowledge?.filters === undefined) this.#knownSince = performance.now();
    this.#knowledge = knowledge;
    this.#readToo(base.download, {}, performance.now(), base.again);
  }

  /**
   * Reads once more, where that was not done since: from now on only what stood still is served.
   * @returns whether that is not what was served before
   * @throws NoResponse where the target does not answer
   */
  async settle(): Promise<boolean> {
    // What is asked for anew is new events, which nothing of the window is compared with; but what was learned of it counts.
    const isUnclear = this.#knowledge?.filters?.unclear !== undefined;
    const isOfWindow = !this.#hasAskedAnew || this.#csv.size > 1 || isUnclear;
    if (this.#csv.size === 0 || !isOfWindow) return false;
    this.#compareWithValues();
    const before = this.#unsettled;
    if (!this.#isComplete) {
      // What one copy of the events had already, and another not yet, is in both by then.
      await this.#readOnceMore(1);
      let found = await this.#compare();
      if (found.haveFlickered) {
        // Often enough to lose two, and see them again.
        await this.#readOnceMore(1 + enoughFlickering);
        found = await this.#compare();
      }
      if (found.lost >= enoughFlickering) return false;
      this.#isComplete = true;
      this.#unsettled = found.unsettled;
      this.#served.clear();
    }
    const forms = await this.#formsThatMoved();
    for (const one of forms) await this.#readAtOneMoment(one);
    const isServed = this.#unsettled.size === before.size && isWithin(this.#unsettled, before);
    return !isServed || forms.length > 0;
  }

  /**
   * The same knowledge without the events that did not stand still. Window, sample and values stay what they were, and so
   * do the queries that a scenario makes of them: what it asked before is not asked anew, and judged by what stood still.
   */
  settledKnowledge(known: Knowledge): Knowledge {
    const { base, columns, encoding, filters } = known;
    const [first = 'repeat'] = encoding.forOneValue;
    const asLearned: CsvOptions = { encoding: first, like: base.table };
    const download = this.#withoutUnsettled(base.download);
    const table = download.table ?? base.table;
    const ofTimes = (times: KnownTimes | undefined): KnownTimes | undefined =>
      times && { ...times, instants: [], beyondMs: [], ...datesOf(table, times) };
    const left = ({ entries }: Multiset): Multiset => {
      const kept = [...entries].filter(([key]) => !this.#unsettled.has(key));
      const size = kept.reduce((sum, [, { times }]) => sum + times, 0);
      return { size, entries: new Map(kept) };
    };
    const ofFilter = ({ values, shown, ...rest }: KnownFilter): KnownFilter => ({
      ...rest,
      values: values.map(({ value, download, events }) => {
        this.#readToo(download, asLearned, performance.now());
        return { value, download: this.#withoutUnsettled(download), events: left(events) };
      }),
      shown: shown && { ...shown, eventsShowing: (value) => left(shown.eventsShowing(value)) },
    });
    const ofFilters = [...filters.known].map(([filter, one]) => [filter, ofFilter(one)] as const);
    return {
      ...known,
      asLearned: known,
      base: { ...base, download, table, again: this.#withoutUnsettled(base.again) },
      columns: { ...columns, times: ofTimes(columns.times), dates: ofTimes(columns.dates) },
      filters: { ...filters, known: new Map(ofFilters) },
    };
  }

  /**
   * The exports of each value of a filter that was sent were read too: where rows do not show by what a filter selects, an
   * event may match another value by now, and look as it did.
   */
  #compareWithValues(): void {
    const sent = [...this.#csv.values(), ...this.#pdf.values()].flatMap(({ query }) =>
      Object.keys(query.filters ?? {}),
    );
    for (const [filter, { values }] of this.#knowledge?.filters?.known ?? []) {
      if (!sent.includes(filter)) continue;
      for (const { download } of values) this.#readToo(download, this.#asLearned, this.#knownSince);
    }
  }

  /** A download that was made for others; it is read once more from now on. */
  #readToo(download: CsvDownload, options: CsvOptions, at: number, again?: CsvDownload): void {
    const { query } = download;
    if (this.#csv.has(keyOf(query, options))) return;
    this.#add(query, options, Promise.resolve(download), Promise.resolve(at), again);
  }

  #readingOf(query: ExportQuery, options: CsvOptions, source: ExportSource): CsvReading {
    const known = this.#csv.get(keyOf(query, options));
    if (known !== undefined) return known;
    const first = source.csv(query, options);
    const at = arrived(first).then(() => performance.now());
    return this.#add(query, options, first, at);
  }

  #add(
    query: ExportQuery,
    options: CsvOptions,
    first: Promise<CsvDownload>,
    at: Promise<number>,
    again?: CsvDownload,
  ): CsvReading {
    const readAnew = () => this.#anew.csvAnew(query, options);
    const { encoding } = options;
    const reading = { query, encoding, first, readAnew, at, again, later: [] };
    this.#csv.set(keyOf(query, options), reading);
    this.#isComplete = false;
    return reading;
  }

  async #serve({ ofMoment, first }: CsvReading): Promise<CsvDownload> {
    return ofMoment ?? (await this.#settled(first));
  }

  /** The download without the rows that are unsettled; the same one each time. */
  #settled(download: Promise<CsvDownload>): Promise<CsvDownload> {
    const known = this.#served.get(download);
    if (known !== undefined) return known;
    const served = download.then((one) => this.#withoutUnsettled(one));
    this.#served.set(download, served);
    return served;
  }

  #withoutUnsettled(download: CsvDownload): CsvDownload {
    const { table } = download;
    const { entries } = this.#eventsOf(download) ?? { entries: new Map() };
    if (table === undefined || ![...this.#unsettled].some((row) => entries.has(row)))
      return download;
    const rows = table.rows.filter((row) => !this.#unsettled.has(keyOfRow(row, this.#ignored)));
    const count = table.count - (table.rows.length - rows.length);
    return { ...download, table: { ...table, rows, count } };
  }

  async #readOnceMore(times: number): Promise<void> {
    await pause(this.#settleMs);
    const plain = [...this.#csv.values()].filter(({ query }) => this.#isPlain(query));
    for (let reads = 0; reads < times; reads += 1) {
      await Promise.all(
        plain.map(async ({ first, readAnew, later }) => {
          const known = this.#eventsOf(await arrived(first));
          // What was refused, or too large, shows no events to compare.
          if (known === undefined) return;
          const now = this.#eventsOf(await readAnew());
          if (now === undefined) return;
          later.push({ at: performance.now(), deviating: deviating(known, now) });
        }),
      );
    }
  }

  /** The rows that came or went, in whatever export of those that were read, and how many of them the target loses. */
  async #compare() {
    const read = await Promise.all([...this.#csv.values()].map((one) => this.#historyOf(one)));
    const all = read.flat();
    const base = all.find(({ query }) => this.#isOfBase(query));
    const histories = all.filter((one) => base === undefined || !isMixedUp(one, all, base));
    const moved = new Set(histories.flatMap(rowsMovedIn));
    const flickering = new Set<string>();
    const lost = new Set<string>();
    for (const history of histories) {
      for (const row of rowsMovedIn(history)) {
        if (!flickers(history, row, 0) || isRewritten(row, moved)) continue;
        flickering.add(row);
        if (flickers(history, row, this.#settleMs)) lost.add(row);
      }
    }
    return {
      unsettled: new Set([...moved].filter((row) => !lost.has(row))),
      haveFlickered: flickering.size > 0,
      lost: lost.size,
    };
  }

  /** None where the first reading did not arrive. */
  async #historyOf({ query, first, again, later, ...reading }: CsvReading): Promise<History[]> {
    const at = await reading.at;
    const known = this.#eventsOf(await arrived(first));
    const second = this.#eventsOf(again);
    if (known === undefined) return [];
    const secondReading = second && { at, deviating: deviating(known, second) };
    return [{ query, known, at, later: [...(secondReading ? [secondReading] : []), ...later] }];
  }

  /** Queries of which other forms were asked for too, and that hold unsettled rows: not all are of one moment yet. */
  async #formsThatMoved(): Promise<Forms[]> {
    if (this.#unsettled.size === 0) return [];
    const byCsv = new Map<string, Forms>();
    for (const other of [...this.#csv.values(), ...this.#pdf.values()]) {
      const { csv, isPlain } = this.#formsOf(other.query, other.encoding);
      const plain = this.#csv.get(csv);
      const isAnswered = (await arrived<unknown>(other.first)) !== undefined;
      if (isPlain || plain === undefined || !isAnswered) continue;
      const forms = byCsv.get(csv) ?? { plain, others: [] };
      byCsv.set(csv, forms);
      forms.others.push(other);
    }
    const moved = await Promise.all(
      [...byCsv.values()].map(async (forms) => {
        const isOfMoment = forms.others.every(({ ofMoment }) => ofMoment !== undefined);
        return !isOfMoment && (await this.#hasMoved(forms.plain)) ? [forms] : [];
      }),
    );
    return moved.flat();
  }

  async #hasMoved({ first, later }: CsvReading): Promise<boolean> {
    const rows = this.#eventsOf(await arrived(first))?.entries;
    return [...this.#unsettled].some(
      (row) => rows?.has(row) || later.some(({ deviating }) => deviating.has(row)),
    );
  }

  /** Leaves them as they are where the events changed each time. */
  async #readAtOneMoment({ plain, others }: Forms): Promise<void> {
    let before = await plain.readAnew();
    for (let tries = 0; tries < maxMoments; tries += 1) {
      const read = await Promise.all(others.map((one) => one.readAnew()));
      const after = await plain.readAnew();
      const [one, other] = [this.#eventsOf(before), this.#eventsOf(after)];
      if (one === undefined || other === undefined) return;
      if (isSame(one, other)) {
        for (const [index, form] of others.entries()) {
          const file = read[index];
          if (file !== undefined) form.ofMoment = { ...file, beside: after };
        }
        return;
      }
      before = after;
    }
  }

  /** The key of the CSV whose rows compare with those of the window, and whether the query asks for the same rows. */
  #formsOf(query: ExportQuery, encoding: ListEncoding | undefined) {
    const { fileType = 'csv', locale = 'en', timezone, ...rest } = query;
    const options = encoding === undefined ? {} : { encoding };
    const utc = this.#knowledge?.base.utc;
    const isPlain = fileType === 'csv' && locale === 'en' && timezone === utc?.timezone;
    return { csv: keyOf({ ...rest, ...utc }, options), isPlain };
  }

  #isPlain(query: ExportQuery): boolean {
    return this.#knowledge === undefined || this.#formsOf(query, undefined).isPlain;
  }

  #isOfBase(query: ExportQuery): boolean {
    return (
      this.#knowledge !== undefined && keyOf(query) === keyOf(this.#knowledge.base.download.query)
    );
  }

  /** How the values of filters were asked for. */
  get #asLearned(): CsvOptions {
    const [encoding = 'repeat'] = this.#knowledge?.encoding?.forOneValue ?? [];
    return { encoding, like: this.#knowledge?.base.table };
  }

  #eventsOf(download: CsvDownload | undefined): Multiset | undefined {
    return download?.table && eventsOf(download.table, this.#ignored);
  }

  get #ignored(): ReadonlySet<number> {
    return this.#knowledge?.columns.ignored ?? new Set();
  }
}

/** undefined where the file did not arrive: whoever asked for it has noticed. */
async function arrived<T>(download: Promise<T> | undefined): Promise<T | undefined> {
  return await download?.catch(() => undefined);
}

function isWithin(some: ReadonlySet<string>, all: ReadonlySet<string>): boolean {
  return [...some].every((one) => all.has(one));
}

/** How often the other reading holds each row of which the two differ. */
function deviating(one: Multiset, other: Multiset): LaterReading['deviating'] {
  const rows = [...new Set([...one.entries.keys(), ...other.entries.keys()])];
  const differ = rows.filter((row) => timesIn(one, row) !== timesIn(other, row));
  return new Map(differ.map((row) => [row, timesIn(other, row)]));
}

function rowsMovedIn({ later }: History): string[] {
  return [...new Set(later.flatMap(({ deviating }) => [...deviating.keys()]))];
}

/**
 * Whether the first answer was that to another query, and the last one was not, although the events of the window and those
 * of the other query stood still: a target keeps answers for a while, and takes one query for another.
 */
function isMixedUp(one: History, all: readonly History[], base: History): boolean {
  const stoodStill = (row: string): boolean =>
    timesIn(base.known, row) === 1 && base.later.every(({ deviating }) => !deviating.has(row));
  const moved = [...(one.later.at(-1)?.deviating.keys() ?? [])].filter(stoodStill);
  if (one.known.size === 0 || moved.length < enoughMixedUp) return false;
  return all.some((other) => isSame(one.known, other.known) && rowsMovedIn(other).length === 0);
}

/**
 * Whether an event that had been there for a while went and came back, reading after reading: events are imported,
 * purged and changed, but that is what export.is-repeatable forbids. Equal rows may be different events.
 *
 * @param settleMs what was there for less than this, in milliseconds, one copy of the events may have and another not yet
 */
function flickers({ known, at, later }: History, row: string, settleMs: number): boolean {
  const first = { at, count: timesIn(known, row) };
  const readings = [
    first,
    ...later.map((one) => ({ at: one.at, count: one.deviating.get(row) ?? first.count })),
  ];
  const counts = readings.map(({ count }) => count);
  if (counts.some((count) => count > 1)) return false;
  const came = counts.indexOf(1);
  const gone = counts.indexOf(0, came);
  if (came === -1 || gone === -1 || !counts.includes(1, gone)) return false;
  const wasThereFor = (readings[gone]?.at ?? 0) - (readings[came]?.at ?? 0);
  return wasThereFor >= settleMs;
}

/** Whether something similar came or went too: an event that was changed, and perhaps changed back. */
function isRewritten(row: string, moved: ReadonlySet<string>): boolean {
  const cells = cellsOfKey(row);
  if (cells.length <= 2 * maxCellsChanged) return false;
  return [...moved].some((other) => other !== row && isSimilar(cells, cellsOfKey(other)));
}

/** Asked of each two rows that came or went: most pairs differ in their first cells. */
function isSimilar(cells: readonly string[], others: readonly string[]): boolean {
  let changed = 0;
  for (let column = 0; column < cells.length; column += 1) {
    if (cells[column] === others[column]) continue;
    changed += 1;
    if (changed > maxCellsChanged) return false;
  }
  return true;
}
