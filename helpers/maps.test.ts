import { expect, test } from 'vitest';
import { Memory } from './maps.ts';

test('a value is worked out once, and a promise again after it has failed', async () => {
  const memory = new Memory<object, string, Promise<number>>();
  const owner = {};
  const outcomes = [Promise.reject(new Error('lost')), Promise.resolve(2), Promise.resolve(3)];
  const next = () => outcomes.shift() ?? Promise.resolve(0);
  await expect(memory.get(owner, 'key', next)).rejects.toThrow('lost');
  expect(await memory.get(owner, 'key', next)).toBe(2);
  expect(await memory.get(owner, 'key', next)).toBe(2);
});
