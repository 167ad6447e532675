import { expect, test } from 'vitest';
import type { Results, ViolationResult } from '../schemas/results.ts';
import {
  conformantRun,
  hostileRun,
  incompleteRun,
  violatedRun,
} from './example-results.fixture.ts';
import { type Became, lastFindings, renderLastFindings } from './last-findings.ts';
import { noWaivers } from './waivers.ts';

/** What becomes of the only finding of a run. */
function becameOf(violation: ViolationResult, now: Results): Became[] {
  const last = { ...violatedRun, violations: [violation] };
  return lastFindings(last, noWaivers, now).map(({ became }) => became);
}

const [first] = violatedRun.violations;
if (first === undefined) throw new Error('There is no violation.');

test('a violation that is seen again is still there', () => {
  expect(becameOf(first, violatedRun)).toEqual(['still there']);
});

test('one that the same scenario does not see any more is gone', () => {
  const upheld: Results = {
    ...conformantRun,
    clauses: conformantRun.clauses.map((one) =>
      one.id === first.clause ? { ...one, verdict: 'upheld', reasons: [] } : one,
    ),
  };
  expect(becameOf(first, upheld)).toEqual(['gone']);
  expect(becameOf({ ...first, intermittent: true }, upheld)).toEqual([
    'not seen, and was intermittent',
  ]);
});

test.for(['inconclusive', 'not judged'] as const)(
  'of one whose clause is %s by now nothing is known',
  (verdict) => {
    const now: Results = {
      ...conformantRun,
      clauses: conformantRun.clauses.map((one) =>
        one.id === first.clause
          ? { ...one, verdict, reasons: verdict === 'not judged' ? [{ kind: 'not selected' }] : [] }
          : one,
      ),
    };
    expect(becameOf(first, now)).toEqual(['not judged']);
  },
);

test('the lines are numbered as the findings are, and nothing in them steers a terminal', () => {
  expect(renderLastFindings(violatedRun, noWaivers, incompleteRun)).toMatch(
    /^Of the run of 2026-11-05 09:30:00 UTC at https:\/\/eu\.staging\.example\/v5, looked for at http:\/\/127\.0\.0\.1:4010\/v5:\n {2}1\. [^\n]+: PUT …\/update-assignment: step_name[^\n]+\n {2}2\. [^\n]+\n {2}3\. [^\n]+\n\n$/,
  );
  const hostile = renderLastFindings(hostileRun, noWaivers, hostileRun);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what steers a terminal
  expect(hostile).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]|^::/m);
});
