import { type DateStyle, localDate } from '../export/dates.ts';
import type { ExportQuery, FileType } from '../export/query.ts';
import { type ZoneOffset, zoneOffset } from '../export/zone.ts';
import type { ServiceResponse } from '../service.ts';

/** How dates are written and files are sent, whatever their type. */
export interface ExportFileRules {
  exportStatus(): number;
  zoneOffset(timezone: string): ZoneOffset;
  dateStyle(query: ExportQuery): DateStyle;
  contentType(fileType: FileType): string;
  /** @param now when the export is made, in milliseconds since 1970 UTC */
  contentDisposition(fileType: FileType, now: number): string | undefined;
  /** Whether the file is made whole before it is sent, so that its length is known. */
  hasContentLength(fileType: FileType): boolean;
  /** The answer to an export that is refused; its status is stated, its body is open (Errors). */
  refusedExport(reason: string): ServiceResponse;
}

export const exportFileRules: ExportFileRules = {
  exportStatus: () => 200,
  zoneOffset,
  dateStyle: () => localDate,
  contentType: (fileType) => (fileType === 'csv' ? 'text/csv; charset=utf-8' : 'application/pdf'),
  contentDisposition: (fileType) => `attachment; filename="audit-events.${fileType}"`,
  hasContentLength: (fileType) => fileType === 'pdf',
  refusedExport: (reason) => ({
    status: 400,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ status: 400, error: 'Bad Request', message: reason }),
  }),
};
