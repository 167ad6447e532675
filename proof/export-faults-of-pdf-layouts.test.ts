// Events that PDFs lack, repeat or hold beside those of the CSV are found in whatever layout.
import { describe } from 'vitest';
import { pdfScenarios } from '../suites/exports/pdf.ts';
import { pdfsTogether } from '../suites/exports/together.ts';
import { exportPdfFaults } from './faults/export-pdf.ts';
import { proveFaults } from './prove-faults.ts';
import { sampled, shareOf } from './sample.ts';
import { exportPdfVariants } from './variants/export-pdf.ts';

const layouts = exportPdfVariants.filter(({ id }) =>
  [
    'export-pdf-has-several-lines-an-event-on-letter-paper',
    'export-pdf-has-cards',
    'export-pdf-has-a-heading-for-each-day-and-no-ids',
  ].includes(id),
);

/** What the form of a PDF has no part in stands in the proof of the files. */
const ofEvents = exportPdfFaults.filter(
  ({ rules = {}, breaks }) =>
    (breaks.includes('export.pdf-holds-the-events-of-the-csv') &&
      ('pdfPages' in rules || 'exportedEvents' in rules || 'queryActedOn' in rules)) ||
    'dateStyle' in rules ||
    'zoneOffset' in rules,
);

describe.for(layouts)('$id', (layout) => {
  proveFaults(
    sampled(shareOf(ofEvents, layout, layouts)).map(({ rules = {}, ...fault }) => ({
      ...fault,
      rules: { ...layout.rules, ...rules },
    })),
    [...pdfScenarios, ...pdfsTogether],
  );
});
