import { readCsv } from '../../helpers/csv/read-csv.ts';
import { matchEvents } from '../../helpers/pdf/match-events.ts';
import { readPdf } from '../../helpers/pdf/read-pdf.ts';
import { createReference } from '../../reference/reference.ts';
import { type Section, seconds, thousands, timed } from './section.ts';
import { exportOf } from './service.ts';

/** A PDF of 5,000 events: made by the reference service, read, and compared with its CSV. */
export async function pdfBench(): Promise<Section> {
  const reference = createReference({ seed: 1, pastEvents: 5000 });
  const ask = async (fileType: string): Promise<Uint8Array> =>
    new Uint8Array(await (await exportOf(reference, fileType)).arrayBuffer());
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
