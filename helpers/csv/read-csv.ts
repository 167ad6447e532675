/*
 * The way of a CSV: bytes -> text (FileDecoder) -> records (Papa Parse) -> title lines, headings and events
 * (RowCollector) -> CsvTable. How long a file may be, and how long it may take to come, is for the HTTP client to say.
 */

import { Readable } from 'node:stream';
import Papa, { type ParseResult } from 'papaparse';
import { type CsvForm, type Row, sniffForm, sniffProblems, splitStart } from './csv-form.ts';

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

export interface ReadingOptions {
  /** A larger export of the same service: it decides where a table of one or two rows does not show its form. */
  readonly like?: CsvTable;
  /** How many rows to keep; the others are only counted. Default: all. */
  readonly keep?: number;
  /** Called with each event, kept or not, and its index from 0. What it throws ends the reading. */
  readonly onRow?: (row: Row, index: number) => void;
}

/** In characters. An open quote swallows the rest of the file, and must not swallow memory and time with it. */
const maxRecordLength = 2 ** 20;

/**
 * Reads a CSV export of which nothing is known (4. Export audit events). With `keep` set, memory stays the same
 * however long the file is, and the source is asked for no more than is parsed.
 *
 * A damaged file still gives a table, which lists its problems. Throws errors of the source as they are.
 */
export async function readCsv(
  source: AsyncIterable<Uint8Array> | Uint8Array,
  options: ReadingOptions = {},
): Promise<CsvTable> {
  const decoder = new FileDecoder();
  const text = decoder.textOf(source);
  const { value: beginning = '', done } = await text.next();
  const form = sniffForm(beginning, options.like?.delimiter);
  const collector = new RowCollector(options);
  if (!done) await parse(joined(beginning, text), form, collector);
  const { problems, ...records } = collector.finish();
  const { bytes, bom, lastCharacter } = decoder;
  return {
    ...{ ...form, ...records, bom, bytes },
    endsLastLine: lastCharacter === '\n' || lastCharacter === '\r',
    problems: [...sniffProblems(beginning), ...decoder.problems, ...problems],
  };
}

async function* joined(head: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield head;
  yield* rest;
}

async function parse(
  text: AsyncIterable<string>,
  form: CsvForm,
  collector: RowCollector,
): Promise<void> {
  let given = 0;
  let records = 0;
  let reported = 0;
  const stream = Readable.from(counted(text, (length) => (given += length)));
  await new Promise<void>((resolve, reject) => {
    Papa.parse<string[]>(stream, {
      delimiter: form.delimiter ?? Papa.UNIT_SEP,
      newline: form.lineEnd,
      chunk(result, parser) {
        try {
          collect(result);
          if (given - result.meta.cursor <= maxRecordLength) return;
          collector.report(
            `Record ${records + 1} is longer than ${maxRecordLength} characters: a quote may be open. The rest was not read.`,
          );
        } catch (error) {
          reject(error);
        }
        parser.abort();
      },
      complete: () => resolve(),
      error: reject,
    });
  }).finally(() => stream.destroy());

  function collect({ data, errors }: ParseResult<string[]>): void {
    for (const { code, row = 0 } of errors) {
      const number = records + row + 1;
      // One bad quote is reported several times, and again with each piece that its record reaches into.
      if (number === reported) continue;
      reported = number;
      collector.report(
        code === 'MissingQuotes'
          ? `Record ${number}: a quote is opened and never closed.`
          : `Record ${number}: a quote inside a quoted cell is not doubled.`,
      );
    }
    for (const cells of data) {
      records += 1;
      collector.add(cells, records);
    }
  }
}

async function* counted(
  text: AsyncIterable<string>,
  count: (length: number) => void,
): AsyncGenerator<string> {
  for await (const piece of text) {
    count(piece.length);
    yield piece;
  }
}

