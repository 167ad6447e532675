import { type Profile, profileSchema } from '../schemas/files.ts';
import type { Results } from '../schemas/results.ts';
import { violatedRun } from './example-results.fixture.ts';

/** A profile for the tests of renderers, beside `violatedRun`: in every way that two can differ. */
export const exampleReference: Profile = {
  $schema: profileSchema.$id,
  format: 2,
  suite: '1.2.3',
  target: 'https://eu.staging.example/v5',
  date: '2026-11-01',
  observations: {
    'task.status-values': ['INCOMPLETE'],
    'update.success-status': [200, 204],
    'update.refused-body-status': [
      { part: 'body', is: 'empty', status: 422 },
      { part: 'update.assigned_by_id', is: 'missing', status: 400 },
      { part: 'update.assigned_to_id', is: 'missing', status: 400 },
      { part: 'update.assigned_to_type', is: 'missing', status: 400 },
    ],
    'export.csv-columns': [{ headings: ['Id', 'Time', 'Type'] }],
  },
  notObserved: { 'comment.length-limit': ['not configured'] },
};

const open = (
  id: string,
  text: string,
  observed: readonly unknown[],
): Results['clauses'][number] => ({
  id,
  level: 'open',
  section: '1. Update a task assignment',
  text,
  verdict: 'observed',
  reasons: [],
  scenarios: ['a scenario'],
  observed: [...observed],
});

/** What was found of a mock of it. */
export const exampleMock: Results = {
  ...violatedRun,
  target: { kind: 'remote', baseUrl: 'http://127.0.0.1:8080/v5' },
  clauses: [
    ...violatedRun.clauses,
    open(
      'update.refused-body-status',
      'The document does not say which status an invalid body gets.',
      [
        { part: 'body', is: 'empty', status: 422 },
        { part: 'update.assigned_by_id', is: 'missing', status: 422 },
        { part: 'update.assigned_to_id', is: 'missing', status: 422 },
        { part: 'update.assigned_to_type', is: 'missing', status: 400 },
      ],
    ),
    open('export.csv-columns', 'The document does not say which columns a CSV export has.', [
      { headings: ['Id', 'Type', 'Time'] },
    ]),
    open('comment.length-limit', 'The document does not say how long a comment may be.', [
      { characters: 4000, outcome: 'accepted' },
    ]),
  ],
};
