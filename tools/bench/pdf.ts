import { readCsv } from '../../helpers/csv/read-csv.ts';
import { matchEvents } from '../../helpers/pdf/match-events.ts';
import { readPdf } from '../../helpers/pdf/read-pdf.ts';
import { createReference } from '../../reference/reference.ts';

/** A PDF of 5,000 events: made by the reference service, read, and compared with its CSV. */
export async function pdfBench(): Promise<void> {
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
  const [matched, match] = await timed(async () => matchEvents(rows, reading));
  console.log(`PDF of ${rows.length} events, ${reading.pages.length} pages`);
  console.log(`  made ${made} s, read ${read} s, compared with the CSV ${matched} s`);
  console.log(`  ${match.missing.length} missing, ${match.surplus} too many\n`);
}

async function timed<T>(work: () => Promise<T>): Promise<[seconds: string, result: T]> {
  const began = performance.now();
  const result = await work();
  return [((performance.now() - began) / 1000).toFixed(2), result];
}
