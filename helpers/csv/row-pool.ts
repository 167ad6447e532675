import type { Row } from './csv-form.ts';

/** Stands between the cells of a row in one text. No cell holds it: a CSV with NULs in it is reported as damaged. */
const separator = '\u0000';

const texts = new WeakMap<Row, string>();

/** The cells of a row in one text: equal rows have equal texts. */
export function textOfRow(row: Row): string {
  return texts.get(row) ?? row.join(separator);
}

/** The cells that a text was made of. */
export function cellsOfText(text: string): Row {
  return text.split(separator);
}

/**
 * The rows of the files of a run. Most exports hold events that others hold too: an event takes memory once, however
 * many files show it, and its row is joined to a text once.
 */
export class RowPool {
  readonly #capacity: number;
  readonly #rows = new Map<string, Row>();

  /** @param capacity so many rows are known at most; beyond it, later files have rows of their own */
  constructor(capacity = 200_000) {
    this.#capacity = capacity;
  }

  /** The row of these cells. It does not keep the file in memory that they were read from. */
  rowOf(cells: Row): Row {
    const text = cells.join(separator);
    const known = this.#rows.get(text);
    if (known !== undefined) return known;
    const row = cellsOfText(text);
    if (row.length !== cells.length) return cells;
    if (this.#rows.size === this.#capacity) this.#rows.clear();
    this.#rows.set(text, row);
    texts.set(row, text);
    return row;
  }
}
