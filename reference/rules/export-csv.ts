import { allColumns, type Column } from '../export/columns.ts';
import type { Locale } from '../export/locale.ts';

/** The form of a CSV export, which the document leaves open altogether. */
export interface ExportCsvRules {
  csvColumns(): readonly Column[];
  csvDelimiter(): string;
  csvLineEnd(): string;
  /** Whether the last line ends like the others. */
  csvEndsLastLine(): boolean;
  csvByteOrderMark(): boolean;
  /** Lines before the headings, as cells. */
  csvTitle(locale: Locale): ReadonlyArray<readonly string[]>;
  /** The line of headings; undefined: none. */
  csvHeadings(columns: readonly Column[], locale: Locale): readonly string[] | undefined;
  /** How a cell stands in a file with this delimiter: quoted where it must be. */
  csvCell(delimiter: string): (text: string) => string;
  /** Whether an export without events still has its title and headings. */
  csvHeadingsWhenEmpty(): boolean;
}

export const exportCsvRules: ExportCsvRules = {
  csvColumns: () => allColumns,
  csvDelimiter: () => ',',
  csvLineEnd: () => '\r\n',
  csvEndsLastLine: () => true,
  csvByteOrderMark: () => false,
  csvTitle: () => [],
  csvHeadings: (columns, locale) => columns.map(({ heading }) => heading[locale]),
  csvCell: (delimiter) => quotedWhere(needsQuotes(delimiter)),
  csvHeadingsWhenEmpty: () => true,
};

/** Matches text that, unquoted, would not read back as the one cell that it is (RFC 4180). */
export function needsQuotes(delimiter: string): RegExp {
  return new RegExp(`[${delimiter}"\\r\\n]|^\\s|\\s$`);
}

/** Writes cells in quotes where their text matches. */
export function quotedWhere(
  pattern: RegExp,
  quote: (text: string) => string = quoted,
): (text: string) => string {
  return (text) => (text !== '' && pattern.test(text) ? quote(text) : text);
}

export function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
