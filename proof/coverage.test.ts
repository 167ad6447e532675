import { expect, test } from 'vitest';
import { clauseIdsOf } from '../runner/play.ts';
import { judgedClauses, openClauses } from '../schemas/clauses.ts';
import { jsonFaults, jsonScenarios, jsonVariants } from './json-part.ts';

const looked = new Set(jsonScenarios.flatMap(clauseIdsOf));

test('every clause that the JSON scenarios judge has a fault that breaks it', () => {
  const broken = new Set(jsonFaults.flatMap(({ breaks }) => breaks));
  expect(judgedClauses.filter((id) => looked.has(id) && !broken.has(id))).toEqual([]);
});

test('every clause that the JSON scenarios observe has a variant', () => {
  const opened = new Set(jsonVariants.map(({ opens }) => opens));
  expect(openClauses.filter((id) => looked.has(id) && !opened.has(id))).toEqual([]);
});
