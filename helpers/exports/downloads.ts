import type { Api, Caller } from '../api.ts';
import { RowPool } from '../csv/multiset.ts';
import { type CsvTable, readCsv, TooManyEvents } from '../csv/read-csv.ts';
import type { Answer } from '../http/answer.ts';
import { remembered } from '../maps.ts';
import { Inconclusive } from '../outcomes.ts';
import { type PdfReading, PdfUnreadable, readPdf } from '../pdf/read-pdf.ts';
import { type ExportQuery, encodeQuery } from './query.ts';

/** A query, its answer, and what is known of the file, in either form. */
interface Download {
  readonly query: ExportQuery;
  readonly answer: Answer;
  /** A plain CSV of the same moment; only where the file's rows do not compare with the window's, and events have changed. */
  readonly beside?: CsvDownload;
}

/** A CSV export: the file as a table, where there is one. */
export interface CsvDownload extends Download {
  /** undefined unless the answer is 200, and no PDF. */
  readonly table: CsvTable | undefined;
  /** Whether reading stopped because there were more events than asked for. */
  readonly overflowed: boolean;
}

/** A PDF export: what the file holds, or why it does not open; neither unless the answer is 200. */
export interface PdfDownload extends Download {
  readonly reading: PdfReading | undefined;
  readonly flaw: PdfUnreadable | undefined;
}

/** How files are read: many runs in one process may share readers that remember what they have read. */
export interface FileReaders {
  readonly csv: typeof readCsv;
  readonly pdf: (bytes: Uint8Array) => Promise<PdfReading>;
}

/** The readers of one run; equal rows of its files are kept in memory once. */
export function fileReaders(): FileReaders {
  const pool = new RowPool();
  return {
    csv: (source, options) => readCsv(source, { ...options, pool }),
    pdf: readPdf,
  };
}

/** An export of more events than this is not held as rows: no check needs so many. */
const maxRows = 40_000;

export interface ExportOptions {
  /** Whether the query is sent although it was sent before: events may have been recorded meanwhile. */
  readonly isAnew?: boolean | undefined;
  /** Of a CSV: a larger export of the same form, by which headings and events of a small one are distinguished. */
  readonly like?: CsvTable | undefined;
  /** Of a CSV: stop reading after this many events. */
  readonly max?: number;
}

/** Asks for the CSV of a query, as far as it was learned how queries are sent. */
export type Fetch = (query: ExportQuery) => Promise<CsvDownload>;

/** Where exports come from: the target, or files that were read from it before. */
export type ExportSource = Pick<Downloads, 'csv' | 'pdf'>;

/** Queries with equal keys ask for the same file. */
export function keyOf(query: ExportQuery, { max }: ExportOptions = {}): string {
  return [encodeQuery(query), max, ...Object.entries(query.headers ?? {})].join(' ');
}

/** Who sends a query: the usual caller, with its headers. */
export const callerOf = ({ headers }: ExportQuery): Caller => (headers ? { headers } : {});

/** Downloads that scenarios share: a query is sent once, unless asked for anew. The client watches size and time. */
export class Downloads {
  readonly #api: Api;
  readonly #readers: FileReaders;
  readonly #csv = new Map<string, Promise<CsvDownload>>();
  readonly #pdf = new Map<string, Promise<PdfDownload>>();

  constructor(api: Api, readers: FileReaders) {
    this.#api = api;
    this.#readers = readers;
  }

  /** @throws NoResponse where the file does not come whole, in time, and within the limit of bytes */
  csv(query: ExportQuery, options: ExportOptions = {}): Promise<CsvDownload> {
    const download = () => this.#downloadCsv(query, options);
    return options.isAnew ? download() : remembered(this.#csv, keyOf(query, options), download);
  }

  /** @throws NoResponse as `csv` does */
  pdf(query: ExportQuery, options: ExportOptions = {}): Promise<PdfDownload> {
    const download = () => this.#downloadPdf(query);
    return options.isAnew ? download() : remembered(this.#pdf, keyOf(query, options), download);
  }

  async #downloadCsv(
    query: ExportQuery,
    { like, max = maxRows }: ExportOptions,
  ): Promise<CsvDownload> {
    let table: CsvTable | undefined;
    let overflowed = false;
    const answer = await this.#api.export(encodeQuery(query), callerOf(query), async (pieces) => {
      try {
        table = await this.#readers.csv(pieces, { like, max });
      } catch (error) {
        if (!(error instanceof TooManyEvents)) throw error;
        overflowed = true;
      }
    });
    const isCsv = answer.status === 200 && !isPdf(answer);
    return { query, answer, table: isCsv ? table : undefined, overflowed };
  }

  async #downloadPdf(query: ExportQuery): Promise<PdfDownload> {
    const answer = await this.#api.export(encodeQuery(query), callerOf(query));
    const download = { query, answer, reading: undefined, flaw: undefined };
    if (answer.status !== 200) return download;
    try {
      return { ...download, reading: await this.#readers.pdf(answer.bytes) };
    } catch (error) {
      if (!(error instanceof PdfUnreadable)) throw error;
      return { ...download, flaw: error };
    }
  }
}

/** Whether a file is a PDF, whatever was asked for. */
export function isPdf({ bytes }: Answer): boolean {
  return new TextDecoder('latin1').decode(bytes.subarray(0, 5)) === '%PDF-';
}

/** The table of a download that must have one. @throws Inconclusive where it has none */
export function tableOf({ answer, table, overflowed }: CsvDownload): CsvTable {
  if (table !== undefined) return table;
  const what = overflowed
    ? 'more events than a check needs'
    : isPdf(answer)
      ? 'a PDF'
      : `${answer.status}`;
  throw new Inconclusive(`The export could not be used: ${answer.request} gave ${what}.`, [answer]);
}
