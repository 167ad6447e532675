/*
 * A region lives: while its exports are judged, events are imported, purged and changed. So the exports of a scenario
 * are read once more before anything is called a violation. A row of which two readings hold different numbers is
 * unsettled: it is taken out of every table, so that nobody judges it. All rows that stood still are judged in full.
 */

import { isDeepStrictEqual } from 'node:util';
import { pdfEventLimit } from '../../schemas/operations.ts';
import type { Row } from '../csv/csv-form.ts';
import {
  cellsOfText,
  differing,
  digestOfKey,
  entriesIn,
  intersection,
  isSame,
  keyOfRow,
  type Multiset,
  textOfRow,
  timesIn,
} from '../csv/multiset.ts';
import type { CsvTable } from '../csv/read-csv.ts';
import { pause } from '../http/waiting.ts';
import { groupBy, remembered } from '../maps.ts';
import { Inconclusive, type ViolationFields } from '../outcomes.ts';
import { columnsOfIds, datesOf, eventsOf, type KnownTimes } from './columns.ts';
import {
  type CsvDownload,
  type Downloads,
  type ExportOptions,
  type ExportSource,
  keyOf,
  type PdfDownload,
} from './downloads.ts';
import type { KnownValue } from './filter-search.ts';
import type { KnownFilter } from './filters.ts';
import type { Knowledge } from './learn.ts';
import { type ExportQuery, type Filter, filters, selectionOf } from './query.ts';

/** The files that a query was answered with, and a function that sends it again. */
interface Reading<File = CsvDownload | PdfDownload> {
  readonly query: ExportQuery;
  readonly first: Promise<File>;
  /** The file of the same query that learning asked for a second time; undefined where it did not. */
  readonly again?: File | undefined;
  readonly readAnew: () => Promise<File>;
  /** Of plain CSVs alone. */
  readonly later: LaterReading[];
  /** The file read again beside a plain CSV that did not change meanwhile; undefined until that was necessary. */
  rereadFile?: File;
}

interface LaterReading {
  /** When it arrived, in milliseconds from the start of the run. */
  readonly at: number;
  /** Only rows that this reading holds more or less often than the first: by the row's key, how often it holds them. */
  readonly deviating: ReadonlyMap<string, number>;
}

/** The events that each reading of a query held. */
interface History {
  readonly query: ExportQuery;
  /** The events of the first reading. */
  readonly known: Multiset;
  /** The first reading, from which no row deviates, and the later ones. */
  readonly readings: readonly LaterReading[];
}

/** The plain CSV of a query, whose rows compare with the window's, and its other files, perhaps of other moments. */
interface Forms {
  readonly plain: Reading<CsvDownload>;
  readonly others: readonly Reading[];
}

/** How often the other files of a query are read again in the hope that no event changes meanwhile. */
const maxMoments = 4;

/** One event may be changed and changed back. Where two go and come back, the target loses them: they are judged. */
const enoughFlickering = 2;

/** How many events that come or go in an export, and not in the window, show that the target took one query for another. */
const enoughMixedUp = 2;

/** In how many cells an event that is changed may differ from what it was. */
const maxCellsChanged = 2;

/** What a scenario compares its exports with; without filters where it waits for the events alone. */
type Compared = Pick<Knowledge, 'columns' | 'base'> & Partial<Pick<Knowledge, 'filters'>>;

/** The exports that one scenario has read. After `settle` it serves them without the rows that did not stand still. */
export class Readings implements ExportSource {
  readonly #source: ExportSource;
  readonly #anew: Downloads;
  /** How long what was recorded may come and go, in milliseconds: copies lag behind by different times. */
  readonly #settleMs: number;
  readonly #csv = new Map<string, Reading<CsvDownload>>();
  readonly #pdf = new Map<string, Reading<PdfDownload>>();
  /** Keys of the rows that are not served. */
  #unsettled: ReadonlySet<string> = new Set();
  /** Columns of ids that tell events apart in another locale or timezone too; [] where they do not. */
  #ids: readonly number[] = [];
  /** What those rows show in these columns. */
  #unsettledIds: ReadonlySet<string> = new Set();
  /** Whether events were seen to have changed, and nothing was asked for since. */
  #haveMoved = false;
  /** Whether everything was read once more since the last new query. */
  #isComplete = false;
  #hasAskedAnew = false;
  /** Downloads without those rows; the same objects each time, until more is known. */
  readonly #settled = new Map<CsvDownload, CsvDownload>();
  #knowledge: Compared | undefined;

