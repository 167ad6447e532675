import { describe, expect, it } from 'vitest';
import { type Multiset, multiset } from './multiset.ts';
import { deviation, inAny, inEach, isWithin } from './rows-alike.ts';

const rows = (...cells: string[]): Multiset => multiset(cells.map((cell) => [cell]));

describe('the events of several exports together', () => {
  it('are known exactly where all rows differ', () => {
    const whole = rows('a', 'b', 'c');
    const both = inEach([rows('a', 'b'), rows('b', 'c')], whole);
    expect(isWithin(both, rows('b'))).toBe(true);
    expect(isWithin(both, rows())).toBe(false);
    expect(isWithin(both, rows('b', 'c'))).toBe(false);
  });

  it('may be none where rows alike can be different events', () => {
    const whole = rows('a', 'a', 'a');
    const both = inEach([rows('a'), rows('a')], whole);
    expect(isWithin(both, rows())).toBe(true);
    expect(isWithin(both, rows('a'))).toBe(true);
    expect(isWithin(both, rows('a', 'a'))).toBe(false);
  });

  it('are some for certain where the whole is too small for all to differ', () => {
    const both = inEach([rows('a', 'a'), rows('a', 'a')], rows('a', 'a', 'a'));
    expect(deviation(both, rows()).missing).toEqual([['a']]);
  });

  it('of any of them are as many as the larger and as both', () => {
    const any = inAny([rows('a', 'b'), rows('a', 'c')]);
    expect(isWithin(any, rows('a', 'b', 'c'))).toBe(true);
    expect(isWithin(any, rows('a', 'a', 'b', 'c'))).toBe(true);
    expect(deviation(any, rows('a', 'a', 'a', 'b'))).toEqual({ missing: [['c']], extra: [['a']] });
  });
});
