import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { callerOf } from '../reference/caller.fixture.ts';
import type { JsonObject } from '../reference/records.ts';
import { createReference, type Reference } from '../reference/reference.ts';
import { type Life, living, type Pace } from './life.ts';
import { allMotions } from './motions.ts';

const began = Date.UTC(2026, 5, 15, 12);

/** A service in which only this goes on, or nothing; the clock stands still but for what passes. */
function start(id = '', pace: Partial<Pace> = {}) {
  let elapsed = 0;
  const life: Life = {
    motions: allMotions.filter((motion) => motion.id === id),
    pace: { unit: 'requests', every: 1, lag: 3, ...pace },
    seed: 1,
  };
  const reference = createReference({
    seed: 3,
    pastEvents: 60,
    clock: () => began + elapsed,
    answering: living(life),
  });
  const pass = (milliseconds: number): void => {
    elapsed += milliseconds;
  };
  const [taskId = ''] = reference.facts.taskIds;
  return { ...reference, ...reference.facts, taskId, caller: callerOf(reference), pass };
}

type Living = ReturnType<typeof start>;

/** Every task and every assessment. */
async function records({ caller, taskIds, assessmentIds }: Living): Promise<JsonObject[]> {
  const found: JsonObject[] = [];
  for (const id of taskIds) found.push((await caller.readTask(id)).body);
  for (const id of assessmentIds) {
    found.push((await caller.call({ target: `/v5/assessments/${id}` })).body);
  }
  return found;
}

/** The names of the fields in which some of the records differ. */
function differences(before: readonly JsonObject[], after: readonly JsonObject[]): string[] {
  const names = before.flatMap((object, index) =>
    Object.keys(object).filter(
      (name) => JSON.stringify(object[name]) !== JSON.stringify(after[index]?.[name]),
    ),
  );
  return [...new Set(names)].toSorted();
}

/** The lines of a CSV of all events, by the ids of the events. */
async function exported({ handle, apiKey }: Reference & { apiKey: string }) {
  const { body } = await handle({
    method: 'GET',
    target: '/v5/audit-sentinel/events/export',
    headers: { apikey: apiKey },
    body: '',
    remoteAddress: '127.0.0.1',
    region: 'own',
  });
  // A CSV comes in pieces. Comments hold line breaks; an event begins with its id.
  const file = await text(body as AsyncIterable<Uint8Array>);
  const lines = file
    .trimEnd()
    .split(/\r\n(?=[0-9a-f]{8}-)/)
    .slice(1);
  return new Map(lines.map((line) => [line.slice(0, 36), line]));
}

test('nothing goes on without a motion', async () => {
  const still = start();
  const [before, events] = [await records(still), await exported(still)];
  expect(await records(still)).toEqual(before);
  expect(await exported(still)).toEqual(events);
});

test('the same seed makes the same things happen', async () => {
  const seen = async () => {
    const living = start('tasks-are-renamed');
    return [await records(living), await records(living)];
  };
  expect(await seen()).toEqual(await seen());
});

describe('what changes between two readings of all tasks and assessments', () => {
  const fields: Readonly<Record<string, readonly string[]>> = {
    'tasks-are-renamed': ['c_name', 'name', 'updated_at'],
    'tasks-are-edited': ['custom_metadata', 'status', 'step_name', 'updated_at'],
    'tasks-are-locked': ['locked_at', 'updated_at'],
    'tasks-are-assigned-by-colleagues': ['assignment', 'data_version', 'updated_at'],
    'the-engine-moves-tasks-on-after-writes': [],
    'locks-are-refreshed-by-reads': ['locked_at'],
    'locks-move': ['locked_at'],
    'data-versions-count-on': ['data_version'],
    'contents-of-custom-metadata-change': ['custom_metadata'],
    'statuses-change': ['status'],
    'assessments-change-state': [
      'error_details',
      'error_message',
      'error_step',
      'error_type',
      'outcome_id',
      'status_id',
      'workflow_state',
    ],
    'reads-lag-behind-writes': [],
  };
  test.for(Object.entries(fields))('%s', async ([id, changed]) => {
    const living = start(id);
    const before = await records(living);
    for (let count = 0; count < 4; count += 1) await records(living);
    const after = await records(living);
    expect(differences(before, after)).toEqual(changed);
  });
});

