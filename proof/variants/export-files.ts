import type { FileType } from '../../reference/export/query.ts';
import { table } from '../faults/fault.ts';
import { type Variant, variant } from './variant.ts';

const csvType = (id: string, contentType: string): Variant =>
  variant(`export-csv-is-called-${id}`, 'export.csv-content-type', {
    contentType: (fileType) => (fileType === 'csv' ? contentType : 'application/pdf'),
  });

const pdfType = (id: string, contentType: string): Variant =>
  variant(`export-pdf-is-called-${id}`, 'export.pdf-content-type', {
    contentType: (fileType) => (fileType === 'pdf' ? contentType : 'text/csv; charset=utf-8'),
  });

const named = (
  id: string,
  disposition: (fileType: FileType, now: number) => string | undefined,
): Variant => variant(`export-file-${id}`, 'export.file-name', { contentDisposition: disposition });

/** Files that are sent with other headers (4. Export audit events). */
export const exportFileVariants: readonly Variant[] = [
  csvType('text-csv', 'text/csv'),
  csvType('text-csv-with-a-header', 'text/csv; header=present; charset=UTF-8'),
  csvType('text', 'text/plain; charset=utf-8'),
  csvType('an-excel-file', 'application/vnd.ms-excel'),
  csvType('bytes', 'application/octet-stream'),
  pdfType('bytes', 'application/octet-stream'),
  pdfType('x-pdf', 'application/x-pdf'),
  named('has-no-name', () => undefined),
  named('is-an-attachment-without-a-name', () => 'attachment'),
  named('is-shown-inline', (fileType) => `inline; filename=export.${fileType}`),
  named('is-named-by-the-time', (fileType, now) => {
    const time = new Date(now).toISOString().replaceAll(':', '-');
    return `attachment; filename="audit_export_${time}.${fileType}"`;
  }),
  named('has-a-name-in-utf-8', (fileType) => {
    const name = encodeURIComponent(`Prüfereignisse.${fileType}`);
    return `attachment; filename="export.${fileType}"; filename*=UTF-8''${name}`;
  }),
  ...table(variant, 'interface.answer-headers', {
    'export-answers-tell-the-length-of-every-file': { hasContentLength: () => true },
    'export-answers-tell-the-length-of-no-file': { hasContentLength: () => false },
  }),
];
