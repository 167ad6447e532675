import { expect, test } from 'vitest';
import type { Fault } from '../reference/faults.ts';
import type { ReferenceOptions } from '../reference/reference.ts';
import type { AnyScenario } from '../runner/scenario.ts';
import { runAgainst } from './in-process.ts';
import { lookingAt } from './parts.ts';

/** Whether each fault of the export is run against all scenarios: five times the work (`npm run proof`). */
const isWhole = process.env.PROOF === 'whole';

interface FaultOptions extends Pick<ReferenceOptions, 'pastEvents'> {
  /** Runs those scenarios only that look at what a fault breaks, unless the whole proof is asked for. */
  readonly narrow?: boolean;
  /** `test.concurrent` for scenarios that wait more than they work. */
  readonly run?: Pick<typeof test, 'each'>;
}

/**
 * One test a fault: each clause that it breaks is violated, no other one is but those that it may break, and
 * the suite itself does not fail over it.
 */
export function proveFaults(
  faults: readonly Fault[],
  scenarios: readonly AnyScenario[],
  { narrow = false, run = test, ...options }: FaultOptions = {},
): void {
  run.each(faults)('$id', async ({ breaks, mayBreak = [], rules = {}, wire = (as) => as }) => {
    const selected = narrow && !isWhole ? lookingAt(breaks, scenarios) : scenarios;
    const { clauses, violations } = await runAgainst({ rules, wire, ...options }, selected);

    const violated = new Set(violations.map(({ clause }) => clause));
    const missed = clauses.filter(
      ({ id }) => breaks.some((one) => one === id) && !violated.has(id),
    );
    expect(missed).toEqual([]);

    const expected = new Set<string>([...breaks, ...mayBreak]);
    expect(violations.filter(({ clause }) => !expected.has(clause))).toEqual([]);

    expect(clauses.filter(({ verdict }) => verdict === 'error')).toEqual([]);
  });
}
