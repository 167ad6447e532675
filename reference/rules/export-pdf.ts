import { allColumns, type Column } from '../export/columns.ts';
import type { Locale, Translations } from '../export/locale.ts';
import { landscape, type PdfForm, paper } from '../export/pdf-form.ts';
import type { Page } from '../export/pdf-pages.ts';

/** The form of a PDF export, which the document leaves open altogether. */
export interface ExportPdfRules {
  pdfForm(locale: Locale): PdfForm;
  /** What is printed of each event; empty cells are left out. */
  pdfColumns(): readonly Column[];
  /** A cell as it is printed. */
  pdfText(text: string): string;
  /** The pages that the file holds, given those that the events take. */
  pdfPages(pages: readonly Page[]): readonly Page[];
}

const title: Translations = {
  en: 'Audit events',
  de: 'Prüfereignisse',
  fr: 'Événements d’audit',
};

export const exportPdfRules: ExportPdfRules = {
  pdfForm: (locale) => ({
    page: landscape(paper.a4),
    layout: 'table',
    fontSize: 6.5,
    tableWidths: [142, 138, 70, 150, 270],
    runningTitle: title[locale],
    hasPageNumbers: true,
  }),
  pdfColumns: () => allColumns,
  pdfText: (text) => text,
  pdfPages: (pages) => pages,
};
