import { expect, test } from 'vitest';
import type { Fault } from '../reference/faults.ts';
import type { ReferenceOptions } from '../reference/reference.ts';
import { clauseIdsOf } from '../runner/play.ts';
import type { AnyScenario } from '../runner/scenario.ts';
import type { ClauseId } from '../schemas/clauses.ts';
import { isOfTheExport } from './json-part.ts';
import { playAgainst } from './play.ts';

/** Whether each fault of the export is played against all scenarios: five times the work (`npm run proof`). */
const isWhole = process.env.PROOF === 'whole';

/**
 * One test a fault: each clause that it breaks is violated, no other one is but those that it may break, and
 * the suite itself does not fail over it. Exports are long: against their faults only the scenarios are played that
 * look at what they break, unless the whole proof is asked for.
 * @param run `test.concurrent` for scenarios that wait more than they work
 */
export function proveFaults(
  faults: readonly Fault[],
  scenarios: readonly AnyScenario[],
  options: Pick<ReferenceOptions, 'pastEvents'> = {},
  run: Pick<typeof test, 'each'> = test,
): void {
  run.each(faults)('$id', async ({ breaks, mayBreak = [], rules = {}, wire = (as) => as }) => {
    const isLooking = (scenario: AnyScenario): boolean =>
      clauseIdsOf(scenario).some((id) => breaks.some((one) => one === id));
    const played =
      isWhole || !breaks.every(isOfTheExport) ? scenarios : scenarios.filter(isLooking);
    const { clauses, violations } = await playAgainst({ rules, wire, ...options }, played);

    const reasons = new Map(clauses.map(({ id, verdict, reason }) => [id, `${verdict} ${reason}`]));
    const violated = new Set(violations.map(({ clause }) => clause));
    const missed = breaks.filter((id) => !violated.has(id));
    expect(missed.map((id) => `${id}: ${reasons.get(id)}`)).toEqual([]);

    const expected = new Set<string>([...breaks, ...mayBreak]);
    const accused = violations.filter(({ clause }) => !expected.has(clause));
    expect(accused.map(({ clause, message }) => `${clause}: ${message}`)).toEqual([]);

    const failures = clauses.filter(({ reason }) => reason.includes('The suite itself failed'));
    expect(failures).toEqual([]);
  });
}

/** Whether a fault shows when tasks are written; the others show in what is read. */
export function isOfWrites({ breaks }: Fault): boolean {
  return breaks.some((id: ClauseId) => /^(update|(re|un)?assign|comment|conflict)\./.test(id));
}
