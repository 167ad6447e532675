import type { Api, Caller } from '../api.ts';
import type { Answer } from '../http/answer.ts';
import type { CsvDownload, CsvOptions, ExportSource, PdfDownload } from './downloads.ts';
import type { Knowledge, KnownEvents } from './learn.ts';
import { type ExportQuery, encodeQuery } from './query.ts';
import type { TimeRange } from './window.ts';

/**
 * The exports of one run of a scenario: a query asked for twice is downloaded once. `csv`, `pdf` and `file` send
 * exactly the query. All others send it as was learned of the target: dates in UTC, lists in the encoding it takes.
 */
export class Exports {
  readonly #api: Api;
  readonly #source: ExportSource;
  /** What was learned of the target's exports. @throws Inconclusive where they could not be read at all */
  readonly knowledge: () => Promise<Knowledge>;
  /**
   * The part of `knowledge` that is learned first, without filters: a scenario that sends none need not wait for the
   * rest.
   * @throws Inconclusive as `knowledge` does
   */
  readonly events: () => Promise<KnownEvents>;

  constructor(
    api: Api,
    source: ExportSource,
    knowledge: () => Promise<Knowledge>,
    events: () => Promise<KnownEvents>,
  ) {
    this.#api = api;
    this.#source = source;
    this.knowledge = knowledge;
    this.events = events;
  }

  /** CSV: the query as it is given, without the window, UTC or encoding of lists that was learned. */
  csv(query: ExportQuery, options?: CsvOptions): Promise<CsvDownload> {
    return this.#source.csv(query, options);
  }

  /** The PDF of a query as it is given. */
  pdf(query: ExportQuery): Promise<PdfDownload> {
    return this.#source.pdf({ ...query, fileType: 'pdf' });
  }

  /** The answer as it comes, neither read as a table nor kept. @param caller with another key, or without one */
  file(query: ExportQuery, caller: Caller = {}): Promise<Answer> {
    return this.#api.export(encodeQuery(query), caller);
  }

  /** CSV: the events of the learned window, or of the range of the query where it has one, with dates in UTC. */
  async within(query: ExportQuery): Promise<CsvDownload> {
    const { inWindow, options } = await this.#sentWith(query);
    return await this.csv({ ...inWindow, ...query }, options);
  }

  /** CSV: the events of a range, sent without a timezone: dates are in the default zone of the target. */
  async withoutTimezone(query: TimeRange): Promise<CsvDownload> {
    const { always, options } = await this.#sentWith(query);
    const { timezone: _, ...rest } = { ...always, ...query };
    return await this.csv(rest, options);
  }

  /** The PDF of the query that `within` sends. */
  async pdfWithin(query: ExportQuery): Promise<PdfDownload> {
    const { inWindow, options } = await this.#sentWith(query);
    return await this.#source.pdf({ ...inWindow, ...query, fileType: 'pdf' }, options.encoding);
  }

  /** CSV: the events of the query, inside the learned window or outside of it, with dates in UTC. */
  async anytime(query: ExportQuery): Promise<CsvDownload> {
    const { always, options } = await this.#sentWith(query);
    return await this.csv({ ...always, ...query }, options);
  }

  /** The PDF of the query that `anytime` sends. */
  async pdfAnytime(query: ExportQuery): Promise<PdfDownload> {
    const { always, options } = await this.#sentWith(query);
    return await this.#source.pdf({ ...always, ...query, fileType: 'pdf' }, options.encoding);
  }

  /** As `anytime`, but downloaded again each time: events are recorded meanwhile. */
  async anew(query: ExportQuery): Promise<CsvDownload> {
    const { always, options } = await this.#sentWith(query);
    return await this.#source.csvAnew({ ...always, ...query }, options);
  }

  /** As `pdfAnytime`, but downloaded again each time. */
  async pdfAnew(query: ExportQuery): Promise<PdfDownload> {
    const { always, options } = await this.#sentWith(query);
    return await this.#source.pdfAnew({ ...always, ...query, fileType: 'pdf' }, options.encoding);
  }

  /** What a query is sent with, as learned. Only a query with filters waits for the encoding of lists, known last. */
  async #sentWith({ filters }: ExportQuery) {
    const known: KnownEvents & Partial<Pick<Knowledge, 'encoding'>> =
      filters === undefined ? await this.events() : await this.knowledge();
    const { base, window, encoding } = known;
    const { start, end } = window;
    const options = { encoding: encoding?.best ?? 'repeat', like: base.table };
    return { always: base.utc, inWindow: { start, end, ...base.utc }, options };
  }
}
