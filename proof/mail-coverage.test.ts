import { expect, test } from 'vitest';
import { clauseIdsOf } from '../runner/play.ts';
import { judgedClauses, openClauses } from '../schemas/clauses.ts';
import { isOfMail } from './json-part.ts';
import { mailFaults, mailScenarios, mailVariants } from './mail-part.ts';

const looked = new Set(mailScenarios.flatMap(clauseIdsOf));

test('every clause of email is looked at, and has a fault or a variant', () => {
  const broken = new Set(mailFaults.flatMap(({ breaks }) => breaks));
  const opened = new Set(mailVariants.map(({ opens }) => opens));
  const judged = judgedClauses.filter(isOfMail);
  const open = openClauses.filter(isOfMail);
  expect(judged.filter((id) => !looked.has(id) || !broken.has(id))).toEqual([]);
  expect(open.filter((id) => !looked.has(id) || !opened.has(id))).toEqual([]);
});
