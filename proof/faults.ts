import { accessFaults, exportAccessFaults } from './faults/access.ts';
import { answerToWriteFaults } from './faults/answers-to-writes.ts';
import { assessmentFieldFaults } from './faults/assessment-fields.ts';
import { assignmentFieldFaults } from './faults/assignment-fields.ts';
import { auditTrailFaults } from './faults/audit-trail.ts';
import { bodyFaults } from './faults/bodies.ts';
import { exportCacheFaults, readCacheFaults } from './faults/caches.ts';
import { commentFaults } from './faults/comments.ts';
import { exportAnswerFaults } from './faults/export-answers.ts';
import { exportBoundFaults } from './faults/export-bounds.ts';
import { exportCombinationFaults } from './faults/export-combinations.ts';
import { exportCsvFaults } from './faults/export-csv.ts';
import { exportDateFaults } from './faults/export-dates.ts';
import { exportDefaultFaults } from './faults/export-defaults.ts';
import { exportEmptyValueFaults } from './faults/export-empty-values.ts';
import { exportExchangedFaults } from './faults/export-exchanged.ts';
import { exportLimitFaults } from './faults/export-limits.ts';
import { exportListFaults } from './faults/export-lists.ts';
import { exportLostFaults } from './faults/export-lost.ts';
import { exportMetadataFaults } from './faults/export-metadata.ts';
import { exportPdfFaults } from './faults/export-pdf.ts';
import { exportRangeFaults } from './faults/export-ranges.ts';
import { exportRefusedFaults } from './faults/export-refused.ts';
import { exportSettingFaults } from './faults/export-settings.ts';
import { exportSizeFaults } from './faults/export-sizes.ts';
import { exportWritingFaults } from './faults/export-writings.ts';
import { exportZoneFaults } from './faults/export-zones.ts';
import type { Fault } from './faults/fault.ts';
import { jsonFaults } from './faults/json.ts';
import { lookupFaults } from './faults/lookups.ts';
import { notificationFaults } from './faults/notifications.ts';
import { exportKeyFaults, presentedKeyFaults } from './faults/presented-keys.ts';
import { readFaults } from './faults/reads.ts';
import { recentEventFaults } from './faults/recent-events.ts';
import { refusedWriteFaults } from './faults/refused-writes.ts';
import { exportServerErrorFaults, taskServerErrorFaults } from './faults/server-errors.ts';
import { sideEffectFaults } from './faults/side-effects.ts';
import { simultaneousFaults } from './faults/simultaneous.ts';
import { taskFieldFaults } from './faults/task-fields.ts';
import { transitionFaults } from './faults/transitions.ts';
import { unassigningFaults } from './faults/unassigning.ts';
import { versionFaults } from './faults/versions.ts';

export type { Fault } from './faults/fault.ts';

/**
 * Every way in which we know how to make the service wrong, by what it shows in: answers of the three JSON operations,
 * exports, or email. The scenarios of that part must notice each of them.
 */
export const faults = {
  json: [
    ...taskFieldFaults,
    ...assignmentFieldFaults,
    ...assessmentFieldFaults,
    ...transitionFaults,
    ...sideEffectFaults,
    ...commentFaults,
    ...answerToWriteFaults,
    ...versionFaults,
    ...simultaneousFaults,
    ...unassigningFaults,
    ...refusedWriteFaults,
    ...bodyFaults,
    ...lookupFaults,
    ...readFaults,
    ...taskServerErrorFaults,
    ...readCacheFaults,
    ...accessFaults,
    ...presentedKeyFaults,
    ...jsonFaults,
  ],
  export: [
    ...exportAccessFaults,
    ...exportKeyFaults,
    ...auditTrailFaults,
    ...exportAnswerFaults,
    ...exportListFaults,
    ...exportMetadataFaults,
    ...exportExchangedFaults,
    ...exportRefusedFaults,
    ...exportCombinationFaults,
    ...exportLostFaults,
    ...exportBoundFaults,
    ...exportRangeFaults,
    ...exportDefaultFaults,
    ...exportEmptyValueFaults,
    ...recentEventFaults,
    ...exportLimitFaults,
    ...exportServerErrorFaults,
    ...exportSizeFaults,
    ...exportCacheFaults,
    ...exportSettingFaults,
    ...exportWritingFaults,
    ...exportCsvFaults,
    ...exportPdfFaults,
    ...exportDateFaults,
    ...exportZoneFaults,
  ],
  email: notificationFaults,
} satisfies Readonly<Record<string, readonly Fault[]>>;

export const allFaults: readonly Fault[] = Object.values(faults).flat();
