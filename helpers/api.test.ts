import { describe, expect, test } from 'vitest';
import type { Task } from '../schemas/resources.ts';
import { Api, bodyThatAssigns } from './api.ts';
import { Client } from './http/client.ts';
import { createPacing } from './http/pacing.ts';
import { Recorder } from './http/recorder.ts';
import type { Transport, WireRequest } from './http/transport.ts';
import { Journal } from './tasks/journal.ts';

/** An Api whose requests go through this. */
function apiOver(transport: Transport, journal?: Journal): { api: Api; client: Client } {
  const client = new Client(transport, new Recorder(), createPacing(8, 0), {
    requestTimeoutMs: 1000,
    maxExportBytes: 1000,
    writes: true,
  });
  const access = {
    apiKey: 'the-key',
    target: { baseUrl: 'http://own/v5' },
    wrongRegionUrl: 'http://other/v5',
  };
  return { api: new Api(client, access, 'a scenario', journal), client };
}

/** An Api whose requests are kept in place of being sent. */
function recordedApi(): { api: Api; sent: WireRequest[]; client: Client } {
  const sent: WireRequest[] = [];
  const kept = apiOver(async (request) => {
    sent.push(request);
    return { status: 200, headers: [], body: (async function* () {})() };
  });
  return { ...kept, sent };
}

test('the four operations', async () => {
  const { api, sent } = recordedApi();
  await api.task('t1');
  await api.assessment('a1');
  await api.export('');
  await api.export('event_type=assessment');
  await api.update('t1', { ifMatch: 'v', body: { unassign: {} } });
  expect(sent.map(({ method, url, headers, body }) => ({ method, url, headers, body }))).toEqual([
    { method: 'GET', url: 'http://own/v5/tasks/t1', headers: { apikey: 'the-key' } },
    { method: 'GET', url: 'http://own/v5/assessments/a1', headers: { apikey: 'the-key' } },
    {
      method: 'GET',
      url: 'http://own/v5/audit-sentinel/events/export',
      headers: { apikey: 'the-key' },
    },
    {
      method: 'GET',
      url: 'http://own/v5/audit-sentinel/events/export?event_type=assessment',
      headers: { apikey: 'the-key' },
    },
    {
      method: 'PUT',
      url: 'http://own/v5/tasks/t1/update-assignment',
      headers: { apikey: 'the-key', 'If-Match': 'v', 'Content-Type': 'application/json' },
      body: '{"unassign":{}}',
    },
  ]);
});

test('an id stays one segment of the path', async () => {
  const { api, sent } = recordedApi();
  await api.task('../a/b?c#d e%');
  expect(sent[0]?.url).toBe('http://own/v5/tasks/..%2Fa%2Fb%3Fc%23d%20e%25');
});

test('headers are left out, and bodies sent as text, where a scenario wants that', async () => {
  const { api, sent } = recordedApi();
  await api.update('t1', { ifMatch: null, body: 'no json', contentType: null }, { key: null });
  expect(sent[0]).toMatchObject({ headers: {}, body: 'no json' });
  expect(Object.keys(sent[0]?.headers ?? {})).toEqual([]);
});

test('another region, another route, another key; every key is a secret', async () => {
  const { api, sent, client } = recordedApi();
  await api.task('t1', { key: 'another-key', region: 'other', route: 'blocked' });
  expect(sent[0]).toMatchObject({
    url: 'http://other/v5/tasks/t1',
    headers: { apikey: 'another-key' },
    route: 'blocked',
  });
  expect(client.recorder.redactor.text('the-key another-key')).not.toContain('another-key');
});

test('an assignment carries the version that was read', async () => {
  const { api, sent } = recordedApi();
  // Nothing else of a task is looked at.
  const task = { id: 't1', updated_at: '2026-01-01T00:00:00.1Z' } as Task;
  await api.assign(task, { type: 'TEAM', id: 'team' }, { by: 'me', comment: null });
  await api.assign(task, null, { by: 'me' });
  expect(sent.map(({ headers }) => headers['If-Match'])).toEqual([
    '2026-01-01T00:00:00.1Z',
    '2026-01-01T00:00:00.1Z',
  ]);
  expect(sent.map(({ body }) => JSON.parse(body ?? ''))).toEqual([
    {
      update: {
        assigned_by_id: 'me',
        assigned_to_id: 'team',
        assigned_to_type: 'TEAM',
        assignment_comment: null,
      },
    },
    { unassign: { assigned_by_id: 'me' } },
  ]);
});

test('a comment that is left out is not in the body; an empty one is', () => {
  const user = { type: 'USER', id: 'u' } as const;
  expect(JSON.stringify(bodyThatAssigns(user, { by: 'me' }))).not.toContain('comment');
  expect(bodyThatAssigns(user, { by: 'me', comment: '' })).toMatchObject({
    update: { assignment_comment: '' },
  });
  expect(bodyThatAssigns(null, { by: 'me', comment: 'done' })).toEqual({
    unassign: { assigned_by_id: 'me', assignment_comment: 'done' },
  });
});

describe('a write without a response', () => {
  const isPut = ({ method }: WireRequest): boolean => method === 'PUT';

  /** Sends a write to a task of version 1, of which `lose` loses writes by their number, from 1. */
  async function write(
    lose: (number: number) => 'at once' | 'carried out' | 'carried out late' | undefined,
    ifMatch = 'version 1',
  ) {
    const sent: WireRequest[] = [];
    let version = 1;
    let late = false;
    const journal = new Journal();
    const { api } = apiOver(async (request) => {
      sent.push(request);
      if (isPut(request)) {
        if (late) version += 1;
        const isCurrent = request.headers['If-Match'] === `version ${version}`;
        const loss = lose(sent.filter(isPut).length);
        late = loss === 'carried out late';
        if (isCurrent && (loss === undefined || loss === 'carried out')) version += 1;
        if (loss !== undefined) throw Object.assign(new Error('lost'), { code: 'ECONNRESET' });
        if (!isCurrent) return { status: 409, headers: [], body: (async function* () {})() };
      }
      const body = Buffer.from(JSON.stringify({ id: 't1', updated_at: `version ${version}` }));
      return {
        status: 200,
        headers: [['content-type', 'application/json']],
        body: (async function* () {
          yield body;
        })(),
      };
    }, journal);
    journal.of('t1').watch({ id: 't1', updated_at: 'version 1' } as Task);
    const outcome = await api.update('t1', { ifMatch, body: {} }).then(
      ({ status }) => status,
      (error) => (error as Error).name,
    );
    return { outcome, methods: sent.map(({ method }) => method).join(' ') };
  }

  test('is sent again where the task still reads as before', async () => {
    const lose = (number: number) => (number < 3 ? 'at once' : undefined);
    expect(await write(lose)).toEqual({ outcome: 200, methods: 'PUT GET PUT GET PUT' });
    expect(await write(lose, 'old')).toEqual({ outcome: 409, methods: 'PUT GET PUT GET PUT' });
  });

  test('is given up after three', async () => {
    expect(await write(() => 'at once')).toEqual({
      outcome: 'NoResponse',
      methods: 'PUT GET PUT GET PUT',
    });
  });

  test('is not sent again where it was carried out', async () => {
    const lose = () => 'carried out' as const;
    expect(await write(lose)).toEqual({ outcome: 'NoResponse', methods: 'PUT GET' });
  });

  test('convicts nobody where it is carried out after the read', async () => {
    const lose = (number: number) => (number === 1 ? 'carried out late' : undefined);
    expect(await write(lose)).toEqual({ outcome: 'NoResponse', methods: 'PUT GET PUT' });
  });
});
