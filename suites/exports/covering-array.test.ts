import { describe, expect, it } from 'vitest';
import { type Bounds, multiset } from '../../helpers/csv/multiset.ts';
import type { Filter } from '../../helpers/exports/query.ts';
import { coveringArray } from './covering-array.ts';
import type { Level } from './levels.ts';

const rows = Array.from({ length: 24 }, (_, index) => [`event ${index}`]);
const whole = multiset(rows);

/** A level that keeps the events whose numbers fit. */
function level(factor: Filter, name: string, isKept: (number: number) => boolean): Level {
  const events = multiset(rows.filter((_, index) => isKept(index)));
  const keeps: Bounds = { least: events, most: events };
  return { factor, name, query: { filters: { [factor]: [name] } }, keeps, from: [] };
}

const even = level('event_type', 'even', (number) => number % 2 === 0);
const odd = level('event_type', 'odd', (number) => number % 2 === 1);
const third = level('sub_type', 'third', (number) => number % 3 === 0);
const first = level('system_source', 'first', (number) => number < 12);
const sixth = level('metadata[tag]', 'sixth', (number) => number % 6 === 0);
const anyPair = { isPair: () => true, max: 20 };

const named = (combinations: readonly (readonly Level[])[]): string[] =>
  combinations.map((levels) =>
    levels
      .map(({ name }) => name)
      .sort()
      .join(),
  );

describe('an array of requests', () => {
  it('holds each pair of levels that can stand together, each of which leaves events out', () => {
    const { combinations, pairs } = coveringArray([even, odd, third, first], whole, anyPair);
    expect(named(combinations)).toEqual(['even,first,third', 'first,odd,third']);
    expect(pairs).toEqual({ covered: 5, possible: 5 });
  });

  it('is the same each time', () => {
    const levels = [even, odd, third, first, sixth];
    const [one, other] = [1, 2].map(() => coveringArray(levels, whole, anyPair).combinations);
    expect(one).toEqual(other);
  });

  it('holds no more requests than are wanted, and says how many pairs those are', () => {
    const { combinations, pairs } = coveringArray([even, odd, third, first], whole, {
      ...anyPair,
      max: 1,
    });
    expect(combinations).toHaveLength(1);
    expect(pairs).toEqual({ covered: 3, possible: 5 });
  });

  it('holds pairs of parameters before pairs of forms', () => {
    const ofForm = { ...even, inPairs: [], forms: ['a value with a blank'] };
    const wanted = { ...anyPair, max: 1, most: 2 };
    for (const levels of [
      [ofForm, third, first],
      [first, third, ofForm],
    ])
      expect(named(coveringArray(levels, whole, wanted).combinations)).toEqual(['first,third']);
  });

  it('holds levels that keep all events of others, where looser requests are wanted', () => {
    const levels = [third, sixth];
    expect(coveringArray(levels, whole, anyPair).combinations).toEqual([]);
    const { combinations, pairs } = coveringArray(levels, whole, { ...anyPair, loose: 1 });
    expect(named(combinations)).toEqual(['sixth,third']);
    expect(pairs).toEqual({ covered: 1, possible: 1 });
  });

  it('keeps as many events as are wanted, and has the parameter that every request needs', () => {
    const wanted = {
      isPair: () => false,
      isSingle: () => true,
      needs: 'system_source',
      max: 5,
    } as const;
    const { combinations } = coveringArray([even, third, first], whole, {
      ...wanted,
      size: { min: 3, max: 4 },
    });
    expect(named(combinations)).toEqual(['first,third']);
  });

  it('has no more levels in a request than are wanted', () => {
    const wanted = { ...anyPair, most: 2 };
    const { combinations } = coveringArray([even, third, first], whole, wanted);
    expect(named(combinations).sort()).toEqual(['even,first', 'even,third', 'first,third']);
  });
});
