import type { EventMatch } from '../../helpers/pdf/match-events.ts';
import type { PdfPage, PdfReading, PdfText } from '../../helpers/pdf/pdf-reading.ts';
import type { Seen } from '../../runner/scenario.ts';
import { nameOf } from '../shapes.ts';

/**
 * How a PDF looks: its paper, how an event stands on it, what is repeated on each page, what is printed of the CSV.
 * @param match how it agrees with the CSV of the same query
 * @param headings of that CSV
 */
export function pdfForm(
  { pages }: PdfReading,
  { columns, cut }: EventMatch,
  headings: readonly string[],
): Seen[] {
  const [first] = pages;
  if (first === undefined) return ['no pages'];
  const named = (column: number): string => nameOf(headings[column] ?? `column ${column + 1}`);
  return [
    `page: ${Math.round(first.width)} × ${Math.round(first.height)} points`,
    `layout: ${layoutOf(pages)}`,
    ...repeated(pages),
    ...columns.map((column) => `prints ${named(column)}${cut.includes(column) ? ', cut off' : ''}`),
  ];
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
  const title = first.texts.some((one) =>
    isOnAll((text) => text.text === one.text && isBeside(text, one)),
  );
  const number = first.texts.some(
    (one) =>
      /\b1\b/.test(one.text) &&
      isOnAll((text, page) => new RegExp(`\\b${page}\\b`).test(text.text) && isBeside(text, one)),
  );
  return [
    title ? 'a running title' : 'no running title',
    number ? 'page numbers' : 'no page numbers',
  ];
}

function isBeside(one: PdfText, other: PdfText): boolean {
  return Math.abs(one.y - other.y) < 2;
}
