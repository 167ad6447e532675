import { expect, test } from 'vitest';
import { clauseIdsOf } from '../runner/play.ts';
import { judgedClauses, openClauses } from '../schemas/clauses.ts';
import { exportFaults, exportScenarios, exportVariants } from './export-part.ts';
import { isOfTheExport } from './json-part.ts';

const looked = new Set(exportScenarios.flatMap(clauseIdsOf).filter(isOfTheExport));

test('every clause that the export scenarios judge has a fault that breaks it', () => {
  const broken = new Set(exportFaults.flatMap(({ breaks }) => breaks));
  expect(judgedClauses.filter((id) => looked.has(id) && !broken.has(id))).toEqual([]);
});

test('every clause that the export scenarios observe has a variant', () => {
  const opened = new Set(exportVariants.map(({ opens }) => opens));
  expect(openClauses.filter((id) => looked.has(id) && !opened.has(id))).toEqual([]);
});
