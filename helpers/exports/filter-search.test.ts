import { expect, test } from 'vitest';
import { difference, multiset } from '../csv/multiset.ts';
import { readCsv } from '../csv/read-csv.ts';
import { placeOfLosing } from './filter-search.ts';
import { placesOf } from './shown-values.ts';

/** Events of two kinds; a third of them has no tag. */
const lines = Array.from(
  { length: 24 },
  (_, index) => `e-${index},${index % 2 === 0 ? 'task' : 'case'},${index % 3 === 0 ? '' : 'kyc'}`,
);

/** How many events each of two values loses of those that a place shows; [] where no place is found. */
async function lost(isKept: (index: number) => boolean, areTimesKnown = false) {
  const table = await readCsv(Buffer.from(['id,kind,tag', ...lines].join('\n')));
  const values = ['task', 'case'].map((value) => ({
    value,
    events: multiset(table.rows.filter((row, index) => row[1] === value && isKept(index))),
  }));
  const times = new Map(areTimesKnown ? table.rows.map((row, index) => [row, index]) : []);
  const place = placeOfLosing(values, placesOf(table, new Set()), times);
  if (place === undefined) return [];
  return values.map(({ value, events }) => ({
    value,
    lost: difference(place.eventsShowing(value), events).missing.length,
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

test('events that are kept unless they are among the newest are lost', async () => {
  expect(await lost((index) => index < 18, true)).toEqual([
    { value: 'task', lost: 3 },
    { value: 'case', lost: 3 },
  ]);
  expect(await lost((index) => index < 18)).toEqual([]);
});
