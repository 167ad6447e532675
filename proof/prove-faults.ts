import { expect, test } from 'vitest';
import type { Fault } from '../reference/faults.ts';
import type { ReferenceOptions } from '../reference/reference.ts';
import type { AnyScenario } from '../runner/scenario.ts';
import type { ClauseId } from '../schemas/clauses.ts';
import { playAgainst } from './play.ts';

/**
 * One test a fault: each clause that it breaks is violated, no other one is but those that it may break, and
 * the suite itself does not fail over it.
 * @param run `test.concurrent` for scenarios that wait more than they work
 */
export function proveFaults(
  faults: readonly Fault[],
  scenarios: readonly AnyScenario[],
  options: Pick<ReferenceOptions, 'pastEvents'> = {},
  run: Pick<typeof test, 'each'> = test,
): void {
  run.each(faults)('$id', async ({ breaks, mayBreak = [], rules = {}, wire = (as) => as }) => {
    const { clauses, violations } = await playAgainst({ rules, wire, ...options }, scenarios);

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
