import { createHash } from 'node:crypto';
import type { Row } from '../csv/csv-form.ts';
import type { Piece } from './plain-text.ts';

export const hex = (seed: string) => createHash('sha1').update(seed).digest('hex');

export const uuid = (seed: string) =>
  hex(seed).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, '$1-$2-$3-$4-$5');

/** Of the event of this number; no two are alike. */
export const timeOf = (index: number) =>
  new Date(Date.UTC(2026, 2, 1) + index * 61_007).toISOString().slice(0, 19);

/** Lines one below the other on one page, the cells of each in their columns; nothing where a cell is empty. */
export function table(
  lines: readonly Row[],
  edgeOf = (column: number, _line: number) => 40 + 150 * column,
): Piece[] {
  return lines.flatMap((cells, line) =>
    cells.flatMap((text, column): Piece[] =>
      text === '' ? [] : [{ text, page: 0, x: edgeOf(column, line), y: 12 * line }],
    ),
  );
}
