/*
 * The way of a CSV: bytes -> text (FileDecoder) -> records (Papa Parse) -> title lines, headings and events
 * (RowCollector) -> CsvTable. How long a file may be, and how long it may take to come, is for the HTTP client to say.
 */

import Papa, { type ParseError, type ParseResult } from 'papaparse';
import { isUuidShaped } from '../../schemas/resources.ts';
import { readDate } from '../dates/read-date.ts';
import {
  type CsvForm,
  isPaddedTitle,
  nonCsvType,
  type Row,
  sampleSize,
  sniffStart,
  splitStart,
  type TableParts,
} from './csv-form.ts';
import { FileDecoder, type TextEncoding } from './file-decoder.ts';
import type { RowPool } from './multiset.ts';

/** A CSV file as a table. */
export interface CsvTable extends CsvForm, TableParts {
  /** Records below the events that are not part of the table. */
  readonly footerLines: readonly Row[];
  readonly encoding: TextEncoding;
  /** Whether the last record is followed by a line end, as the others are. */
  readonly endsLastLine: boolean;
  /** Whether the file begins with a byte order mark. */
  readonly bom: boolean;
  /** Length of the file in bytes. */
  readonly bytes: number;
  /** What is wrong with the file, as sentences for people; empty where it reads as one table. */
  readonly problems: readonly string[];
}

export interface ReadingOptions {
  /** A larger export of the same service: it decides where a table of a few rows does not show its form. */
  readonly like?: CsvTable | undefined;
  /** A file of more events is read no further. Default: all are read. */
  readonly max?: number;
  /** Where equal rows of several files are one; without it, each file has rows of its own. */
  readonly pool?: RowPool;
}

/** Thrown where a file holds more events than are to be read. */
export class TooManyEvents extends Error {}

/** In characters. An open quote swallows the rest of the file, and must not swallow memory and time with it. */
const maxRecordLength = 2 ** 20;

/**
 * Reads a CSV export of which nothing is known (4. Export audit events), and asks the source for no more than is parsed.
 * A damaged file still gives a table, which lists its problems. Throws errors of the source as they are.
 * @throws TooManyEvents where the file holds more than `max`
 */
export async function readCsv(
  source: AsyncIterable<Uint8Array> | Uint8Array,
  options: ReadingOptions = {},
): Promise<CsvTable> {
  const decoder = new FileDecoder();
  const text = decoder.textOf(source);
  const { value: start = '' } = await text.next();
  const { form, text: beginning, problems: sniffed } = sniffStart(start, options.like?.delimiter);
  const collector = new RowCollector(options);
  const whole = joined(beginning, text, nonCsvType(start) === undefined);
  await parse(whole, form, collector);
  const { problems, ...records } = collector.finish();
  const { bytes, bom, encoding, lastCharacter } = decoder;
  return {
    ...{ ...form, ...records, bom, encoding, bytes },
    endsLastLine: lastCharacter === '\n' || lastCharacter === '\r',
    problems: [...sniffed, ...decoder.problems, ...problems],
  };
}

/** In characters: only so much of a file that is no CSV is parsed, as it can be one record full of quotes. */
const foreignLength = 2 ** 16;

/** The text of the file: its beginning and the pieces that follow; of a file that is no CSV only the beginning. */
async function* joined(
  head: string,
  rest: AsyncIterable<string>,
  isCsv: boolean,
): AsyncGenerator<string> {
  yield isCsv ? head : head.slice(0, foreignLength);
  for await (const piece of rest) if (isCsv) yield piece;
}

/**
 * Gives each record of a text to the collector, and reports wrong quotes; stops at a record that is too long. The parser is
 * asked itself, as it leaves a record that a piece does not end to the next piece.
 */
async function parse(
  text: AsyncIterable<string>,
  form: CsvForm,
  collector: RowCollector,
): Promise<void> {
  const parser = new Papa.Parser({
    delimiter: form.delimiter ?? Papa.UNIT_SEP,
    newline: form.lineEnd,
  });
  // Its type does not say what it gives.
  const recordsOf = (part: string, isLast: boolean): ParseResult<string[]> =>
    parser.parse(part, 0, !isLast);
  /** The record that the next piece goes on with. */
  let open = '';
  for await (const piece of text) {
    const { data, errors, meta } = recordsOf(open + piece, false);
    open = (open + piece).slice(meta.cursor);
    const isTooLong = open.length > maxRecordLength;
    // The character behind a quote decides whether it closes a cell, and may be in the next piece.
    collector.take(data, isTooLong ? errors : errors.filter(({ row = 0 }) => row < data.length));
    if (isTooLong) {
      collector.reportNext(
        `is longer than ${maxRecordLength} characters: a quote may be open. The rest was not read.`,
      );
      return;
    }
  }
  const { data, errors } = recordsOf(open, true);
  collector.take(data, errors);
}

const maxProblems = 20;

/** A record, and its number in the file, from 1: blank lines and headings count. */
interface NumberedRecord {
  readonly cells: Row;
  readonly number: number;
}

