import { expect, test } from 'vitest';
import type { Reason } from '../schemas/results.ts';
import { byReasons } from './grouping.ts';

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
