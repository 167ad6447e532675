import { expect, test } from 'vitest';
import { eachAfterEach } from './in-a-row.ts';

test('each item comes right after each, itself included, once', () => {
  const order = eachAfterEach(['a', 'b', 'c', 'd', 'e'], () => 1);
  const pairs = order.slice(1).map((one, index) => `${order[index]}${one}`);
  expect(pairs).toHaveLength(25);
  expect(new Set(pairs).size).toBe(25);
});

test('what takes turns comes right after itself as often as it has turns', () => {
  const turns = { a: 1, b: 2 };
  expect(eachAfterEach(['a', 'b'] as const, (one) => turns[one])).toEqual([...'aabbba']);
});
