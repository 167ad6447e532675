import type { CsvTable } from '../../helpers/csv/csv-table.ts';
import type { EventMatch } from '../../helpers/pdf/match-events.ts';
import type { PdfPage, PdfReading, PdfText } from '../../helpers/pdf/read-pdf.ts';
import type { Seen } from '../../runner/scenario.ts';
import { nameOf } from '../shapes.ts';

/** A PDF, and the CSV of the same query. */
interface Compared {
  readonly reading: PdfReading;
  readonly table: CsvTable;
  /** How both agree. */
  readonly match: EventMatch;
  /** Columns of the CSV that belong to the export and not to the event. */
  readonly ignored: ReadonlySet<number>;
}

/** How a PDF looks: its paper, how events stand on it, what is repeated on each page, and what of the CSV is not printed. */
export function pdfForm({ reading: { pages }, table, match, ignored }: Compared): Seen[] {
  const [first] = pages;
  if (first === undefined) return ['no pages'];
  const named = (column: number): string =>
    nameOf(table.headings?.[column] ?? `column ${column + 1}`);
  const filled = Array.from({ length: table.columns }, (_, column) => column).filter(
    (column) => !ignored.has(column) && table.rows.some((row) => row[column]),
  );
  const omitted = filled.filter((column) => !match.columns.includes(column));
  return [
    `page: ${Math.round(first.width)} × ${Math.round(first.height)} points`,
    `layout: ${layoutOf(pages)}`,
    ...repeated(pages),
    ...(omitted.length === 0 ? ['prints every column of the CSV'] : []),
    ...omitted.map((column) => `leaves out ${named(column)}`),
    ...match.cut.map((column) => `cuts off ${named(column)}`),
    ...(hasEllipses(pages, table) ? ['puts an ellipsis where it cuts off'] : []),
  ];
}

function hasEllipses(pages: readonly PdfPage[], { rows }: CsvTable): boolean {
  const ellipsis = /…|\.\.\./;
  const isOfTheCsv = rows.some((row) => row.some((cell) => ellipsis.test(cell)));
  return !isOfTheCsv && pages.some(({ texts }) => texts.some(({ text }) => ellipsis.test(text)));
}

/** So many left edges are those of a table; lists and cards have fewer. */
function layoutOf(pages: readonly PdfPage[]): string {
  const edges = new Map<number, number>();
  const texts = pages.flatMap((page) => page.texts);
  for (const { x } of texts) edges.set(Math.round(x), (edges.get(Math.round(x)) ?? 0) + 1);
  const usual = [...edges.values()].filter((times) => times > 0.02 * texts.length).length;
  return `${usual} left edges`;
}

/** What stands on every page at the same place. */
function repeated(pages: readonly PdfPage[]): Seen[] {
  const [first, ...others] = pages;
  if (first === undefined || others.length === 0) return [];
  const isOnAll = (isLike: (text: PdfText, page: number) => boolean): boolean =>
    others.every(({ texts }, index) => texts.some((text) => isLike(text, index + 2)));
  const title = first.texts.find((one) =>
    isOnAll((text) => text.text === one.text && isBeside(text, one)),
  );
  const number = first.texts.some(
    (one) =>
      /\b1\b/.test(one.text) &&
      isOnAll((text, page) => new RegExp(`\\b${page}\\b`).test(text.text) && isBeside(text, one)),
  );
  return [titled(title), number ? 'page numbers' : 'no page numbers'];
}

function titled(title: PdfText | undefined): string {
  if (title === undefined) return 'no running title';
  return /\d/.test(title.text) ? 'a running title with numbers' : 'a running title';
}

function isBeside(one: PdfText, other: PdfText): boolean {
  return Math.abs(one.y - other.y) < 2;
}
