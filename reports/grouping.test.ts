import { expect, test } from 'vitest';
import type { Reason } from '../schemas/results.ts';
import { conformantRun, notSelected, violatedRun } from './example-results.fixture.ts';
import { byReasons, tallyOf } from './grouping.ts';

function groupsOf(reasons: readonly Reason[]) {
  const clauses = reasons.map((reason) => ({ reasons: [reason] }));
  return byReasons(clauses).map((group) => [group.reasons, group.clauses.length]);
}

const inconclusive = (why: string, ...on: number[]): Reason => ({ kind: 'inconclusive', why, on });

test('reasons that name other exchanges are one, and name none', () => {
  const reasons = [
    inconclusive('no answer', 9),
    inconclusive('The read gave 502.', 4),
    inconclusive('The read gave 502.', 7, 8),
  ];
  expect(groupsOf(reasons)).toEqual([
    [[inconclusive('The read gave 502.')], 2],
    [[inconclusive('no answer', 9)], 1],
  ]);
});

test('reasons that name the same exchange keep it', () => {
  const reason = inconclusive('The read gave 502.', 4);
  expect(groupsOf([reason, reason])).toEqual([[[reason], 2]]);
});

test('reasons of another kind are others, whatever they say', () => {
  expect(groupsOf([inconclusive('a'), { kind: 'not run', why: 'a', on: [] }])).toHaveLength(2);
});

test('open points, and what was not to be judged, are counted apart', () => {
  const clauses = violatedRun.clauses.map((clause) => {
    if (clause.id === 'task.assignment')
      return { ...clause, verdict: 'not judged' as const, reasons: notSelected };
    if (clause.id !== 'update.needs-the-apikey') return clause;
    return { ...clause, verdict: 'not judged' as const, reasons: [{ kind: 'left out' as const }] };
  });
  expect(tallyOf({ ...violatedRun, clauses })).toMatchObject({
    all: 4,
    verdicts: { upheld: 1, violated: 2, inconclusive: 1, 'not judged': 0 },
    stated: 1,
    implied: 1,
    leftOut: 1,
    notSelected: 1,
    open: { all: 3, observed: 2 },
  });
  expect(tallyOf(violatedRun, new Set(['update.keeps-the-other-fields']))).toMatchObject({
    verdicts: { violated: 1 },
    implied: 0,
    waived: 1,
  });
  expect(tallyOf(conformantRun)).toMatchObject({ all: 6, verdicts: { upheld: 6 } });
});
