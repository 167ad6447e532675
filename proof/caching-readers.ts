import { createHash } from 'node:crypto';
import { RowPool } from '../helpers/csv/multiset.ts';
import { readCsv, TooManyEvents } from '../helpers/csv/read-csv.ts';
import type { FileReaders } from '../helpers/exports/downloads.ts';
import { timeless } from '../helpers/http/virtual-time.fixture.ts';
import { type PdfReading, readPdf } from '../helpers/pdf/read-pdf.ts';
import { Cache } from '../reference/export/cache.ts';
import { readTextSheets } from './pdf-as-text.ts';

/** Of each kind of file; what was read of them takes some ten times as much memory, which would be swept for ever. */
const maxBytesRemembered = 100_000_000;

/**
 * Reads files as the suites do, but each only once: services that differ in one rule answer most requests with
 * the same bytes.
 */
export function cachingReaders(): FileReaders {
  const pool = new RowPool(150_000);
  const csv = new Cache<ReturnType<typeof readCsv>>(maxBytesRemembered);
  const pdf = new Cache<ReturnType<typeof readPdf>>(maxBytesRemembered);
  return {
    async csv(source, options = {}) {
      const bytes = source instanceof Uint8Array ? source : await whole(source);
      const { like, max = Number.POSITIVE_INFINITY, ...rest } = options;
      const key = JSON.stringify([digest(bytes), like?.headings, like?.rows.length, rest]);
      const table = await csv.get(
        key,
        () => readCsv(bytes, { ...rest, like, pool }),
        () => bytes.length,
      );
      if (table.rows.length > max) throw new TooManyEvents();
      return table;
    },
    pdf(bytes) {
      return pdf.get(
        digest(bytes),
        () => readAnyPdf(bytes),
        () => bytes.length,
      );
    },
  };
}

async function readAnyPdf(bytes: Uint8Array): Promise<PdfReading> {
  return readTextSheets(bytes) ?? (await timeless(() => readPdf(bytes)));
}

async function whole(source: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of source) pieces.push(piece);
  const [first] = pieces;
  return pieces.length === 1 && first !== undefined ? first : Buffer.concat(pieces);
}

/** A file that the service keeps comes as the same bytes, in the same place. */
const digests = new WeakMap<Uint8Array, string>();

function digest(bytes: Uint8Array): string {
  const known = digests.get(bytes);
  if (known !== undefined) return known;
  const made = createHash('sha1').update(bytes).digest('base64');
  digests.set(bytes, made);
  return made;
}
