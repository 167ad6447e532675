import { allColumns, type Column } from '../export/columns.ts';
import type { Locale } from '../export/locale.ts';

/** The form of a CSV export, which the document leaves open altogether. */
export interface ExportCsvRules {
  csvColumns(): readonly Column[];
  csvDelimiter(): string;
  csvLineEnd(): string;
  csvByteOrderMark(): boolean;
  /** A line before the headings; undefined: none. */
  csvTitle(locale: Locale): string | undefined;
  /** The line of headings; undefined: none. */
  csvHeadings(columns: readonly Column[], locale: Locale): readonly string[] | undefined;
  /** A cell as it stands in the file, quoted where it must be. */
  csvCell(text: string, delimiter: string): string;
  /** Whether an export without events still has its title and headings. */
  csvHeadingsWhenEmpty(): boolean;
}

export const exportCsvRules: ExportCsvRules = {
  csvColumns: () => allColumns,
  csvDelimiter: () => ',',
  csvLineEnd: () => '\r\n',
  csvByteOrderMark: () => false,
  csvTitle: () => undefined,
  csvHeadings: (columns, locale) => columns.map(({ heading }) => heading[locale]),
  csvCell: (text, delimiter) => (needsQuotes(text, delimiter) ? quoted(text) : text),
  csvHeadingsWhenEmpty: () => true,
};

/** Whether a text, unquoted, would not read back as the one cell that it is (RFC 4180). */
export function needsQuotes(text: string, delimiter: string): boolean {
  return /["\r\n]|^\s|\s$/.test(text) || text.includes(delimiter);
}

export function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
