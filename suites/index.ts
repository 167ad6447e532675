import type { AnyScenario } from '../runner/scenario.ts';
import { authentication } from './authentication.ts';
import { everyAnswer } from './every-answer.ts';
import { auditTrailScenarios } from './exports/audit-trail.ts';
import { csvScenarios } from './exports/csv.ts';
import { filterScenarios } from './exports/filters.ts';
import { formScenarios } from './exports/forms.ts';
import { csvSizeScenarios, pdfLimitScenarios } from './exports/limits.ts';
import { pdfScenarios } from './exports/pdf.ts';
import { rangeScenarios } from './exports/ranges.ts';
import { refusedExportScenarios } from './exports/refused-exports.ts';
import { pdfsTogether, togetherScenarios } from './exports/together.ts';
import { notifications } from './notifications.ts';
import { commenting, openWrites } from './open-writes.ts';
import { readingAssessments, readingTasks } from './reads.ts';
import { sequences } from './sequences.ts';
import { simultaneousWrites } from './simultaneous-writes.ts';
import { unknownIdsAnswer404 } from './unknown-ids.ts';

/** The scenarios of the three JSON operations. New topics are added here, scenarios to a topic's file. */
export const jsonSuites: readonly AnyScenario[] = [
  ...readingTasks,
  ...readingAssessments,
  ...authentication,
  ...unknownIdsAnswer404,
  ...sequences,
  ...commenting,
  ...simultaneousWrites,
  ...openWrites,
];

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

/** All scenarios. */
export const scenarios: readonly AnyScenario[] = [
  // First: no other scenario may write meanwhile, and none has written before whose email is still to come.
  notifications,
  jsonSuites,
  ...Object.values(exportSuites),
  // Last: it looks at what all others were answered.
  everyAnswer,
].flat();
