import { describe, expect, test } from 'vitest';
import { unassignBody, updateBody } from '../helpers/api.ts';
import { readSettings } from '../helpers/config/read-settings.ts';
import type { Exchange } from '../helpers/http/exchange.ts';
import type { Finding, Findings } from './findings.ts';
import { refusedAssignees, withoutRefused, withoutUnusable } from './unusable.ts';

const settings = readSettings(
  {
    BASE_URL: 'https://eu.staging.example/v5',
    API_KEY: 'a-key',
    TASK_IDS: 'task-1,task-2',
    ASSIGNED_BY_ID: 'actor',
    USER_IDS: 'ann,bob',
    TEAM_IDS: 'desk',
  },
  1,
);

function write(
  number: number,
  [type, id]: readonly ['USER' | 'TEAM', string],
  status: number,
  more: { scenario?: string; task?: string; body?: unknown; ifMatch?: string } = {},
): Exchange {
  const { scenario = 'a scenario', task = 'task-1', ifMatch = '2026-01-01T00:00:00Z' } = more;
  const body = more.body ?? updateBody({ type, id }, { by: 'actor', comment: 'why' });
  return {
    number,
    operation: 'update-assignment',
    scenario,
    startedAt: 0,
    durationMs: 1,
    request: {
      method: 'PUT',
      url: `https://eu.staging.example/v5/tasks/${task}/update-assignment`,
      headers: [['If-Match', ifMatch]],
      body: JSON.stringify(body),
    },
    response: { status, headers: [], body: new Uint8Array(), size: 0 },
  };
}

test('who is refused each time is refused; who is accepted once is not', () => {
  const exchanges = [
    write(1, ['USER', 'ann'], 422),
    write(2, ['USER', 'bob'], 400),
    write(3, ['TEAM', 'desk'], 404),
    write(4, ['USER', 'BOB'], 200),
    write(5, ['USER', 'ann'], 409),
  ];
  expect(refusedAssignees(exchanges, settings)).toEqual([
    { variable: 'USER_IDS', value: 'ann', status: 422 },
    { variable: 'TEAM_IDS', value: 'desk', status: 404 },
  ]);
});

test.for([
  ['another task', write(1, ['USER', 'ann'], 404, { task: 'no-such-task' })],
  ['another user', write(1, ['USER', 'eve'], 422)],
  [
    'another actor',
    write(1, ['USER', 'ann'], 422, {
      body: updateBody({ type: 'USER', id: 'ann' }, { by: 'eve' }),
    }),
  ],
  ['a missing If-Match', write(1, ['USER', 'ann'], 428, { ifMatch: '' })],
  ['an empty If-Match', write(1, ['USER', 'ann'], 400, { ifMatch: '' })],
  [
    'a long comment',
    write(1, ['USER', 'ann'], 400, {
      body: updateBody({ type: 'USER', id: 'ann' }, { by: 'actor', comment: 'x'.repeat(4000) }),
    }),
  ],
  ['a further field', write(1, ['USER', 'ann'], 400, { body: { update: {}, unassign: {} } })],
  ['a wrong key', write(1, ['USER', 'ann'], 401)],
  ['a stale version', write(1, ['USER', 'ann'], 409)],
  ['a path that is gone', write(1, ['USER', 'ann'], 410)],
  ['a rate limit', write(1, ['USER', 'ann'], 429)],
  ['a failure of the target', write(1, ['USER', 'ann'], 500)],
] as const)('a refusal because of %s says nothing of the user', ([, exchange]) => {
  expect(refusedAssignees([exchange], settings)).toEqual([]);
});

describe('a second user in whose name writes are made', () => {
  const two = { ...settings, assignedByIds: ['actor', 'deputy'] };
  const by = (id: string) => ({ body: updateBody({ type: 'USER', id: 'ann' }, { by: id }) });
  const unassigned = { body: unassignBody({ by: 'deputy' }) };

  test('is refused where no write in that name is accepted', () => {
    const exchanges = [
      write(1, ['USER', 'ann'], 200, by('actor')),
      write(2, ['USER', 'ann'], 403, by('deputy')),
      write(3, ['USER', 'ann'], 403, unassigned),
    ];
    expect(refusedAssignees(exchanges, two)).toEqual([
      { variable: 'ASSIGNED_BY_ID', value: 'deputy', status: 403 },
    ]);
  });

  test('is not where an unassignment is', () => {
    const exchanges = [
      write(1, ['USER', 'ann'], 200, by('actor')),
      write(2, ['USER', 'ann'], 422, by('deputy')),
      write(3, ['USER', 'ann'], 200, unassigned),
    ];
    expect(refusedAssignees(exchanges, two)).toEqual([]);
  });
});

test('what stands on a refused user is not judged; what does not is', () => {
  const exchanges = [write(1, ['USER', 'ann'], 422), write(2, ['USER', 'bob'], 200)];
  const violated = (exchange: number): Finding => ({
    kind: 'violated',
    violation: { what: 'w', expected: 'e', actual: 'a', on: [{ exchange, request: 'PUT /' }] },
    intermittent: false,
  });
  const findings: Findings = new Map<never, Finding>([
    ['task.id' as never, violated(1)],
    ['task.name' as never, violated(2)],
    [
      'task.c-name' as never,
      { kind: 'inconclusive', reason: { kind: 'inconclusive', why: 'x', on: [] } },
    ],
    ['task.status' as never, { kind: 'upheld' }],
  ]);
  const refused = refusedAssignees(exchanges, settings);
  const judged = (scenario: string) =>
    [...withoutRefused({ scenario, findings }, refused, exchanges, settings).values()].map(
      ({ kind }) => kind,
    );
  expect(judged('a scenario')).toEqual(['not judged', 'violated', 'not judged', 'upheld']);
  expect(judged('another scenario')).toEqual(['violated', 'violated', 'inconclusive', 'upheld']);
});

test('settings lose the values that cannot be used, and no others', () => {
  const left = withoutUnusable(settings, [
    { variable: 'TASK_IDS', value: 'task-1', status: 404 },
    { variable: 'USER_IDS', value: 'task-2', status: 404 },
  ]);
  expect(left).toEqual({ ...settings, taskIds: ['task-2'] });
});
