import { describe, expect, test } from 'vitest';
import type { Assessment, Task } from '../schemas/resources.ts';
import { shortJson } from './json.ts';
import { problemsOf } from './validation.ts';

const id = '7D4F9A52-6f0e-4c6b-9a1e-0C8F5F6B2D11';
const task: Task = {
  id,
  assessment_id: id,
  assessment_template_id: id,
  assignment: {
    assigned_by_id: id,
    assigned_to_id: id,
    assigned_to_type: 'TEAM',
    assignment_comment: null,
  },
  c_name: 'Document check',
  name: null,
  created_at: '2026-11-05T09:30:00Z',
  updated_at: '2026-11-05T09:30:00.123456789+00:00',
  locked_at: '2024-02-29T23:59:60.5Z',
  custom_metadata: {},
  data_version: 3,
  entity_id: id,
  institution_id: id,
  microfrontend_id: id,
  status: 'SOMETHING_ELSE',
  step_name: 'Review',
  workflow_instance_id: id,
};
const assessment: Assessment = {
  id,
  created_at: '2026-11-05T09:30:00.1Z',
  entity_id: id,
  institution_id: id,
  outcome_id: id,
  status_id: id,
  template_id: id,
  workflow_instance_id: id,
  workflow_state: 'Error',
  error_message: 'The provider did not answer.',
  error_details: { attempts: [1, 2] },
  error_step: 4,
  error_type: null,
};
const assignment = task.assignment;
const without = (whole: object, field: string): object =>
  Object.fromEntries(Object.entries(whole).filter(([name]) => name !== field));

describe('what the document allows is no problem:', () => {
  test.for([
    ['a task', {}],
    ['an unassigned task', { assignment: null }],
    ['no metadata', { custom_metadata: null }],
    ['a name', { name: 'Überprüfung 確認' }],
    ['another field that is null', { step_name: null, locked_at: null, data_version: null }],
    ['further fields', { priority: 1, assignment: { ...assignment, team_name: 'x' } }],
    ['an id of another version', { id: '00000000-0000-0000-0000-000000000000' }],
  ] as const)('%s', ([, change]) => {
    expect(problemsOf('task', { ...task, ...change })).toEqual([]);
  });

  test('an assessment whose error fields have any type', () => {
    expect(problemsOf('assessment', assessment)).toEqual([]);
  });
});

describe('a field that is missing', () => {
  test.for(Object.keys(task))('%s of a task', (field) => {
    expect(problemsOf('task', without(task, field))).toEqual([
      { field, kind: 'missing', expected: 'the field', actual: 'no such field' },
    ]);
  });

  test.for(Object.keys(assessment))('%s of an assessment', (field) => {
    expect(problemsOf('assessment', without(assessment, field))).toEqual([
      { field, kind: 'missing', expected: 'the field', actual: 'no such field' },
    ]);
  });

  test.for(Object.keys(assignment ?? {}))('%s of an assignment', (field) => {
    const changed = { ...task, assignment: without(assignment ?? {}, field) };
    expect(problemsOf('task', changed)).toEqual([
      {
        field: `assignment.${field}`,
        kind: 'missing',
        expected: 'the field',
        actual: 'no such field',
      },
    ]);
  });
});

describe('a field of another type', () => {
  test.for([
    ['id', null, 'a string', 'null'],
    ['updated_at', 1_700_000_000, 'a string', '1700000000'],
    ['c_name', 5, 'a string or null', '5'],
    ['data_version', '3', 'an integer or null', '"3"'],
    ['data_version', 3.5, 'an integer or null', '3.5'],
    ['custom_metadata', [], 'an object or null', '[]'],
    ['assignment', 'nobody', 'an object or null', '"nobody"'],
    ['assignment', [], 'an object or null', '[]'],
    ['status', false, 'a string or null', 'false'],
  ] as const)('%s: %j', ([field, value, expected, actual]) => {
    expect(problemsOf('task', { ...task, [field]: value })).toEqual([
      { field, kind: 'type', expected, actual },
    ]);
  });

  test('a value that is not among the allowed ones', () => {
    const changed = { ...task, assignment: { ...assignment, assigned_to_type: 'user' } };
    expect(problemsOf('task', changed)).toEqual([
      {
        field: 'assignment.assigned_to_type',
        kind: 'type',
        expected: 'one of USER, TEAM',
        actual: '"user"',
      },
    ]);
    expect(problemsOf('assessment', { ...assessment, workflow_state: 'Closed' })).toEqual([
      {
        field: 'workflow_state',
        kind: 'type',
        expected: 'one of Active, Cancelled, Error',
        actual: '"Closed"',
      },
    ]);
  });

  test.for([[null], [[]], ['text'], [3]] as const)('a whole body that is %j', ([body]) => {
    expect(problemsOf('task', body)).toEqual([
      { field: '', kind: 'type', expected: 'an object', actual: JSON.stringify(body) },
    ]);
  });
});

describe('a string of another form', () => {
  test.for(['7d4f9a52', `${id}0`, ` ${id}`, 'task_7d4f9a52-6f0e-4c6b-9a1e-0c8f5f6b2d11'])(
    'an id: %s',
    (value) => {
      expect(problemsOf('task', { ...task, entity_id: value })).toEqual([
        {
          field: 'entity_id',
          kind: 'form',
          expected: 'a UUID-shaped string',
          actual: JSON.stringify(value),
        },
      ]);
    },
  );

  test.for(['2026-02-30T00:00:00Z', '2026-11-05 09:30:00Z', '2026-11-05T09:30:00+02:00'])(
    'a timestamp: %s',
    (value) => {
      expect(problemsOf('task', { ...task, updated_at: value })).toEqual([
        {
          field: 'updated_at',
          kind: 'form',
          expected: 'an ISO 8601 UTC datetime',
          actual: JSON.stringify(value),
        },
      ]);
    },
  );
});

test('every problem is reported at once', () => {
  const problems = problemsOf('task', { ...without(task, 'id'), status: 1, entity_id: 'x' });
  expect(problems.map(({ field }) => field).sort()).toEqual(['entity_id', 'id', 'status']);
});

test('a long value is cut', () => {
  expect(shortJson('x'.repeat(6000))).toBe(`"${'x'.repeat(4998)}…`);
  expect(shortJson(undefined)).toBe('missing');
});
