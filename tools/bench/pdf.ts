import { readCsv } from '../../helpers/csv/read-csv.ts';
import { matchEvents } from '../../helpers/pdf/match-events.ts';
import { readPdf } from '../../helpers/pdf/read-pdf.ts';
import { createReference } from '../../reference/reference.ts';
import { type Section, seconds, thousands, timed } from './section.ts';

/** A PDF of 5,000 events: made by the reference service, read, and compared with its CSV. */
export async function pdfBench(): Promise<Section> {
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
    return new Uint8Array(await new Response(body).arrayBuffer());
  };
  const { rows } = await readCsv(await ask('csv'));
  const [made, pdf] = await timed(() => ask('pdf'));
  const [read, reading] = await timed(() => readPdf(pdf));
  const [compared, { missing, surplus }] = await timed(async () => matchEvents(rows, reading));
  if (missing.length > 0 || surplus > 0) throw new Error('The PDF was not read rightly.');
  return {
    title: `A PDF export of ${thousands(rows.length)} events, ${reading.pages.length} pages`,
    heads: ['made by the reference service', 'read', 'compared with its CSV'],
    rows: [[made, read, compared].map(seconds)],
  };
}