describe('what changes between two exports, with twenty requests from one to the other', () => {
  const counts: Readonly<Record<string, { come: number; gone: number; changed: boolean }>> = {
    'events-are-recorded': { come: 20, gone: 0, changed: false },
    'events-are-recorded-late': { come: 20, gone: 0, changed: false },
    'events-are-imported-into-past-days': { come: 43, gone: 0, changed: false },
    'old-events-are-purged': { come: 0, gone: 20, changed: false },
    'people-are-pseudonymised-in-past-events': { come: 0, gone: 0, changed: true },
    'past-events-get-another-tag': { come: 0, gone: 0, changed: true },
    'tasks-are-assigned-by-colleagues': { come: 20, gone: 0, changed: false },
    'exports-lag-behind': { come: 0, gone: 0, changed: false },
  };
  test.for(Object.entries(counts))('%s', async ([id, { come, gone, changed }]) => {
    const living = start(id);
    const before = await exported(living);
    for (let count = 1; count < 20; count += 1) await living.caller.readTask(living.taskId);
    const after = await exported(living);
    const kept = [...before].filter(([event]) => after.has(event));
    expect(after.size - kept.length).toBe(come);
    expect(before.size - kept.length).toBe(gone);
    expect(kept.some(([event, line]) => after.get(event) !== line)).toBe(changed);
  });
});

describe('after a write', () => {
  const write = async ({ caller, taskId, teamIds }: Living): Promise<JsonObject> => {
    const [team = ''] = teamIds;
    return (await caller.assign(taskId, { assigned_to_id: team, assigned_to_type: 'TEAM' })).body;
  };
  const read = async ({ caller, taskId }: Living): Promise<JsonObject> =>
    (await caller.readTask(taskId)).body;

  test('the engine moves the task on, as many requests later as is said', async () => {
    const living = start('the-engine-moves-tasks-on-after-writes');
    const written = await write(living);
    expect([await read(living), await read(living)]).toEqual([written, written]);
    const moved = await read(living);
    expect(moved.step_name).not.toBe(written.step_name);
    expect(moved.updated_at).not.toBe(written.updated_at);
    expect(moved.assignment).toEqual(written.assignment);
  });

  test('reads show it as many requests later as is said, and another write takes its version', async () => {
    const living = start('reads-lag-behind-writes');
    const before = await read(living);
    const written = await write(living);
    expect([await read(living), await read(living)]).toEqual([before, before]);
    expect(await read(living)).toEqual(written);
  });

  test('reads show it as many milliseconds later as is said', async () => {
    const living = start('reads-lag-behind-writes', { unit: 'milliseconds', lag: 100 });
    const before = await read(living);
    const written = await write(living);
    living.pass(99);
    expect(await read(living)).toEqual(before);
    living.pass(1);
    expect(await read(living)).toEqual(written);
  });

  test('exports show its event later, and the task at once', async () => {
    const living = start('exports-lag-behind');
    const before = await exported(living);
    const written = await write(living);
    expect(await read(living)).toEqual(written);
    expect((await exported(living)).size).toBe(before.size);
    expect((await exported(living)).size).toBe(before.size + 1);
  });
});

test('things happen rarely where the pace says so', async () => {
  const living = start('events-are-recorded', { every: 50 });
  const before = await exported(living);
  for (let count = 1; count < 1000; count += 1) await living.caller.readTask(living.taskId);
  const come = (await exported(living)).size - before.size;
  expect(come).toBeGreaterThan(10);
  expect(come).toBeLessThan(40);
});
