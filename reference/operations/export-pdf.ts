import { createHash } from 'node:crypto';
import { Cache, identityOf } from '../export/cache.ts';
import type { Column, EventPart, ExportContext } from '../export/columns.ts';
import { drawPdf } from '../export/pdf-draw.ts';
import type { EventFields, Field } from '../export/pdf-layout.ts';
import type { AuditEvent } from '../records.ts';
import type { ExportRules } from '../rules/export.ts';

/** A file of 5,000 events takes a megabyte. */
const files = new Cache<Promise<Uint8Array>>(40);

/**
 * A PDF export. The same events, form, locale and time zone give the same bytes, so that a file is made once:
 * one of 5,000 events takes more than a second, and tests ask for it again and again.
 */
export function pdfFile(
  events: readonly AuditEvent[],
  context: ExportContext,
  rules: ExportRules,
): Promise<Uint8Array> {
  const form = rules.pdfForm(context.locale);
  const columns = rules.pdfColumns();
  const make = () => {
    const fields = events.map((event, index) =>
      fieldsOf(event, index + 1, columns, context, rules),
    );
    return drawPdf(fields, form, rules.pdfPages, rules.pdfSheets(form));
  };
  if (context.dateKey === undefined || columns.some(({ isOfTheExport }) => isOfTheExport)) {
    return make();
  }
  const hash = createHash('sha256').update(JSON.stringify(form)).update(context.dateKey);
  const { pdfText, pdfPages, pdfSheets } = rules;
  for (const part of [columns, form.layout, pdfText, pdfPages, pdfSheets, ...events]) {
    hash.update(` ${identityOf(part)}`);
  }
  return files.get(hash.digest('hex'), make);
}

function fieldsOf(
  event: AuditEvent,
  number: number,
  columns: readonly Column[],
  context: ExportContext,
  rules: ExportRules,
): EventFields {
  const fields: Record<EventPart, Field[]> = {
    identity: [],
    user: [],
    classification: [],
    text: [],
    metadata: [],
  };
  const row = { ...context, number };
  for (const { cell, heading, part } of columns) {
    const text = rules.pdfText(cell(event, row));
    if (text !== '') fields[part].push({ heading: heading[context.locale], text });
  }
  return fields;
}
