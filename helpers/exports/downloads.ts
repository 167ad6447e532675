import type { Api } from '../api.ts';
import type { ArrayEncoding } from '../config/settings.ts';
import type { CsvTable } from '../csv/csv-table.ts';
import { readCsv } from '../csv/read-csv.ts';
import type { Answer } from '../http/answer.ts';
import { Inconclusive } from '../outcomes.ts';
import { type PdfReading, PdfUnreadable, readPdf } from '../pdf/read-pdf.ts';
import { type ExportQuery, encodeQuery } from './query.ts';

/** A CSV export: the answer, and the file as a table where there is one. */
export interface CsvDownload {
  readonly query: ExportQuery;
  readonly answer: Answer;
  /** undefined unless the answer is 200. */
  readonly table: CsvTable | undefined;
  /** Whether reading stopped because there was more than asked for. */
  readonly overflowed: boolean;
}

/** A PDF export: the answer, and what the file holds, or why it does not open; neither unless the answer is 200. */
export interface PdfDownload {
  readonly query: ExportQuery;
  readonly answer: Answer;
  readonly reading: PdfReading | undefined;
  readonly flaw: PdfUnreadable | undefined;
}

/** How files are read: a play of many services in one process remembers what it has read before. */
export interface FileReaders {
  readonly csv: typeof readCsv;
  readonly pdf: typeof readPdf;
}

export const fileReaders: FileReaders = { csv: readCsv, pdf: readPdf };

/** An export of more events than this is not held as rows: no check needs so many. */
export const mostRows = 40_000;

/** A busy machine takes its time; a file that asks for more than this is hostile. */
const pdfLimits = { deadlineMs: 60_000 };

export interface CsvOptions {
  readonly encoding: ArrayEncoding;
  /** A larger export of the same form, for telling headings from events in a small one. */
  readonly like: CsvTable | undefined;
  /** Stop reading after this many events. */
  readonly most?: number;
}

class Enough extends Error {}

/** Downloads that scenarios share: the same query is sent once. */
export class Downloads {
  readonly #api: Api;
  readonly #readers: FileReaders;
  readonly #csv = new Map<string, Promise<CsvDownload>>();
  readonly #pdf = new Map<string, Promise<PdfDownload>>();

  constructor(api: Api, readers: FileReaders) {
    this.#api = api;
    this.#readers = readers;
  }

  csv(query: ExportQuery, options: CsvOptions): Promise<CsvDownload> {
    const encoded = encodeQuery(query, options.encoding);
    return remembered(this.#csv, `${encoded} ${options.most ?? ''}`, () =>
      this.#fetchCsv(query, encoded, options),
    );
  }

  csvAnew(query: ExportQuery, options: CsvOptions): Promise<CsvDownload> {
    return this.#fetchCsv(query, encodeQuery(query, options.encoding), options);
  }

  pdf(query: ExportQuery, encoding: ArrayEncoding): Promise<PdfDownload> {
    const encoded = encodeQuery(query, encoding);
    return remembered(this.#pdf, encoded, async () => {
      const answer = await this.#api.export(encoded);
      if (answer.status !== 200) return { query, answer, reading: undefined, flaw: undefined };
      try {
        return {
          query,
          answer,
          reading: await this.#readers.pdf(answer.bytes, pdfLimits),
          flaw: undefined,
        };
      } catch (error) {
        if (!(error instanceof PdfUnreadable)) throw error;
        return { query, answer, reading: undefined, flaw: error };
      }
    });
  }

  async #fetchCsv(
    query: ExportQuery,
    encoded: string,
    { like, most = mostRows }: CsvOptions,
  ): Promise<CsvDownload> {
    let table: CsvTable | undefined;
    let overflowed = false;
    const answer = await this.#api.exportTo(encoded, async (pieces) => {
      try {
        table = await this.#readers.csv(pieces, {
          ...(like !== undefined && { like }),
          onRow: (_, index) => {
            if (index >= most) throw new Enough();
          },
        });
      } catch (error) {
        if (!(error instanceof Enough)) throw error;
        overflowed = true;
      }
    });
    return { query, answer, table: answer.status === 200 ? table : undefined, overflowed };
  }
}

function remembered<T>(
  memory: Map<string, Promise<T>>,
  key: string,
  make: () => Promise<T>,
): Promise<T> {
  const known = memory.get(key);
  if (known !== undefined) return known;
  const made = make();
  memory.set(key, made);
  return made;
}

/** The table of a download, for going on with it. @throws Inconclusive where there is none */
export function tableOf({ answer, table, overflowed }: CsvDownload): CsvTable {
  if (table !== undefined) return table;
  const { request, status, exchange } = answer;
  const why = overflowed ? `more than ${mostRows} events` : `${status}`;
  throw new Inconclusive(
    `The export could not be used: ${request} gave ${why} (#${exchange.number})`,
  );
}
