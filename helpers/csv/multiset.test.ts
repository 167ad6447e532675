import { describe, expect, it } from 'vitest';
import {
  cellsOfText,
  deviation,
  difference,
  exactly,
  inAny,
  inEach,
  intersection,
  isSame,
  isSubset,
  isWithin,
  keyOfRow,
  type Multiset,
  multiset,
  RowPool,
  sum,
  textOfRow,
  union,
  without,
} from './multiset.ts';

const [a, b, c] = [
  ['a', '1'],
  ['b', '2'],
  ['c', '3'],
] as const;
const left = () => multiset([a, b, a]);
const right = () => multiset([c, a, b, b]);

describe('exports as multisets of rows', () => {
  it('differ by rows and by how often these are there', () => {
    expect(difference(left(), right())).toEqual({ missing: [a], extra: [c, b] });
    expect(difference(left(), multiset([b, a, a]))).toEqual({ missing: [], extra: [] });
  });

  it('keep cells apart wherever they end', () => {
    const joined = multiset([['a,b', 'c']]);
    expect(difference(joined, multiset([['a', 'b,c']])).missing).toEqual([['a,b', 'c']]);
  });

  it('have rows that can be told from their keys', () => {
    const row = ['a,b', '', 'c\n"d"'];
    expect(cellsOfText(keyOfRow(row, new Set()))).toEqual(row);
    expect(cellsOfText(keyOfRow(row, new Set([0, 1])))).toEqual(['c\n"d"']);
  });

  it('do not look at columns left out, and show whole rows', () => {
    const volatile = new Set([1]);
    const before = multiset(
      [
        ['a', '10:00'],
        ['b', '10:00'],
      ],
      volatile,
    );
    const after = multiset([['a', '10:01']], volatile);
    expect(difference(before, after)).toEqual({ missing: [['b', '10:00']], extra: [] });
  });

  it('are subsets where no row is there more often', () => {
    expect(isSubset(multiset([a, b]), left())).toBe(true);
    expect(isSubset(multiset([b, b]), left())).toBe(false);
    expect(isSubset(multiset([]), multiset([]))).toBe(true);
  });

  it.for([
    ['union', union, [a, a, b, b, c]],
    ['sum', sum, [a, a, a, b, b, b, c]],
    ['intersection', intersection, [a, b]],
    ['rest', without, [a]],
  ] as const)('combine to their %s', ([, combine, rows]) => {
    expect(combine(left(), right())).toEqual(multiset(rows));
  });

  it('have nothing in common where no row is in both', () => {
    const nothing = multiset([]);
    expect(intersection(left(), multiset([c]))).toEqual(nothing);
    expect(intersection(multiset([c]), left())).toEqual(nothing);
    expect(without(left(), left())).toEqual(nothing);
    expect(union(nothing, multiset([c]))).toEqual(multiset([c]));
  });

  it('compare by their keys, whatever pool their rows are of', () => {
    const pool = new RowPool(2);
    const ofPool = (...rows: (readonly string[])[]) => multiset(rows.map((row) => pool.rowOf(row)));
    const [before, after] = [ofPool(a, b), ofPool(c, b, a)];
    expect(difference(before, after)).toEqual({ missing: [], extra: [c] });
    expect(difference(after, before)).toEqual({ missing: [c], extra: [] });
    expect(isSame(union(before, multiset([c])), after)).toBe(true);
    expect(isSame(without(after, left()), ofPool(c))).toBe(true);
  });

  it('are the same where each row is there as often', () => {
    expect(isSame(left(), multiset([b, a, a]))).toBe(true);
    expect(isSame(left(), multiset([a, b]))).toBe(false);
    expect(isSame(multiset([a, b]), left())).toBe(false);
    expect(isSame(left(), multiset([a, b, c]))).toBe(false);
  });
});

const rows = (...cells: string[]): Multiset => multiset(cells.map((cell) => [cell]));

describe('the events of several exports together', () => {
  it('are known exactly where all rows differ', () => {
    const whole = rows('a', 'b', 'c');
    const both = inEach([exactly(rows('a', 'b')), exactly(rows('b', 'c'))], whole);
    expect(isWithin(both, rows('b'))).toBe(true);
    expect(isWithin(both, rows())).toBe(false);
    expect(isWithin(both, rows('b', 'c'))).toBe(false);
  });

  it('may be none where equal rows can be different events', () => {
    const whole = rows('a', 'a', 'a');
    const both = inEach([exactly(rows('a')), exactly(rows('a'))], whole);
    expect(isWithin(both, rows())).toBe(true);
    expect(isWithin(both, rows('a'))).toBe(true);
    expect(isWithin(both, rows('a', 'a'))).toBe(false);
  });

  it('are some for certain where the whole is too small for all to differ', () => {
    const both = inEach([exactly(rows('a', 'a')), exactly(rows('a', 'a'))], rows('a', 'a', 'a'));
    expect(deviation(both, rows()).missing).toEqual([['a']]);
  });

  it('are none of those that one part has and the whole lacks', () => {
    const both = inEach([exactly(rows('a', 'd')), exactly(rows('a', 'b'))], rows('a', 'b', 'c'));
    expect(deviation(both, rows('a'))).toEqual({ missing: [], extra: [] });
  });

  it('of any of them are as many as the larger and as both', () => {
    const any = inAny([rows('a', 'b'), rows('a', 'c')].map(exactly));
    expect(isWithin(any, rows('a', 'b', 'c'))).toBe(true);
    expect(isWithin(any, rows('a', 'a', 'b', 'c'))).toBe(true);
    expect(deviation(any, rows('a', 'a', 'a', 'b'))).toEqual({ missing: [['c']], extra: [['a']] });
  });
});

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
