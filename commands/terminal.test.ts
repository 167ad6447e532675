import { expect, test } from 'vitest';
import { columnsOf } from './terminal.ts';

test('the width of a terminal, or a readable one where none is known', () => {
  expect(columnsOf({ columns: 72 })).toBe(72);
  expect(columnsOf({ columns: 0 })).toBe(100);
  expect(columnsOf({}, 80)).toBe(80);
});
