/*
 * A region lives: while its exports are judged, events are imported, purged and changed. So what one run of a scenario
 * has read is read once more before anything is called violated. Rows of which the two readings differ are unsettled:
 * taken out of every table, they are judged by nobody, and what stood still is judged in full.
 */

import type { ListEncoding } from '../../schemas/operations.ts';
import { cellsOfKey, isSame, keyOfRow, type Multiset, timesIn } from '../csv/multiset.ts';
import type { CsvTable } from '../csv/read-csv.ts';
import { pause } from '../http/waiting.ts';
import { eventsOf } from './columns.ts';
import {
  type CsvDownload,
  type CsvOptions,
  type Downloads,
  type ExportSource,
  keyOf,
  type PdfDownload,
} from './downloads.ts';
import type { Knowledge } from './learn.ts';
import type { ExportQuery } from './query.ts';

/** A CSV as it was read, and how often later readings held the rows of which they differ from it. */
interface CsvReadings {
  readonly query: ExportQuery;
  readonly options: CsvOptions;
  readonly first: Promise<CsvDownload>;
  /** When the first arrived, in milliseconds, as `performance.now()`. */
  readonly at: Promise<number>;
  again: Promise<CsvDownload> | undefined;
  readonly later: LaterReading[];
}

interface LaterReading {
  /** When it arrived. */
  readonly at: number;
  readonly deviating: Deviating;
}

/** How often a reading holds each row in which it deviates from the first. */
type Deviating = ReadonlyMap<string, number>;

interface PdfReading {
  readonly query: ExportQuery;
  readonly encoding: ListEncoding | undefined;
  readonly first: Promise<PdfDownload>;
}

/**
 * The same query in forms of which rows do not compare by their content (PDF, another locale or time zone), read at one
 * moment: the CSV held the same events before and after them.
 */
type Moment = ReadonlyMap<CsvReadings | PdfReading, CsvDownload | PdfDownload>;

/** How often forms of a query are read anew in the hope of such a moment. */
const maxMoments = 4;

/** One event may be changed, and changed back; where more go and come back, it is the target that loses them. */
const enoughFlickering = 2;

/** The same of events that an export holds which is the file of another query, and that it holds no more later on. */
const enoughMixedUp = 2;

/** What exports are compared with: of filters, what is known of their values. */
type Compared = Pick<Knowledge, 'columns' | 'base'> &
  Partial<Pick<Knowledge, 'filters' | 'encoding'>>;

/** What one scenario has read of exports; serves what stood still. */
export class Readings implements ExportSource {
  readonly #source: ExportSource;
  readonly #anew: Downloads;
  readonly #csv = new Map<string, CsvReadings>();
  readonly #pdf = new Map<string, PdfReading>();
  /** Keys of the rows that are not served. */
  #unsettled: ReadonlySet<string> = new Set();
  /** Those of the last reading, and whether anything was asked for since. */
  #found: ReadonlySet<string> = new Set();
  #isComplete = false;
  #hasAskedAnew = false;
  /** How many events went and came back. */
  #flickering = 0;
  /** How many of them had been there for longer than copies of the events lag behind. */
  #lost = 0;
  /** By the key of the CSV. */
  readonly #moments = new Map<string, Moment>();
  readonly #served = new Map<Promise<CsvDownload>, Promise<CsvDownload>>();
  #knowledge: Compared | undefined;
  /** Since when its values of filters are known, in milliseconds, as `performance.now()`. */
  #knownSince = 0;

  /** How long what was recorded may come and go, in milliseconds: copies lag behind by different times. */
  readonly #settleMs: number;

  /** @param anew sends what is read once more */
  constructor(source: ExportSource, anew: Downloads, settleMs: number) {
    this.#source = source;
    this.#anew = anew;
    this.#settleMs = settleMs;
  }

  csv(query: ExportQuery, options: CsvOptions = {}): Promise<CsvDownload> {
    return this.#serve(this.#readingsOf(query, options, this.#source));
  }

  csvAgain(query: ExportQuery, options: CsvOptions = {}): Promise<CsvDownload> {
    return this.#serveAgain(this.#readingsOf(query, options, this.#source), this.#source);
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
      reading = { query, encoding, first: this.#source.pdf(query, encoding) };
      this.#pdf.set(key, reading);
      this.#isComplete = false;
    }
    const { csv } = this.#formsOf(query, encoding);
    // What is kept of a PDF is one.
    const kept = this.#moments.get(csv)?.get(reading) as PdfDownload | undefined;
    return kept ?? (await reading.first);
  }

