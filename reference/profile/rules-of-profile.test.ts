import { expect, test } from 'vitest';
import { openClauses } from '../../schemas/clauses.ts';
import { ownProfile } from './own-profile.ts';
import { rulesOfProfile } from './rules-of-profile.ts';

test('the own profile asks for no other rules', () => {
  const { rules, covered, uncovered } = rulesOfProfile({ observations: ownProfile });
  expect(rules).toEqual({});
  expect(uncovered).toEqual([]);
  expect(covered).toEqual(openClauses);
});

test('what several clauses say of one rule comes together', () => {
  const { rules, covered } = rulesOfProfile({
    observations: {
      'update.missing-if-match-status': [
        'that unassigns without If-Match: refused with 412',
        'with an empty If-Match: refused with 400',
        'without If-Match: refused with 412',
      ],
      'update.if-match-star': ['star: refused with 422'],
    },
  });
  const problems = [undefined, '', '*', '2026-01-01T00:00:00Z'].map((header) =>
    rules.ifMatchProblem?.(header),
  );
  expect(problems).toEqual([412, 400, 422, 'none']);
  expect(covered).toEqual(['update.missing-if-match-status', 'update.if-match-star']);
});

test.for([
  ['update.success-status', [200, 201]],
  ['export.unknown-metadata-key', ['metadata[no_such_key]=x: 200, no events']],
  ['limits.rate', ['no header tells of one', 'some requests are answered with 429']],
  ['export.order-of-events', ['neither oldest nor newest first', 'the same again']],
  ['export.pdf-form', ['layout: 17 left edges', 'page: 842 × 595 points']],
] as const)('%s: what no rule does is told, and the default stays', ([id, values]) => {
  const { rules, covered, uncovered } = rulesOfProfile({ observations: { [id]: [...values] } });
  expect(rules).toEqual({});
  expect(covered).toEqual([]);
  expect(uncovered).toEqual([id]);
});

test('clauses that this catalogue does not have are passed over', () => {
  const observations = { 'update.of-another-version': ['x'] };
  expect(rulesOfProfile({ observations })).toEqual({ rules: {}, covered: [], uncovered: [] });
});
