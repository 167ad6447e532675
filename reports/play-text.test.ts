import { expect, test } from 'vitest';
import type { Results } from '../schemas/results.ts';
import { conformantRun, notSelected, violatedRun } from './example-results.ts';
import { renderPlay, withWhatWasKnown } from './play-text.ts';

const options = { color: false, width: 100 };
const told = (results: Results, before?: Results): string => renderPlay(results, before, options);

test('the first play: the verdict, and what is violated', () => {
  expect(told(violatedRun)).toMatchInlineSnapshot(`
    "VIOLATIONS  The target breaks 2 clauses. (3.2 s, 9 requests)
      ✗ update.keeps-the-other-fields
          PUT /tasks/{id}/update-assignment: the other fields after an assignment: expected
          {"name":"Review","step_name":"Screening","status":"INCOMPLETE"}, got
          {"name":"Review","step_name":"Approval","status":"INCOMPLETE"}
      ✗ conflict.differing-version-is-409
          PUT /tasks/{id}/update-assignment: an If-Match one version old: expected 409, got 200
    "
  `);
});

test('a later play: what was mended, what was broken, what turned otherwise', () => {
  expect(told(conformantRun, violatedRun)).toMatchInlineSnapshot(`
    "CONFORMANT  Every clause that can be judged was judged, and upheld. (3.2 s, 9 requests)
      ✓ update.keeps-the-other-fields
      ✓ conflict.differing-version-is-409
      not judged -> observed: update.quoted-if-match
      inconclusive -> upheld: conflict.one-of-simultaneous-writes-wins
    "
  `);
  expect(told(violatedRun, conformantRun)).toMatchInlineSnapshot(`
    "VIOLATIONS  The target breaks 2 clauses. (3.2 s, 9 requests)
      ✗ update.keeps-the-other-fields
          PUT /tasks/{id}/update-assignment: the other fields after an assignment: expected
          {"name":"Review","step_name":"Screening","status":"INCOMPLETE"}, got
          {"name":"Review","step_name":"Approval","status":"INCOMPLETE"}
      ✗ conflict.differing-version-is-409
          PUT /tasks/{id}/update-assignment: an If-Match one version old: expected 409, got 200
      observed -> not judged: update.quoted-if-match
      upheld -> inconclusive: conflict.one-of-simultaneous-writes-wins
    "
  `);
});

test('nothing changed', () => {
  expect(told(violatedRun, violatedRun)).toMatchInlineSnapshot(`
    "VIOLATIONS  The target breaks 2 clauses. (3.2 s, 9 requests)
      Nothing changed.
      2 still violated
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
  expect(told(violatedRun, unknown).split('\n').slice(1)).toEqual(
    told(violatedRun).split('\n').slice(1),
  );
});

test('what a play of chosen clauses does not look at stays as it was known', () => {
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
  const known = withWhatWasKnown(chosen, violatedRun);
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
