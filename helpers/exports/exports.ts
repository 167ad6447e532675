import type { Api, Caller } from '../api.ts';
import type { ArrayEncoding } from '../config/settings.ts';
import type { CsvTable } from '../csv/read-csv.ts';
import type { Answer } from '../http/answer.ts';
import type { CsvDownload, Downloads, PdfDownload } from './downloads.ts';
import type { Knowledge } from './knowledge.ts';
import { type ExportQuery, encodeQuery } from './query.ts';

/** The exports of one play: what is asked for twice is downloaded once. */
export class Exports {
  readonly #api: Api;
  readonly #downloads: Downloads;
  readonly #learn: () => Promise<Knowledge>;

  constructor(api: Api, downloads: Downloads, learn: () => Promise<Knowledge>) {
    this.#api = api;
    this.#downloads = downloads;
    this.#learn = learn;
  }

  /**
   * What was learned of the target's exports, once a run.
   * @throws Inconclusive where its exports could not be read at all
   */
  knowledge(): Promise<Knowledge> {
    return this.#learn();
  }

  /** Exactly this query, as CSV. The encoding matters only where there are lists. */
  csv(
    query: ExportQuery,
    encoding: ArrayEncoding = 'repeat',
    like?: CsvTable,
  ): Promise<CsvDownload> {
    return this.#downloads.csv(query, { encoding, like });
  }

  /** Exactly this query, downloaded anew even where it was downloaded before. */
  csvAnew(query: ExportQuery, encoding: ArrayEncoding, like: CsvTable): Promise<CsvDownload> {
    return this.#downloads.csvAnew(query, { encoding, like });
  }

  /** Exactly this query, read until so many events were seen. */
  firstOf(query: ExportQuery, most: number, like?: CsvTable): Promise<CsvDownload> {
    return this.#downloads.csv(query, { encoding: 'repeat', like, most });
  }

  /** Exactly this query, as PDF. */
  pdf(query: ExportQuery, encoding: ArrayEncoding = 'repeat'): Promise<PdfDownload> {
    return this.#downloads.pdf({ ...query, fileType: 'pdf' }, encoding);
  }

  /** Exactly this query, the file as it comes. */
  file(
    query: ExportQuery,
    encoding: ArrayEncoding = 'repeat',
    caller: Caller = {},
  ): Promise<Answer> {
    return this.#api.export(encodeQuery(query, encoding), caller);
  }

  /** The events of the learned window that match, dates in UTC. */
  async within(query: ExportQuery): Promise<CsvDownload> {
    const { window, common, encoding, base } = await this.#learn();
    const { start, end } = window;
    return await this.csv({ start, end, ...common, ...query }, encoding, base);
  }
}
