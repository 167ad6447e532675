import type { Profile } from '../schemas/profile.ts';
import type { Results } from '../schemas/results.ts';
import { violatedRun } from './example-results.ts';

/** A profile for the tests of renderers, beside `violatedRun`: in every way that two can differ. */
export const exampleReference: Profile = {
  format: 1,
  target: 'https://eu.staging.example/v5',
  date: '2026-11-01',
  observations: {
    'task.status-values': ['INCOMPLETE'],
    'update.success-status': [200, 204],
    'update.refused-body-status': [
      'whose body is empty: refused with 422',
      'without update.assigned_by_id: refused with 400',
      'without update.assigned_to_id: refused with 400',
      'without update.assigned_to_type: refused with 400',
    ],
    'export.csv-columns': [['Id', 'Time', 'Type']],
  },
  notObserved: { 'comment.length-limit': 'Not configured: USER_IDS.' },
};

const open = (
  id: string,
  text: string,
  observed: readonly string[],
): Results['clauses'][number] => ({
  id,
  level: 'open',
  section: '1. Update a task assignment',
  text,
  verdict: 'observed',
  reason: '',
  scenarios: ['a story'],
  observed: [...observed],
});

/** What was found of a mock of it. */
export const exampleMock: Results = {
  ...violatedRun,
  target: { kind: 'remote', baseUrl: 'http://127.0.0.1:8080/v5' },
  clauses: [
    ...violatedRun.clauses,
    open('update.refused-body-status', 'The status of an invalid body is not shown.', [
      '"whose body is empty: refused with 422"',
      '"without update.assigned_by_id: refused with 422"',
      '"without update.assigned_to_id: refused with 422"',
      '"without update.assigned_to_type: refused with 400"',
    ]),
    open('export.csv-columns', 'The columns of a CSV export are not shown.', [
      '["Id","Type","Time"]',
    ]),
    open('comment.length-limit', 'How long a comment may be is not said.', [
      '"4,000 characters: accepted"',
    ]),
  ],
};
