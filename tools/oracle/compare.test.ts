import { expect, test } from 'vitest';
import { compareOracles } from './compare.ts';

const before = `fault a | played
fault a | violated task.id, by: one
fault b | played
fault b | violated task.id, by: one
fault c | played
`;

test('the same lines in another order are equal', () => {
  const after = before.split('\n').toReversed().join('\n');
  expect(compareOracles(before, after)).toEqual({ differing: [], compared: 3, alone: 0 });
});

test('a fault that is found no more differs, one that only one file holds is counted', () => {
  const after = 'fault a | played\nfault b | played\nfault b | violated task.id, by: two\n';
  expect(compareOracles(before, after)).toEqual({
    differing: [
      { name: 'fault a', lines: ['- violated task.id, by: one'] },
      { name: 'fault b', lines: ['- violated task.id, by: one', '+ violated task.id, by: two'] },
    ],
    compared: 2,
    alone: 1,
  });
});

test('where clauses count, another scenario that finds the same clause violated makes no difference', () => {
  const after = 'fault b | played\nfault b | violated task.id, by: two\n';
  expect(compareOracles(before, after, true).differing).toEqual([]);
});
