import { expect, test } from 'vitest';
import { playAgainst } from './play.ts';

test('the reference service upholds every clause that the scenarios judge', async () => {
  const results = await playAgainst({ pastEvents: 12_000 });
  expect(results.violations).toEqual([]);
  const undecided = results.clauses.filter(({ verdict }) => verdict === 'inconclusive');
  expect(undecided).toEqual([]);
  expect(results.verdict).toBe('conformant');
});
