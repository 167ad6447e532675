import { expect, test } from 'vitest';
import { columnsOf, usesColor } from './terminal.ts';

test('the width of a terminal, or a readable one where none is known', () => {
  expect(columnsOf({ columns: 72 })).toBe(72);
  expect(columnsOf({ columns: 0 })).toBe(100);
  expect(columnsOf({}, 80)).toBe(80);
});

test.for([
  [true, {}, true],
  [false, {}, false],
  [true, { TERM: 'dumb' }, false],
  [true, { NO_COLOR: '1' }, false],
  [true, { NO_COLOR: '' }, true],
  [false, { FORCE_COLOR: '1' }, true],
  [false, { FORCE_COLOR: '' }, false],
  [true, { FORCE_COLOR: '0' }, false],
  [false, { FORCE_COLOR: '3', NO_COLOR: '1' }, true],
] as const)('colors: on a terminal %s, with %j: %s', ([isTTY, variables, expected]) => {
  expect(usesColor({ isTTY }, variables)).toBe(expected);
});
