/** The cells of one record, as text. */
export type Row = readonly string[];

export type Delimiter = ',' | ';' | '\t' | '|';

/** How a CSV file is written; the document shows none of it (4. Export audit events). */
export interface CsvForm {
  /** Null where the table has one column. */
  readonly delimiter: Delimiter | null;
  readonly lineEnd: '\n' | '\r\n' | '\r';
  /** `all`: every cell that is not empty stands in quotes. */
  readonly quoting: 'all' | 'where needed';
}

/** A CSV file as a table. */
export interface CsvTable extends CsvForm {
  /** The events: every record but title lines, headings and blank lines, in order; at most as many as were to be kept. */
  readonly rows: readonly Row[];
  /** How many such records the file holds, kept or not. */
  readonly count: number;
  /** How many cells a row has; 0 for an empty file. */
  readonly columns: number;
  /** Null where the table begins with its first event. */
  readonly headings: Row | null;
  /** Records above the headings that are not part of the table. */
  readonly titleLines: readonly Row[];
  /** Whether the last record is followed by a line end, as the others are. */
  readonly endsLastLine: boolean;
  /** Whether the file begins with a byte order mark. */
  readonly bom: boolean;
  /** Length of the file. */
  readonly bytes: number;
  /** What is wrong with the file, as sentences for people; empty where it reads as one table. */
  readonly problems: readonly string[];
}
