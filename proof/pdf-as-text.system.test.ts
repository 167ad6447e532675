import { expect, test } from 'vitest';
import { type PdfReading, readPdf } from '../helpers/pdf/read-pdf.ts';
import { commentedEvents } from '../reference/commented-events.fixture.ts';
import { pdfFile } from '../reference/operations/export-pdf.ts';
import { pastComments } from '../reference/past-events.ts';
import { exportRules } from '../reference/rules/export.ts';
import { exportPdfFaults } from './faults/export-pdf.ts';
import { breaksLines, isOfPdfs } from './parts.ts';
import { readTextSheets, textSheets } from './pdf-as-text.ts';
import { exportPdfVariants } from './variants/export-pdf.ts';

const context = { locale: 'en', date: (at: number) => new Date(at).toISOString(), now: 0 } as const;

const comments = Array.from({ length: 3 }, () => pastComments).flat();
const events = commentedEvents((index) => index * 7_000_000, comments);

/** The characters of each line of each page, without regard to the pieces that a line is in, and where it begins. */
function linesOf({ pages }: PdfReading) {
  return pages.map(({ width, height, texts }) => {
    const lines = new Map<number, { x: number; characters: string[] }>();
    for (const { text, x, y } of texts) {
      const line = lines.get(Math.round(y)) ?? { x, characters: [] };
      line.x = Math.min(line.x, x);
      line.characters.push(...text.replace(/\s/g, ''));
      lines.set(Math.round(y), line);
    }
    const inOrder = [...lines].sort(([one], [other]) => one - other);
    return {
      size: [width, height].map(Math.round),
      lines: inOrder.map(([y, { x, characters }]) => [
        y,
        Math.round(x),
        characters.sort().join(''),
      ]),
    };
  });
}

const asText = [...exportPdfVariants, ...exportPdfFaults].filter(
  (one) => isOfPdfs(one) && !breaksLines(one),
);

test.for([{ id: 'the usual form', rules: {} }, ...asText])(
  '$id: what is handed over as text is what is read of the drawn file',
  async ({ rules: changed = {} }) => {
    const rules = { ...exportRules, ...changed };
    const drawn = await readPdf(await pdfFile(events, context, rules));
    const text = await pdfFile(events, context, { ...rules, pdfSheets: textSheets });
    expect(readTextSheets(text) && linesOf(readTextSheets(text) as PdfReading)).toEqual(
      linesOf(drawn),
    );
  },
);

test('a drawn file is read as such, and a damaged one not at all', async () => {
  expect(readTextSheets(await pdfFile(events, context, exportRules))).toBeUndefined();
  const text = await pdfFile(events, context, { ...exportRules, pdfSheets: textSheets });
  expect(() => readTextSheets(text.subarray(0, -20))).toThrow('ends in the middle');
});