/** Takes the records of a file, and separates title lines, headings and events. */
class RowCollector {
  readonly #options: ReadingOptions;
  #taken = 0;
  /** The number of the last record whose quotes were reported. */
  #misquoted = 0;
  #sample: NumberedRecord[] | undefined = [];
  #start: Omit<TableParts, 'rows'> = splitStart([]);
  /** For each column of the larger export, where it stands here; undefined where both have the same columns. */
  #places: readonly number[] | undefined;
  readonly #rows: Row[] = [];
  /** The form of the lines that divide the events, as one for each day; undefined where there are none. */
  #dividing: string | undefined;
  /** The records since the last event that do not fit the table: a footer, unless an event follows. */
  #last: NumberedRecord[] = [];
  readonly #problems: string[] = [];
  #unlisted = 0;

  constructor(options: ReadingOptions) {
    this.#options = options;
  }

  /** Takes the next records, and reports those with wrong quotes. */
  take(data: readonly Row[], errors: readonly ParseError[]): void {
    for (const { code, row = 0 } of errors) {
      const number = this.#taken + row + 1;
      // Papa Parse reports one bad quote several times.
      if (number === this.#misquoted) continue;
      this.#misquoted = number;
      const isOpen = code === 'MissingQuotes';
      const problem = isOpen ? 'is opened and never closed' : 'inside a quoted cell is not doubled';
      this.#report(`Record ${number}: a quote ${problem}.`);
    }
    for (const cells of data) {
      this.#taken += 1;
      const isBlank = cells.length === 1 && cells[0]?.trim() === '';
      if (!isBlank) this.#add({ cells, number: this.#taken });
    }
  }

  /** Reports what is wrong with the record that comes next. */
  reportNext(problem: string): void {
    this.#report(`Record ${this.#taken + 1} ${problem}`);
  }

  #add(record: NumberedRecord): void {
    if (this.#sample === undefined) this.#addRow(record);
    else this.#sample.push(record);
    if (this.#sample?.length === sampleSize) this.#splitSample();
  }

  #report(problem: string): void {
    if (this.#problems.length < maxProblems) this.#problems.push(problem);
    else this.#unlisted += 1;
  }

  finish(): Omit<CsvTable, keyof CsvForm | 'bom' | 'bytes' | 'encoding' | 'endsLastLine'> {
    this.#splitSample();
    const footerLines = this.#takeFooter();
    const more = this.#unlisted === 0 ? [] : [`And ${this.#unlisted} more of the kind.`];
    const { headings = null } = this.#options.like ?? {};
    const own = this.#start.headings;
    return {
      ...this.#start,
      headings: own && this.#pooled(own),
      ...(this.#places && { headings, columns: this.#places.length }),
      rows: this.#rows,
      footerLines,
      problems: [...this.#problems, ...more],
    };
  }

  #splitSample(): void {
    const sample = this.#sample;
    if (sample === undefined) return;
    this.#sample = undefined;
    const { rows, ...start } = splitStart(
      sample.map(({ cells }) => cells),
      this.#options.like,
    );
    this.#start = start;
    this.#places = placesOf(this.#options.like?.headings, start.headings);
    this.#dividing = formOfDividing(rows, start);
    for (const record of sample.slice(sample.length - rows.length)) this.#addRow(record);
  }

  #addRow(record: NumberedRecord): void {
    const { cells } = record;
    // A report has its headings on each of its pages.
    if (this.#start.headings?.every((heading, column) => heading === cells[column])) return;
    if (this.#dividing !== undefined && formOfTitle(cells) === this.#dividing) return;
    const isOfTable = cells.length === this.#start.columns && !isPaddedTitle(cells);
    if (!isOfTable) {
      this.#last.push(record);
      // More records than a footer has are damaged events.
      if (this.#last.length <= maxFooterLines) return;
    }
    if (this.#last.length > 0) this.#addLast();
    if (isOfTable) this.#keep(this.#inPlaces(cells));
  }

  /** The cells as the larger export has them. */
  #inPlaces(cells: Row): Row {
    return this.#places?.map((place) => cells[place] ?? '') ?? cells;
  }

  /** Keeps the waiting records as events, for an event follows them; reports those of another width. */
  #addLast(): void {
    for (const record of this.#last.splice(0)) {
      if (record.cells.length !== this.#start.columns) this.#reportWidth(record);
      this.#keep(this.#inPlaces(record.cells));
    }
  }

  /** The footer: the waiting records that do not look like events. The others are kept, with empty cells added. */
  #takeFooter(): Row[] {
    const { like } = this.#options;
    const columns = this.#places?.length ?? this.#start.columns;
    const sample = [this.#rows, like?.rows ?? []]
      .flatMap((rows) => rows.slice(0, sampleSize))
      .filter(({ length }) => length === columns);
    const footer: Row[] = [];
    for (const record of this.#last.splice(0)) {
      const cells = this.#inPlaces(record.cells);
      const isSentence = this.#start.headings !== null && record.cells.length === 1 && columns > 2;
      const isEvent = sample.length === 0 ? !isSentence : looksLikeEvent(cells, sample);
      if (isEvent) {
        const padded = paddedTo(columns, cells, sample);
        if (padded === undefined) this.#reportWidth(record);
        this.#keep(padded ?? cells);
      } else footer.push(cells);
    }
    return footer;
  }

  #reportWidth({ cells, number }: NumberedRecord): void {
    const { columns } = this.#start;
    this.#report(`Record ${number} has ${cells.length} cells where the table has ${columns}.`);
  }

  #keep(cells: Row): void {
    if (this.#rows.length === this.#options.max) throw new TooManyEvents();
    this.#rows.push(this.#pooled(cells));
  }

  /** Cells that do not keep the text of the whole file in memory. */
  #pooled(cells: Row): Row {
    return this.#options.pool?.rowOf(cells) ?? cells;
  }
}

const maxFooterLines = 10;

/**
 * Where the columns of a larger export stand in one that has them in another order, or not all of them: many programs leave
 * out those that are empty. Columns that the larger one lacks are left out.
 * @returns undefined where both have the same columns, or the headings do not tell them
 */
function placesOf(known: Row | null | undefined, own: Row | null): readonly number[] | undefined {
  if (!known || !own || known.join('\0') === own.join('\0')) return undefined;
  const areApart = new Set(known).size === known.length && new Set(own).size === own.length;
  const shared = own.filter((heading) => known.includes(heading)).length;
  // Among as many columns one may be called otherwise, as where its heading names the timezone.
  const areTold = own.length === known.length ? shared === own.length : shared * 2 > own.length;
  if (!areApart || !areTold) return undefined;
  return known.map((heading) => {
    // What has a column alone in one export may need two in another: “tag”, or “tag_1” and “tag_2”.
    const isAlone = (other: string) =>
      !known.includes(other) && heading.replace(firstNumber, '') === other;
    return own.findIndex((other) => other === heading || isAlone(other));
  });
}

/** What is added to a heading of which there are several. */
const firstNumber = /[ _.-]?1$/;

/**
 * Whether one of the last records is an event, perhaps cut off, and no footer: one of its cells has one of the few
 * forms of its column, or one of its few values, or is the beginning of a UUID in a column of UUIDs; and its first cell
 * may begin a row, as that of “Subtotal,,assessment,12” may not where rows begin with ids or dates.
 */
function looksLikeEvent(record: Row, events: readonly Row[]): boolean {
  const fits = record.map((cell, column) => {
    const others = events.map((row) => row[column] ?? '').filter((text) => text !== '');
    if (others.length < events.length / 2 || others.length < 2) return undefined;
    if (others.every(isUuidShaped)) return beginningOfUuid.test(cell);
    const forms = [...new Set(others.map(formOf))];
    const values = new Set(others);
    if (values.size * 4 <= others.length && values.has(cell)) return true;
    if (forms.length > 3 || !others.some((text) => /\d/.test(text))) return undefined;
    if (forms.includes(formOf(cell))) return true;
    // In another timezone a date has another form, as “-0500” for “+0000”.
    const mayBeOne =
      forms.some((form) => form.startsWith(formOf(cell))) || readDate(cell).length > 0;
    return mayBeOne ? undefined : false;
  });
  return fits.includes(true) && (record[0] === '' || fits[0] !== false);
}

const beginningOfUuid = /^[0-9a-f]{8}-[0-9a-f-]{0,27}$/i;

/** The words and numbers of a record of one cell, alone or beside empty ones; undefined of any other. */
function formOfTitle(record: Row): string | undefined {
  if (record.length > 1 && !isPaddedTitle(record)) return undefined;
  // “1er mai 2026” has the form of “2 avr. 2026”.
  return formOf(record[0] ?? '')
    .replace(/9a\b/g, '9')
    .replace(/[^9a]+/g, ' ');
}

/**
 * The form of the lines that divide the events into groups. One stands above the first event, where no event was before it that
 * a line break might have divided; and it does not begin as events do.
 */
function formOfDividing(
  [first = [], ...rows]: readonly Row[],
  { headings, columns }: Omit<TableParts, 'rows'>,
): string | undefined {
  const form = columns > 1 && headings !== null ? formOfTitle(first) : undefined;
  if (form === undefined || isUuidShaped(first[0] ?? '')) return undefined;
  const events = rows.filter((row) => formOfTitle(row) === undefined);
  const isCut = events.some(([cell = '']) => formOfTitle([cell]) === form);
  return isCut || events[0] !== rows[0] ? undefined : form;
}

/** The form of a text: `a-9` for `task-0815`, with 9 for each number and a for each word. */
function formOf(text: string): string {
  return text.replace(/\d+/g, '9').replace(/\p{L}[\p{L}\p{M}]*/gu, 'a');
}

/** The record filled up with empty cells; undefined where events are never empty there, or it has too many cells. */
function paddedTo(columns: number, record: Row, events: readonly Row[]): Row | undefined {
  if (record.length === columns) return record;
  const lacking = [...Array(columns).keys()].slice(record.length);
  const areOptional = lacking.every((column) => events.some((row) => row[column] === ''));
  return lacking.length > 0 && areOptional ? [...record, ...lacking.map(() => '')] : undefined;
}
