import type { Waiver } from '../schemas/waivers.ts';
import { violatedRun } from './example-results.ts';
import { reviewWaivers } from './waivers.ts';

const waiver = (clause: string, expires: string): Waiver => ({
  clause,
  reason: 'The release of [March] brings the fix',
  owner: 'team-workflow',
  issue: 'https://tracker.example/WF-311',
  expires,
});

/** One waiver in each state, for the run that holds every verdict. */
export const exampleWaivers: readonly Waiver[] = [
  waiver('update.keeps-the-other-fields', '2026-12-31'),
  waiver('conflict.differing-version-is-409', '2026-10-31'),
  waiver('task.assignment', '2026-12-31'),
  waiver('update.quoted-if-match', '2026-12-31'),
];

export const exampleReview = reviewWaivers(
  violatedRun,
  exampleWaivers,
  new Date('2026-11-05T09:30:00Z'),
);
