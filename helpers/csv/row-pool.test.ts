import { expect, it } from 'vitest';
import { cellsOfText, RowPool, textOfRow } from './row-pool.ts';

it('equal rows have equal texts, and others have others', () => {
  expect(textOfRow(['a', 'b'])).toBe(textOfRow(['a', 'b']));
  expect(textOfRow(['ab', ''])).not.toBe(textOfRow(['a', 'b']));
  expect(cellsOfText(textOfRow(['a,b', '', 'c']))).toEqual(['a,b', '', 'c']);
});

it('the rows of several files are one, where they are equal', () => {
  const pool = new RowPool();
  const row = pool.rowOf(['a', 'b']);
  expect(row).toEqual(['a', 'b']);
  expect(pool.rowOf(['a', 'b'])).toBe(row);
  expect(pool.rowOf(['ab', ''])).toEqual(['ab', '']);
  expect(textOfRow(row)).toBe(textOfRow(['a', 'b']));
});

it('a row with NUL characters stays as it is', () => {
  const damaged = ['a\0b', 'c'];
  expect(new RowPool().rowOf(damaged)).toBe(damaged);
});

it('no more rows are known than there is room for', () => {
  const pool = new RowPool(2);
  const [first, second] = [pool.rowOf(['1']), pool.rowOf(['2'])];
  expect([pool.rowOf(['1']), pool.rowOf(['2'])]).toEqual([first, second]);
  expect(pool.rowOf(['1'])).toBe(first);
  pool.rowOf(['3']);
  expect(pool.rowOf(['1'])).not.toBe(first);
});
