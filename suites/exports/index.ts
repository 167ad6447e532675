import type { AnyScenario } from '../../runner/scenario.ts';
import { auditTrailScenarios } from './audit-trail.ts';
import { combinedFilterScenarios } from './combined-filters.ts';
import { csvScenarios } from './csv.ts';
import { exchangedListScenarios } from './exchanged-lists.ts';
import { filterScenarios } from './filters.ts';
import { csvSizeScenarios, pdfLimitScenarios } from './limits.ts';
import { listScenarios } from './lists.ts';
import { localeScenarios } from './locale.ts';
import { newYearScenarios } from './new-year.ts';
import { openRequests } from './open-requests.ts';
import { ownEventScenarios } from './own-events.ts';
import { pdfScenarios } from './pdf.ts';
import { rangeScenarios } from './ranges.ts';
import { rangeAndFilterScenarios } from './ranges-with-filters.ts';
import { refusalScenarios } from './refusals.ts';
import { singleBoundScenarios } from './single-bounds.ts';
import { timezoneScenarios } from './timezone.ts';
import { exportsWithoutParameters } from './without-parameters.ts';

/** The scenarios of the audit export, by topic. */
export const exportSuites: Readonly<Record<string, readonly AnyScenario[]>> = {
  'plain exports': [...exportsWithoutParameters, ...csvScenarios, ...csvSizeScenarios],
  'export filters': [...filterScenarios, ...exchangedListScenarios],
  'lists of values': listScenarios,
  'combined filters': combinedFilterScenarios,
  'export ranges': [...rangeScenarios, ...rangeAndFilterScenarios, ...singleBoundScenarios],
  'export locale': localeScenarios,
  'export timezone': [...timezoneScenarios, ...newYearScenarios],
  'export as PDF': pdfScenarios,
  'the PDF limit': pdfLimitScenarios,
  'refused exports': refusalScenarios,
  'exports that the document leaves open': openRequests,
  'the audit trail': auditTrailScenarios,
  'events of the run’s own': ownEventScenarios,
};
