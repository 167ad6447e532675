import type { Api, Caller } from '../api.ts';
import type { Answer } from '../http/answer.ts';
import type { CsvDownload, CsvOptions, ExportSource, PdfDownload } from './downloads.ts';
import type { Knowledge } from './learn.ts';
import { type ExportQuery, encodeQuery } from './query.ts';

/**
 * The exports of one run of a scenario: what is asked for twice is downloaded once. `csv`, `pdf` and `file` send
 * exactly the query; `within`, `pdfWithin`, `anytime`, `pdfAnytime` and `anew` send it as what was learned of the target wants it.
 */
export class Exports {
  readonly #api: Api;
  readonly #source: ExportSource;
  readonly #learn: () => Promise<Knowledge>;

  constructor(api: Api, source: ExportSource, learn: () => Promise<Knowledge>) {
    this.#api = api;
    this.#source = source;
    this.#learn = learn;
  }

  /**
   * What was learned of the target's exports.
   * @throws Inconclusive where its exports could not be read at all
   */
  knowledge(): Promise<Knowledge> {
    return this.#learn();
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
    const { window, base, encoding } = await this.#learn();
    const inWindow = { start: window.start, end: window.end, ...base.utc, ...query };
    return await this.csv(inWindow, { encoding: encoding.best, like: base.table });
  }

  /** The same as PDF. */
  async pdfWithin(query: ExportQuery): Promise<PdfDownload> {
    const { window, base, encoding } = await this.#learn();
    const inWindow = { start: window.start, end: window.end, ...base.utc, ...query };
    return await this.#source.pdf({ ...inWindow, fileType: 'pdf' }, encoding.best);
  }

  /** The events that match, in the window or outside of it, dates in UTC. */
  async anytime(query: ExportQuery): Promise<CsvDownload> {
    const { base, encoding } = await this.#learn();
    return await this.csv({ ...base.utc, ...query }, { encoding: encoding.best, like: base.table });
  }

  /** The same as PDF. */
  async pdfAnytime(query: ExportQuery): Promise<PdfDownload> {
    const { base, encoding } = await this.#learn();
    return await this.#source.pdf({ ...base.utc, ...query, fileType: 'pdf' }, encoding.best);
  }

  /** CSV, downloaded anew even where it was downloaded before: for what is recorded meanwhile. */
  async anew(query: ExportQuery): Promise<CsvDownload> {
    const { base, encoding } = await this.#learn();
    const options = { encoding: encoding.best, like: base.table };
    return await this.#source.csvAnew({ ...base.utc, ...query }, options);
  }
}
