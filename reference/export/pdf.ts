import type { AuditEvent } from '../audit-event.ts';
import type { ExportPdfRules } from '../rules/export-pdf.ts';
import type { Column, EventPart } from './columns.ts';
import type { ExportContext } from './csv.ts';
import { drawPdf } from './pdf-draw.ts';
import type { EventFields, Field } from './pdf-layout.ts';
import { remembered } from './pdf-memory.ts';

/** A PDF export. The same events, form, locale and time zone give the same bytes. */
export function pdfFile(
  events: readonly AuditEvent[],
  context: ExportContext,
  rules: ExportPdfRules,
): Promise<Uint8Array> {
  const form = rules.pdfForm(context.locale);
  const columns = rules.pdfColumns();
  const fields = events.map((event, index) => {
    const row = { ...context, number: index + 1 };
    const textOf = (column: Column) => rules.pdfText(column.cell(event, row));
    return fieldsOf(columns, textOf, context);
  });
  return remembered(JSON.stringify([form, fields]), [rules.pdfPages], () =>
    drawPdf(fields, form, rules.pdfPages),
  );
}

function fieldsOf(
  columns: readonly Column[],
  textOf: (column: Column) => string,
  { locale }: ExportContext,
): EventFields {
  const fields: Record<EventPart, Field[]> = {
    identity: [],
    user: [],
    classification: [],
    text: [],
    metadata: [],
  };
  for (const column of columns) {
    const text = textOf(column);
    if (text !== '') fields[column.part].push({ heading: column.heading[locale], text });
  }
  return fields;
}
