import { expect, test } from 'vitest';
import type { Results } from '../schemas/results.ts';
import { conformantRun, notSelected, violatedRun } from './example-results.fixture.ts';
import { renderRerun, withEarlier } from './watch.ts';

const options = { color: false, width: 100 };
const shown = (results: Results, before?: Results): string => renderRerun(results, before, options);

test('the first run: the verdict, and what is violated', () => {
  expect(shown(violatedRun)).toMatchInlineSnapshot(`
    "VIOLATIONS  3 findings; 2 of 6 clauses violated: 1 stated, 1 implied; 1 inconclusive. 1 task could
    NOT be put back.

      Took      3.2 s, 9 requests
      Violated  2 clauses

    Violations (2)
      update.keeps-the-other-fields: PUT …/update-assignment: step_name of the task is "Approval", not
        "Screening"
      conflict.differing-version-is-409: PUT …/update-assignment accepts an If-Match one version old:
        200, not 409 (and in 1 more scenario)
    "
  `);
});

test('a later run: what was fixed, what was broken, what changed otherwise', () => {
  expect(shown(conformantRun, violatedRun)).toMatchInlineSnapshot(`
    "CONFORMANT, of the embedded reference service  All 6 clauses are upheld.

      Took  3.2 s, 9 requests

    Violations no longer seen (2)
      update.keeps-the-other-fields: PUT …/update-assignment: step_name of the task is "Approval", not
        "Screening"
      conflict.differing-version-is-409: PUT …/update-assignment accepts an If-Match one version old:
        200, not 409 (and in 1 more scenario)

    Changed clauses (4)
      violated → upheld: update.keeps-the-other-fields, conflict.differing-version-is-409
      not judged → observed: update.quoted-if-match
      inconclusive → upheld: conflict.one-of-simultaneous-writes-wins
    "
  `);
  expect(shown(violatedRun, conformantRun)).toMatchInlineSnapshot(`
    "VIOLATIONS  3 findings; 2 of 6 clauses violated: 1 stated, 1 implied; 1 inconclusive. 1 task could
    NOT be put back.

      Took      3.2 s, 9 requests
      Violated  2 clauses

    New violations (2)
      update.keeps-the-other-fields: PUT …/update-assignment: step_name of the task is "Approval", not
        "Screening"
      conflict.differing-version-is-409: PUT …/update-assignment accepts an If-Match one version old:
        200, not 409 (and in 1 more scenario)

    Changed clauses (4)
      upheld → violated: update.keeps-the-other-fields, conflict.differing-version-is-409
      observed → not judged: update.quoted-if-match
      upheld → inconclusive: conflict.one-of-simultaneous-writes-wins
    "
  `);
});

test('nothing changed', () => {
  expect(shown(violatedRun, violatedRun)).toMatchInlineSnapshot(`
    "VIOLATIONS  3 findings; 2 of 6 clauses violated: 1 stated, 1 implied; 1 inconclusive. 1 task could
    NOT be put back.

      Took      3.2 s, 9 requests
      Changed   nothing
      Violated  2 clauses
    "
  `);
});

test('clauses that were not looked at before', () => {
  const unknown: Results = {
    ...violatedRun,
    clauses: violatedRun.clauses.map((clause) => ({
      ...clause,
      verdict: 'not judged',
      reasons: notSelected,
    })),
    violations: [],
  };
  expect(shown(violatedRun, unknown)).toBe(
    shown(violatedRun).replace('Violations (2)', 'New violations (2)'),
  );
});

test('what a run of chosen clauses does not look at stays as it was known', () => {
  const [first] = violatedRun.violations;
  const chosen: Results = {
    ...violatedRun,
    clauses: violatedRun.clauses.map((clause) =>
      clause.id === first?.clause
        ? { ...clause, verdict: 'upheld' }
        : { ...clause, verdict: 'not judged', reasons: notSelected },
    ),
    violations: [],
  };
  const known = withEarlier(chosen, violatedRun);
  const verdicts = (results: Results) =>
    Object.fromEntries(results.clauses.map(({ id, verdict }) => [id, verdict]));
  expect(verdicts(known)).toEqual({
    ...verdicts(violatedRun),
    [first?.clause ?? '']: 'upheld',
  });
  expect(known.violations).toEqual(
    violatedRun.violations.filter(({ clause }) => clause !== first?.clause),
  );
});

test('a first run has nothing to be compared with', () => {
  expect(shown(conformantRun)).not.toContain('Changed');
});
