import type { AuditEvent } from '../audit-event.ts';
import type { AnswerRules } from '../rules/answer.ts';
import type { ExportRules } from '../rules/export.ts';
import type { ServiceRequest, ServiceResponse } from '../request.ts';
import type { ExportContext } from '../export/context.ts';
import { csvFile } from './export-csv.ts';
import { localTime } from '../export/dates.ts';
import { isLocale } from '../export/locale.ts';
import { identityOf } from '../export/memory.ts';
import { pdfFile } from './export-pdf.ts';
import { type ExportQuery, parametersOf, readQuery } from '../export/query.ts';
import { ExportRefused } from '../export/refusal.ts';
import { selectEvents } from '../export/selection.ts';

/** What an export is made from. */
export interface ExportSource {
  /** In the order in which they were stored. */
  readonly events: readonly AuditEvent[];
  readonly rules: ExportRules & Pick<AnswerRules, 'errorBody' | 'answerHeaders'>;
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
  /** Takes an event that the export itself gives rise to. */
  readonly record?: (event: Omit<AuditEvent, 'id'>) => void;
}

/**
 * Answers an export of audit events with a file, or with 400 (4. Export audit events). The key, and the address
 * that the request comes from, have been checked before.
 */
export async function exportEvents(
  request: ServiceRequest,
  source: ExportSource,
): Promise<ServiceResponse> {
  const { rules, now, record } = source;
  try {
    const query = rules.queryActedOn(readQuery(parametersOf(request.target), rules));
    const file = await sendFile(query, exportedEvents(query, source), source);
    const event = rules.exportEvent(query, now);
    if (event !== undefined) record?.(event);
    return file;
  } catch (error) {
    if (error instanceof ExportRefused) return refuse(error.message, source);
    throw error;
  }
}

function refuse(detail: string, { rules }: ExportSource): ServiceResponse {
  const status = rules.refusedExportStatus();
  const { contentType, text } = rules.errorBody({
    cause: 'invalid-export',
    status,
    title: 'Bad Request',
    detail,
  });
  return {
    status,
    headers: {
      ...rules.answerHeaders(status),
      ...(contentType !== undefined && { 'content-type': contentType }),
    },
    body: text,
  };
}

function exportedEvents(
  query: ExportQuery,
  { events, rules }: ExportSource,
): readonly AuditEvent[] {
  const stored = rules.storedEvents(events);
  const selected = selectEvents(stored, query, rules);
  if (!rules.isWithinLimit(rules.countForLimit(selected, stored, query), query)) {
    throw new ExportRefused('a PDF holds at most 5,000 events');
  }
  return rules.orderEvents(rules.exportedEvents(selected, query));
}

async function sendFile(
  query: ExportQuery,
  events: readonly AuditEvent[],
  { rules, now }: ExportSource,
): Promise<ServiceResponse> {
  const context = contextOf(query, rules, now);
  const file =
    query.fileType === 'pdf'
      ? inOnePiece(await pdfFile(events, context, rules))
      : csvFile(events, context, rules);
  const body = rules.hasContentLength(query.fileType) ? await whole(file) : file;
  const disposition = rules.contentDisposition(query.fileType, now);
  const status = rules.exportStatus();
  return {
    status,
    headers: {
      ...rules.answerHeaders(status),
      'content-type': rules.contentType(query.fileType),
      ...(disposition !== undefined && { 'content-disposition': disposition }),
      ...(body instanceof Uint8Array && { 'content-length': String(body.length) }),
    },
    body,
  };
}

function contextOf(query: ExportQuery, rules: ExportRules, now: number): ExportContext {
  const locale = isLocale(query.locale) ? query.locale : 'en';
  const offsetAt = rules.zoneOffset(query.timezone);
  const write = rules.dateStyle(query, now);
  return {
    now,
    locale,
    date: (at) => write(localTime(at, offsetAt(at), locale)),
    writing: [identityOf(write), identityOf(rules.zoneOffset), query.timezone, locale].join(' '),
  };
}

async function* inOnePiece(file: Uint8Array): AsyncGenerator<Uint8Array> {
  yield file;
}

async function whole(file: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of file) pieces.push(piece);
  return Buffer.concat(pieces);
}
