import type { AnyScenario } from '../../runner/scenario.ts';
import { auditTrailScenarios } from './audit-trail.ts';
import { csvScenarios } from './csv.ts';
import { filterScenarios } from './filters.ts';
import { formScenarios } from './forms.ts';
import { csvSizeScenarios, pdfLimitScenarios } from './limits.ts';
import { pdfScenarios } from './pdf.ts';
import { rangeScenarios } from './ranges.ts';
import { refusedExportScenarios } from './refused-exports.ts';
import { pdfsTogether, togetherScenarios } from './together.ts';

/** The scenarios of the audit export, by topic. */
export const exportSuites: Readonly<Record<string, readonly AnyScenario[]>> = {
  'plain exports': [...csvScenarios, ...csvSizeScenarios],
  'export filters': filterScenarios,
  'parameters together': togetherScenarios,
  'export ranges': rangeScenarios,
  'export timezone and locale': formScenarios,
  'export as PDF': [...pdfScenarios, ...pdfsTogether],
  'the PDF limit': pdfLimitScenarios,
  'refused and odd exports': refusedExportScenarios,
  'the audit trail': auditTrailScenarios,
};
