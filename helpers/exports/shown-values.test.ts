import { expect, test } from 'vitest';
import { readCsv } from '../csv/read-csv.ts';
import { beginningAlike, distinctiveValues, placesOf, sameNumbers } from './shown-values.ts';

const table = (lines: readonly string[]) => readCsv(Buffer.from(lines.join('\n')));
const named = (shown: ReturnType<typeof placesOf>, name: string) =>
  shown.find((one) => one.name === name);

test('metadata in one JSON cell is read key by key', async () => {
  const csv = await table([
    'time,metadata',
    ...Array.from(
      { length: 12 },
      (_, index) =>
        `2026-01-0${(index % 9) + 1}T00:00:00Z,"{""tag"":""t${index % 3}"",""task_id"":""x-${index}""}"`,
    ),
  ]);
  const shown = placesOf(csv, new Set());
  expect(named(shown, 'tag')?.rows.get('t0')).toHaveLength(4);
  expect(named(shown, 'task_id')?.rows.size).toBe(12);
});

test('metadata as key=value pairs in one cell is read key by key', async () => {
  const csv = await table([
    'time;metadata',
    ...Array.from(
      { length: 12 },
      (_, index) => `0${(index % 9) + 1}.01.2026;tag=t${index % 3}, task_id=x-${index}`,
    ),
  ]);
  const tag = named(placesOf(csv, new Set()), 'tag');
  expect(tag?.read(csv.rows[1] ?? [])).toBe('t1');
});

test('columns of dates are nothing to filter by, ids are known as such', async () => {
  const id = (index: number) => `00000000-0000-4000-8000-00000000000${index % 10}`;
  const csv = await table([
    'time,who,kind',
    ...Array.from(
      { length: 12 },
      (_, index) => `2026-01-0${(index % 9) + 1},${id(index % 4)},kind${index % 2}`,
    ),
  ]);
  const shown = placesOf(csv, new Set());
  const whole = shown.filter(({ kind }) => kind === 'cell');
  expect(whole.map(({ name, areIds }) => [name, areIds])).toEqual([
    ['who', true],
    ['kind', false],
  ]);
});

test('the most distinctive value is not the beginning of another, nor another in other case', async () => {
  const kinds = ['task', 'task_platform', 'review', 'Review', 'screening'];
  const csv = await table([
    'id,kind',
    ...Array.from({ length: 50 }, (_, index) => `n${index}-x,${kinds[index % 5]}`),
  ]);
  const kind = named(placesOf(csv, new Set()), 'kind');
  expect(kind && distinctiveValues(kind, 50)[0]).toBe('screening');
});

test('a metadata key that few cells name is read too', async () => {
  const csv = await table([
    'id,metadata',
    ...Array.from({ length: 900 }, (_, index) =>
      index === 500 || index === 501
        ? `${index},"{""cache_id"":""c-1""}"`
        : `${index},"{""tag"":""t${index}""}"`,
    ),
  ]);
  expect(named(placesOf(csv, new Set()), 'cache_id')?.rows.get('c-1')).toHaveLength(2);
});

test.for([
  [
    ['43720', '815', '043720'],
    ['43720', '043720'],
  ],
  [
    ['0', '00'],
    ['0', '00'],
  ],
  [['high_risk', 'high-risk', '12', '120', '1.20', '012a'], undefined],
] as const)('of %j these are one number: %j', ([values, expected]) => {
  expect(sameNumbers(values)).toEqual(expected);
});

test('of texts, two begin alike that are the same for as long as a service may compare', () => {
  const names = ['periodic_review_of_a_person', 'created', 'periodic_review_of_a_company'];
  expect(beginningAlike(names)).toEqual([names[0], names[2]]);
  expect(
    beginningAlike(['created', 'created by hand', 'periodic, of one', 'periodic, of two']),
  ).toBe(undefined);
});
