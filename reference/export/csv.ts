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
  const delimiter = rules.csvDelimiter();
  const lineEnd = rules.csvLineEnd();
  const written = rules.csvCell(delimiter);
  let isFirst = true;
  if (rules.csvByteOrderMark()) yield '\uFEFF';
  for (const cells of csvLines(events, context, rules)) {
    const line = cells.map(written).join(delimiter);
    yield isFirst ? line : lineEnd + line;
    isFirst = false;
  }
  if (!isFirst && rules.csvEndsLastLine()) yield lineEnd;
}

function* csvLines(
  events: Iterable<AuditEvent>,
  context: ExportContext,
  rules: ExportCsvRules,
): Generator<readonly string[]> {
  const columns = rules.csvColumns();
  const headings = rules.csvHeadings(columns, context.locale);
  const head = [...rules.csvTitle(context.locale), ...(headings === undefined ? [] : [headings])];
  if (rules.csvHeadingsWhenEmpty()) yield* head;
  let number = 0;
  for (const event of events) {
    number += 1;
    if (number === 1 && !rules.csvHeadingsWhenEmpty()) yield* head;
    const row = { ...context, number };
    yield columns.map(({ cell }) => cell(event, row));
  }
}
