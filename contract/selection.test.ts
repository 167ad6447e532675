import { describe, expect, test } from 'vitest';
import { type AnyScenario, scenario } from '../runner/scenario.ts';
import { select, selectClauses } from './selection.ts';

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

const names = (selected: readonly AnyScenario[]): string[] => selected.map(({ name }) => name);

describe('--only', () => {
  test.for([
    [[], ['a task is read', 'a task is unassigned']],
    [['task.'], ['a task is read', 'a task is unassigned']],
    [['task.assignment'], ['a task is read']],
    [['task.assignment-'], ['a task is unassigned']],
    [['update.success-status'], ['a task is unassigned']],
    [['is read'], ['a task is read']],
    [
      ['task.id', 'is unassigned'],
      ['a task is read', 'a task is unassigned'],
    ],
  ])('%j', ([wanted = [], expected]) => {
    expect(names(select(all, wanted))).toEqual(expected);
  });

  test.for([
    [
      [],
      [
        'task.id',
        'task.assignment',
        'task.assignment-null-when-unassigned',
        'update.success-status',
      ],
    ],
    [['task.assignment'], ['task.assignment']],
    [['task.assignment-'], ['task.assignment-null-when-unassigned']],
    [
      ['is unassigned', 'task.id'],
      ['task.id', 'task.assignment-null-when-unassigned', 'update.success-status'],
    ],
  ])('%j: the clauses', ([wanted = [], expected]) => {
    expect(selectClauses(select(all, wanted), wanted)).toEqual(expected);
  });

  test('what matches nothing is an error, also beside what matches', () => {
    const message = /^No clause and no scenario matches "taks\.id"\. Did you mean task\.id, /;
    expect(() => select(all, ['taks.id'])).toThrow(message);
    expect(() => select(all, ['task.id', 'taks.id'])).toThrow(message);
  });

  test('ids that hold the text come first', () => {
    expect(() => select(all, ['unassigned.'])).toThrow(/ Did you mean /);
    expect(() => select(all, ['null-when'])).toThrow(
      'Did you mean task.assignment-null-when-unassigned?\n',
    );
  });

  test('a clause that nobody looks at says so, with the reason where there is one', () => {
    expect(() => select(all, ['task.name'])).toThrow('No scenario looks at task.name.');
    expect(() => select(all, ['interface.is-the-only-document'])).toThrow(
      /^interface\.is-the-only-document cannot be tested\. /,
    );
  });
});
