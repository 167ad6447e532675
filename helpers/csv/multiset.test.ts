import { describe, expect, it } from 'vitest';
import { difference, intersection, isSubset, multiset, sum, union } from './multiset.ts';

const [a, b, c] = [
  ['a', '1'],
  ['b', '2'],
  ['c', '3'],
] as const;
const left = multiset([a, b, a]);
const right = multiset([c, a, b, b]);

describe('exports as multisets of rows', () => {
  it('differ by rows and by how often these are there', () => {
    expect(difference(left, right)).toEqual({ missing: [a], extra: [c, b] });
    expect(difference(left, multiset([b, a, a]))).toEqual({ missing: [], extra: [] });
  });

  it('tell cells apart wherever they end', () => {
    const joined = multiset([['a,b', 'c']]);
    expect(difference(joined, multiset([['a', 'b,c']])).missing).toEqual([['a,b', 'c']]);
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
    expect(isSubset(multiset([a, b]), left)).toBe(true);
    expect(isSubset(multiset([b, b]), left)).toBe(false);
    expect(isSubset(multiset([]), multiset([]))).toBe(true);
  });

  it.for([
    ['union', union, [a, a, b, b, c]],
    ['sum', sum, [a, a, a, b, b, b, c]],
    ['intersection', intersection, [a, b]],
  ] as const)('combine to their %s', ([, combine, rows]) => {
    const combined = combine(left, right);
    expect(difference(combined, multiset(rows))).toEqual({ missing: [], extra: [] });
    expect(combined.size).toBe(rows.length);
  });
});
