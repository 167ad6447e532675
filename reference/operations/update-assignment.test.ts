import { expect, test } from 'vitest';
import { defaultRules, type Rules } from '../rules.ts';
import { Store } from '../store.ts';
import { createWorld } from '../world.ts';
import type { Service } from './service.ts';
import { updateAssignment } from './update-assignment.ts';

const now = Date.UTC(2026, 0, 15, 12);

function start(rules: Partial<Rules> = {}) {
  const world = createWorld(7, now, (uuid) => uuid);
  const service: Service = {
    apiKey: world.apiKey,
    allowedAddresses: ['::1'],
    store: new Store(world, 1),
    rules: { ...defaultRules, ...rules },
    directory: { users: [world.actor, ...world.users], teams: world.teams },
    post: () => {},
    clock: () => now,
    pastEvents: () => [],
  };
  const [first] = world.tasks;
  if (!first) throw new Error('The world has no task.');
  const write = async (body: unknown, headers: Record<string, string> = {}) => {
    const version = service.store.tasks.get(first.id)?.updated_at ?? 0;
    const { status } = await updateAssignment(
      {
        method: 'PUT',
        target: '',
        headers: {
          apikey: world.apiKey,
          'if-match': new Date(version).toISOString(),
          'content-type': 'application/json',
          ...headers,
        },
        body: JSON.stringify(body),
        remoteAddress: '::1',
        region: 'own',
      },
      service,
      first.id,
    );
    return status;
  };
  const update = {
    assigned_by_id: world.actor.id,
    assigned_to_id: world.users[0]?.id,
    assigned_to_type: 'USER',
  };
  return { ...world, task: first, store: service.store, update, write };
}

test('every change of assignment is recorded with its comment', async () => {
  const { store, task, actor, update, write } = start();
  await write({ update: { ...update, assignment_comment: 'one' } });
  await write({ update });
  await write({ unassign: { assigned_by_id: actor.id, assignment_comment: 'three' } });
  const recorded = {
    at: now,
    auditeeId: actor.id,
    eventType: 'task',
    systemSource: 'task_platform',
    metadata: {
      task_id: task.id,
      entity_id: task.entity_id,
      assessment_id: task.assessment_id,
      workflow_instance_id: task.workflow_instance_id,
    },
  };
  expect(store.events.map(({ id: _, description: __, ...event }) => event)).toEqual([
    { ...recorded, subType: 'assigned', comment: 'one' },
    { ...recorded, subType: 'reassigned', comment: null },
    { ...recorded, subType: 'unassigned', comment: 'three' },
  ]);
});

test('a refused write is not recorded', async () => {
  const { store, update, write } = start();
  expect(await write({ update }, { 'if-match': 'latest' })).toBe(409);
  expect(await write({ update }, { apikey: 'other' })).toBe(401);
  expect(await write({ update }, { 'content-type': 'text/plain' })).toBe(415);
  expect(await write({ update: {} })).toBe(400);
  expect(store.events).toEqual([]);
});

test('an invalid body comes before a stale version, unless the rule says otherwise', async () => {
  const stale = { 'if-match': 'latest' };
  expect(await start().write({ update: {} }, stale)).toBe(400);
  const versionFirst = start({ isCheckedFirst: () => 'version' });
  expect(await versionFirst.write({ update: {} }, stale)).toBe(409);
});

test('the versions of a task are remembered in their order', async () => {
  const { store, task, update, write } = start();
  await write({ update });
  await write({ update });
  await write({ update });
  expect(store.earlierVersions(task.id)).toEqual([task.updated_at, now, now + 1]);
});

test.each([
  ['refused', 422, 422],
  ['assigning', 200, 'update'],
  ['unassigning', 200, 'unassign'],
] as const)('a body with both objects: %s', async (effect, status, reaction) => {
  const { store, task, actor, update, write } = start({ bodyWithBoth: () => reaction });
  await write({ update });
  expect(await write({ update, unassign: { assigned_by_id: actor.id } })).toBe(status);
  const isAssigned = store.tasks.get(task.id)?.assignment !== null;
  expect(isAssigned).toBe(effect !== 'unassigning');
});

test.each([
  ['carry-out', 200, true],
  ['leave', 200, false],
  [409, 409, false],
] as const)('unassigning an unassigned task: %s', async (reaction, status, isChanged) => {
  const { store, task, actor, write } = start({ unassignUnassigned: () => reaction });
  expect(await write({ unassign: { assigned_by_id: actor.id } })).toBe(status);
  expect(store.tasks.get(task.id) !== task).toBe(isChanged);
});