  /** @param anew downloads the queries that are read once more */
  constructor(source: ExportSource, anew: Downloads, settleMs: number) {
    this.#source = source;
    this.#anew = anew;
    this.#settleMs = settleMs;
  }

  async csv(query: ExportQuery, options: ExportOptions = {}): Promise<CsvDownload> {
    this.#haveMoved = false;
    const download = () => this.#source.csv(query, options);
    if (!options.isAnew) return await this.#serve(this.#readingOf(query, options, download));
    // `settle` never reads it once more: its range ends now, and it is asked for because of new events.
    this.#hasAskedAnew = true;
    return await download();
  }

  async pdf(query: ExportQuery, options: ExportOptions = {}): Promise<PdfDownload> {
    this.#haveMoved = false;
    if (options.isAnew) return await this.#source.pdf(query, options);
    const reading = remembered(this.#pdf, keyOf(query, options), () => {
      this.#isComplete = false;
      const readAnew = () => this.#anew.pdf(query, { isAnew: true });
      return { query, first: this.#source.pdf(query, options), readAnew, later: [] };
    });
    return reading.rereadFile ?? (await reading.first);
  }

  /** Serves learning from the same readings; a query that is not among them is first read from this source. */
  over(source: ExportSource): ExportSource {
    return {
      csv: async (query, options = {}) => {
        const download = () => source.csv(query, options);
        if (!options.isAnew) return await this.#serve(this.#readingOf(query, options, download));
        const again = this.#csv.get(keyOf(query, options))?.again;
        return again ? this.settled(again) : await download();
      },
      pdf: (query, options) => this.pdf(query, options),
    };
  }

