import {
  type Column,
  commentColumn,
  descriptionColumn,
  idColumn,
  metadataColumns,
  timeColumn,
} from '../../reference/export/columns.ts';
import { landscape, type Page, type PdfForm } from '../../reference/export/pdf-layout.ts';
import { exportRules } from '../../reference/rules/export.ts';
import { allColumnsBut } from '../exports.ts';
import { table } from '../faults/fault.ts';
import { paper, pdfLayouts } from '../pdf-layouts.ts';
import { type Variant, variant } from './variant.ts';

const { lines, cards, days } = pdfLayouts;

/** The order in which the texts of a page are written into the file is another one; it looks the same. */
const columnByColumn = (pages: readonly Page[]): readonly Page[] =>
  pages.map((blocks) => {
    const texts = blocks.flatMap(({ left, top, texts }) =>
      texts.map((one) => ({ ...one, x: left + one.x, y: top + one.y })),
    );
    return [{ left: 0, top: 0, height: 0, texts: texts.toSorted((a, b) => a.x - b.x) }];
  });

const withForm = (id: string, form: Partial<PdfForm>, unseen?: string): Variant =>
  variant(
    `export-pdf-${id}`,
    { opens: 'export.pdf-form', ...(unseen !== undefined && { unseen }) },
    { pdfForm: (locale) => ({ ...exportRules.pdfForm(locale), ...form }) },
  );

const withColumns = (id: string, columns: readonly Column[], unseen?: string): Variant =>
  variant(
    `export-pdf-${id}`,
    { opens: 'export.pdf-form', ...(unseen !== undefined && { unseen }) },
    { pdfColumns: () => columns },
  );

/** PDF exports that look different (4. Export audit events). */
export const exportPdfVariants: readonly Variant[] = [
  withForm('has-several-lines-an-event', { layout: lines }),
  withForm('has-several-lines-an-event-on-letter-paper', { layout: lines, page: paper.letter }),
  withForm('has-cards', { layout: cards }),
  withForm('has-cards-on-a3', { layout: cards, page: paper.a3, fontSize: 8 }),
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
  withForm('has-a-heading-for-each-day', { layout: days }),
  variant('export-pdf-has-a-heading-for-each-day-and-no-ids', 'export.pdf-form', {
    pdfForm: (locale) => ({
      ...exportRules.pdfForm(locale),
      ...{ layout: days, page: paper.a4, fontSize: 9 },
    }),
    pdfColumns: () => allColumnsBut(idColumn),
  }),
  withForm('has-a-cover', { hasCover: true }),
  variant(
    'export-pdf-is-drawn-column-by-column',
    {
      opens: 'export.pdf-form',
      unseen: 'In which order the texts of a page are drawn is not observed.',
    },
    { pdfPages: columnByColumn },
  ),
  variant('export-pdf-has-days-drawn-column-by-column', 'export.pdf-form', {
    pdfForm: (locale) => ({ ...exportRules.pdfForm(locale), layout: days }),
    pdfPages: columnByColumn,
  }),
  variant(
    'export-pdf-writes-underscores-as-spaces',
    { opens: 'export.pdf-form', unseen: 'The words are found all the same.' },
    { pdfText: (text) => text.replaceAll('_', ' ') },
  ),
  variant(
    'export-pdf-has-soft-hyphens',
    { opens: 'export.pdf-form', unseen: 'They show only where a line ends.' },
    { pdfText: (text) => text.replace(/([\p{L}\d]{5})(?=[\p{L}\d]{5})/gu, '$1\u00ad') },
  ),
  withColumns('has-no-ids', allColumnsBut(idColumn)),
  withColumns(
    'has-no-descriptions',
    allColumnsBut(descriptionColumn),
    'Descriptions say what stands beside them: the words are found all the same.',
  ),
  withColumns('has-no-metadata', allColumnsBut(...metadataColumns)),
  withColumns('has-no-comments', allColumnsBut(commentColumn)),
  withColumns('has-neither-ids-nor-times', allColumnsBut(idColumn, timeColumn)),
  withColumns(
    'has-comments-first',
    [commentColumn, ...allColumnsBut(commentColumn)],
    'In which order an event is printed is not observed.',
  ),
  ...table(variant, 'export.pdf-form', {
    'export-pdf-cuts-texts-at-twelve-characters': { pdfText: (text) => text.slice(0, 12) },
    'export-pdf-cuts-long-texts-with-an-ellipsis': {
      pdfText: (text) => (text.length > 60 ? `${text.slice(0, 60)}…` : text),
    },
  }),
];
