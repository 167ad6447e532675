import { describe, expect, test } from 'vitest';
import { bodyThatAssigns } from '../helpers/api.ts';
import { readSettings } from '../helpers/config/read-settings.ts';
import type { Exchange } from '../helpers/http/exchange.ts';
import type { Conclusion, Conclusions } from './scenario.ts';
import {
  refusalsBecauseOf,
  refusedAssignees,
  withoutRefused,
  withoutUnusable,
} from './unusable.ts';

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
  more: {
    scenario?: string;
    task?: string;
    body?: unknown;
    ifMatch?: string;
    answer?: string;
  } = {},
): Exchange {
  const { scenario = 'a scenario', task = 'task-1', ifMatch = '2026-01-01T00:00:00Z' } = more;
  const answer = new TextEncoder().encode(more.answer ?? '');
  const body = more.body ?? bodyThatAssigns({ type, id }, { by: 'actor', comment: 'why' });
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
    response: { status, headers: [], body: answer, size: answer.length },
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
      body: bodyThatAssigns({ type: 'USER', id: 'ann' }, { by: 'eve' }),
    }),
  ],
  ['a missing If-Match', write(1, ['USER', 'ann'], 428, { ifMatch: '' })],
  ['an empty If-Match', write(1, ['USER', 'ann'], 400, { ifMatch: '' })],
  [
    'a long comment',
    write(1, ['USER', 'ann'], 400, {
      body: bodyThatAssigns(
        { type: 'USER', id: 'ann' },
        { by: 'actor', comment: 'x'.repeat(4000) },
      ),
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
  const by = (id: string) => ({ body: bodyThatAssigns({ type: 'USER', id: 'ann' }, { by: id }) });
  const unassigned = { body: bodyThatAssigns(null, { by: 'deputy' }) };

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

describe('of several whom refused writes name', () => {
  const unassigned = (number: number, status: number, answer = '') =>
    write(number, ['USER', 'ann'], status, {
      body: bodyThatAssigns(null, { by: 'actor' }),
      answer,
    });
  const named = (exchanges: readonly Exchange[]) =>
    refusedAssignees(exchanges, settings).map(({ variable, value }) => `${variable} ${value}`);

  test('the assigner is blamed where an unassignment, too, is refused', () => {
    const answer = '{"error":"assigned_by_id: no such user"}';
    const exchanges = [
      write(1, ['USER', 'ann'], 400, { answer }),
      write(2, ['USER', 'bob'], 400, { answer }),
      write(3, ['TEAM', 'desk'], 400, { answer }),
      unassigned(4, 400, answer),
    ];
    expect(refusedAssignees(exchanges, settings)).toEqual([
      { variable: 'ASSIGNED_BY_ID', value: 'actor', status: 400, answer },
    ]);
  });

  test('whom most of them name is blamed, with the others as those who may be it', () => {
    const exchanges = [write(1, ['USER', 'ann'], 404), write(2, ['TEAM', 'desk'], 404)];
    expect(refusedAssignees(exchanges, settings)).toEqual([
      {
        variable: 'ASSIGNED_BY_ID',
        value: 'actor',
        status: 404,
        or: [
          { variable: 'USER_IDS', value: 'ann' },
          { variable: 'TEAM_IDS', value: 'desk' },
        ],
      },
    ]);
  });

  test.for([
    ['the id', '{"error":"Nobody has the id ann."}', ['USER_IDS ann']],
    ['the field', '{"errors":{"assigned_to_id":["unknown"]}}', ['USER_IDS ann']],
    ['the other field', '{"errors":{"assigned_by_id":["unknown"]}}', ['ASSIGNED_BY_ID actor']],
    ['both ids', 'actor must not assign to ann', ['ASSIGNED_BY_ID actor']],
    ['a longer word', 'The annual limit is reached.', ['ASSIGNED_BY_ID actor']],
  ] as const)('%s in the body decides', ([, answer, blamed]) => {
    expect(named([write(1, ['USER', 'ann'], 422, { answer })])).toEqual(blamed);
  });

  test('whoever is accepted in the same place is not blamed; in another place is another matter', () => {
    const both = { ...settings, assignedByIds: ['ann'] };
    const by = { body: bodyThatAssigns({ type: 'USER', id: 'ann' }, { by: 'ann' }) };
    expect(
      refusedAssignees(
        [
          write(1, ['USER', 'ann'], 403, by),
          write(2, ['USER', 'ann'], 403, { body: bodyThatAssigns(null, { by: 'ann' }) }),
        ],
        both,
      ).map(({ variable }) => variable),
    ).toEqual(['ASSIGNED_BY_ID']);
    expect(named([write(1, ['TEAM', 'desk'], 200), unassigned(2, 400)])).toEqual([]);
  });

  test('nobody is where a task is to be unassigned that has no assignment', () => {
    const read: Exchange = {
      ...write(1, ['USER', 'ann'], 200, { answer: '{"id":"task-1","assignment":null}' }),
      operation: 'get-task',
      request: { method: 'GET', url: 'https://eu.staging.example/v5/tasks/task-1', headers: [] },
    };
    expect(named([read, unassigned(2, 400)])).toEqual([]);
    expect(named([unassigned(2, 400)])).toEqual(['ASSIGNED_BY_ID actor']);
  });

  test('users and teams may be exchanged where nobody of either is accepted', () => {
    const exchanged = [
      write(1, ['USER', 'ann'], 404),
      write(2, ['TEAM', 'desk'], 404),
      unassigned(3, 200),
    ];
    expect(refusedAssignees(exchanged, settings)).toEqual([
      { variable: 'USER_IDS', value: 'ann', status: 404, exchangedWith: 'TEAM_IDS' },
      { variable: 'TEAM_IDS', value: 'desk', status: 404, exchangedWith: 'USER_IDS' },
    ]);
    expect(refusedAssignees([...exchanged, write(4, ['USER', 'bob'], 200)], settings)).toEqual([
      { variable: 'USER_IDS', value: 'ann', status: 404 },
      { variable: 'TEAM_IDS', value: 'desk', status: 404 },
    ]);
  });

  test('the beginning of the body is quoted on one line, and no page', () => {
    const quotes = (answer: string) =>
      refusedAssignees([unassigned(1, 400, answer)], settings).map((one) => one.answer);
    expect(quotes('{\n  "error": "no"\n}')).toEqual(['{ "error": "no" }']);
    expect(quotes('<html><body>No.</body></html>')).toEqual([undefined]);
    expect(quotes('x'.repeat(500))).toEqual([`${'x'.repeat(160)}…`]);
  });
});

test('a write that names whom the target refuses is not judged, in whatever else it is wrong', () => {
  const body = { ...bodyThatAssigns({ type: 'USER', id: 'ann' }, { by: 'actor' }), unassign: {} };
  const exchanges = [
    write(1, ['USER', 'ann'], 400, { body: bodyThatAssigns(null, { by: 'actor' }) }),
    write(2, ['USER', 'ann'], 400, { task: 'no-such-task', body }),
  ];
  const refused = refusedAssignees(exchanges, settings);
  const because = refusalsBecauseOf(refused, exchanges, settings);
  expect(because.map(({ exchange }) => exchange.number)).toEqual([1, 2]);
});

test('what stands on a refused user is not judged; what does not is', () => {
  const exchanges = [write(1, ['USER', 'ann'], 422), write(2, ['USER', 'bob'], 200)];
  const violated = (exchange: number): Conclusion => ({
    kind: 'violated',
    violation: {
      difference: { kind: 'other', wrong: 'answers with another task' },
      on: [{ exchange, request: 'PUT /' }],
    },
    intermittent: false,
  });
  const conclusions: Conclusions = new Map<never, Conclusion>([
    ['task.id' as never, violated(1)],
    ['task.name' as never, violated(2)],
    [
      'task.c-name' as never,
      { kind: 'inconclusive', reason: { kind: 'inconclusive', why: 'x', on: [] } },
    ],
    ['task.status' as never, { kind: 'upheld' }],
  ]);
  const judged = (scenario: string) =>
    withoutRefused([{ scenario, conclusions }], exchanges, settings).flatMap((one) =>
      Array.from(one.conclusions.values(), ({ kind }) => kind),
    );
  expect(judged('a scenario')).toEqual(['not judged', 'violated', 'not judged', 'upheld']);
  expect(judged('another scenario')).toEqual(['violated', 'violated', 'inconclusive', 'upheld']);
  // Nothing is upheld by writes none of which was accepted.
  exchanges.push(write(3, ['USER', 'ann'], 422, { scenario: 'a refused scenario' }));
  expect(judged('a refused scenario').at(-1)).toBe('not judged');
});

test('settings lose the values that cannot be used, and no others', () => {
  const left = withoutUnusable(settings, [
    { variable: 'TASK_IDS', value: 'task-1', status: 404 },
    { variable: 'USER_IDS', value: 'task-2', status: 404 },
  ]);
  expect(left).toEqual({ ...settings, taskIds: ['task-2'] });
});
