import { afterAll, beforeAll, describe, inject, test } from 'vitest';
import { environment } from '../helpers/config/environment.ts';
import { selectByPattern, TestRun, titleOf } from '../vitest/test-run.ts';
import { scenarios } from './index.ts';

// One test for each scenario and clause: -t, reporters, --ui and watch mode then work as for any other test.
// A scenario is run when the first of its tests asks for what it found; the others look at the same findings.

const selected = selectByPattern(scenarios, inject('testNamePattern'));
const run = await TestRun.open(environment, {
  scenarios: selected.map(({ scenario }) => scenario),
});

beforeAll(() => run.begin());

for (const { scenario, clauses } of selected) {
  describe.concurrent(scenario.name, () => {
    for (const id of clauses) {
      test(titleOf(id), (context) => run.judge(id, [scenario], context));
    }
  });
}

afterAll(() => run.end());
