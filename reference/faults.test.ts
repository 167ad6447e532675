import { expect, test } from 'vitest';
import { judgedClauses } from '../schemas/clauses.ts';
import { faults } from './faults.ts';

/** Faults of the export are gathered with the export. */
const isOfTheExport = (id: string) => /^export\.|^limits\.|reversed-range/.test(id);

test('ids are sentences in kebab case, and unique', () => {
  const ids = faults.map(({ id }) => id);
  expect(ids.filter((id) => !/^[a-z0-9]+(-[a-z0-9]+)+$/.test(id))).toEqual([]);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test('every fault breaks something, by a rule or on the wire', () => {
  const idle = faults.filter(({ breaks, rules, wire }) => !breaks.length || !(rules || wire));
  expect(idle).toEqual([]);
});

test('every clause of the JSON operations that can be judged has a fault', () => {
  const broken = new Set(faults.flatMap(({ breaks }) => breaks));
  const unbroken = judgedClauses.filter((id) => !broken.has(id) && !isOfTheExport(id));
  expect(unbroken).toEqual([]);
});