/** The parser's cost is per piece, so that small pieces are joined and long ones are cut. */
const pieceBytes = 256 * 1024;

/**
 * Turns the bytes of a file into text without its byte order mark: UTF-8, or UTF-16 where a byte order mark says so.
 * Bytes that are neither become U+FFFD, and a problem.
 */
class FileDecoder {
  /** How many bytes were decoded so far. */
  bytes = 0;
  bom = false;
  lastCharacter = '';
  /** Sentences for people. */
  readonly problems: string[] = [];
  #encoding: 'utf-8' | 'utf-16le' = 'utf-8';
  #strict: InstanceType<typeof TextDecoder> | undefined;
  #lenient = new TextDecoder();
  #hasNul = false;

  /** The text in pieces of about 256 KiB; the source is read no faster than they are taken. */
  async *textOf(source: AsyncIterable<Uint8Array> | Uint8Array): AsyncGenerator<string> {
    for await (const piece of source instanceof Uint8Array ? slices(source) : largePieces(source)) {
      if (this.bytes === 0) this.#begin(piece);
      const text = this.#decode(piece, true);
      this.bytes += piece.length;
      yield text;
    }
    const rest = this.bytes > 0 && this.#decode(new Uint8Array(), false);
    if (rest) yield rest;
  }

  #begin([first, second, third]: Uint8Array): void {
    if (first === 0xff && second === 0xfe) this.#encoding = 'utf-16le';
    this.bom =
      this.#encoding === 'utf-16le' || (first === 0xef && second === 0xbb && third === 0xbf);
    this.#strict = new TextDecoder(this.#encoding, { fatal: true });
    this.#lenient = new TextDecoder(this.#encoding);
  }

  #decode(piece: Uint8Array, stream: boolean): string {
    const text = this.#decodeStrictly(piece, stream) ?? this.#lenient.decode(piece, { stream });
    if (!this.#hasNul && text.includes('\0')) {
      this.#hasNul = true;
      this.problems.push('The file holds NUL characters.');
    }
    this.lastCharacter = text.at(-1) ?? this.lastCharacter;
    return text;
  }

  /** undefined from the first piece on that holds bytes of another encoding. */
  #decodeStrictly(piece: Uint8Array, stream: boolean): string | undefined {
    try {
      return this.#strict?.decode(piece, { stream });
    } catch {
      this.#strict = undefined;
      const name = this.#encoding.toUpperCase();
      this.problems.push(`There are bytes that are not ${name} after byte ${this.bytes}.`);
      return undefined;
    }
  }
}

function* slices(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

async function* largePieces(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  for await (const chunk of source) {
    waiting.push(chunk);
    waitingBytes += chunk.length;
    if (waitingBytes < pieceBytes) continue;
    yield waiting.length === 1 ? chunk : Buffer.concat(waiting);
    waiting = [];
    waitingBytes = 0;
  }
  if (waitingBytes > 0) yield Buffer.concat(waiting);
}

/** How many records are looked at to distinguish headings from events. */
const sampleSize = 500;

const maxProblems = 20;

/** Takes the records of a file one by one, and separates title lines, headings and events. */
export class RowCollector {
  readonly #options: ReadingOptions;
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

  constructor(options: ReadingOptions) {
    this.#options = options;
  }

  /** @param number of the record in the file, from 1, blank lines and headings counted */
  add(cells: Row, number: number): void {
    const isBlank = cells.length === 1 && cells[0]?.trim() === '';
    if (isBlank) return;
    if (this.#sample) {
      this.#sample.push({ cells, number });
      if (this.#sample.length === sampleSize) this.#splitSample();
    } else this.#addRow(cells, number);
  }

  report(problem: string): void {
    if (this.#problems.length < maxProblems) this.#problems.push(problem);
    else this.#unlisted += 1;
  }

  finish(): Omit<CsvTable, keyof CsvForm | 'bom' | 'bytes' | 'endsLastLine'> {
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
