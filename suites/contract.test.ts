import { afterAll, beforeAll, describe, inject, type TestContext, test } from 'vitest';
import { openContract } from '../commands/contract.ts';
import { reportRun } from '../commands/report-run.ts';
import { selectByPattern, titleOf } from '../commands/vitest-selection.ts';
import { environment } from '../helpers/config/environment.ts';
import { Inconclusive } from '../helpers/outcomes.ts';
import { holds, waivedUntil, waiversFail } from '../reports/waivers.ts';
import { headline } from '../reports/wording.ts';
import type { Finding } from '../runner/play.ts';
import type { ClauseId } from '../schemas/clauses.ts';
import type { Waiver } from '../schemas/waivers.ts';
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
        await tell(findings.get(id), waiverOf(id), context);
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

function waiverOf(id: ClauseId): Waiver | undefined {
  return reporting.waivers.find((waiver) => waiver.clause === id && holds(waiver, new Date()));
}

async function tell(
  finding: Finding | undefined,
  waiver: Waiver | undefined,
  context: TestContext,
): Promise<void> {
  switch (finding?.kind) {
    case 'upheld':
      return;
    case 'observed':
      await context.annotate(finding.values.join(' '), 'observed');
      return;
    case 'violated':
      if (waiver !== undefined) return context.skip(waivedUntil(waiver));
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
