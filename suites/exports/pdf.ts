import { type CsvDownload, type PdfDownload, tableOf } from '../../helpers/exports/downloads.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Knowledge } from '../../helpers/exports/knowledge.ts';
import { type ExportQuery, isListFilter } from '../../helpers/exports/query.ts';
import { Inconclusive, Violation } from '../../helpers/outcomes.ts';
import { matchEvents } from '../../helpers/pdf/match-events.ts';
import { scenario } from '../../runner/scenario.ts';
import { exportAnswerJudges } from './answers.ts';
import { fileName, mediaType } from './forms.ts';

/** The same query as both files. */
export interface BothFiles {
  readonly csv: CsvDownload;
  readonly pdf: PdfDownload;
}

export async function asBothFiles(
  exports: Exports,
  { window, common, encoding }: Knowledge,
  query: ExportQuery,
): Promise<BothFiles> {
  const { start, end } = window;
  const [csv, pdf] = await Promise.all([
    exports.within(query),
    exports.pdf({ start, end, ...common, ...query }, encoding),
  ]);
  return { csv, pdf };
}

/** @throws Violation unless the file opens as a PDF */
export function expectOpens({ answer, flaw }: PdfDownload): void {
  if (answer.status !== 200) throw new Inconclusive(`The PDF export gave ${answer.status}.`);
  if (flaw === undefined) return;
  const limits = flaw.flaw === 'too big' || flaw.flaw === 'too slow';
  if (limits) throw new Inconclusive(flaw.message);
  throw new Violation('the exported PDF', {
    expected: 'a PDF that opens',
    actual: `${flaw.flaw}: ${flaw.message}`,
    on: [answer],
  });
}

/** @throws Violation unless the PDF holds the events of the CSV, each as often, and no others */
export function expectSameEventsInPdf({ csv, pdf }: BothFiles): void {
  if (pdf.reading === undefined)
    throw new Inconclusive(`No PDF to look into: ${pdf.answer.status}.`);
  const { rows } = tableOf(csv);
  const on = [pdf.answer, csv.answer];
  const { missing, surplus, columns } = matchEvents(rows, pdf.reading);
  if (columns.length === 0 && rows.length > 0) {
    throw new Violation('the PDF of the same query', {
      expected: `the ${rows.length} events of the CSV`,
      actual: 'none of them',
      on,
    });
  }
  if (missing.length === 0 && surplus === 0) return;
  const [first] = missing;
  const lost =
    first === undefined ? [] : [`${missing.length} missing, first [${shown(rows[first])}]`];
  const added = surplus === 0 ? [] : [`${surplus} more than the CSV`];
  throw new Violation('the PDF of the same query', {
    expected: `the ${rows.length} events of the CSV, and no other`,
    actual: [...lost, ...added].join('; '),
    on,
  });
}

function shown(row: readonly string[] | undefined): string {
  return (row ?? []).filter(Boolean).join(' | ').replace(/\s+/g, ' ').slice(0, 90);
}

const sameEvents = scenario({
  name: 'the PDF of a query holds the events of its CSV',
  async act({ exports }) {
    const knowledge = await exports.knowledge();
    const known = [...knowledge.filters].flatMap(([filter, { values }]) =>
      values.slice(0, 1).map(({ value }) => ({ filter, value })),
    );
    // One list and one metadata key: a PDF may have its own reading of the query.
    const chosen = [
      known.find(({ filter }) => isListFilter(filter)),
      known.find(({ filter }) => !isListFilter(filter)),
    ].filter((one) => one !== undefined);
    const files = await Promise.all([
      asBothFiles(exports, knowledge, knowledge.sample),
      ...chosen.map(({ filter, value }) =>
        asBothFiles(exports, knowledge, { ...knowledge.sample, filters: { [filter]: [value] } }),
      ),
    ]);
    return { knowledge, files };
  },
  judges: {
    'export.pdf-opens': ({ files }) => {
      for (const { pdf } of files) expectOpens(pdf);
    },
    'export.pdf-holds-the-events-of-the-csv': ({ files }) => {
      for (const both of files) expectSameEventsInPdf(both);
    },
    ...exportAnswerJudges(({ files }: { files: readonly BothFiles[] }) =>
      files.map(({ pdf }) => pdf.answer),
    ),
  },
  observes: {
    'export.pdf-content-type': ({ files: [whole] }) =>
      whole?.pdf.answer.status === 200 ? mediaType(whole.pdf.answer) : undefined,
    'export.file-name': ({ files: [whole] }) =>
      whole?.pdf.answer.status === 200 ? fileName(whole.pdf.answer) : undefined,
    'export.pdf-form': ({ files: [whole] }) => {
      const [page] = whole?.pdf.reading?.pages ?? [];
      return page === undefined
        ? undefined
        : `${Math.round(page.width)} × ${Math.round(page.height)} points`;
    },
  },
});

export const pdfScenarios = [sameEvents];
