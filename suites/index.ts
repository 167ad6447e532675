import type { AnyScenario } from '../runner/scenario.ts';
import { authentication } from './authentication.ts';
import { everyAnswer } from './every-answer.ts';
import { exportSuites } from './exports/index.ts';
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

/** All scenarios. */
export const scenarios: readonly AnyScenario[] = [
  // First: no other scenario may write meanwhile, and none has written before whose email is still to come.
  notifications,
  jsonSuites,
  ...Object.values(exportSuites),
  // Last: it looks at what all others were answered.
  everyAnswer,
].flat();
