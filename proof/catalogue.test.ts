import { describe, expect, test } from 'vitest';
import { clauseIds } from '../schemas/clauses.ts';
import { allFaults } from './faults.ts';
import { allMotions } from './motions.ts';
import { allVariants } from './variants.ts';

describe.for([
  ['faults', allFaults],
  ['variants', allVariants],
  ['motions', allMotions],
] as const)('ids of %s', ([name, all]) => {
  const ids = all.map(({ id }) => id);

  test('are permanent: one may be added, none renamed or taken away', async () => {
    await expect(`${ids.toSorted().join('\n')}\n`).toMatchFileSnapshot(`${name}.snapshot.txt`);
  });

  test('are sentences in kebab case, and unique', () => {
    expect(ids.filter((id) => !/^[a-z0-9]+(-[a-z0-9]+)+$/.test(id))).toEqual([]);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });
});

test('every fault and every variant changes something, by rules or on the wire', () => {
  const changing = [...allFaults, ...allVariants];
  expect(changing.filter(({ rules, wire }) => !(rules || wire))).toEqual([]);
});

test('every fault breaks something, and names nothing but clauses, as every variant does', () => {
  expect(allFaults.filter(({ breaks }) => breaks.length === 0)).toEqual([]);
  const named = [
    ...allFaults.flatMap(({ breaks, mayBreak = [] }) => [...breaks, ...mayBreak]),
    ...allVariants.flatMap(({ opens, follows = [], hides = [] }) => [opens, ...follows, ...hides]),
  ];
  expect(named.filter((id) => !clauseIds.includes(id))).toEqual([]);
});
