import type { CsvTable } from '../../helpers/csv/read-csv.ts';
import { columnsOfEvents } from '../../helpers/exports/columns.ts';
import { countsOf } from '../../helpers/group-by.ts';
import type { EventMatch } from '../../helpers/pdf/match-events.ts';
import type { PdfPage, PdfReading, PdfText } from '../../helpers/pdf/read-pdf.ts';
import type { Observation } from '../../schemas/observations.ts';
import { publicName } from '../shapes.ts';

/** A PDF, and the CSV of the same query. */
interface PdfBesideCsv {
  readonly reading: PdfReading;
  readonly table: CsvTable;
  /** How their events agree. */
  readonly match: EventMatch;
  /** Columns of the CSV that belong to the export and not to the event. */
  readonly ignored: ReadonlySet<number>;
}

type PdfForm = Observation<'export.pdf-form'>;

/** How a PDF looks: paper, left edges of texts, what each page repeats, and which columns of the CSV it omits. */
export function pdfForm({ reading: { pages }, table, match, ignored }: PdfBesideCsv): PdfForm[] {
  const [first] = pages;
  if (first === undefined) return [{ pages: 0 }];
  const named = (column: number): string =>
    publicName(table.headings?.[column] ?? `column ${column + 1}`);
  const filled = columnsOfEvents(table, ignored).filter((column) =>
    table.rows.some((row) => row[column]),
  );
  const omitted = filled.filter((column) => !match.columns.includes(column));
  return [
    { width: Math.round(first.width) },
    { height: Math.round(first.height) },
    { leftEdges: leftEdgesOf(pages) },
    ...repeated(pages),
    ...(omitted.length === 0 ? [{ printsEveryColumn: true }] : []),
    ...omitted.map((column) => ({ leavesOut: named(column) })),
    ...match.cut.map((column) => ({ cutsOff: named(column) })),
    ...(hasEllipses(pages, table) ? [{ ellipses: true }] : []),
  ];
}

/** Whether a PDF holds an ellipsis that does not come from a cell of the CSV. */
function hasEllipses(pages: readonly PdfPage[], { rows }: CsvTable): boolean {
  const ellipsis = /…|\.\.\./;
  const isOfTheCsv = rows.some((row) => row.some((cell) => ellipsis.test(cell)));
  return !isOfTheCsv && pages.some(({ texts }) => texts.some(({ text }) => ellipsis.test(text)));
}

/** How many left edges more than 2 % of all texts share: in a table one for each column, in lists and cards fewer. */
function leftEdgesOf(pages: readonly PdfPage[]): number {
  const texts = pages.flatMap((page) => page.texts);
  const edges = countsOf(texts.map(({ x }) => Math.round(x)));
  return [...edges.values()].filter((times) => times > 0.02 * texts.length).length;
}

/** Whether every page holds the same title, and its own number, at the same height; [] of a PDF of one page. */
function repeated(pages: readonly PdfPage[]): PdfForm[] {
  const [first, ...others] = pages;
  if (first === undefined || others.length === 0) return [];
  const isOnAll = (isLike: (text: PdfText, page: number) => boolean): boolean =>
    others.every(({ texts }, index) => texts.some((text) => isLike(text, index + 2)));
  const title = first.texts.find((onFirst) =>
    isOnAll((text) => text.text === onFirst.text && isLevel(text, onFirst)),
  );
  const hasNumbers = first.texts.some(
    (one) =>
      /\b1\b/.test(one.text) &&
      isOnAll((text, page) => new RegExp(`\\b${page}\\b`).test(text.text) && isLevel(text, one)),
  );
  return [{ runningTitle: titled(title) }, { pageNumbers: hasNumbers }];
}

function titled(title: PdfText | undefined) {
  if (title === undefined) return 'none';
  return /\d/.test(title.text) ? 'with numbers' : 'without numbers';
}

function isLevel(one: PdfText, other: PdfText): boolean {
  return Math.abs(one.y - other.y) < 2;
}
