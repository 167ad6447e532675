// The catalogues leave nothing out: what the scenarios of a part judge is broken by a fault of that part, and what they
// observe is opened by a variant of it.

import { expect, test } from 'vitest';
import { clauseIdsOf } from '../runner/scenario.ts';
import { type ClauseId, judgedClauses, openClauses } from '../schemas/clauses.ts';
import { faults } from './faults.ts';
import { parts, scenariosOf } from './parts.ts';
import { variants } from './variants.ts';

type Part = (typeof parts)[number];

/** Observed of the responses of every run, by no scenario of its own. */
const ofEveryRun: readonly ClauseId[] = ['limits.rate', 'errors.passing-failure-of-an-export'];

const lookedAt = (part: Part): readonly ClauseId[] => [
  ...ofEveryRun,
  ...scenariosOf[part].flatMap(clauseIdsOf),
];

/** The clauses that are named in a part and that its scenarios look at. */
function proved(namedIn: (part: Part) => readonly ClauseId[]): readonly ClauseId[] {
  return parts.flatMap((part) => {
    const looked = new Set(lookedAt(part));
    return namedIn(part).filter((id) => looked.has(id));
  });
}

test('every clause that requests can show is judged or observed by a scenario', () => {
  const looked = new Set(parts.flatMap(lookedAt));
  expect([...judgedClauses, ...openClauses].filter((id) => !looked.has(id))).toEqual([]);
});

test('every judged clause has a fault that breaks it', () => {
  const broken = new Set(proved((part) => faults[part].flatMap(({ breaks }) => breaks)));
  expect(judgedClauses.filter((id) => !broken.has(id))).toEqual([]);
});

test('every observed clause has a variant that opens it', () => {
  const opened = new Set(proved((part) => variants[part].map(({ opens }) => opens)));
  expect(openClauses.filter((id) => !opened.has(id))).toEqual([]);
});
