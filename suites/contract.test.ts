import { inject } from 'vitest';
import { isClauseId, select, selectedClauses, whyNothingMatches } from '../contract/selection.ts';
import { environment } from '../helpers/config/environment.ts';
import { clauseOf } from '../schemas/clauses.ts';
import { clauseTests, TestRun, titleOf } from '../vitest/test-run.ts';
import { scenarios } from './index.ts';

// One test for each clause: -t, tags, reporters, --ui and watch mode then work as for any other test.

// Missing where tests are only listed.
const pattern: string = inject('testNamePattern') ?? '';
const asked = pattern.replaceAll('\\', '');
// The id of a clause means that clause alone, also where it begins another one.
const selected = isClauseId(asked) ? select(scenarios, { only: [asked] }) : scenarios;
// Vitest itself would pass where nothing matches.
if (!selectedClauses(selected).some((id) => new RegExp(pattern).test(titleOf(id)))) {
  throw new Error(whyNothingMatches(asked, scenarios));
}

clauseTests(
  selected,
  async (chosen) => await TestRun.open(environment, { scenarios: chosen }),
  (id) => [clauseOf(id).level],
);
