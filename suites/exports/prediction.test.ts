import { expect, test } from 'vitest';
import type { CsvDownload } from '../../helpers/exports/downloads.ts';
import { ask, eachAfterEach, type Model } from './prediction.ts';

test('an export without a range that holds more events than are read leaves nothing in doubt', async () => {
  const download = { query: {}, answer: { status: 200 }, table: undefined, overflowed: true };
  const exports = { anytime: async () => download as unknown as CsvDownload };
  const model = { exports, knowledge: { window: {} }, translated: [] } as unknown as Model;
  const level = { factor: 'range', name: 'none', query: {}, from: [] } as const;
  const asked = await ask([{ ...level, isAnytime: true }], model);
  expect(asked).toMatchObject({ isTooLarge: true, isEmpty: true });
  expect(asked.undecided).toBeUndefined();
});

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
