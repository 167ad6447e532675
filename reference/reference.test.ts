import { describe, expect, test } from 'vitest';
import { type Caller, callerOf } from './caller.fixture.ts';
import { createReference, type ReferenceOptions } from './reference.ts';

const now = Date.UTC(2026, 0, 15, 12);

function start(options: Partial<ReferenceOptions> = {}) {
  const reference = createReference({ seed: 7, clock: () => now, ...options });
  const [taskId = '', teamTask = '', otherTask = ''] = reference.facts.taskIds;
  return { ...reference.facts, taskId, teamTask, otherTask, caller: callerOf(reference) };
}

async function everything({ taskIds, assessmentIds, caller }: ReturnType<typeof start>) {
  const targets = [
    ...taskIds.map((id) => `/v5/tasks/${id}`),
    ...assessmentIds.map((id) => `/v5/assessments/${id}`),
  ];
  const answers = await Promise.all(targets.map((target) => caller.call({ target })));
  return answers.map(({ body }) => body);
}

describe('the world of a seed', () => {
  test('is the same for the same seed and the same time', async () => {
    const [one, same] = [start(), start()];
    expect(one.apiKey).toBe(same.apiKey);
    expect(await everything(one)).toEqual(await everything(same));
  });

  test('is another for another seed', () => {
    const [one, other] = [start(), start({ seed: 8 })];
    expect(one.apiKey).not.toBe(other.apiKey);
    expect(one.taskIds).not.toEqual(other.taskIds);
  });

  test('holds tasks that are unassigned, of users and of teams, each with a version of its own', async () => {
    const tasks = (await everything(start())).slice(0, 8);
    const kinds = tasks.map(({ assignment }) => Object(assignment).assigned_to_type ?? null);
    expect(kinds).toEqual([null, 'USER', 'TEAM', null, 'USER', 'TEAM', null, 'USER']);
    expect(new Set(tasks.map(({ updated_at }) => updated_at)).size).toBe(8);
    expect(tasks.map(({ custom_metadata }) => custom_metadata).slice(0, 3)).toEqual([
      {},
      null,
      { priority: 3, source: { channel: 'web', tags: ['kyc', 'retail'] } },
    ]);
    expect(tasks[2]?.name).toBeNull();
  });

  test('holds assessments in each state, with error fields on error only', async () => {
    const assessments = (await everything(start())).slice(8);
    expect(assessments.map(({ workflow_state }) => workflow_state)).toEqual([
      'Active',
      'Cancelled',
      'Error',
      'Active',
    ]);
    const types = assessments.map(({ error_message, error_details, error_step, error_type }) =>
      [error_message, error_details, error_step, error_type].map((value) =>
        value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value,
      ),
    );
    const none = ['null', 'null', 'null', 'null'];
    expect(types).toEqual([none, none, ['string', 'object', 'number', 'list'], none]);
  });
});

describe('a change of assignment', () => {
  test('answers with the task that is read afterwards', async () => {
    const {
      caller,
      taskId,
      teamIds,
      actorIds: [actorId],
    } = start();
    const before = await caller.readTask(taskId);
    const answer = await caller.assign(taskId, {
      assigned_to_id: teamIds[0] ?? '',
      assigned_to_type: 'TEAM',
      assignment_comment: ' "quoted", \r\n<b>bold</b> 👩🏽‍💻 ',
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      ...before.body,
      assignment: {
        assigned_by_id: actorId,
        assigned_to_id: teamIds[0],
        assigned_to_type: 'TEAM',
        assignment_comment: ' "quoted", \r\n<b>bold</b> 👩🏽‍💻 ',
      },
      data_version: Number(before.body.data_version) + 1,
      updated_at: '2026-01-15T12:00:00.000Z',
    });
    expect(await caller.readTask(taskId)).toEqual(answer);
  });

  test('moves the version on, also when the clock stands still', async () => {
    const { caller, taskId } = start();
    const versions: unknown[] = [];
    for (let index = 0; index < 3; index += 1) {
      versions.push((await caller.assign(taskId, {})).body.updated_at);
    }
    expect(versions).toEqual([
      '2026-01-15T12:00:00.000Z',
      '2026-01-15T12:00:00.001Z',
      '2026-01-15T12:00:00.002Z',
    ]);
  });

  test('takes the assignment away on unassign', async () => {
    const {
      caller,
      teamTask,
      actorIds: [actorId],
    } = start();
    const { body } = await caller.readTask(teamTask);
    const unassign = { unassign: { assigned_by_id: actorId } };
    const answer = await caller.write(teamTask, String(body.updated_at), unassign);
    expect(answer.body.assignment).toBeNull();
  });

  test('leaves other tasks as they were', async () => {
    const service = start();
    const before = await everything(service);
    await service.caller.assign(service.taskId, {});
    expect((await everything(service)).slice(1)).toEqual(before.slice(1));
  });

  test.each([
    ['an earlier version', (earlier: string) => earlier],
    ['a text that is no version', () => 'latest'],
    ['an empty text', () => ''],
    ['any version', () => '*'],
  ])('is refused with 409 for %s, and changes nothing', async (_name, versionOf) => {
    const {
      caller,
      taskId,
      actorIds: [actorId],
    } = start();
    const { body } = await caller.readTask(taskId);
    const current = await caller.assign(taskId, {});
    const version = versionOf(String(body.updated_at));
    const unassign = { unassign: { assigned_by_id: actorId } };
    expect((await caller.write(taskId, version, unassign)).status).toBe(409);
    expect(await caller.readTask(taskId)).toEqual(current);
  });
});

