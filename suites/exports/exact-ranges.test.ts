import { expect, test } from 'vitest';
import type { Exports } from '../../helpers/exports/exports.ts';
import { rangeBySearch, rangeByTimes } from './exact-ranges.ts';

const window = { start: 0, end: 1_000_000 };

test('a range begins and ends in the widest gaps that lie so many events apart', () => {
  const instants = [100, 101, 10_000, 10_001, 50_000, 50_001];
  expect(rangeByTimes(2, { instants, unit: 1 }, window)).toEqual({ start: 30_000, end: 1_000_000 });
  expect(rangeByTimes(4, { instants, unit: 1 }, window)).toEqual({ start: 0, end: 30_000 });
});

test('no range begins or ends between events that are close together', () => {
  const instants = [100, 101, 10_000, 10_001, 50_000, 50_001];
  expect(rangeByTimes(3, { instants, unit: 1 }, window)).toBeUndefined();
});

test('the whole window needs no gaps', () => {
  const instants = [0, 10_000, 1_000_000];
  expect(rangeByTimes(3, { instants, unit: 1 }, window)).toEqual(window);
});

test('between times that may be rounded only wide gaps are sure', () => {
  const instants = [10_000, 11_000, 13_000, 16_000, 90_000];
  expect(rangeByTimes(3, { instants, unit: 1000 }, window)).toEqual({ start: 0, end: 14_500 });
  expect(rangeByTimes(3, { instants, unit: 2000 }, window)).toBeUndefined();
});

test('events outside of the window do not count, and there is no range of more than there are', () => {
  const instants = [-5, 1, 2];
  expect(rangeByTimes(2, { instants, unit: 1 }, window)).toEqual(window);
  expect(rangeByTimes(3, { instants, unit: 1 }, window)).toBeUndefined();
});

test('a search by counting ends, though events share their instants between two milliseconds', async () => {
  const instants = [1_000_500n, 1_000_500n, 4_500_000n, 4_800_000n];
  const nanoseconds = (bound: unknown): bigint =>
    typeof bound === 'bigint' ? bound : BigInt(Number(bound)) * 1_000_000n;
  let asked = 0;
  const within = async ({ start, end }: { start?: unknown; end?: unknown }) => {
    asked += 1;
    if (asked > 1_000) throw new Error('It asks for ever.');
    const [from, to] = [nanoseconds(start), nanoseconds(end)];
    const count = instants.filter((at) => at >= from && at <= to).length;
    return { table: { count }, answer: { status: 200 } };
  };
  const exports = { within } as unknown as Exports;
  const range = await rangeBySearch(1, exports, { start: 0, end: 5 }, instants.length);
  expect(range && (await within(range)).table.count).toBe(1);
});
