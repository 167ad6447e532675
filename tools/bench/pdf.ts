import { readCsv } from '../../helpers/csv/read-csv.ts';
import { matchEvents } from '../../helpers/pdf/match-events.ts';
import { readPdf } from '../../helpers/pdf/read-pdf.ts';
import { createReference } from '../../reference/reference.ts';

/** Times in seconds. */
export interface PdfFigures {
  readonly events: number;
  readonly pages: number;
  readonly made: number;
  readonly read: number;
  readonly compared: number;
}

/** A PDF of 5,000 events: made by the reference service, read, and compared with its CSV. */
export async function pdfBench(): Promise<PdfFigures> {
  const reference = createReference({ seed: 1, pastEvents: 5000 });
  const ask = async (fileType: string): Promise<Uint8Array> => {
    const { body } = await reference.handle({
      method: 'GET',
      target: `/v5/audit-sentinel/events/export?file_type=${fileType}`,
      headers: { apikey: reference.facts.apiKey },
      body: '',
      remoteAddress: '127.0.0.1',
      region: 'own',
    });
    if (typeof body === 'string') return Buffer.from(body);
    if (body instanceof Uint8Array) return body;
    const pieces: Uint8Array[] = [];
    for await (const piece of body) pieces.push(piece);
    return Buffer.concat(pieces);
  };
  const { rows } = await readCsv(await ask('csv'));
  const [made, pdf] = await timed(() => ask('pdf'));
  const [read, reading] = await timed(() => readPdf(pdf));
  const [compared, { missing, surplus }] = await timed(async () => matchEvents(rows, reading));
  if (missing.length > 0 || surplus > 0) throw new Error('The PDF was not read rightly.');
  return { events: rows.length, pages: reading.pages.length, made, read, compared };
}

async function timed<T>(work: () => Promise<T>): Promise<[seconds: number, result: T]> {
  const began = performance.now();
  const result = await work();
  return [(performance.now() - began) / 1000, result];
}
