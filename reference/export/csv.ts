import type { AuditEvent } from '../audit-event.ts';
import type { ExportCsvRules } from '../rules/export-csv.ts';
import type { RowContext } from './columns.ts';
import type { Locale } from './locale.ts';

/** Characters that are gathered before they are sent. */
const pieceLength = 64 * 1024;

export type ExportContext = Omit<RowContext, 'number'> & { readonly locale: Locale };

/**
 * A CSV export in UTF-8, made while it is read: memory does not grow with the number of events.
 */
export async function* csvFile(
  events: Iterable<AuditEvent>,
  context: ExportContext,
  rules: ExportCsvRules,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let piece = '';
  for (const text of csvTexts(events, context, rules)) {
    piece += text;
    if (piece.length < pieceLength) continue;
    yield encoder.encode(piece);
    piece = '';
  }
  if (piece !== '') yield encoder.encode(piece);
}

function* csvTexts(
  events: Iterable<AuditEvent>,
  context: ExportContext,
  rules: ExportCsvRules,
): Generator<string> {
  const columns = rules.csvColumns();
  const delimiter = rules.csvDelimiter();
  const lineEnd = rules.csvLineEnd();
  const written = rules.csvCell(delimiter);
  const line = (cells: readonly string[]) => cells.map(written).join(delimiter) + lineEnd;

  const head = headOf(context.locale, rules).map(line).join('');
  if (rules.csvByteOrderMark()) yield '\uFEFF';
  if (rules.csvHeadingsWhenEmpty()) yield head;
  let number = 0;
  for (const event of events) {
    number += 1;
    if (number === 1 && !rules.csvHeadingsWhenEmpty()) yield head;
    const row = { ...context, number };
    yield line(columns.map(({ cell }) => cell(event, row)));
  }
}

function headOf(locale: Locale, rules: ExportCsvRules): readonly (readonly string[])[] {
  const title = rules.csvTitle(locale);
  const headings = rules.csvHeadings(rules.csvColumns(), locale);
  return [...(title === undefined ? [] : [[title]]), ...(headings === undefined ? [] : [headings])];
}
