import type { Api, Caller } from '../api.ts';
import type { Answer } from '../http/answer.ts';
import { Inconclusive, type ViolationFields } from '../outcomes.ts';
import {
  type CsvDownload,
  callerOf,
  type ExportOptions,
  type PdfDownload,
  tableOf,
} from './downloads.ts';
import type { Knowledge, KnownEvents, LargeWindow, Learning } from './learn.ts';
import { type ExportQuery, encodeQuery } from './query.ts';
import type { Readings } from './readings.ts';

type Anew = Pick<ExportOptions, 'isAnew'>;

/** That exported events changed while a scenario was judged by them. */
export interface Moved {
  readonly why: Inconclusive;
  /** The exports without the events that changed; undefined where the target did not let them be read once more. */
  readonly stoodStill?: Exports;
}

/**
 * The exports of one attempt at a scenario, each query downloaded once. `csv` and `file` send exactly the query, all others as
 * was learned of the target: dates in UTC, lists in the encoding that it takes.
 */
export class Exports {
  readonly #api: Api;
  readonly #learning: Learning;
  readonly #source: Readings;
  /** Whether an earlier attempt has read them: then events that changed since are left out. */
  readonly #isFurther: boolean;
  #known: Promise<Knowledge> | undefined;

  constructor(api: Api, learning: Learning, source: Readings, isFurther = false) {
    this.#api = api;
    this.#learning = learning;
    this.#source = source;
    this.#isFurther = isFurther;
  }

  /** All that was learned of the target's exports. @throws Inconclusive where they could not be read at all */
  async knowledge(): Promise<Knowledge> {
    this.#known ??= this.#learning
      .knowledge()
      .then((learned) => (this.#isFurther ? this.#source.settledKnowledge(learned) : learned));
    const known = await this.#known;
    this.#source.addWindow(known);
    return known;
  }

  /** What is learned first, without filters: who sends none need not wait. @throws Inconclusive as `knowledge` does */
  async events(): Promise<KnownEvents> {
    if (this.#isFurther) return await this.knowledge();
    const events = await this.#learning.events();
    this.#source.addWindow(events);
    return events;
  }

  /** A window with more events than a PDF may hold, where there is one. @throws Inconclusive as `knowledge` does */
  async large(): Promise<LargeWindow> {
    const { base } = await this.events();
    const large = await this.#learning.large();
    const download = await this.#source.adopted(large.download, base.table);
    return { ...large, download, table: tableOf(download) };
  }

  /** As `areMany` of what is learned. */
  async areMany(): Promise<boolean> {
    return await this.#learning.areMany();
  }

  /**
   * Reads once more what violations and doubts stand on; undefined where nothing has changed.
   * @param standsOn the numbers of their answers; [] where they name none: everything is read
   * @param isViolated false: the knowledge of the exports may not have sufficed, and is learned anew from unchanged events
   */
  async moved(standsOn: readonly number[], isViolated: boolean): Promise<Moved | undefined> {
    try {
      if (!(await this.#source.settle(standsOn))) return undefined;
    } catch (error) {
      if (error instanceof Inconclusive) return { why: error };
      throw error;
    }
    const why = new Inconclusive('The exported events changed while they were judged.');
    const learning = isViolated
      ? this.#learning
      : this.#learning.from(this.#source.over(this.#learning.downloads));
    return { why, stoodStill: new Exports(this.#api, learning, this.#source, true) };
  }

  /** Those of these differences that stand on unchanged events: only they are worth looking into. Of a further attempt, all. */
  async standing(found: readonly ViolationFields[]): Promise<readonly ViolationFields[]> {
    const [first] = found;
    if (first === undefined || this.#isFurther) return found;
    // The window is read for each of them: one shows well enough whether anything has changed.
    const answers = first.on.map(({ exchange }) => exchange);
    const moved = await this.moved(answers, true);
    return moved ? found.filter((one) => moved.stoodStill?.isUntouched(one)) : found;
  }

  /** A download without the events that have changed: one that was asked for anew comes with them. */
  settled(download: CsvDownload): CsvDownload {
    return this.#source.settled(download);
  }

  /** Whether a violation stands on events that did not change. */
  isUntouched(violation: ViolationFields): boolean {
    return this.#source.standsStill(violation);
  }

  /** CSV: the query as it is given, without the window, UTC or encoding of lists that was learned. */
  csv(query: ExportQuery, options?: ExportOptions): Promise<CsvDownload> {
    return this.#source.csv(query, options);
  }

  /** The answer as it comes, neither read as a table nor kept. @param caller with another key, or without one */
  file(query: ExportQuery, caller: Caller = {}): Promise<Answer> {
    return this.#api.export(encodeQuery(query), { ...callerOf(query), ...caller });
  }

  /** CSV: the events of the learned window, or of the range of the query where it has one, with dates in UTC. */
  async within(query: ExportQuery): Promise<CsvDownload> {
    return await this.#source.csv(...(await this.#asLearned(query, { isWithin: true })));
  }

  /** The PDF of the query that `within` sends. */
  async pdfWithin(query: ExportQuery): Promise<PdfDownload> {
    return await this.#source.pdf(
      ...(await this.#asLearned({ ...query, fileType: 'pdf' }, { isWithin: true })),
    );
  }

  /** CSV: the events of the query, inside the learned window or outside of it, with dates in UTC. */
  async anytime(query: ExportQuery, anew?: Anew): Promise<CsvDownload> {
    return await this.#source.csv(...(await this.#asLearned(query, anew)));
  }

  /** The PDF of the query that `anytime` sends. */
  async pdfAnytime(query: ExportQuery, anew?: Anew): Promise<PdfDownload> {
    return await this.#source.pdf(...(await this.#asLearned({ ...query, fileType: 'pdf' }, anew)));
  }

  /** How a query is sent: as it says, and else as learned. Only one with filters waits for the encoding of lists, which is known last. */
  async #asLearned(
    query: ExportQuery,
    { isWithin = false, isAnew }: Anew & { readonly isWithin?: boolean } = {},
  ): Promise<[ExportQuery, ExportOptions]> {
    const known: KnownEvents & Partial<Pick<Knowledge, 'encoding'>> =
      query.filters === undefined ? await this.events() : await this.knowledge();
    const { base, window, encoding } = known;
    const { start, end } = window;
    const range = isWithin && { start, end };
    const sent = { ...range, ...base.utc, encoding: encoding?.best, ...query };
    return [sent, { like: base.table, isAnew }];
  }
}
