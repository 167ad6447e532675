import { expect, test } from 'vitest';
import { multiset } from '../csv/multiset.ts';
import { type CsvTable, readCsv } from '../csv/read-csv.ts';
import type { KnownFilter, KnownValue } from './known-filters.ts';
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
  const filters = Object.entries(known).map(([name, value]): [Filter, KnownFilter] => {
    const key = name as Key;
    const place = places.find((one) => one.column === columns[key] && one.kind === 'cell');
    const values = [{ value, events: multiset(keptBy(table, key, value)) }] as KnownValue[];
    const faults = {
      unmatched: undefined,
      keptAll: undefined,
      refused: undefined,
      exchanged: undefined,
    };
    return [key, { values, shown: place && { ...place, confirmedBy: 1 }, ...faults }];
  });
  const fetch = async (set: FilterSet) => {
    const [[name, [value = ''] = []] = ['metadata[tag]', []]] = Object.entries(set);
    const kept = keptBy(table, name as Key, value, lost);
    return { table: { ...table, rows: kept, count: kept.length } } as never;
  };
  const { further } = await valuesThatMeet(new Map(filters), {
    fetch,
    columns: { ignored: new Set() } as never,
  });
  return Object.fromEntries([...further].map(([key, all]) => [key, all.map(({ value }) => value)]));
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
