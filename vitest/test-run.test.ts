import { describe, expect, test } from 'vitest';
import { type AnyScenario, scenario } from '../runner/scenario.ts';
import { selectByPattern, titleOf } from './test-run.ts';

const act = async (): Promise<void> => {};
const reading = scenario({
  name: 'a task is read',
  act,
  judges: { 'task.id': () => {}, 'task.assignment': () => {} },
});
const unassigning = scenario({
  name: 'a task is unassigned',
  act,
  judges: { 'task.assignment-null-when-unassigned': () => {} },
  observes: { 'update.success-status': () => [200] },
});
const all: readonly AnyScenario[] = [reading, unassigning];

describe('-t of Vitest', () => {
  const clausesFor = (pattern: string): string[] =>
    selectByPattern(all, pattern).flatMap(({ clauses }) => clauses);

  test('without a pattern: everything', () => {
    expect(clausesFor('')).toHaveLength(4);
  });

  test.for([
    ['task.assignment', ['task.assignment']],
    ['task\\.assignment', ['task.assignment']],
    ['a task is read', ['task.id', 'task.assignment']],
    ['task.assig', ['task.assignment', 'task.assignment-null-when-unassigned']],
  ] as const)('%s', ([pattern, expected]) => {
    expect(clausesFor(pattern)).toEqual(expected);
  });

  test('what matches nothing is an error: Vitest would pass', () => {
    expect(() => clausesFor('taks.id')).toThrow(/^No clause and no scenario matches "taks\.id"/);
  });

  test('a title begins with the id of the clause', () => {
    expect(titleOf('task.id')).toBe('task.id: A task has the field `id`, a string.');
  });
});
