// The three JSON operations: every fault is noticed; no variant, and no combination of variants, is accused.

import { describe, expect, test } from 'vitest';
import { reduced } from '../contract/selection.ts';
import { bodyRules, isObject } from '../reference/rules/body.ts';
import type { Rules } from '../reference/rules.ts';
import { auditTrailScenarios } from '../suites/exports/audit-trail.ts';
import { sequences } from '../suites/sequences.ts';
import { faults } from './faults.ts';
import { runAgainst } from './in-process.ts';
import { scenariosOf } from './parts.ts';
import { proveFaults } from './prove-faults.ts';
import { combinationsOf, proveTogether, proveVariants } from './prove-variants.ts';
import { sampled } from './sample.ts';
import { variants } from './variants.ts';

/** Of the audit record, what no other scenario judges. */
const ofRecords = auditTrailScenarios.flatMap((one) =>
  reduced(one, (id) => id.startsWith('audit.')),
);

describe('faults', () => proveFaults(sampled(faults.json, 4), scenariosOf.json));
// With what is recorded of their writes: one that is answered otherwise must not be looked for as what it is not.
describe('variants', () =>
  proveVariants(sampled(variants.json, 3), [...scenariosOf.json, ...ofRecords]));
describe('variants together', () =>
  proveTogether(sampled(combinationsOf(variants.json, 40), 3), scenariosOf.json));
test('a service where users may not assign tasks to themselves is accused of nothing', async () => {
  let refused = 0;
  const rules: Partial<Rules> = {
    bodyProblem(body) {
      const update = isObject(body) && isObject(body.update) ? body.update : {};
      const { assigned_by_id: by, assigned_to_id: to } = update;
      if (by === undefined || by !== to) return bodyRules.bodyProblem(body);
      refused += 1;
      return 'Nobody assigns a task to themselves.';
    },
  };
  const results = await runAgainst({ rules }, scenariosOf.json);
  expect(results.violations).toEqual([]);
  expect(refused).toBeGreaterThan(0);
});

test('that a kind of refused request changes the task is found out by some trials, and not each time anew', async () => {
  const fault = faults.json.find(
    ({ id }) => id === 'a-write-refused-for-its-body-moves-updated-at',
  );
  if (fault?.rules === undefined) throw new Error('There is no such fault.');
  const requestsOf = async (rules: Partial<Rules>): Promise<number> =>
    (await runAgainst({ rules }, sequences)).requests.total;
  // Scenarios in which something is violated are played twice, and each refused request is sent by itself.
  expect(await requestsOf(fault.rules)).toBeLessThan(5 * (await requestsOf({})));
});
