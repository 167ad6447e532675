import { expect, test } from 'vitest';
import { instantOfEvent } from './event-instants.ts';

function countOf(instants: readonly number[]) {
  const asked: number[] = [];
  const count = async (start: number, end: number): Promise<number> => {
    asked.push(end - start);
    return instants.filter((at) => at >= start && at <= end).length;
  };
  return { count, asked };
}

const range = { start: 0, end: 1_000_000, total: 5 };
const instants = [10, 500, 500, 500_000, 999_999];

test('the instant of each event is found to the millisecond', async () => {
  const { count } = countOf(instants);
  expect(await instantOfEvent(count, range, 1)).toEqual({ instant: 10, upTo: 1 });
  expect(await instantOfEvent(count, range, 4)).toEqual({ instant: 500_000, upTo: 4 });
  expect(await instantOfEvent(count, range, 5)).toEqual({ instant: 999_999, upTo: 5 });
});

test('of events that share an instant all are counted', async () => {
  const { count } = countOf(instants);
  expect(await instantOfEvent(count, range, 2)).toEqual({ instant: 500, upTo: 3 });
  expect(await instantOfEvent(count, range, 3)).toEqual({ instant: 500, upTo: 3 });
});

test('an event at the very start, and one at the very end, are found', async () => {
  const { count } = countOf([0, 1_000_000]);
  expect(await instantOfEvent(count, { ...range, total: 2 }, 1)).toEqual({ instant: 0, upTo: 1 });
  expect(await instantOfEvent(count, { ...range, total: 2 }, 2)).toEqual({
    instant: 1_000_000,
    upTo: 2,
  });
});

test('ranges get ever shorter, and no more than their logarithm is asked for', async () => {
  const { count, asked } = countOf(instants);
  await instantOfEvent(count, range, 3);
  expect(asked.length).toBeLessThanOrEqual(20);
  expect(asked.at(-1)).toBeLessThan(asked[0] ?? 0);
});

test('more events than there are have no instant', async () => {
  expect(await instantOfEvent(countOf(instants).count, range, 6)).toBeUndefined();
});
