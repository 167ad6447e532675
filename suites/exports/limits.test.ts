import { expect, test } from 'vitest';
import type { CsvTable } from '../../helpers/csv/read-csv.ts';
import type { Exports } from '../../helpers/exports/exports.ts';
import type { Bound, ExportQuery } from '../../helpers/exports/query.ts';
import { rangeByTimes, rangeOf } from './limits.ts';

const window = { start: 0, end: 1_000_000 };

test('a range begins and ends in the widest gaps that lie so many events apart', () => {
  const instants = [100, 101, 10_000, 10_001, 50_000, 50_001];
  expect(rangeByTimes(2, instants, window)).toEqual({ start: 30_000, end: 1_000_000 });
  expect(rangeByTimes(4, instants, window)).toEqual({ start: 0, end: 30_000 });
});

test('no range begins or ends between events that are close together', () => {
  const instants = [100, 101, 10_000, 10_001, 50_000, 50_001];
  expect(rangeByTimes(3, instants, window)).toBeUndefined();
});

test('the whole window needs no gaps', () => {
  expect(rangeByTimes(3, [0, 10_000, 1_000_000], window)).toEqual(window);
});

test('events outside of the window do not count, and there is no range of more than there are', () => {
  const instants = [-5, 1, 2];
  expect(rangeByTimes(2, instants, window)).toEqual(window);
  expect(rangeByTimes(3, instants, window)).toBeUndefined();
});

const nanoseconds = (bound: Bound | undefined): bigint =>
  typeof bound === 'bigint' ? bound : BigInt(bound ?? 0) * 1_000_000n;

/** A target whose events are at these instants, in nanoseconds. */
function serve(instants: readonly bigint[]) {
  let asked = 0;
  const within = async ({ start, end }: ExportQuery) => {
    asked += 1;
    if (asked > 1_000) throw new Error('It asks for ever.');
    const [from, to] = [nanoseconds(start), nanoseconds(end)];
    const count = instants.filter((at) => at >= from && at <= to).length;
    return { table: { rows: Array(count) }, answer: { status: 200 } };
  };
  // The cast: nothing else of exports is used.
  return { exports: { within } as unknown as Exports, requests: () => asked };
}

/** How many events the range that is found for so many holds, and after how many requests. */
async function found(count: number, instants: readonly bigint[], end: number, shown?: number[]) {
  const { exports, requests } = serve(instants);
  // The cast: nothing else of the table is used.
  const table = { rows: instants.map(() => ['']) } as Partial<CsvTable> as CsvTable;
  const range = await rangeOf(count, exports, {
    window: { start: 0, end },
    table,
    instants: shown,
  });
  const asked = requests();
  return { held: range && (await exports.within(range)).table?.rows.length, asked };
}

/** Sixty events, in no even steps. */
const sixty = Array.from({ length: 60 }, (_, at) => 20_123_456_789n + BigInt(at) * 1_234_567_891n);
const minutes = 120_000;

test('times that rows show are counted once, and are only where the search begins', async () => {
  const shown = sixty.map((at) => Number(at / 1_000_000n));
  expect(await found(41, sixty, minutes, shown)).toEqual({ held: 41, asked: 1 });
  // Rows that show other times, as when events were recorded.
  const others = shown.map((at, index) => at + (index % 3) * 5_000);
  expect(await found(41, sixty, minutes, others)).toMatchObject({ held: 41 });
});

test('without times a range is found by counting', async () => {
  const { held, asked } = await found(41, sixty, minutes);
  expect(held).toBe(41);
  expect(asked).toBeLessThan(20);
});

test('a range begins later where its last event shares its instant with another', async () => {
  const crowded = sixty.map((at, index) => (index === 41 ? (sixty[40] ?? at) : at));
  expect(await found(41, crowded, minutes)).toMatchObject({ held: 41 });
});

test('a search ends, though events share their instants between two milliseconds', async () => {
  const instants = [1_000_500n, 1_000_500n, 4_500_000n, 4_800_000n];
  expect(await found(1, instants, 5)).toMatchObject({ held: 1 });
});
