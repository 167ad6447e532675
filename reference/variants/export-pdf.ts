import {
  allColumns,
  commentColumn,
  descriptionColumn,
  idColumn,
  metadataColumns,
} from '../export/columns.ts';
import { landscape, type PdfForm, paper } from '../export/pdf-form.ts';
import { exportPdfRules } from '../rules/export-pdf.ts';
import type { Rules } from '../rules.ts';
import type { Variant } from './variant.ts';

const withForm = (id: string, form: Partial<PdfForm>, rules: Partial<Rules> = {}): Variant => ({
  id: `export-pdf-${id}`,
  opens: 'export.pdf-form',
  rules: { pdfForm: (locale) => ({ ...exportPdfRules.pdfForm(locale), ...form }), ...rules },
});

/** PDF exports that look different (4. Export audit events). */
export const exportPdfVariants: readonly Variant[] = [
  withForm('has-several-lines-an-event', { layout: 'lines' }),
  withForm('has-several-lines-an-event-on-letter-paper', { layout: 'lines', page: paper.letter }),
  withForm('has-cards', { layout: 'cards' }),
  withForm('has-cards-on-a3', { layout: 'cards', page: paper.a3, fontSize: 8 }),
  withForm('has-a-table-on-a3', { page: landscape(paper.a3), fontSize: 9 }),
  withForm('has-a-table-on-legal-paper', { page: landscape(paper.legal) }),
  withForm('has-ids-broken-across-lines', { page: paper.a4, tableWidths: [80, 70, 60, 90, 110] }),
  withForm('has-ids-broken-across-lines-on-a5', {
    page: paper.a5,
    fontSize: 5,
    tableWidths: [60, 60, 55, 80, 90],
  }),
  withForm('has-no-title-and-no-page-numbers', { runningTitle: undefined, hasPageNumbers: false }),
  withForm('has-a-title-like-an-event', {
    runningTitle: '2026-01-01 00:00:00.000 +00:00   task   created   task_platform',
  }),
  withForm(
    'cuts-long-texts-with-an-ellipsis',
    {},
    {
      pdfText: (text) => (text.length > 60 ? `${text.slice(0, 60)}…` : text),
    },
  ),
  withForm(
    'has-no-ids',
    {},
    { pdfColumns: () => allColumns.filter((shown) => shown !== idColumn) },
  ),
  withForm(
    'has-no-descriptions',
    {},
    {
      pdfColumns: () => allColumns.filter((shown) => shown !== descriptionColumn),
    },
  ),
  withForm(
    'has-no-metadata',
    {},
    {
      pdfColumns: () => allColumns.filter((shown) => !metadataColumns.includes(shown)),
    },
  ),
  withForm(
    'has-comments-first',
    {},
    {
      pdfColumns: () => [commentColumn, ...allColumns.filter((shown) => shown !== commentColumn)],
    },
  ),
];
