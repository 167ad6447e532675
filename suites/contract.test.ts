import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import { openContract } from '../contract/run.ts';
import { reportRun } from '../contract/reports.ts';
import { environment } from '../helpers/config/environment.ts';
import { waiverOf, waiversFail } from '../reports/waivers.ts';
import { headline } from '../reports/wording.ts';
import { selectByPattern, titleOf } from '../vitest/selection.ts';
import { tellVerdict } from '../vitest/tell.ts';
import { scenarios } from './index.ts';

// One test for each scenario and clause: -t, reporters, --ui and watch mode then work as for any other test.
// A scenario is played when the first of its tests runs; the others look at what it found.

const selected = selectByPattern(scenarios, inject('testNamePattern'));
const { run, reporting, close } = await openContract(
  environment,
  selected.map(({ scenario }) => scenario),
);

beforeAll(async () => {
  const obstacle = await run.preflight();
  if (obstacle !== undefined) throw new Error(obstacle);
});

for (const { scenario, clauses } of selected) {
  describe.concurrent(scenario.name, () => {
    for (const id of clauses) {
      test(titleOf(id), async (context) => {
        const findings = await run.play(scenario);
        await tellVerdict(id, [{ scenario: scenario.name, findings }], {
          context,
          waiver: waiverOf(id, reporting.waivers, new Date()),
          failure: ([{ violation }]) => violation,
        });
      });
    }
  });
}

afterAll(async () => {
  await close();
  const { reported, failures } = await reportRun(
    { results: run.results(), exchanges: run.exchanges },
    reporting,
  );
  if (failures.length > 0) throw failures[0];
  const { results, review } = reported;
  // Tests that are all skipped would pass for a green run.
  if (results.verdict === 'not run') throw new Error(headline(results).sentence);
  if (waiversFail(review)) throw new Error(headline(results, review).sentence);
});
