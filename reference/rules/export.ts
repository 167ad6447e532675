import { type ExportCsvRules, exportCsvRules } from './export-csv.ts';
import { type ExportFileRules, exportFileRules } from './export-file.ts';
import { type ExportPdfRules, exportPdfRules } from './export-pdf.ts';
import { type ExportQueryRules, exportQueryRules } from './export-query.ts';
import { type ExportSelectionRules, exportSelectionRules } from './export-selection.ts';

/**
 * What the document says of exports, one small function a sentence, and what it leaves open, with a default
 * (4. Export audit events, Errors, Limits).
 */
export interface ExportRules
  extends ExportQueryRules,
    ExportSelectionRules,
    ExportFileRules,
    ExportCsvRules,
    ExportPdfRules {}

export const exportRules: ExportRules = {
  ...exportQueryRules,
  ...exportSelectionRules,
  ...exportFileRules,
  ...exportCsvRules,
  ...exportPdfRules,
};
