import { expect, test } from 'vitest';
import { multiset } from '../csv/multiset.ts';
import { readCsv } from '../csv/read-csv.ts';
import { eventsLostBeside } from './known-filters.ts';

/** Events of two kinds; a third of them has no tag. */
const lines = Array.from(
  { length: 24 },
  (_, index) => `e-${index},${index % 2 === 0 ? 'task' : 'case'},${index % 3 === 0 ? '' : 'kyc'}`,
);

async function lost(isKept: (index: number) => boolean) {
  const table = await readCsv(Buffer.from(['id,kind,tag', ...lines].join('\n')));
  const values = ['task', 'case'].map((value) => ({
    value,
    events: multiset(table.rows.filter((row, index) => row[1] === value && isKept(index))),
  }));
  // No judge of this looks at the answer.
  const known = values.map((one) => ({ ...one, download: {} as never }));
  return eventsLostBeside(known, table, new Set()).map(({ known: { value }, lost: rows }) => ({
    value,
    lost: rows.length,
  }));
}

test('events that are kept unless they are empty in a place are lost', async () => {
  expect(await lost((index) => index % 3 !== 0)).toEqual([
    { value: 'task', lost: 4 },
    { value: 'case', lost: 4 },
  ]);
});

test('nothing is lost where all events that show a value are kept', async () => {
  expect(await lost(() => true)).toEqual([]);
});

test('events that are not kept for another reason are not said to be lost', async () => {
  expect(await lost((index) => index % 5 !== 0)).toEqual([]);
});

test('one event that is kept although it is empty is enough of another reason', async () => {
  expect(await lost((index) => index % 3 !== 0 || index === 0)).toEqual([]);
});
