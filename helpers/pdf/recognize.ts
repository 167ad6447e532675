import type { Row } from '../csv/csv-form.ts';
import { findMarks } from './find-marks.ts';
import { markOf } from './find-records.ts';
import { joinPieces, type Piece, type PlainText, pieceAt } from './plain-text.ts';
import { type PrintedColumn, printedColumns, worth } from './printed-columns.ts';

/** The text of a PDF in an order in which events can be recognized, and by what. */
export interface Recognized {
  readonly text: PlainText;
  readonly columns: readonly PrintedColumn[];
  /** The column whose values mark the events; undefined where no column of the CSV is found. */
  readonly mark: PrintedColumn | undefined;
}

/**
 * Finds the columns of the CSV in the PDF. Most files write an event cell by cell, and their own order is the best
 * there is. Some write tables line by line, and so tear cells of several lines apart: these are put together again
 * by their places.
 */
export function recognize(rows: readonly Row[], body: readonly Piece[]): Recognized {
  const asWritten = recognizeIn(joinPieces(body), rows);
  if (asWritten.mark && asWritten.mark.found > 0.9 && !asWritten.mark.isCut) return asWritten;
  const byColumn = recognizeIn(joinPieces(sorted(body, () => 0)), rows);
  if (!byColumn.mark || gain(asWritten, byColumn) < 2) return asWritten;
  return recognizeIn(joinPieces(sorted(body, bandsBelow(byColumn.text, byColumn.mark))), rows);
}

function recognizeIn(text: PlainText, rows: readonly Row[]): Recognized {
  const columns = printedColumns(rows, text);
  return { text, columns, mark: markOf(columns) };
}

function gain(before: Recognized, { mark }: Recognized): number {
  return mark ? worth(mark) / (before.mark ? worth(before.mark) : 1) : 0;
}

/** Pieces page by page, in each band of a page column by column, each from top to bottom. */
function sorted(pieces: readonly Piece[], bandOf: (piece: Piece) => number): Piece[] {
  return pieces
    .map((piece) => ({ piece, band: bandOf(piece), x: Math.round(piece.x) }))
    .sort(
      (a, b) =>
        a.piece.page - b.piece.page || a.band - b.band || a.x - b.x || a.piece.y - b.piece.y,
    )
    .map(({ piece }) => piece);
}

/** Each mark begins a band of its page, which reaches to the next one: the row of a table. */
function bandsBelow(text: PlainText, mark: PrintedColumn): (piece: Piece) => number {
  const tops = new Map<number, number[]>();
  for (const { start } of findMarks(text, mark.values)) {
    const { piece } = pieceAt(text, start) ?? {};
    if (piece) tops.set(piece.page, [...(tops.get(piece.page) ?? []), piece.y]);
  }
  // Base lines of one row differ a little where its fonts do.
  return ({ page, y }) => (tops.get(page) ?? []).filter((top) => top <= y + 2).length;
}