  /** Adds the export of the window to what is read once more; again as more is learned: first events, then filters. */
  addWindow(knowledge: Compared): void {
    const { base, columns } = knowledge;
    // Which rows are equal depends on the columns that are ignored: what was read again is dropped, and read anew.
    if ([...columns.ignored].join() !== [...this.#ignored].join()) {
      for (const { later } of this.#csv.values()) later.splice(0);
      this.#isComplete = false;
    }
    // Who asks for events alone does not take away what is known of filters.
    this.#knowledge = { ...(base === this.#knowledge?.base && this.#knowledge), ...knowledge };
    this.#readingOf(base.download.query, {}, async () => base.download, base.again);
  }

  /** A file that learning read, among those that are read once more. @param like as `csv` takes it */
  adopted(download: CsvDownload, like: CsvTable): Promise<CsvDownload> {
    return this.#serve(this.#adopt(download, like));
  }

  /**
   * Reads exports once more, unless all were since the last new query; then serves only what stood still.
   * @param standsOn the answers in question: with them only the window and the values of their filters are read
   * @returns whether other rows or files are served than before
   * @throws NoResponse where the target does not answer
   */
  async settle(standsOn: readonly number[] = []): Promise<boolean> {
    if (this.#haveMoved) return true;
    // Who only asks for new events compares nothing with the window, unless it is in doubt which filters there are.
    const unclear = this.#knowledge?.filters?.unclear?.answer.exchange.number;
    const isUnclear =
      unclear !== undefined && (standsOn.length === 0 || standsOn.includes(unclear));
    const isOfWindow = !this.#hasAskedAnew || this.#csv.size > 1 || isUnclear;
    if (this.#csv.size === 0 || !isOfWindow) return false;
    // Rows may not show that an event has another value by now: exports of the known values of filters do.
    for (const download of this.#exportsOfValues(this.#all)) this.#adopt(download);
    const before = this.#unsettled;
    if (!this.#isComplete) {
      const all = [...this.#csv.values()];
      const few = standsOn.length > 0 ? await this.#standingOn(standsOn) : [];
      const files = few.length > 0 ? few : all;
      // An event that one copy of the store had earlier than another is in both after the pause of `#readOnceMore`.
      let comparison = await this.#readOnceMore(1, files);
      if (comparison.hasNotMoved && few.length > 0) return false;
      // What moved outside of the window moved in all exports that go beyond it.
      if (few.some(isOpenEnded)) {
        const others = all.filter((one) => isOpenEnded(one) && !few.includes(one));
        comparison = await this.#readOnceMore(1, others);
      }
      const lacking = comparison.hasNotMoved ? [] : files.filter((one) => this.#lacksHeld(one));
      await Promise.all(lacking.map((one) => this.#readInOtherWords(one)));
      if (lacking.length > 0) comparison = await this.#compare();
      // What is gone from the window may be in exports of values all the same.
      const values = comparison.hasNotMoved ? [] : this.#knownValues.slice(0, enoughFlickering);
      const ofValues = values.map(({ download }) => this.#adopt(download));
      if (ofValues.length > 0) comparison = await this.#compare();
      if (comparison.haveFlickered) {
        // Often enough to lose two events, and see them again.
        comparison = await this.#readOnceMore(1 + enoughFlickering, [
          ...new Set([...files, ...ofValues]),
        ]);
      }
      if (comparison.lost >= enoughFlickering) return false;
      this.#isComplete = few.length === 0;
      this.#unsettled = comparison.unsettled;
      this.#learnIds();
      this.#settled.clear();
    }
    const moved = await this.#formsThatMoved();
    for (const forms of moved) await this.#readAtOneMoment(forms);
    const hasGrown = [...this.#unsettled].some((row) => !before.has(row));
    this.#haveMoved = hasGrown || this.#unsettled.size < before.size || moved.length > 0;
    return this.#haveMoved;
  }

  /**
   * Whether a difference in a CSV stands on events that stood still from the first reading of the window on: most of those
   * that it names as missing, extra or dated wrongly; of a status, one that each value of the request keeps. Then it does not
   * matter what else moved. A few may have been changed, and changed back between two readings.
   */
  standsStill({ difference, query = '' }: Pick<ViolationFields, 'difference' | 'query'>): boolean {
    if (difference.kind === 'status') return this.#areAllKept(new URLSearchParams(query));
    if (difference.kind !== 'events' && difference.kind !== 'dates') return false;
    // Whatever moved, it did not move there.
    if (difference.kind === 'events' && difference.beyond) return true;
    const { fileType, mark, rows } = { rows: undefined, ...difference };
    if (fileType === 'pdf') return false;
    const isNamed = (row: string): boolean =>
      rows === undefined
        ? mark !== undefined && cellsOfText(row).includes(mark)
        : rows.includes(digestOfKey(row));
    const held = this.#eventsOf(this.#knowledge?.base.download);
    const named = held ? [...entriesIn(held).keys()].filter(isNamed) : [];
    // Among the events of a narrower export a mark is one event's; in the window it may be that of others too.
    if (rows === undefined && named.length > 1) return false;
    // A row that the window never held is of an event that was changed, and perhaps changed back.
    const all = rows ?? named;
    return named.filter((row) => !this.#unsettled.has(row)).length > all.length / 2;
  }

  /** Whether each value in a query keeps an event that stood still, as others may be refused; of a PDF, also whether it is small. */
  #areAllKept(query: URLSearchParams): boolean {
    const known = this.#knownValues;
    const isOfFilter = (name: string): boolean => filters.some((filter) => name.startsWith(filter));
    const asked = groupBy(
      [...query].filter(([name]) => isOfFilter(name)),
      ([name]) => name,
    );
    const kept = [...asked.values()].map((values) =>
      values.map(([, wanted]) => known.find(({ value }) => value === wanted)?.download.table),
    );
    const areKept = kept
      .flat()
      .every((table) => table?.rows.some((row) => !this.#isUnsettled(row)));
    const sizes = kept.map((tables) =>
      tables.reduce((sum, table) => sum + (table?.rows.length ?? 0), 0),
    );
    const most = Math.min(pdfEventLimit, ...sizes) + this.#unsettled.size;
    const isSmall = 2 * most < pdfEventLimit;
    return areKept && (query.get('file_type') !== 'pdf' || isSmall);
  }

  /** The knowledge without events that moved. Window, sample and values stay, so that a further run sends the same queries. */
  settledKnowledge(known: Knowledge): Knowledge {
    const { base, columns, filters } = known;
    const download = this.settled(base.download);
    const table = download.table ?? base.table;
    // How finely the target shows times was learned of all events.
    const timesLeft = (times: KnownTimes | undefined): KnownTimes | undefined => {
      const {
        readings = [],
        instants = [],
        beyondMs = [],
      } = (times && datesOf(table, times)) ?? {};
      return times && { ...times, readings, instants, beyondMs };
    };
    const whole = eventsOf(table, columns.ignored);
    const valueLeft = ({ value, download, events }: KnownValue): KnownValue => {
      this.#adopt(download, base.table);
      return { value, download: this.settled(download), events: intersection(events, whole) };
    };
    const filterLeft = ({ values, further, shown, ...rest }: KnownFilter): KnownFilter => ({
      ...rest,
      values: values.map(valueLeft),
      further: further.map(valueLeft),
      shown: shown && {
        ...shown,
        eventsShowing: (value) => intersection(shown.eventsShowing(value), whole),
      },
    });
    const filtersLeft = [...filters.known].map(([name, one]) => [name, filterLeft(one)] as const);
    return {
      ...known,
      original: known,
      isSettledInForms: this.#ids.length > 0,
      base: { ...base, download, table, again: this.settled(base.again) },
      columns: { ...columns, times: timesLeft(columns.times), dates: timesLeft(columns.dates) },
      filters: { ...filters, known: new Map(filtersLeft) },
    };
  }

  get #all(): readonly Reading[] {
    return [...this.#csv.values(), ...this.#pdf.values()];
  }

  get #knownValues(): (KnownValue & { readonly filter: Filter })[] {
    const known = [...(this.#knowledge?.filters?.known ?? [])];
    return known.flatMap(([filter, { values, further }]) =>
      [...values, ...further].map((one) => ({ ...one, filter })),
    );
  }

  /** The exports by which learning knows the values of the filters that these queries have. */
  #exportsOfValues(readings: readonly Reading[]): CsvDownload[] {
    const asked = new Set(readings.flatMap(({ query }) => Object.keys(query.filters ?? {})));
    const known = this.#knownValues.filter(({ filter }) => asked.has(filter));
    return known.map(({ download }) => download);
  }

  /** Adds the export of a value of a filter, which learning made, to what `settle` reads once more. */
  #adopt(download: CsvDownload, like = this.#knowledge?.base.table): Reading<CsvDownload> {
    return this.#readingOf(download.query, { like }, async () => download);
  }

  /** The reading of a query. @param download gives its first file, where there is no reading yet */
  #readingOf(
    query: ExportQuery,
    options: ExportOptions,
    download: () => Promise<CsvDownload>,
    again?: CsvDownload,
  ): Reading<CsvDownload> {
    return remembered(this.#csv, keyOf(query, options), () => {
      this.#isComplete = false;
      const readAnew = () => this.#anew.csv(query, { ...options, isAnew: true });
      return { query, first: download(), readAnew, again, later: [] };
    });
  }

  /** The file of a query, as it was read at one moment with others, or else without the rows that are unsettled. */
  async #serve({ rereadFile, first }: Reading<CsvDownload>): Promise<CsvDownload> {
    return rereadFile ?? this.settled(await first);
  }

  /** A copy of the download without the unsettled rows; the download itself where it holds none. */
  settled(download: CsvDownload): CsvDownload {
    const { table, query } = download;
    if (table === undefined || this.#unsettled.size === 0) return download;
    return remembered(this.#settled, download, () => {
      const { isPlain } = this.#formsOf(query);
      const rows = table.rows.filter(
        (row) =>
          !this.#isUnsettled(row) && (isPlain || !this.#unsettledIds.has(textIn(row, this.#ids))),
      );
      if (rows.length === table.rows.length) return download;
      return { ...download, table: { ...table, rows } };
    });
  }

  /** The CSVs among these answers, that of the window, and those of known values of the filters that the answers' queries have. */
  async #standingOn(answers: readonly number[]): Promise<Reading<CsvDownload>[]> {
    const isAmong = (file: CsvDownload | PdfDownload | undefined): boolean =>
      file !== undefined && answers.includes(file.answer.exchange.number);
    const all = this.#all;
    const files = await Promise.all(all.map(({ first }) => arrived(first)));
    const named = all.filter((_, index) => isAmong(files[index]));
    const compared = [this.#knowledge?.base.download ?? [], this.#exportsOfValues(named)]
      .flat()
      .map(({ query }) => this.#csv.get(keyOf(query)));
    return [...this.#csv.values()].filter((one) => named.includes(one) || compared.includes(one));
  }

  /** Pauses, reads plain CSVs as many `times` again, and compares all with their first reading. */
  async #readOnceMore(times: number, files: readonly Reading<CsvDownload>[]) {
    if (files.length > 0) await pause(this.#settleMs);
    const plain = files.filter(
      ({ query }) => this.#knowledge === undefined || this.#formsOf(query).isPlain,
    );
    for (let reads = 0; reads < times; reads += 1) {
      await Promise.all(
        plain.map(async ({ first, readAnew, later }) => {
          const download = await arrived(first);
          // A refusal, or a file that is too large, shows no events to compare.
          if (download?.table === undefined) return;
          const now = await readAnew();
          expectSameColumns(download, now);
          later.push(...this.#deviating(download, now));
        }),
      );
    }
    return await this.#compare();
  }

  /** Whether what is gone from an export is not gone from the window, which was read again too. */
  #lacksHeld({ later }: Reading<CsvDownload>): boolean {
    const base = this.#knowledge?.base.download;
    const window = base && this.#csv.get(keyOf(base.query))?.later.at(-1);
    const known = this.#eventsOf(base);
    if (window === undefined || known === undefined) return false;
    const gone = [...(later.at(-1)?.deviating ?? [])].filter(
      ([row, times]) => times === 0 && timesIn(known, row) > 0 && !window.deviating.has(row),
    );
    return gone.length >= enoughFlickering;
  }

  /** Sends a query once more, a default in addition and a little longer: what is lost where the same is asked for again is there then. */
  async #readInOtherWords({ query, first, later }: Reading<CsvDownload>): Promise<void> {
    const download = await arrived(first);
    const longer = typeof query.end === 'number' && { end: query.end + 1 };
    const now = await this.#anew.csv({ ...query, ...longer, locale: 'en' }, { isAnew: true });
    if (download !== undefined) later.push(...this.#deviating(download, now));
  }

  /** `unsettled`: keys of the rows that came or went in an export, without the `lost` ones, which the target loses. */
  async #compare() {
    const read = await Promise.all([...this.#csv.values()].map((csv) => this.#historyOf(csv)));
    const all = read.flat();
    const window = this.#knowledge && keyOf(this.#knowledge.base.download.query);
    const base = all.find(({ query }) => keyOf(query) === window);
    const histories = all.filter((one) => base === undefined || !isMixedUp(one, all, base));
    const movements = histories.flatMap((history) =>
      this.#movedIn(history, base).map((row) => ({ history, row })),
    );
    // A row moves in many exports: it is taken apart once.
    const rows = new Set(movements.map(({ row }) => row));
    const moved = new Map([...rows].map((row) => [row, cellsOfText(row)]));
    const others = all.filter((one) => one !== base);
    const lost = new Set<string>();
    let haveFlickered = false;
    for (const { history, row } of movements) {
      // Where every export has other rows, these are thousands, and each is compared with each.
      if (lost.size >= enoughFlickering) break;
      // What another export holds is in the window too.
      const elsewhere = (history === base ? others : [])
        .flatMap((one) => seenIn(one, row))
        .filter(({ count }) => count > 0);
      const seen = [...seenIn(history, row), ...elsewhere].toSorted((a, b) => a.at - b.at);
      if (!flickers(seen, 0) || isRewritten(row, moved)) continue;
      haveFlickered = true;
      if (flickers(seen, this.#settleMs)) lost.add(row);
    }
    return {
      unsettled: new Set([...rows].filter((row) => !lost.has(row))),
      hasNotMoved: rows.size === 0,
      haveFlickered,
      lost: lost.size,
    };
  }

  /**
   * Keys of the rows that moved in an export: not of what stood still in the window, if rows show each value that was asked for,
   * as then nothing decides whether the export holds them but what they show. A few may have been changed, and changed back.
   */
  #movedIn(history: History, base: History | undefined): string[] {
    const moved = rowsMovedIn(history);
    // What each value shows is made of all its rows: only for exports that may have to be told from the window.
    if (moved.length < enoughMixedUp || base === undefined || history === base) return moved;
    const { filters = {} } = history.query;
    const known = this.#knowledge?.filters?.known;
    const shown = Object.entries(filters).map(([filter, values]) => {
      const place = known?.get(filter as Filter)?.shown;
      return place?.isConfirmed ? values.map(place.eventsShowing) : undefined;
    });
    if (shown.includes(undefined)) return moved;
    const [{ at: since = 0 } = {}] = base.readings;
    // What no event shows may be a value in other letters.
    const mayBelong = (row: string): boolean =>
      shown.every((values) => values?.some((one) => one.size === 0 || timesIn(one, row) > 0));
    // A copy of the store may have lacked it for a while.
    const mayLag = (row: string): boolean =>
      mayBelong(row) &&
      seenIn(history, row).some(({ at, count }) => count === 0 && at - since < this.#settleMs);
    const stoodStill = moved.filter((row) => hasStoodStill(base, row) && !mayLag(row));
    return stoodStill.length < enoughMixedUp
      ? moved
      : moved.filter((row) => !stoodStill.includes(row));
  }

  /** The history of one CSV, in a list; an empty list where its first reading holds no events to compare. */
  async #historyOf({ query, first, again, later }: Reading<CsvDownload>): Promise<History[]> {
    const download = await arrived(first);
    const known = this.#eventsOf(download);
    if (download === undefined || known === undefined) return [];
    const read = [download, again ?? []].flat().flatMap((one) => this.#deviating(download, one));
    return [{ query, known, readings: [...read, ...later] }];
  }

  /** How a later file of the same query differs, in a list; an empty list where it holds no events to compare. */
  #deviating(first: CsvDownload, download: CsvDownload): LaterReading[] {
    const [known, now] = [first, download].map((one) => this.#eventsOf(one));
    if (known === undefined || now === undefined) return [];
    const deviating = new Map(differing(known, now).map((row) => [row, timesIn(now, row)]));
    return [{ at: arrivalOf(download), deviating }];
  }

  /** The files of each query that holds unsettled rows, and has other files that are not of one moment with its CSV. */
  async #formsThatMoved(): Promise<Forms[]> {
    if (this.#unsettled.size === 0) return [];
    const byCsv = groupBy(
      this.#all.filter(({ query }) => !this.#formsOf(query).isPlain),
      ({ query }) => this.#csv.get(this.#formsOf(query).csv),
    );
    const moved = [...byCsv].map(async ([plain, all]) => {
      const files = await Promise.all(all.map(({ first }) => arrived(first)));
      const others = all.filter((_, index) => files[index] !== undefined);
      const isOfMoment = others.every(({ rereadFile }) => rereadFile !== undefined);
      if (plain === undefined || isOfMoment) return [];
      const csv = await arrived(plain.first);
      // A plain CSV that came after another file shows nothing of what went before that.
      const isLater = csv && files.some((file) => file && arrivalOf(file) < arrivalOf(csv));
      const events = this.#eventsOf(csv);
      const hasMoved = (row: string): boolean =>
        (events !== undefined && timesIn(events, row) > 0) ||
        plain.later.some(({ deviating }) => deviating.has(row));
      return isLater || [...this.#unsettled].some(hasMoved) ? [{ plain, others }] : [];
    });
    return (await Promise.all(moved)).flat();
  }

  /** Sets `rereadFile` of the other files; leaves them as they are where events changed each time. */
  async #readAtOneMoment({ plain, others }: Forms): Promise<void> {
    let before = await plain.readAnew();
    for (let tries = 0; tries < maxMoments; tries += 1) {
      const files = await Promise.all(others.map((other) => other.readAnew()));
      const after = await plain.readAnew();
      const [eventsBefore, eventsAfter] = [this.#eventsOf(before), this.#eventsOf(after)];
      if (eventsBefore === undefined || eventsAfter === undefined) return;
      if (isSame(eventsBefore, eventsAfter)) {
        for (const [index, other] of others.entries()) {
          const file = files[index];
          if (file !== undefined) other.rereadFile = { ...file, beside: after };
        }
        return;
      }
      before = after;
    }
  }

  /** `csv`: the key of the plain CSV of the query; `isPlain`: whether the query itself asks for a plain CSV. */
  #formsOf(query: ExportQuery) {
    const { fileType = 'csv', locale, timezone } = query;
    const utc = this.#knowledge?.base.utc;
    const csv = keyOf({ ...selectionOf(query), ...utc });
    // A service that writes it in the locale of another request at the time shows that beside the query without locale.
    const isInEnglish = locale === undefined || (locale === 'en' && !this.#csv.has(csv));
    return { csv, isPlain: fileType === 'csv' && isInEnglish && timezone === utc?.timezone };
  }

  /** Finds the ids that tell events which stood still apart in any form, from one another and from the others. */
  #learnIds(): void {
    this.#ids = [];
    this.#unsettledIds = new Set();
    if (this.#knowledge === undefined) return;
    const { base, columns } = this.#knowledge;
    const ids = columnsOfIds(base.table, columns);
    // Keys of rows lack the cells of ignored columns.
    const places = ids.map((id) => id - [...this.#ignored].filter((column) => column < id).length);
    const moved = new Set([...this.#unsettled].map((key) => textIn(cellsOfText(key), places)));
    const rows = base.table.rows.filter((row) => !this.#isUnsettled(row));
    const still = new Set(rows.map((row) => textIn(row, ids)));
    if (still.size < rows.length || [...moved].some((one) => still.has(one))) return;
    this.#ids = ids;
    this.#unsettledIds = moved;
  }

  #isUnsettled(row: Row): boolean {
    return this.#unsettled.has(keyOfRow(row, this.#ignored));
  }

  #eventsOf(download: CsvDownload | undefined): Multiset | undefined {
    return download?.table && eventsOf(download.table, this.#ignored);
  }

  get #ignored(): ReadonlySet<number> {
    return this.#knowledge?.columns.ignored ?? new Set();
  }
}

function isOpenEnded({ query: { start, end } }: Reading): boolean {
  return start === undefined || end === undefined;
}

/** @throws Inconclusive where a query is answered with other columns than before: no two of its files compare then */
function expectSameColumns(first: CsvDownload, later: CsvDownload): void {
  const [before, now] = [first, later].map(({ table }) => table?.headings);
  if (!before || !now || isDeepStrictEqual(before, now)) return;
  const why =
    'The same export has other columns than before, as while a target is deployed: run again when all of it is of one release.';
  throw new Inconclusive(why, [first.answer, later.answer]);
}

function textIn(row: Row, columns: readonly number[]): string {
  return textOfRow(columns.map((column) => row[column] ?? ''));
}

/** When an answer arrived, in milliseconds from the start of the run. */
function arrivalOf({ answer: { exchange } }: CsvDownload | PdfDownload): number {
  return exchange.startedAt + exchange.durationMs;
}

/** The file; undefined where the target did not answer, which whoever asked for the file has noticed. */
async function arrived<File>(download: Promise<File>): Promise<File | undefined> {
  return await download.catch(() => undefined);
}

/** Keys of the rows that a later reading holds more or less often than the first. */
function rowsMovedIn({ readings }: History): string[] {
  return [...new Set(readings.flatMap(({ deviating }) => [...deviating.keys()]))];
}

/** Whether every reading of the window holds a row, and holds it once. */
const hasStoodStill = (base: History, row: string): boolean =>
  timesIn(base.known, row) === 1 && base.readings.every(({ deviating }) => !deviating.has(row));

/** Whether a query was first answered with the file of another one: what differs stood still in `base`, the whole window. */
function isMixedUp(suspect: History, all: readonly History[], base: History): boolean {
  const moved = [...(suspect.readings.at(-1)?.deviating.keys() ?? [])].filter((row) =>
    hasStoodStill(base, row),
  );
  if (suspect.known.size === 0 || moved.length < enoughMixedUp) return false;
  return all.some((other) => isSame(suspect.known, other.known) && rowsMovedIn(other).length === 0);
}

/** How often an export held a row, and when, in milliseconds from the start of the run. */
interface Seen {
  readonly at: number;
  readonly count: number;
}

const seenIn = ({ known, readings }: History, row: string): Seen[] =>
  readings.map(({ at, deviating }) => ({ at, count: deviating.get(row) ?? timesIn(known, row) }));

/**
 * Whether a row was there, went and came back, which no import, purge or change does. Not one that is there twice.
 * @param seen in the order of time
 * @param settleMs how long it must have been known when it was gone, in milliseconds: copies of the store may lack newer rows
 */
function flickers(seen: readonly Seen[], settleMs: number): boolean {
  if (seen.some(({ count }) => count > 1)) return false;
  const came = seen.findIndex(({ count }) => count === 1);
  const cameAt = seen[came]?.at ?? Number.NaN;
  const gone = seen.findIndex(
    ({ at, count }, index) => index > came && count === 0 && at - cameAt >= settleMs,
  );
  return gone >= 0 && seen.slice(gone).some(({ count }) => count === 1);
}

/**
 * Whether a row that is nearly equal came or went too: then the event was changed, and perhaps changed back.
 * @param moved the rows that came or went, by their keys
 */
function isRewritten(row: string, moved: ReadonlyMap<string, Row>): boolean {
  const cells = moved.get(row) ?? [];
  return [...moved.values()].some((others) => others !== cells && areNearlyEqual(cells, others));
}

function areNearlyEqual(cells: Row, others: Row): boolean {
  const areFew = cells.length <= 2 * maxCellsChanged;
  let changed = 0;
  for (const [column, cell] of cells.entries()) {
    const other = others[column] ?? '';
    if (cell === other) continue;
    changed += 1;
    if (changed > (areFew ? 1 : maxCellsChanged)) return false;
    // Of few cells one may hold nearly all of the event, as a sentence.
    if (areFew && !areMostlyEqual(cell, other)) return false;
  }
  return cells.length > 1;
}

/** Whether two texts differ in one place, and are longer before and behind it together than there. */
function areMostlyEqual(one: string, other: string): boolean {
  const least = Math.min(one.length, other.length);
  let before = 0;
  while (before < least && one[before] === other[before]) before += 1;
  let behind = 0;
  while (behind < least - before && one.at(-1 - behind) === other.at(-1 - behind)) behind += 1;
  return 2 * (before + behind) > Math.max(one.length, other.length);
}
