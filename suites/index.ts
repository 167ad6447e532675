import type { AnyScenario } from '../runner/scenario.ts';
import { assigning, neighbours } from './assigning.ts';
import { authentication } from './authentication.ts';
import { commenting } from './comments.ts';
import { exportSuites } from './exports/index.ts';
import { notifications } from './notifications/index.ts';
import { openWrites } from './open-writes.ts';
import { readingAssessments } from './reading-assessments.ts';
import { readingTasks } from './reading-tasks.ts';
import { refusedWrites } from './refused-writes.ts';
import { simultaneousWrites } from './simultaneous-writes.ts';
import { unknownIdsAnswer404 } from './unknown-ids.ts';
import { versions } from './versions.ts';

type Suites = Readonly<Record<string, readonly AnyScenario[]>>;

/** The scenarios of the three JSON operations, by topic. A new one is added to its topic's file. */
export const jsonSuites: Suites = {
  'reading tasks': readingTasks,
  'reading assessments': readingAssessments,
  assigning,
  comments: commenting,
  versions,
  'simultaneous writes': simultaneousWrites,
  authentication,
  'unknown ids': unknownIdsAnswer404,
  'refused writes': refusedWrites,
  'writes that the document leaves open': openWrites,
  'other tasks': neighbours,
};

/** All scenarios, by topic. A new topic is added here. */
export const suites: Suites = {
  // First: no other scenario may write meanwhile, and none has written before whose email is still to come.
  'email of assignments': notifications,
  ...jsonSuites,
  ...exportSuites,
};

export const scenarios: readonly AnyScenario[] = Object.values(suites).flat();
