import { Cache, identityOf } from '../export/cache.ts';
import type { Column, ExportContext } from '../export/columns.ts';
import type { AuditEvent } from '../records.ts';
import type { ExportRules } from '../rules/export.ts';

/** Size of a chunk, in bytes. */
const pieceSize = 64 * 1024;

/** A CSV export in UTF-8, made while it is read: memory does not grow with the number of events. */
export async function* csvFile(
  events: Iterable<AuditEvent>,
  context: ExportContext,
  rules: ExportRules,
): AsyncGenerator<Uint8Array> {
  const lineEnd = Buffer.from(rules.csvLineEnd());
  let piece: Buffer[] = rules.csvByteOrderMark() ? [Buffer.from('\uFEFF')] : [];
  let size = 0;
  let start: Buffer | undefined;
  for (const line of csvLines(events, context, rules)) {
    if (start) piece.push(start);
    piece.push(line);
    start = lineEnd;
    size += lineEnd.length + line.length;
    if (size < pieceSize) continue;
    yield Buffer.concat(piece);
    [piece, size] = [[], 0];
  }
  if (rules.csvEndsLastLine() && start) piece.push(start);
  if (piece.length > 0) yield Buffer.concat(piece);
}

function* csvLines(
  events: Iterable<AuditEvent>,
  context: ExportContext,
  rules: ExportRules,
): Generator<Buffer> {
  const columns = rules.csvColumns();
  const delimiter = rules.csvDelimiter();
  const written = rules.csvCell(delimiter);
  const line = (cells: readonly string[]) => Buffer.from(cells.map(written).join(delimiter));
  const headings = rules.csvHeadings(columns, context.locale);
  const head = [...rules.csvTitle(context.locale), ...(headings === undefined ? [] : [headings])];
  const rows = cachedRows(columns, context, rules);
  if (rules.csvHeadingsWhenEmpty()) yield* head.map(line);
  let number = 0;
  for (const event of events) {
    number += 1;
    if (number === 1 && !rules.csvHeadingsWhenEmpty()) yield* head.map(line);
    const known = rows?.get(event);
    if (known !== undefined) {
      yield known;
      continue;
    }
    const ofRow = { ...context, number };
    const row = line(columns.map(({ cell }) => cell(event, ofRow)));
    rows?.set(event, row);
    yield row;
  }
}

type Rows = WeakMap<AuditEvent, Buffer>;

const rowsByForm = new Cache<Rows>(12);

/** Rows of earlier exports of the same form: tests export the same events again and again. */
function cachedRows(
  columns: readonly Column[],
  { dateKey }: ExportContext,
  rules: ExportRules,
): Rows | undefined {
  if (dateKey === undefined || columns.some(({ isOfTheExport }) => isOfTheExport)) return undefined;
  const form = [identityOf(columns), identityOf(rules.csvCell), rules.csvDelimiter(), dateKey];
  return rowsByForm.get(form.join(' '), () => new WeakMap());
}
