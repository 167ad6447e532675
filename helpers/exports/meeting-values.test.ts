import { expect, test } from 'vitest';
import { multiset } from '../csv/multiset.ts';
import { type CsvTable, readCsv } from '../csv/read-csv.ts';
import { groupBy } from '../maps.ts';
import type { KnownValue } from './filter-search.ts';
import type { KnownFilter } from './filters.ts';
import { valuesThatMeet } from './meeting-values.ts';
import type { Filter, FilterSet } from './query.ts';
import { placesOf } from './shown-values.ts';

const rows = ['a1,x,kyc', 'a1,y,kyc', 'a1,z,Level 2', 'b2,x,Level 2', 'b2,z,pep', 'c3,y,pep'];
const columns = { 'metadata[entity_id]': 0, 'metadata[task_id]': 1, 'metadata[tag]': 2 } as const;
type Key = keyof typeof columns;

const tableOf = () => readCsv(Buffer.from(['entity,task,tag', ...rows].join('\n')));

/** The rows that a service keeps which loses `lost`. */
const keptBy = ({ rows: all }: CsvTable, key: Key, value: string, lost?: string) =>
  all.filter((row) => row[columns[key]] === value && value !== lost);

/** The values that are added where the first value of each filter is known. @param lost a value that is never found */
async function added(known: Readonly<Record<Key, string>>, lost?: string) {
  const table = await tableOf();
  const places = placesOf(table, new Set());
  const filters = Object.entries(known).map(
    ([name, value]): [Filter, Pick<KnownFilter, 'values' | 'shown'>] => {
      const key = name as Key;
      const place = places.find((one) => one.column === columns[key] && one.kind === 'cell');
      const values = [{ value, events: multiset(keptBy(table, key, value)) }] as KnownValue[];
      return [key, { values, shown: place && { ...place, isConfirmed: false } }];
    },
  );
  const fetch = async (set: FilterSet) => {
    const [[name, [value = ''] = []] = ['metadata[tag]', []]] = Object.entries(set);
    const kept = keptBy(table, name as Key, value, lost);
    return { table: { ...table, rows: kept } } as never;
  };
  const asked = await valuesThatMeet(new Map(filters), {
    fetch,
    columns: { ignored: new Set() } as never,
  });
  const byFilter = groupBy(asked, ({ filter }) => filter);
  return Object.fromEntries(
    Array.from(byFilter, ([key, all]) => [
      key,
      all.flatMap(({ confirmed }) => confirmed).map(({ value }) => value),
    ]),
  );
}

test('values are added until each two filters meet, and each form of a value meets the others', async () => {
  const known = { 'metadata[entity_id]': 'c3', 'metadata[task_id]': 'x', 'metadata[tag]': 'kyc' };
  expect(await added(known)).toEqual({
    'metadata[entity_id]': ['a1'],
    'metadata[tag]': ['Level 2'],
  });
});

test('a value that does not keep the events that show it is not added', async () => {
  const known = { 'metadata[entity_id]': 'a1', 'metadata[task_id]': 'x', 'metadata[tag]': 'kyc' };
  expect(await added(known, 'Level 2')).toMatchObject({ 'metadata[tag]': [] });
});
