import { createHash } from 'node:crypto';
import { readCsv } from '../helpers/csv/read-csv.ts';
import { RowPool } from '../helpers/csv/row-pool.ts';
import type { FileReaders } from '../helpers/exports/downloads.ts';
import { type PdfLimits, type PdfReading, readPdf } from '../helpers/pdf/read-pdf.ts';
import { readTextSheets } from './pdf-as-text.ts';

/** Of each kind of file; what was read of them takes some ten times as much memory. */
const maxBytesRemembered = 20_000_000;

/** What was read of the files that were read most recently: with all of them, memory would be swept for ever. */
class RecentFiles<T> {
  readonly #files = new Map<string, { readonly bytes: number; readonly read: T }>();
  #bytes = 0;

  get(key: string, bytes: number, read: () => T): T {
    const known = this.#files.get(key);
    const file = known ?? { bytes, read: read() };
    this.#files.delete(key);
    this.#files.set(key, file);
    if (known === undefined) this.#bytes += bytes;
    for (const [oldest, { bytes }] of this.#files) {
      if (this.#bytes <= maxBytesRemembered) break;
      this.#files.delete(oldest);
      this.#bytes -= bytes;
    }
    return file.read;
  }
}

/**
 * Reads files as the suites do, but each only once: services that differ in one rule answer most requests with
 * the same bytes.
 */
export function cachingReaders(): FileReaders {
  const pool = new RowPool(50_000);
  const csv = new RecentFiles<ReturnType<typeof readCsv>>();
  const pdf = new RecentFiles<ReturnType<typeof readPdf>>();
  return {
    async csv(source, options = {}) {
      const bytes = source instanceof Uint8Array ? source : await whole(source);
      const { like, onRow, ...rest } = options;
      const key = JSON.stringify([digest(bytes), like?.headings, like?.count, rest]);
      const table = await csv.get(key, bytes.length, () =>
        readCsv(bytes, { ...rest, ...(like && { like }), pool }),
      );
      if (onRow) for (const [index, row] of table.rows.entries()) onRow(row, index);
      return table;
    },
    pdf(bytes, limits) {
      return pdf.get(digest(bytes), bytes.length, () => readAnyPdf(bytes, limits));
    },
  };
}

async function readAnyPdf(bytes: Uint8Array, limits?: PdfLimits): Promise<PdfReading> {
  return readTextSheets(bytes) ?? (await readPdf(bytes, limits));
}

async function whole(source: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of source) pieces.push(piece);
  return Buffer.concat(pieces);
}

function digest(bytes: Uint8Array): string {
  return createHash('sha1').update(bytes).digest('base64');
}