describe('simultaneous writes', () => {
  async function writeAtOnce(caller: Caller, taskId: string, assignees: readonly string[]) {
    const { body } = await caller.readTask(taskId);
    const update = { assigned_by_id: assignees[0], assigned_to_type: 'USER' };
    const answers = await Promise.all(
      assignees.map((assigned_to_id) =>
        caller.write(taskId, String(body.updated_at), { update: { ...update, assigned_to_id } }),
      ),
    );
    const winners = answers.filter(({ status }) => status === 200);
    return { statuses: answers.map(({ status }) => status).sort(), winners };
  }

  test.each([
    ['one after the other', undefined],
    ['all compared before the first is written', { beforeWriting: nextTurn }],
  ])('have one winner: %s', async (_name, rules) => {
    const { caller, taskId, userIds } = start(rules && { rules });
    const { statuses, winners } = await writeAtOnce(caller, taskId, userIds);
    expect(statuses).toEqual([200, 409, 409, 409]);
    expect(await caller.readTask(taskId)).toEqual(winners[0]);
  });

  test('all win where the rule that keeps them apart is replaced', async () => {
    const { caller, taskId, userIds } = start({
      rules: { beforeWriting: nextTurn, isStillTheSame: () => true },
    });
    const { statuses } = await writeAtOnce(caller, taskId, userIds);
    expect(statuses).toEqual([200, 200, 200, 200]);
  });
});

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

describe('access', () => {
  test.each([
    ['a missing key', { headers: {} }, 401],
    ['an empty key', { headers: { apikey: '' } }, 401],
    ['another key', { headers: { apikey: 'other' } }, 401],
    ['another region', { region: 'other' }, 401],
    ['an address off the allow list', { remoteAddress: '127.0.0.2' }, 401],
    ['nothing wrong', {}, 404],
  ] as const)('%s is noticed before the id is looked up', async (_name, request, status) => {
    const { caller } = start();
    const unknown = '00000000-0000-4000-8000-000000000000';
    const targets = [`/v5/tasks/${unknown}`, `/v5/assessments/${unknown}`];
    for (const target of targets) {
      expect((await caller.call({ target, ...request })).status).toBe(status);
    }
    const write = { method: 'PUT', target: `/v5/tasks/${unknown}/update-assignment` };
    expect((await caller.call({ ...write, ...request })).status).toBe(status);
  });
});

describe('paths', () => {
  test('an id is one segment, however it is encoded', async () => {
    const { caller, taskId, assessmentIds } = start();
    const encoded = taskId.replaceAll('-', '%2D');
    const status = async (target: string) => (await caller.call({ target })).status;
    expect(await status(`/v5/tasks/${encoded}?x=1`)).toBe(200);
    expect(await status(`/v5/tasks/x%2F..%2F${taskId}`)).toBe(404);
    expect(await status(`/v5/tasks/${taskId}%`)).toBe(404);
    expect(await status(`/v5/tasks/${assessmentIds[0]}`)).toBe(404);
    expect(await status(`/tasks/${taskId}`)).toBe(404);
  });

  test('another method is 405', async () => {
    const { caller, taskId } = start();
    expect((await caller.call({ method: 'DELETE', target: `/v5/tasks/${taskId}` })).status).toBe(
      405,
    );
  });
});
