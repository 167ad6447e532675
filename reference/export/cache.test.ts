import { expect, test } from 'vitest';
import { Cache, identityOf } from './cache.ts';

test('what was asked for most recently is kept', () => {
  const made: string[] = [];
  const cache = new Cache<string>(2);
  const ask = (key: string) =>
    cache.get(key, () => {
      made.push(key);
      return key.toUpperCase();
    });
  expect(['a', 'b', 'a', 'c', 'a', 'b'].map(ask)).toEqual(['A', 'B', 'A', 'C', 'A', 'B']);
  expect(made).toEqual(['a', 'b', 'c', 'b']);
});

test('an object keeps its number, and no other has it', () => {
  const [one, other] = [{}, {}];
  expect(identityOf(one)).toBe(identityOf(one));
  expect(identityOf(one)).not.toBe(identityOf(other));
});
