// A waiver that was made of one run covers the same fault in other runs: on other data, on another day, and with other
// choices of what is asked for; and another fault of the same clause it does not cover.

import { expect, test } from 'vitest';
import { extendWaivers, reviewWaivers } from '../reports/verdicts.ts';
import type { Results, ViolationResult } from '../schemas/results.ts';
import { scenarios } from '../suites/index.ts';
import { allFaults } from './faults.ts';
import { runAgainst } from './in-process.ts';
import { lookingAt } from './parts.ts';
import { isSample, isWhole, sampled } from './sample.ts';

const seeds = isSample ? [2] : isWhole ? [2, 3, 4, 5] : [2, 3];

async function runOf(id: string, seed: number): Promise<Results> {
  const fault = allFaults.find((one) => one.id === id);
  if (fault === undefined) throw new Error(`There is no fault ${id}.`);
  const { rules = {}, wire, breaks } = fault;
  const options = { seed, rules, ...(wire && { wire }) };
  return await runAgainst(options, lookingAt(breaks, scenarios));
}

const stub = {
  reason: 'known',
  owner: 'us',
  issue: 'https://tracker.example/1',
  expires: '2027-01-31',
};

/** The violations of a run that waivers for another one do not cover. */
function notCovered(run: Results, waived: Results): ViolationResult[] {
  const { waivers } = extendWaivers([waived], [], stub);
  const { covered } = reviewWaivers({ ...run, startedAt: '2026-11-05T09:30:00.000Z' }, waivers);
  return run.violations.filter((one) => !covered.has(one));
}

const waived = [
  'a-task-lacks-institution-id',
  'an-unknown-task-is-403',
  'a-version-one-step-old-is-accepted',
  'a-write-refused-with-409-keeps-its-comment',
  'a-comment-is-html-escaped',
  'only-the-first-member-of-a-team-gets-email',
  'export-system-source-selects-by-event-type-too',
  'comments-of-unassignments-are-not-recorded',
  'export-daylight-saving-begins-and-ends-a-week-late',
  'export-only-the-last-metadata-key-counts',
  'export-events-without-a-person-are-lost-in-other-timezones',
  'export-pdf-ignores-metadata',
];

test.for(sampled(waived, 3))('a waiver of %s covers it whatever shows it', async (id) => {
  const first = await runOf(id, 1);
  expect(first.violations).not.toEqual([]);
  for (const seed of seeds) {
    const run = await runOf(id, seed);
    expect(run.violations).not.toEqual([]);
    expect(notCovered(run, first)).toEqual([]);
  }
});

test.for([
  ['a-number-for-the-assignee-is-carried-out', 'a-null-for-who-assigns-is-carried-out'],
  ['any-key-is-accepted-by-get-task', 'an-unassign-with-any-key-is-carried-out'],
  ['export-auditee-id-uses-the-first-value-only', 'export-event-type-uses-the-first-value-only'],
] as const)('a waiver of %s does not cover %s', async ([waived, other]) => {
  expect(notCovered(await runOf(other, 1), await runOf(waived, 1))).not.toEqual([]);
});
