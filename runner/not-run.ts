import { operations } from '../schemas/operations.ts';
import type { Results } from '../schemas/results.ts';
import { clauseIdsOf, type Findings } from './play.ts';
import type { AnyScenario } from './scenario.ts';
import { clauseResults } from './verdicts.ts';

/** What is said of the clauses of a scenario that was not played. */
export function notJudged(
  scenario: AnyScenario,
  reason: string,
  kind: 'not judged' | 'inconclusive' = 'not judged',
): Findings {
  return new Map(clauseIdsOf(scenario).map((id) => [id, { kind, reason }]));
}

/** The results of a run that could not start: nothing was sent, and every clause says why it was not judged. */
export function notRun(
  reason: string,
  scenarios: readonly AnyScenario[],
  { target, seed, startedAt }: Pick<Results, 'target' | 'seed'> & { startedAt: Date },
): Results {
  const unplayed = scenarios.map((one) => ({
    scenario: one.name,
    findings: notJudged(one, reason),
  }));
  return {
    format: 1,
    verdict: 'not run',
    target,
    seed,
    startedAt: startedAt.toISOString(),
    durationMs: 0,
    requests: {
      total: 0,
      // Object.fromEntries forgets that every operation is there.
      byOperation: Object.fromEntries(
        operations.map((name) => [name, 0]),
      ) as Results['requests']['byOperation'],
    },
    clauses: clauseResults(unplayed),
    violations: [],
  };
}
