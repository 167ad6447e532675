import type { Api, Caller } from '../api.ts';
import type { Answer } from '../http/answer.ts';
import type { CsvDownload, CsvOptions, ExportSource, PdfDownload } from './downloads.ts';
import type { Knowledge, KnownEvents } from './learn.ts';
import { type ExportQuery, encodeQuery } from './query.ts';
import type { TimeRange } from './window.ts';

/**
 * The exports of one run of a scenario: what is asked for twice is downloaded once. `csv`, `pdf` and `file` send
 * exactly the query; `within`, `withoutTimezone`, `pdfWithin`, `anytime`, `pdfAnytime` and `anew` send it as what was learned of the target wants it.
 */
export class Exports {
  readonly #api: Api;
  readonly #source: ExportSource;
  readonly #learn: () => Promise<Knowledge>;
  readonly #learnEvents: () => Promise<KnownEvents>;

  constructor(
    api: Api,
    source: ExportSource,
    learn: () => Promise<Knowledge>,
    learnEvents: () => Promise<KnownEvents>,
  ) {
    this.#api = api;
    this.#source = source;
    this.#learn = learn;
    this.#learnEvents = learnEvents;
  }

  /**
   * What was learned of the target's exports.
   * @throws Inconclusive where its exports could not be read at all
   */
  knowledge(): Promise<Knowledge> {
    return this.#learn();
  }

  /**
   * What is learned first, for scenarios that send no filters: they need not wait for all of it.
   * @throws Inconclusive as `knowledge` does
   */
  events(): Promise<KnownEvents> {
    return this.#learnEvents();
  }

  csv(query: ExportQuery, options?: CsvOptions): Promise<CsvDownload> {
    return this.#source.csv(query, options);
  }

  pdf(query: ExportQuery): Promise<PdfDownload> {
    return this.#source.pdf({ ...query, fileType: 'pdf' });
  }

  /** The file as it comes. */
  file(query: ExportQuery, caller: Caller = {}): Promise<Answer> {
    return this.#api.export(encodeQuery(query), caller);
  }

  /** The events of the learned window that match, dates in UTC. */
  async within(query: ExportQuery): Promise<CsvDownload> {
    const { inWindow, options } = await this.#sentWith(query);
    return await this.csv({ ...inWindow, ...query }, options);
  }

  /**
   * The same with dates in whatever zone the target takes where none is given; downloaded anew where that is asked for: it
   * is no other reading of the same rows.
   */
  async withoutTimezone(query: TimeRange, which: 'once' | 'anew' = 'once'): Promise<CsvDownload> {
    const { always, options } = await this.#sentWith(query);
    const { timezone: _, ...rest } = { ...always, ...query };
    return which === 'once'
      ? await this.csv(rest, options)
      : await this.#source.csvAnew(rest, options);
  }

  /** The same as PDF. */
  async pdfWithin(query: ExportQuery): Promise<PdfDownload> {
    const { inWindow, options } = await this.#sentWith(query);
    return await this.#source.pdf({ ...inWindow, ...query, fileType: 'pdf' }, options.encoding);
  }

  /** The events that match, in the window or outside of it, dates in UTC. */
  async anytime(query: ExportQuery): Promise<CsvDownload> {
    const { always, options } = await this.#sentWith(query);
    return await this.csv({ ...always, ...query }, options);
  }

  /** The same as PDF. */
  async pdfAnytime(query: ExportQuery): Promise<PdfDownload> {
    const { always, options } = await this.#sentWith(query);
    return await this.#source.pdf({ ...always, ...query, fileType: 'pdf' }, options.encoding);
  }

  /** CSV, downloaded anew even where it was downloaded before: for what is recorded meanwhile. */
  async anew(query: ExportQuery): Promise<CsvDownload> {
    const { always, options } = await this.#sentWith(query);
    return await this.#source.csvAnew({ ...always, ...query }, options);
  }

  /** What the query is sent with; how lists are encoded is known last, and matters to filters alone. */
  async #sentWith({ filters }: ExportQuery) {
    const known: KnownEvents & Partial<Pick<Knowledge, 'encoding'>> =
      filters === undefined ? await this.#learnEvents() : await this.#learn();
    const { base, window, encoding } = known;
    const { start, end } = window;
    const options = { encoding: encoding?.best ?? 'repeat', like: base.table };
    return { always: base.utc, inWindow: { start, end, ...base.utc }, options };
  }
}
