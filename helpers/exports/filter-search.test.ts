import { expect, test } from 'vitest';
import { difference, multiset } from '../csv/multiset.ts';
import { readCsv } from '../csv/read-csv.ts';
import type { KnownTimes } from './columns.ts';
import { likeness, named, placeOfLosing } from './filter-search.ts';

test('a column is called like a filter in other letters, in several words, and of several values', () => {
  const alike = ['Tag', 'tags', 'TAGS'].map((heading) => likeness(heading, 'metadata[tag]'));
  expect(alike).toEqual([named.same, named.same, named.same]);
  expect(likeness('Sub Type', 'sub_type')).toBe(named.same);
  expect(likeness('Type', 'event_type')).toBe(named.withItsWordsOnly);
});

/** Events of two kinds; a third of them has no tag, and half of them a comment of two lines. */
const lines = Array.from({ length: 24 }, (_, index) =>
  [
    `e-${index}`,
    index % 2 === 0 ? 'task' : 'case',
    index % 3 === 0 ? '' : 'kyc',
    index % 4 > 1 ? 'one line' : '"two\nlines"',
  ].join(),
);

/** How many events each of two values loses of those that a place shows; [] where no place is found. */
async function lost(
  isKept: (index: number) => boolean,
  timeOf?: (index: number) => number,
  heading = 'kind',
) {
  const table = await readCsv(Buffer.from([`id,${heading},tag,comment`, ...lines].join('\n')));
  const values = ['task', 'case'].map((value) => ({
    value,
    events: multiset(table.rows.filter((row, index) => row[1] === value && isKept(index))),
  }));
  // Of the times, only when events happened is looked at.
  const instants = table.rows.map((_, index) => timeOf?.(index));
  const times = { instants } as unknown as KnownTimes;
  const columns = {
    ...{ ignored: new Set<number>(), dates: undefined, shifted: undefined },
    times: timeOf && times,
  };
  const place = placeOfLosing(values, { base: table, columns }, 'event_type');
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

test('events that are not kept for another reason are lost only where the column is called like the filter', async () => {
  const isKept = (index: number) => index % 5 !== 0;
  expect(await lost(isKept)).toEqual([]);
  expect(await lost(isKept, undefined, 'Event Type')).toEqual([
    { value: 'task', lost: 3 },
    { value: 'case', lost: 2 },
  ]);
});

test('one event that is kept although it is empty is enough of another reason', async () => {
  expect(await lost((index) => index % 3 !== 0 || index === 0)).toEqual([]);
});

test('events that are kept unless they hold a line break are lost', async () => {
  expect(await lost((index) => index % 4 > 1)).toEqual([
    { value: 'task', lost: 6 },
    { value: 'case', lost: 6 },
  ]);
  expect(await lost((index) => index % 4 > 1 || index === 0)).toEqual([]);
});

test('events that are kept unless they are among the newest are lost', async () => {
  expect(
    await lost(
      (index) => index < 18,
      (index) => index,
    ),
  ).toEqual([
    { value: 'task', lost: 3 },
    { value: 'case', lost: 3 },
  ]);
  expect(await lost((index) => index < 18)).toEqual([]);
});

test('events are lost that happened within a second of one of their kind that is kept', async () => {
  const atOnce = (index: number) => 1000 * Math.floor(index / 4);
  expect(await lost((index) => index % 4 < 2, atOnce)).toEqual([
    { value: 'task', lost: 6 },
    { value: 'case', lost: 6 },
  ]);
  expect(await lost((index) => index % 4 < 2 || index === 2, atOnce)).toEqual([]);
});