  /** Serves the same tables to learning, of which the first readings are taken from another source. */
  from(source: ExportSource): ExportSource {
    return {
      csv: (query, options = {}) => this.#serve(this.#readingsOf(query, options, source)),
      csvAgain: (query, options = {}) =>
        this.#serveAgain(this.#readingsOf(query, options, source), source),
      csvAnew: (query, options) => this.csvAnew(query, options),
      pdf: (query, encoding) => this.pdf(query, encoding),
    };
  }

  /** What was learned from a download, without what is unsettled; it is read once more from now on. */
  settled(download: CsvDownload, options: CsvOptions): CsvDownload {
    this.#readToo(download, options, performance.now());
    return this.withoutUnsettled(download);
  }

  /** @param key of a row */
  isUnsettledRow(key: string): boolean {
    return this.#unsettled.has(key);
  }

  /** What the scenario compares its exports with was read too: the events of the whole window. */
  compareWith(knowledge: Compared): void {
    const { base, columns } = knowledge;
    // By other columns, other rows are equal.
    if ([...columns.ignored].join() !== [...this.#ignored].join()) this.#forgetLater();
    if (this.#knowledge?.filters === undefined) this.#knownSince = performance.now();
    this.#knowledge = knowledge;
    this.#readToo(base.download, {}, performance.now(), base.again);
  }

  /**
   * And so were the exports of each value of a filter that it has sent: where rows do not show by what a filter selects, an
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
    const key = keyOf(download.query, options);
    if (this.#csv.has(key)) return;
    this.#csv.set(key, {
      query: download.query,
      options,
      first: Promise.resolve(download),
      at: Promise.resolve(at),
      again: again && Promise.resolve(again),
      later: [],
    });
    this.#isComplete = false;
  }

  /**
   * Whether what was served is not what stood still: reads once more, where that was not done since.
   * @throws NoResponse where the target does not answer
   */
  async isUnsettled(): Promise<boolean> {
    // What is asked for anew is new events, which nothing of the window is compared with; but what was learned of it counts.
    const isUnclear = this.#knowledge?.filters?.unclear !== undefined;
    const isOfWindow = !this.#hasAskedAnew || this.#csv.size > 1 || isUnclear;
    if (this.#csv.size === 0 || !isOfWindow) return false;
    this.#compareWithValues();
    if (!this.#isComplete) {
      // What one copy of the events had already, and another not yet, is in both by then.
      await pause(this.#settleMs);
      await this.#readOnceMore();
      this.#found = await this.#findUnsettled();
      if (this.#flickering > 0) await this.#readWhenSettled();
      this.#isComplete = true;
    }
    if (this.#lost >= enoughFlickering) return false;
    const isServed =
      this.#found.size === this.#unsettled.size &&
      [...this.#found].every((row) => this.#unsettled.has(row));
    return !isServed || (await this.#formsToRead()).length > 0;
  }

  /** From now on only what stood still is served. */
  async settle(): Promise<void> {
    this.#unsettled = this.#found;
    this.#served.clear();
    for (const forms of await this.#formsToRead()) {
      const moment = await this.#momentOf(forms);
      if (moment !== undefined) this.#moments.set(forms.csv, moment);
    }
  }

  #forgetLater(): void {
    for (const { later } of this.#csv.values()) later.splice(0);
    this.#isComplete = false;
  }

  #readingsOf(query: ExportQuery, options: CsvOptions, source: ExportSource): CsvReadings {
    const key = keyOf(query, options);
    const known = this.#csv.get(key);
    if (known !== undefined) return known;
    const first = source.csv(query, options);
    const at = arrived(first).then(() => performance.now());
    const readings: CsvReadings = { query, options, first, at, again: undefined, later: [] };
    this.#csv.set(key, readings);
    this.#isComplete = false;
    return readings;
  }

  #serve(readings: CsvReadings): Promise<CsvDownload> {
    const { csv } = this.#formsOf(readings.query, readings.options.encoding);
    // What is kept of a CSV is one.
    const kept = this.#moments.get(csv)?.get(readings) as CsvDownload | undefined;
    return kept === undefined ? this.#settled(readings.first) : Promise.resolve(kept);
  }

  #serveAgain(readings: CsvReadings, source: ExportSource): Promise<CsvDownload> {
    const { query, options } = readings;
    readings.again ??= source.csvAgain(query, options);
    return this.#settled(readings.again);
  }

  /** The download without the rows that are unsettled; the same one each time. */
  #settled(download: Promise<CsvDownload>): Promise<CsvDownload> {
    if (this.#unsettled.size === 0) return download;
    const known = this.#served.get(download);
    if (known !== undefined) return known;
    const served = download.then((one) => this.withoutUnsettled(one));
    this.#served.set(download, served);
    return served;
  }

  withoutUnsettled(download: CsvDownload): CsvDownload {
    const { table } = download;
    if (table === undefined || !this.#isTouched(table)) return download;
    const rows = table.rows.filter((row) => !this.#unsettled.has(keyOfRow(row, this.#ignored)));
    const count = table.count - (table.rows.length - rows.length);
    return { ...download, table: { ...table, rows, count } };
  }

  #isTouched(table: CsvTable): boolean {
    const { entries } = eventsOf(table, this.#ignored);
    return [...this.#unsettled].some((row) => entries.has(row));
  }

  async #readOnceMore(): Promise<void> {
    const plain = [...this.#csv.values()].filter(({ query }) => this.#isPlain(query));
    await Promise.all(
      plain.map(async ({ query, options, first, later }) => {
        const known = this.#eventsOf(await arrived(first));
        // What was refused, or too large, shows no events to compare.
        if (known === undefined) return;
        const now = this.#eventsOf(await this.#anew.csvAnew(query, options));
        if (now !== undefined)
          later.push({ at: performance.now(), deviating: deviating(known, now) });
      }),
    );
  }

  /** Reads on when what one copy of the events had, and another not yet, is in both: often enough to lose two, and see them again. */
  async #readWhenSettled(): Promise<void> {
    await pause(this.#settleMs);
    for (let reads = 0; reads <= enoughFlickering; reads += 1) await this.#readOnceMore();
    this.#found = await this.#findUnsettled();
  }

  /** The rows that came or went, in whatever export of those that were read. */
  async #findUnsettled(): Promise<ReadonlySet<string>> {
    const read = (
      await Promise.all([...this.#csv.values()].map((one) => this.#seenOf(one)))
    ).flat();
    const mixedUp = await this.#mixedUp(read);
    // What the target answered with the file of another query is no change of events.
    const seen = read.filter((one) => !mixedUp.has(one));
    const changed = new Set<string>();
    const flickering = new Set<string>();
    const lost = new Set<string>();
    // An event that was changed goes from exports of a filter without leaving anything in its place.
    const changedInPlace = new Set(
      seen.flatMap(({ known, readings }) => {
        const all = readings.map(({ deviating }) => deviating);
        return all.flatMap((after, index) =>
          [unchanged, ...all.slice(Math.max(0, index - 1), index)].flatMap((before) =>
            rewritten(known, before, after),
          ),
        );
      }),
    );
    for (const { known, at, readings } of seen) {
      for (const row of new Set(readings.flatMap(({ deviating }) => [...deviating.keys()]))) {
        const before = { at, count: timesIn(known, row) };
        const later = readings.map((one) => ({
          at: one.at,
          count: one.deviating.get(row) ?? before.count,
        }));
        const times = [before, ...later];
        const hasFlickered = !changedInPlace.has(row) && flickers(times, 0);
        if (hasFlickered) flickering.add(row);
        const isLost = hasFlickered && flickers(times, this.#settleMs);
        (isLost ? lost : changed).add(row);
      }
    }
    this.#flickering = flickering.size;
    this.#lost = lost.size;
    return new Set([...changed].filter((row) => !lost.has(row)));
  }

  /**
   * Queries of which the first answer was that to another one, and later ones were not, although the events of the
   * window and those of the other query stood still: a target keeps answers for a while, and takes one query for another.
   */
  async #mixedUp(read: readonly Seen[]): Promise<ReadonlySet<Seen>> {
    const mixedUp = new Set<Seen>();
    const base = read.find(({ query }) => this.#isOfBase(query));
    if (base === undefined) return mixedUp;
    const others: readonly Read[] = [...read, ...this.#ofValues()];
    for (const one of read) {
      const { query, known, readings } = one;
      const moved = [...(readings.at(-1)?.deviating.keys() ?? [])];
      if (known.size === 0 || moved.filter((row) => isSteadyIn(base, row)).length < enoughMixedUp)
        continue;
      const other = others.find(
        (read) => isSame(known, read.known) && differInValue(query, read.query, base.query),
      );
      if (other !== undefined && (await this.#standsStill(other))) mixedUp.add(one);
    }
    return mixedUp;
  }

  #isOfBase(query: ExportQuery): boolean {
    return (
      this.#knowledge !== undefined && keyOf(query) === keyOf(this.#knowledge.base.download.query)
    );
  }

  /** What the known values of filters have kept. */
  #ofValues(): Read[] {
    const values = [...(this.#knowledge?.filters?.known.values() ?? [])].flatMap(
      (one) => one.values,
    );
    return values.map(({ download: { query }, events }) => ({ query, known: events }));
  }

  async #standsStill({ query, known, readings }: Read & Partial<Seen>): Promise<boolean> {
    if (readings !== undefined) return readings.every(({ deviating }) => deviating.size === 0);
    const now = this.#eventsOf(await this.#anew.csvAnew(query, this.#asLearned));
    return now !== undefined && isSame(known, now);
  }

  /** How the values of filters were asked for. */
  get #asLearned(): CsvOptions {
    const [encoding = 'repeat'] = this.#knowledge?.encoding?.forOneValue ?? [];
    return { encoding, like: this.#knowledge?.base.table };
  }

  /** What the first reading of a query held, and in what later ones deviated from it; none where it did not arrive. */
  async #seenOf({ query, first, again, later, ...reading }: CsvReadings): Promise<Seen[]> {
    const at = await reading.at;
    const known = this.#eventsOf(await arrived(first));
    const second = this.#eventsOf(await arrived(again));
    if (known === undefined) return [];
    const secondReading = second && { at, deviating: deviating(known, second) };
    return [{ query, known, at, readings: [...(secondReading ? [secondReading] : []), ...later] }];
  }

  /** Queries of which other forms were asked for too, and that hold unsettled rows: no moment of them is kept yet. */
  async #formsToRead(): Promise<Forms[]> {
    if (this.#found.size === 0) return [];
    const byCsv = new Map<string, Forms>();
    for (const other of [...this.#csv.values(), ...this.#pdf.values()]) {
      const encoding = 'options' in other ? other.options.encoding : other.encoding;
      const { csv, isPlain } = this.#formsOf(other.query, encoding);
      const plain = this.#csv.get(csv);
      const isAnswered = (await arrived<CsvDownload | PdfDownload>(other.first)) !== undefined;
      if (isPlain || plain === undefined || !isAnswered) continue;
      const others = [...(byCsv.get(csv)?.others ?? []), other];
      byCsv.set(csv, { csv, plain, others });
    }
    const touched = await Promise.all(
      [...byCsv.values()].map(async (forms) => {
        const moment = this.#moments.get(forms.csv);
        const isKept = moment !== undefined && forms.others.every((one) => moment.has(one));
        return !isKept && (await this.#holdsUnsettled(forms.plain)) ? [forms] : [];
      }),
    );
    return touched.flat();
  }

  async #holdsUnsettled({ first, later }: CsvReadings): Promise<boolean> {
    const rows = this.#eventsOf(await arrived(first))?.entries;
    return [...this.#found].some(
      (row) => rows?.has(row) || later.some(({ deviating }) => deviating.has(row)),
    );
  }

  /** undefined where the events changed each time. */
  async #momentOf({ plain, others }: Forms): Promise<Moment | undefined> {
    const readPlain = () => this.#anew.csvAnew(plain.query, plain.options);
    let before = await readPlain();
    for (let tries = 0; tries < maxMoments; tries += 1) {
      const read = await Promise.all(
        others.map(async (one) => [one, await this.#readAnew(one)] as const),
      );
      const after = await readPlain();
      const [one, other] = [this.#eventsOf(before), this.#eventsOf(after)];
      if (one === undefined || other === undefined) return undefined;
      if (isSame(one, other)) return new Map([[plain, after], ...read]);
      before = after;
    }
    return undefined;
  }

  #readAnew(one: CsvReadings | PdfReading): Promise<CsvDownload | PdfDownload> {
    return 'options' in one
      ? this.#anew.csvAnew(one.query, one.options)
      : this.#anew.pdfAnew(one.query, one.encoding);
  }

  /** The key of the CSV whose rows compare by their content, and whether that is the query itself. */
  #formsOf(query: ExportQuery, encoding: ListEncoding | undefined) {
    const { fileType, locale: _, timezone: __, ...rest } = query;
    const options = encoding === undefined ? {} : { encoding };
    const plain = { ...rest, ...this.#knowledge?.base.utc };
    // With the type or without it, the rows of a CSV compare by their content.
    const ofAnyType = ({ fileType: _, ...one }: ExportQuery): string => keyOf(one, options);
    const isCsv = fileType === undefined || fileType === 'csv';
    return { csv: keyOf(plain, options), isPlain: isCsv && ofAnyType(plain) === ofAnyType(query) };
  }

  #isPlain(query: ExportQuery): boolean {
    return this.#knowledge === undefined || this.#formsOf(query, undefined).isPlain;
  }

  #eventsOf(download: CsvDownload | undefined): Multiset | undefined {
    return download?.table && eventsOf(download.table, this.#ignored);
  }

  get #ignored(): ReadonlySet<number> {
    return this.#knowledge?.columns.ignored ?? new Set();
  }
}

/** A query in the form whose rows compare by their content, and in others. */
interface Forms {
  readonly csv: string;
  readonly plain: CsvReadings;
  readonly others: readonly (CsvReadings | PdfReading)[];
}

/** What a query has kept. */
interface Read {
  readonly query: ExportQuery;
  readonly known: Multiset;
}

/** The same when it was first read, and what deviated from it later. */
interface Seen extends Read {
  readonly at: number;
  readonly readings: readonly LaterReading[];
}

/** Whether a row of the whole window stood still in all its readings. */
function isSteadyIn({ known, readings }: Seen, row: string): boolean {
  return timesIn(known, row) === 1 && readings.every(({ deviating }) => !deviating.has(row));
}

/** Whether two queries differ in exactly one parameter, and have different values of it; the window has none. */
function differInValue(one: ExportQuery, other: ExportQuery, window: ExportQuery): boolean {
  const [a, b] = [one, other].map(
    ({ filters = {}, ...rest }) =>
      new Map<string, unknown>(Object.entries({ ...filters, ...rest })),
  );
  const names = [...new Set([...(a?.keys() ?? []), ...(b?.keys() ?? [])])];
  const differing = names.filter((name) => String(a?.get(name)) !== String(b?.get(name)));
  const haveIt = differing.every((name) => a?.has(name) && b?.has(name));
  return differing.length === 1 && (haveIt || other === window);
}

/** undefined where the file did not arrive: whoever asked for it has noticed. */
async function arrived<T>(download: Promise<T> | undefined): Promise<T | undefined> {
  return await download?.catch(() => undefined);
}

/** How often the other reading holds each row of which the two differ. */
function deviating(one: Multiset, other: Multiset): Deviating {
  const rows = [...new Set([...one.entries.keys(), ...other.entries.keys()])];
  const differ = rows.filter((row) => timesIn(one, row) !== timesIn(other, row));
  return new Map(differ.map((row) => [row, timesIn(other, row)]));
}

/** An event that is changed keeps most of what it shows. */
const maxCellsChanged = 2;

const unchanged: Deviating = new Map();

/**
 * The rows of a reading of which a later one holds something similar in their place: events that were changed. Both
 * are given by what they deviate in from the first.
 */
function rewritten(first: Multiset, before: Deviating, after: Deviating): string[] {
  const rows = [...new Set([...before.keys(), ...after.keys()])];
  const gained = (row: string): number =>
    (after.get(row) ?? timesIn(first, row)) - (before.get(row) ?? timesIn(first, row));
  const came = rows.filter((row) => gained(row) > 0).map(cellsOfKey);
  const isRewritten = (cells: readonly string[]): boolean =>
    cells.length > 2 * maxCellsChanged && came.some((other) => isSimilar(cells, other));
  return rows.filter((row) => gained(row) < 0 && isRewritten(cellsOfKey(row)));
}

/** Asked of each row that went and each that came: most pairs differ in their first cells. */
function isSimilar(cells: readonly string[], others: readonly string[]): boolean {
  let changed = 0;
  for (let column = 0; column < cells.length; column += 1) {
    if (cells[column] === others[column]) continue;
    changed += 1;
    if (changed > maxCellsChanged) return false;
  }
  return true;
}

/**
 * Whether an event that had been there for a while went and came back, reading after reading: events are imported,
 * purged and changed, but that is what export.is-repeatable forbids. Equal rows may be different events.
 *
 * @param readings how often each held the row, and when
 * @param settleMs what was there for less than this, in milliseconds, one copy of the events may have and another not yet
 */
function flickers(readings: readonly { at: number; count: number }[], settleMs: number): boolean {
  const counts = readings.map(({ count }) => count);
  if (counts.some((count) => count > 1)) return false;
  const came = counts.indexOf(1);
  const gone = counts.indexOf(0, came);
  if (came === -1 || gone === -1 || !counts.includes(1, gone)) return false;
  const wasThereFor = (readings[gone]?.at ?? 0) - (readings[came]?.at ?? 0);
  return wasThereFor >= settleMs;
}
