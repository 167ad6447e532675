import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { conformantRun, violatedRun } from '../reports/example-results.fixture.ts';
import { jsonText } from '../reports/printable.ts';
import { type AnyScenario, clauseIdsOf, scenario } from '../runner/scenario.ts';
import type { Results } from '../schemas/results.ts';
import { scenarios } from '../suites/index.ts';
import { emptyFolder } from './process.fixture.ts';
import { lastFailed, leaveOut, select, selectedClauses, whyNothingMatches } from './selection.ts';

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

const idsOf = (selected: readonly AnyScenario[]) =>
  selected.map((one) => [one.name, ...clauseIdsOf(one)]);
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
    expect(names(select(all, { only: wanted }))).toEqual(expected);
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
    expect(selectedClauses(select(all, { only: wanted }))).toEqual(expected);
  });

  test('what matches nothing is an error, also beside what matches', () => {
    const message = /^No clause and no scenario matches "taks\.id"\. Did you mean task\.id\?\n/;
    expect(() => select(all, { only: ['taks.id'] })).toThrow(message);
    expect(() => select(all, { only: ['task.id', 'taks.id'] })).toThrow(message);
  });

  test('ids that hold the text come first', () => {
    expect(() => select(all, { only: ['unassigned.'] })).toThrow(/ Did you mean /);
    expect(() => select(all, { only: ['null-when'] })).toThrow(
      'Did you mean task.assignment-null-when-unassigned?\n',
    );
  });

  test('a clause that nobody looks at says so, with the reason where there is one', () => {
    expect(() => select(all, { only: ['task.name'] })).toThrow('No scenario looks at task.name.');
    expect(() => select(all, { only: ['interface.is-the-only-document'] })).toThrow(
      /^interface\.is-the-only-document cannot be tested\. /,
    );
  });
});

describe('what a scenario judges', () => {
  test('is what was chosen of it, and nothing else', () => {
    expect(idsOf(select(all, { only: ['task.id'] }))).toEqual([['a task is read', 'task.id']]);
    expect(idsOf(select(all, { only: ['is read'] }))).toEqual([
      ['a task is read', 'task.id', 'task.assignment'],
    ]);
  });

  test('is of the levels that were chosen', () => {
    expect(idsOf(select(all, { level: ['stated'], only: ['task.', 'update.'] }))).toEqual([
      ['a task is read', 'task.id', 'task.assignment'],
      ['a task is unassigned', 'task.assignment-null-when-unassigned'],
    ]);
    expect(() => select(all, { level: ['implied'], only: ['task.id'] })).toThrow(
      'Of task.id, no clause is implied.',
    );
  });
});

describe('what is left out', () => {
  test('is judged by no scenario, and named', () => {
    const { scenarios, leftOut } = leaveOut(all, ['task.id', 'update.']);
    expect(idsOf(scenarios)).toEqual([
      ['a task is read', 'task.assignment'],
      ['a task is unassigned', 'task.assignment-null-when-unassigned'],
    ]);
    expect(leftOut).toEqual(['task.id', 'update.success-status']);
  });

  test('may be a scenario', () => {
    const { scenarios, leftOut } = leaveOut(all, ['is read']);
    expect(names(scenarios)).toEqual(['a task is unassigned']);
    expect(leftOut).toEqual(['task.id', 'task.assignment']);
  });

  test('is nothing that was not chosen', () => {
    const chosen = select(all, { only: ['task.id'] });
    expect(leaveOut(chosen, ['update.'])).toEqual({ scenarios: chosen, leftOut: [] });
  });
});

test('a scenario of which every clause is chosen is the same one: by that a whole run is known', () => {
  const isWhole = (chosen: readonly AnyScenario[]) => all.every((one) => chosen.includes(one));
  expect(isWhole(select(all, {}))).toBe(true);
  expect(isWhole(select(all, { only: ['task.', 'is unassigned'] }))).toBe(true);
  expect(isWhole(select(all, { only: ['task.'] }))).toBe(false);
});

describe('a text that means nothing', () => {
  test.for([
    [
      'assignment null',
      /Did you mean task\.assignment or task\.assignment-null-when-unassigned\?\n/,
    ],
    ['a taks is raed', /Did you mean a task is read\?/],
    ['xyzzy', /^No clause and no scenario matches "xyzzy"\.\n/],
  ] as const)('%s', ([text, expected]) => {
    expect(whyNothingMatches(text, all)).toMatch(expected);
  });
});

/** The folder of the last whole run, beside that of the last run of chosen clauses. */
async function reportsOf(runs: Readonly<Record<string, Results>>): Promise<string> {
  const folder = await emptyFolder();
  for (const [name, results] of Object.entries(runs)) {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, 'results.json'), jsonText(results));
  }
  return join(folder, 'latest');
}

const later = (results: Results): Results => ({
  ...results,
  startedAt: '2027-01-01T00:00:00.000Z',
});

test.for([
  ['the last whole run', { latest: violatedRun }],
  ['the last run of chosen clauses', { chosen: violatedRun }],
  ['whichever is later', { latest: conformantRun, chosen: later(violatedRun) }],
] as const)('the clauses that %s found violated are judged again', async ([, runs]) => {
  const failed = await lastFailed(await reportsOf(runs), scenarios);
  expect(failed.last.violations).toEqual(violatedRun.violations);
  expect(new Set(failed.scenarios.flatMap(clauseIdsOf))).toEqual(
    new Set(violatedRun.violations.map(({ clause }) => clause)),
  );
});

test('where the last run found nothing, or there is none, that is said', async () => {
  const fine = await reportsOf({ latest: violatedRun, chosen: later(conformantRun) });
  await expect(lastFailed(fine, scenarios)).rejects.toThrow(
    '--last-failed: the last run, of 2027-01-01 00:00:00 UTC, found nothing violated: there is nothing to run again.',
  );
  await expect(lastFailed(await reportsOf({}), scenarios)).rejects.toThrow(
    'Expected results of a run, but there is no file or folder ',
  );
});
