import { expect, test } from 'vitest';
import { conformantRun } from './example-results.ts';
import { byReason } from './grouping.ts';

function runWith(reasons: readonly string[]) {
  const clauses = conformantRun.clauses.map((clause, index) => {
    const reason = reasons[index];
    return reason === undefined ? clause : { ...clause, verdict: 'inconclusive' as const, reason };
  });
  return { ...conformantRun, clauses };
}

const reasonsOf = (reasons: readonly string[]) =>
  byReason(runWith(reasons), 'inconclusive').map(({ reason, clauses }) => [reason, clauses.length]);

test('reasons that name other exchanges are one, and name none', () => {
  expect(reasonsOf(['answered 502 (#4)', 'answered 502 (#7, #8)', 'no answer (#9)'])).toEqual([
    ['answered 502', 2],
    ['no answer (#9)', 1],
  ]);
});

test('reasons that name the same exchange keep it', () => {
  expect(reasonsOf(['answered 502 (#4)', 'answered 502 (#4)'])).toEqual([['answered 502 (#4)', 2]]);
});
