import { accessFaults } from './faults/access.ts';
import { answerToWriteFaults } from './faults/answers-to-writes.ts';
import { assessmentFieldFaults } from './faults/assessment-fields.ts';
import { assignmentFieldFaults } from './faults/assignment-fields.ts';
import { auditFaults } from './faults/audit.ts';
import { bodyFaults } from './faults/bodies.ts';
import { commentFaults } from './faults/comments.ts';
import { exportFaults } from './faults/export.ts';
import type { Fault } from './faults/fault.ts';
import { jsonFaults } from './faults/json.ts';
import { leakFaults } from './faults/leaks.ts';
import { lookupFaults } from './faults/lookups.ts';
import { newVersionFaults } from './faults/new-versions.ts';
import { notificationFaults } from './faults/notifications.ts';
import { readFaults } from './faults/reads.ts';
import { refusedWriteFaults } from './faults/refused-writes.ts';
import { sideEffectFaults } from './faults/side-effects.ts';
import { simultaneousFaults } from './faults/simultaneous.ts';
import { taskFieldFaults } from './faults/task-fields.ts';
import { transitionFaults } from './faults/transitions.ts';
import { versionFaults } from './faults/versions.ts';

export type { Fault } from './faults/fault.ts';

/** Every way in which we know how to make the service wrong. The suites must notice each of them. */
export const faults: readonly Fault[] = [
  ...taskFieldFaults,
  ...assignmentFieldFaults,
  ...assessmentFieldFaults,
  ...transitionFaults,
  ...sideEffectFaults,
  ...commentFaults,
  ...answerToWriteFaults,
  ...newVersionFaults,
  ...versionFaults,
  ...simultaneousFaults,
  ...refusedWriteFaults,
  ...bodyFaults,
  ...leakFaults,
  ...lookupFaults,
  ...readFaults,
  ...accessFaults,
  ...jsonFaults,
  ...auditFaults,
  ...notificationFaults,
  ...exportFaults,
];
