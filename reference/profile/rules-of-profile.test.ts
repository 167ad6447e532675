import { expect, test } from 'vitest';
import { openClauses } from '../../schemas/clauses.ts';
import type { Profile } from '../../schemas/files.ts';
import { ownProfile, rulesOfProfile } from './rules-of-profile.ts';

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
        { write: 'unassign', ifMatch: 'missing', status: 412 },
        { write: 'update', ifMatch: 'empty', status: 400 },
        { write: 'update', ifMatch: 'missing', status: 412 },
      ],
      'update.if-match-star': [{ when: '*', outcome: { refused: 422 } }],
    },
  });
  const problems = [undefined, '', '*', '2026-01-01T00:00:00Z'].map((header) =>
    rules.ifMatchProblem?.(header),
  );
  expect(problems).toEqual([412, 400, 422, 'none']);
  expect(covered).toEqual(['update.missing-if-match-status', 'update.if-match-star']);
});

test.for<[Profile['observations']]>([
  [{ 'update.success-status': [200, 201] }],
  [
    {
      'export.unknown-metadata-key': [
        {
          parameter: 'metadata[no_such_key]',
          value: 'x',
          outcome: { status: 200, gives: 'no events' },
        },
      ],
    },
  ],
  [{ 'limits.rate': [{ header: null }, { tooManyRequests: true }] }],
  [{ 'limits.csv-size': [{ refusesMoreWith: 413 }] }],
  [{ 'export.order-of-events': [{ byTime: 'neither' }, { again: 'the same' }] }],
  [{ 'export.date-style': [{ order: 'day first', pattern: '9~9~9999' }] }],
  [{ 'export.pdf-form': [{ leftEdges: 17 }, { width: 842 }, { height: 595 }] }],
  [{ 'fields.further-fields': [{ on: 'task', field: 'a', shape: '…' }] }],
])('what no rule does is uncovered, and the default stays: %j', ([observations]) => {
  const { rules, covered, uncovered } = rulesOfProfile({ observations });
  expect(rules).toEqual({});
  expect(covered).toEqual([]);
  expect(uncovered).toEqual(Object.keys(observations));
});

test('days and months are told apart by the order', () => {
  const pattern = '9/9/9999 9:9:9 +9:9';
  const styleOf = (order: 'day first' | 'month first') =>
    rulesOfProfile({ observations: { 'export.date-style': [{ order, pattern }] } });
  expect(styleOf('day first').covered).toEqual(['export.date-style']);
  expect(styleOf('month first').uncovered).toEqual(['export.date-style']);
});

test('clauses that this catalogue does not have are passed over', () => {
  const observations = {
    'update.of-another-version': ['x'],
    'update.success-status': [200],
  };
  expect(rulesOfProfile({ observations })).toEqual({
    rules: {},
    covered: ['update.success-status'],
    uncovered: [],
  });
});
