import type { Assignee } from '../helpers/api.ts';
import { Inconclusive, Violation } from '../helpers/outcomes.ts';
import { taskOf } from '../helpers/tasks/task-answer.ts';
import { shortJson } from '../helpers/validation.ts';
import { type AnyScenario, type Need, scenario } from '../runner/scenario.ts';
import type { World } from '../runner/world.ts';
import type { Task } from '../schemas/task.ts';
import { expectSameTask, expectSuccess } from './expectations.ts';
import {
  type Assigning,
  assigningJudges,
  expectAssigned,
  expectUnassigned,
  type Write,
  writeJudges,
} from './write-judges.ts';

/** Gives a leased task an assignment with a comment of its own, and reads it. */
async function assign(world: World, before: Task, to: Assignee): Promise<Assigning> {
  const { api, actor: by, chance } = world;
  const comment = chance.lorem.sentence();
  const answer = await api.assign(before, to, { by, comment });
  return { before, answer, read: await api.task(before.id), to, by, comment };
}

async function unassign(
  { api, actor: by }: World,
  before: Task,
  comment?: string | null,
): Promise<Write> {
  const answer = await api.unassign(before, comment === undefined ? { by } : { by, comment });
  return { before, answer, read: await api.task(before.id) };
}

const writeObservations = {
  'update.success-status': ({ answer }: Write) => (answer.succeeded ? answer.status : undefined),
  'task.data-version-rules': ({ before, answer, read }: Write) => {
    const { data_version: after } = taskOf(read);
    if (!answer.succeeded) return undefined;
    if (typeof after !== 'number' || typeof before.data_version !== 'number') return 'no number';
    const step = after - before.data_version;
    return step === 0
      ? 'stays on a write'
      : step === 1
        ? 'one more on a write'
        : 'moves on a write';
  },
  'task.locked-at-rules': ({ before, answer, read }: Write) => {
    if (!answer.succeeded) return undefined;
    const { locked_at: after, updated_at: version } = taskOf(read);
    if (after === before.locked_at) return 'stays on a write';
    return after === version ? 'is updated_at after a write' : 'moves on a write';
  },
  'task.status-transitions': ({ before, answer, read }: Write) => {
    const { status } = taskOf(read);
    if (!answer.succeeded) return undefined;
    return status === before.status
      ? 'stays on a write'
      : `${before.status} to ${status} on a write`;
  },
};

function assignment(name: string, to: (world: World) => Assignee, needs: Need[]): AnyScenario {
  return scenario({
    name,
    needs: ['writable-task', ...needs],
    async act(world) {
      return await assign(world, await world.tasks.unassigned(), to(world));
    },
    judges: { ...assigningJudges, 'assign.task-becomes-assigned': expectAssigned },
    observes: writeObservations,
  });
}

function reassignment(
  name: string,
  from: (world: World) => Assignee,
  to: (world: World) => Assignee,
  needs: Need[],
): AnyScenario {
  return scenario({
    name,
    needs: ['writable-task', ...needs],
    async act(world) {
      const comment = world.chance.lorem.sentence();
      const before = await world.tasks.assignedTo(from(world), { comment });
      return { ...(await assign(world, before, to(world))), from: from(world) };
    },
    judges: {
      ...assigningJudges,
      'reassign.task-goes-to-the-new-assignee': expectAssigned,
      'service.assignee-is-single': ({ read, answer, from, to }) => {
        const { assignment: now } = taskOf(read);
        if (!answer.succeeded) throw new Inconclusive('The reassignment was not accepted.');
        const isObject = typeof now === 'object' && now !== null && !Array.isArray(now);
        if (isObject && (from.id === to.id || now.assigned_to_id !== from.id)) return;
        throw new Violation('the assignee after a reassignment', {
          expected: `only the new one, ${to.id}`,
          actual: shortJson(now),
          on: [read, answer],
        });
      },
    },
    observes: writeObservations,
  });
}

function unassignment(
  name: string,
  from: (world: World) => Assignee,
  needs: Need[],
  comment?: string | null,
): AnyScenario {
  return scenario({
    name,
    needs: ['writable-task', ...needs],
    async act(world) {
      return await unassign(world, await world.tasks.assignedTo(from(world)), comment);
    },
    judges: {
      ...writeJudges,
      'unassign.comment-is-optional': ({ answer }) => {
        const how = comment === undefined ? 'without a comment' : `with the comment ${comment}`;
        expectSuccess(answer, `an unassignment ${how}`);
      },
      'unassign.task-becomes-unassigned': expectUnassigned,
      'unassign.answers-with-null-assignment': ({ answer }) => {
        if (!answer.succeeded || answer.object?.assignment === null) return;
        throw new Violation('the assignment in the answer', {
          expected: 'null',
          actual: shortJson(answer.object?.assignment),
          on: [answer],
        });
      },
      'task.assignment-null-when-unassigned': ({ read }) => {
        const { assignment: now } = taskOf(read);
        if (now === null) return;
        throw new Violation('the assignment of an unassigned task', {
          expected: 'null',
          actual: shortJson(now),
          on: [read],
        });
      },
    },
    observes: writeObservations,
  });
}

const again = scenario({
  name: 'a task is assigned again after it was unassigned',
  needs: ['writable-task', 'user'],
  async act(world) {
    const assigned = await world.tasks.assignedTo(world.user());
    const unassigned = await unassign(world, assigned);
    return await assign(world, taskOf(unassigned.read), world.user());
  },
  judges: { ...assigningJudges, 'assign.task-becomes-assigned': expectAssigned },
});

const neighbour = scenario({
  name: 'assigning one task leaves another as it was',
  needs: ['two-writable-tasks', 'user'],
  async act({ api, tasks, user, actor }) {
    const [task, other] = await tasks.two();
    const answer = await api.assign(task, user(), { by: actor, comment: 'Please take this one.' });
    return { answer, other, read: await api.task(other.id) };
  },
  judges: {
    'update.keeps-other-tasks': ({ answer, other, read }) =>
      expectSameTask('another task', other, taskOf(read), { on: [read, answer] }),
  },
});

const user = (rank: number) => (world: World) => world.user(rank);
const team = (world: World) => world.team();

export const assigning = [
  assignment('an unassigned task is assigned to a user', user(0), ['user']),
  assignment('an unassigned task is assigned to a team', team, ['team']),
  reassignment('a task is reassigned from a user to another', user(0), user(1), ['two-users']),
  reassignment('a task is reassigned from a user to a team', user(0), team, ['user', 'team']),
  reassignment('a task is reassigned from a team to a user', team, user(0), ['user', 'team']),
  reassignment('a task is reassigned to the same user', user(0), user(0), ['user']),
  unassignment('a task of a user is unassigned', user(0), ['user']),
  unassignment('a task of a team is unassigned', team, ['team'], null),
  unassignment('a task is unassigned with a comment', user(0), ['user'], 'No longer needed.'),
  again,
  neighbour,
];
