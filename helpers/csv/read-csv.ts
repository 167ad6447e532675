import { Readable } from 'node:stream';
import Papa, { type ParseResult } from 'papaparse';
import { type CollectingOptions, RowCollector } from './collect-rows.ts';
import type { CsvForm, CsvTable } from './csv-table.ts';
import { type Decoded, type ReadingLimits, textOf } from './csv-text.ts';
import { sniffForm, sniffProblems } from './sniff-form.ts';

export interface ReadingOptions extends ReadingLimits, CollectingOptions {}

/** In characters. An open quote swallows the rest of the file, and must not swallow memory and time with it. */
const longestRecord = 2 ** 20;

/**
 * Reads a CSV export of which nothing is known (4. Export audit events). With `keep` set, memory stays the same
 * however long the file is, and the source is asked for no more than is parsed.
 *
 * A damaged file still gives a table, which lists its problems. Throws `CsvUnreadable` where the limits are
 * exceeded, the reason of the signal where that aborts, and errors of the source as they are.
 */
export async function readCsv(
  source: AsyncIterable<Uint8Array> | Uint8Array,
  options: ReadingOptions = {},
): Promise<CsvTable> {
  const decoded: Decoded = { bytes: 0, bom: false, problems: [] };
  const text = textOf(source, options, decoded);
  const head = await text.next();
  const form = sniffForm(head.value ?? '', options.like?.delimiter);
  const notCsv = sniffProblems(head.value ?? '');
  const collector = new RowCollector(options);
  let last = '';
  const noted = async function* (): AsyncGenerator<string> {
    for await (const piece of joined(head.value ?? '', text)) {
      last = piece.at(-1) ?? last;
      yield piece;
    }
  };
  if (!head.done) await parse(noted(), form, collector);
  const { problems, ...table } = collector.finish();
  const { bytes, bom } = decoded;
  return {
    ...{ ...form, ...table, bom, bytes },
    endsLastLine: last === '\n' || last === '\r',
    problems: [...notCsv, ...decoded.problems, ...problems],
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
          if (given - result.meta.cursor <= longestRecord) return;
          collector.report(
            `Record ${records + 1} is longer than ${longestRecord} characters: a quote may be open. The rest was not read.`,
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
