import type { AnyScenario } from '../runner/scenario.ts';
import { assigning } from './assigning.ts';
import { authentication } from './authentication.ts';
import { commenting } from './comments.ts';
import { openWrites } from './open-writes.ts';
import { readingAssessments } from './reading-assessments.ts';
import { readingTasks } from './reading-tasks.ts';
import { refusedWrites } from './refused-writes.ts';
import { unknownIdsAnswer404 } from './unknown-ids.ts';
import { versions } from './versions.ts';

/** All scenarios, by topic. A new one is added to its topic's file; a new topic, here. */
export const suites: Readonly<Record<string, readonly AnyScenario[]>> = {
  'reading tasks': readingTasks,
  'reading assessments': readingAssessments,
  assigning,
  comments: commenting,
  versions,
  authentication,
  'unknown ids': unknownIdsAnswer404,
  'refused writes': refusedWrites,
  'writes that the document leaves open': openWrites,
};

export const scenarios: readonly AnyScenario[] = Object.values(suites).flat();
