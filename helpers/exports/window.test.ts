import { expect, test } from 'vitest';
import type { CsvTable } from '../csv/read-csv.ts';
import { Answer } from '../http/answer.ts';
import type { CsvDownload } from './downloads.ts';
import { findSample, findWindow, largeSize, type TimeRange } from './window.ts';

const now = Date.UTC(2026, 5, 1);
const day = 86_400_000;
const open = { start: undefined, end: undefined };

function answer(status: number): Answer {
  const request = {
    method: 'GET',
    url: 'http://target.test/v5/audit-sentinel/events/export',
    headers: [],
  };
  const exchange = {
    number: 1,
    operation: 'export',
    scenario: '',
    startedAt: 0,
    durationMs: 0,
    request,
  } as const;
  return new Answer(exchange, status, [], new Uint8Array());
}

/** A service with so many events a day since it began, of which no more than 40,000 are read. */
function service(perDay: number, sinceDays: number, maxAtOnce = Number.POSITIVE_INFINITY) {
  const asked: TimeRange[] = [];
  const fetch = async (window: TimeRange): Promise<CsvDownload> => {
    asked.push(window);
    const from = Math.max(window.start, now - sinceDays * day);
    const count = Math.max(0, Math.round(((window.end - from) / day) * perDay));
    if (count > maxAtOnce) {
      return { query: window, answer: answer(400), table: undefined, overflowed: false };
    }
    const overflowed = count > 40_000;
    const table = overflowed
      ? undefined
      : ({ rows: Array(count), columns: 1, headings: null } as unknown as CsvDownload['table']);
    return { query: window, answer: answer(200), table, overflowed };
  };
  return { fetch, asked };
}

test('the window of a middling service holds enough events, and a large one more than 5,000', async () => {
  const { fetch, asked } = service(50, 240);
  const { download } = await findWindow(fetch, open, now);
  expect(download.table?.rows.length).toBeGreaterThanOrEqual(1_000);
  expect(download.table?.rows.length).toBeLessThanOrEqual(4_000);
  expect(asked.length).toBeLessThanOrEqual(2);
  const large = await findWindow(fetch, open, now, largeSize);
  expect(large.download.table?.rows.length).toBeGreaterThanOrEqual(5_100);
  expect(large.download.table?.rows.length).toBeLessThanOrEqual(15_000);
});

test('the window of a busy service is narrowed until it can be read', async () => {
  const { fetch, asked } = service(1_000_000, 1000);
  const { download } = await findWindow(fetch, open, now, largeSize);
  expect(download.table?.rows.length).toBeGreaterThanOrEqual(5_100);
  expect(download.table?.rows.length).toBeLessThanOrEqual(15_000);
  expect(asked.length).toBeLessThanOrEqual(8);
});

test('the window of a service that refuses large files is as large as it gives', async () => {
  const { fetch } = service(50, 240, 3000);
  const { download, refused } = await findWindow(fetch, open, now, largeSize);
  expect(download.table?.rows.length).toBeGreaterThanOrEqual(2_950);
  expect(download.table?.rows.length).toBeLessThanOrEqual(3_000);
  expect(refused?.download.answer.status).toBe(400);
});

test('an export that is refused however small the window is cannot be learned from', async () => {
  const { fetch, asked } = service(50, 240, -1);
  await expect(findWindow(fetch, open, now)).rejects.toThrow('gave 400');
  expect(asked).toHaveLength(4);
});

test('a service of few events gives all it has, and is soon known to have no more', async () => {
  const { fetch, asked } = service(1, 300);
  const { window, download } = await findWindow(fetch, open, now);
  expect(window.start).toBe(Date.UTC(1990, 0, 1));
  expect(download.table?.rows.length).toBe(300);
  expect(asked.length).toBeLessThanOrEqual(4);
});

test('the window ends before the last minutes, which may still grow', async () => {
  const { fetch } = service(50, 240);
  const { window } = await findWindow(fetch, open, now);
  expect(window.end).toBe(now - 10 * 60_000);
});

test('a configured window is taken as it is', async () => {
  const { fetch, asked } = service(50, 240);
  const given = { start: now - 10 * day, end: now - day };
  expect((await findWindow(fetch, given, now)).window).toEqual(given);
  expect(asked).toHaveLength(1);
});

test('a configured window of too many events says so', async () => {
  const { fetch } = service(1_000_000, 100);
  await expect(findWindow(fetch, { start: now - 10 * day, end: now }, now)).rejects.toThrow(
    'The window of EXPORT_RANGE_START and EXPORT_RANGE_END holds more events than a check needs',
  );
});

test('an export that is refused says what it gave', async () => {
  const fetch = async (window: TimeRange): Promise<CsvDownload> => ({
    query: window,
    answer: answer(500),
    table: undefined,
    overflowed: false,
  });
  await expect(findWindow(fetch, open, now)).rejects.toMatchObject({
    message: 'No export to learn from: GET /audit-sentinel/events/export gave 500.',
    exchanges: [1],
  });
});

test.for([500, 1])(
  'the sample of a service that has events every %d ms holds some',
  async (everyMs) => {
    const window = { start: now - day, end: now };
    const instants = [
      ...Array.from({ length: 300 }, (_, index) => window.start + index * 60_000),
      ...Array.from({ length: 3000 }, (_, index) => now - index * everyMs),
    ];
    const { fetch } = service(0, 1);
    const base = { rows: instants.map(() => ['']) } as Partial<CsvTable> as CsvTable;
    const { start, end } = await findSample(fetch, window, base, instants);
    const held = instants.filter((at) => at >= start && at <= end).length;
    expect(held).toBeGreaterThanOrEqual(40);
    expect(held).toBeLessThanOrEqual(400);
  },
);

test('the sample keeps out of thousands of events at one instant', async () => {
  const window = { start: now - 30 * day, end: now };
  const imported = now - 5 * day;
  const instants = [
    ...Array.from({ length: 600 }, (_, index) => window.start + index * 3_600_000),
    ...Array.from({ length: 6000 }, () => imported),
    ...Array.from({ length: 90 }, (_, index) => imported + (index + 1) * 4_000_000),
  ];
  const base = { rows: instants.map(() => ['']) } as Partial<CsvTable> as CsvTable;
  const { start, end } = await findSample(service(0, 1).fetch, window, base, instants);
  const held = instants.filter((at) => at >= start && at <= end).length;
  expect(held).toBeGreaterThanOrEqual(40);
  expect(held).toBeLessThanOrEqual(400);
});
