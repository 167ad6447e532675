import type { AuditEvent } from '../audit-event.ts';
import { type DateStyle, localDate } from '../export/dates.ts';
import type { ExportQuery, FileType } from '../export/query.ts';
import { type ZoneOffset, zoneOffset } from '../export/zone.ts';

/** How dates are written and files are sent, whatever their type. */
export interface ExportFileRules {
  exportStatus(): number;
  zoneOffset(timezone: string): ZoneOffset;
  /** @param now when the export is made, in milliseconds since 1970 UTC */
  dateStyle(query: ExportQuery, now: number): DateStyle;
  contentType(fileType: FileType): string;
  /** @param now when the export is made, in milliseconds since 1970 UTC */
  contentDisposition(fileType: FileType, now: number): string | undefined;
  /** Whether the file is made whole before it is sent, so that its length is known. */
  hasContentLength(fileType: FileType): boolean;
  /** An invalid request is refused with 400 (Errors). */
  refusedExportStatus(): number;
  /** Whether exports are recorded as events of their own is not said; undefined records nothing. */
  exportEvent(query: ExportQuery, now: number): Omit<AuditEvent, 'id'> | undefined;
}

export const exportFileRules: ExportFileRules = {
  exportStatus: () => 200,
  zoneOffset,
  dateStyle: () => localDate,
  contentType: (fileType) => (fileType === 'csv' ? 'text/csv; charset=utf-8' : 'application/pdf'),
  contentDisposition: (fileType) => `attachment; filename="audit-events.${fileType}"`,
  hasContentLength: (fileType) => fileType === 'pdf',
  refusedExportStatus: () => 400,
  exportEvent: () => undefined,
};
