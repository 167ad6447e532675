import { expect, test } from 'vitest';
import { classOf, survivorsPage } from './record.mjs';

const survivor = { line: 'return a;', mutator: 'BooleanLiteral', now: '`b`', differences: [] };

test('what is only observed of an open clause is open, whatever else is known of the line', () => {
  const differences = ['export.csv-form: observed'];
  expect(classOf({ ...survivor, differences }, { 'return a;': 'equivalent: a cache' })).toEqual({
    name: 'open',
    why: 'export.csv-form: observed',
  });
});

test('what people found out counts before what is undecided', () => {
  const differences = ['task.id: inconclusive'];
  expect(classOf({ ...survivor, differences }, { 'return a;': 'equivalent: a cache' })).toEqual({
    name: 'equivalent',
    why: 'a cache',
  });
  expect(classOf({ ...survivor, differences }, {}).name).toBe('incomplete');
  expect(classOf(survivor, {}).name).toBe('not looked at');
  expect(() => classOf(survivor, { 'return a;': 'wrong: no class' })).toThrow('wrong is no class');
});

test('the page counts what was noticed and lists what was not', () => {
  const file = { noticed: 3, notReached: 2, survivors: [survivor] };
  const page = survivorsPage({ 'reference/a.ts': file }, {});
  expect(page).toContain('| `reference/a.ts` | 3 | 1 | 75.0 % | 0 | 0 | 0 | 0 | 0 | 1 | 2 |');
  expect(page).toContain('- not looked at: `` return a; ``, BooleanLiteral `` `b` ``');
});
