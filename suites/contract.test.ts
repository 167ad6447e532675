import { afterAll, beforeAll, describe, inject, type TestContext, test } from 'vitest';
import { openContract } from '../commands/contract.ts';
import { selectByPattern, titleOf } from '../commands/vitest-selection.ts';
import { writeReports } from '../commands/write-reports.ts';
import { environment } from '../helpers/config/environment.ts';
import { Inconclusive } from '../helpers/outcomes.ts';
import { headline } from '../reports/wording.ts';
import type { Finding } from '../runner/play.ts';
import { scenarios } from './index.ts';

// One test for each scenario and clause: -t, reporters, --ui and watch mode then work as for any other test.
// A scenario is played when the first of its tests runs; the others look at what it found.

const selected = selectByPattern(scenarios, inject('testNamePattern'));
const { run, settings, close } = await openContract(
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
        await tell(findings.get(id), context);
      });
    }
  });
}

afterAll(async () => {
  await close();
  const results = run.results();
  await writeReports(results, run.exchanges, settings.reportDir);
  // Tests that are all skipped would pass for a green run.
  if (results.verdict === 'not run') throw new Error(headline(results).sentence);
});

async function tell(finding: Finding | undefined, context: TestContext): Promise<void> {
  switch (finding?.kind) {
    case 'upheld':
      return;
    case 'observed':
      await context.annotate(finding.value, 'observed');
      return;
    case 'violated':
      // Vitest shows the difference between `expected` and `actual` of an error.
      throw finding.violation;
    case 'inconclusive':
      throw new Inconclusive(finding.reason);
    case 'not judged':
      return context.skip(finding.reason);
    default:
      return context.skip('Nothing to see of it came up.');
  }
}
