import type { CsvTable, Row } from './csv-table.ts';
import { splitStart } from './headings.ts';

export interface CollectingOptions {
  /** A larger export of the same service: it decides where a table of one or two rows leaves its form open. */
  readonly like?: CsvTable;
  /** How many rows to keep; the others are only counted. Default: all. */
  readonly keep?: number;
  /** Called with each event, kept or not, and its index from 0. What it throws ends the reading. */
  readonly onRow?: (row: Row, index: number) => void;
}

/** How many records are looked at to tell headings from events. */
const sampledRecords = 500;

const listedProblems = 20;

/** Takes the records of a file one by one and tells title lines, headings and events apart. */
export class RowCollector {
  readonly #options: CollectingOptions;
  #sample: { readonly cells: Row; readonly number: number }[] | undefined = [];
  #start: Pick<CsvTable, 'titleLines' | 'headings' | 'columns'> = {
    titleLines: [],
    headings: null,
    columns: 0,
  };
  readonly #rows: Row[] = [];
  #count = 0;
  readonly #problems: string[] = [];
  #unlisted = 0;

  constructor(options: CollectingOptions) {
    this.#options = options;
  }

  /** @param number of the record in the file, from 1, blank lines and headings counted */
  add(cells: Row, number: number): void {
    const isBlank = cells.length === 1 && cells[0]?.trim() === '';
    if (isBlank) return;
    if (this.#sample) {
      this.#sample.push({ cells, number });
      if (this.#sample.length === sampledRecords) this.#splitSample();
    } else this.#addRow(cells, number);
  }

  report(problem: string): void {
    if (this.#problems.length < listedProblems) this.#problems.push(problem);
    else this.#unlisted += 1;
  }

  finish(): Omit<CsvTable, 'delimiter' | 'lineEnd' | 'quoting' | 'bom' | 'bytes' | 'endsLastLine'> {
    this.#splitSample();
    const more = this.#unlisted === 0 ? [] : [`And ${this.#unlisted} more of the kind.`];
    return {
      ...this.#start,
      rows: this.#rows,
      count: this.#count,
      problems: [...this.#problems, ...more],
    };
  }

  #splitSample(): void {
    const sample = this.#sample ?? [];
    this.#sample = undefined;
    if (sample.length === 0) return;
    const { rows, ...start } = splitStart(
      sample.map(({ cells }) => cells),
      this.#options.like,
    );
    this.#start = start;
    for (const { cells, number } of sample.slice(sample.length - rows.length)) {
      this.#addRow(cells, number);
    }
  }

  #addRow(cells: Row, number: number): void {
    const { columns } = this.#start;
    if (cells.length !== columns) {
      this.report(`Record ${number} has ${cells.length} cells where the table has ${columns}.`);
    }
    const { keep = Number.POSITIVE_INFINITY, onRow } = this.#options;
    if (this.#rows.length < keep) this.#rows.push(cells);
    onRow?.(cells, this.#count);
    this.#count += 1;
  }
}
