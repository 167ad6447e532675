import { expect, test } from 'vitest';
import { openClauses } from '../schemas/clauses.ts';
import { variants } from './variants.ts';

/** Variants of the export are gathered with the export. */
const isOfTheExport = (id: string) => /^export\.|csv-size$/.test(id);

test('ids are sentences in kebab case, and unique', () => {
  const ids = variants.map(({ id }) => id);
  expect(ids.filter((id) => !/^[a-z0-9]+(-[a-z0-9]+)+$/.test(id))).toEqual([]);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test('every open clause of the JSON operations has a variant', () => {
  const opened = new Set(variants.map(({ opens }) => opens));
  const unopened = openClauses.filter((id) => !opened.has(id) && !isOfTheExport(id));
  expect(unopened).toEqual([]);
});
