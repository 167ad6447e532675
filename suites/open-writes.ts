import { unassignBody, updateBody } from '../helpers/api.ts';
import { Inconclusive, Violation } from '../helpers/outcomes.ts';
import { taskOf } from '../helpers/tasks/task-answer.ts';
import { withMoreDigits, withOtherZoneMark } from '../helpers/tasks/versions.ts';
import { problemsOf } from '../helpers/validation.ts';
import { type AnyScenario, type Observation, scenario } from '../runner/scenario.ts';
import type { World } from '../runner/world.ts';
import type { OpenClause } from '../schemas/clauses.ts';
import type { Task } from '../schemas/task.ts';
import { differences, expectSameTask, namesNobody } from './expectations.ts';
import { errorShape, together } from './shapes.ts';
import { answersOf, isRefused, type Stretch, type Trial, tryInTurn } from './stretches.ts';

type Stretches = readonly Stretch<Trial>[];

/** Whatever becomes of such writes, the task stays valid, and refused ones have changed nothing. */
const judges = {
  'endpoints.refused-write-changes-nothing': (stretches: Stretches) => {
    for (const { before, writes, read } of stretches) {
      const answers = writes.map(({ answer }) => answer);
      if (!answers.every(isRefused)) continue;
      const what = writes.map(({ trial }) => trial.what).join(', ');
      expectSameTask(`the task after a refused write (${what})`, before, taskOf(read), {
        on: [...answers, read],
      });
    }
  },
  'endpoints.task-stays-valid': (stretches: Stretches) => {
    for (const { before, writes, read } of stretches) {
      // What was not valid before was not made so by this write; its fields have clauses of their own.
      if (problemsOf('task', before).length > 0)
        throw new Inconclusive('The task was not valid before.');
      const [problem] = problemsOf('task', read.object);
      if (problem === undefined) continue;
      const { field, expected, actual } = problem;
      const on = [...writes.map(({ answer }) => answer).slice(-1), read];
      throw new Violation(`the task after the write: ${field}`, { expected, actual, on });
    }
  },
};

/** What became of each write, in a few words. */
function outcomes({ before, writes, read }: Stretch<Trial>): string[] {
  return writes.map(({ trial, answer }) => {
    const outcome = isRefused(answer) ? 'refused' : effect(before, taskOf(read));
    return `${trial.what}: ${answer.status}, ${outcome}`;
  });
}

function effect(before: Task, after: Task): string {
  if (differences(before, after).length === 0) return 'changed nothing';
  if (!namesNobody(after.assignment)) return 'assigned';
  return namesNobody(before.assignment) ? 'new version' : 'unassigned';
}

function openWrite(
  name: string,
  clause: OpenClause,
  prepare: (world: World) => Promise<Task>,
  trials: (world: World) => readonly Trial[],
): AnyScenario {
  return scenario({
    name,
    needs: ['writable-task', 'two-users'],
    async act(world) {
      return await tryInTurn(world.api, await prepare(world), trials(world));
    },
    judges,
    observes: {
      [clause]: (stretches: Stretches): Observation => together(stretches.flatMap(outcomes)),
      'errors.body-shape': (stretches: Stretches): Observation =>
        together(answersOf(stretches).filter(isRefused).map(errorShape)),
    },
  });
}

const assigned = ({ tasks, user }: World) => tasks.assigned(user());

const toAnother = ({ anotherUser, actor: by }: World, task: Task) =>
  updateBody(anotherUser(task), { by, comment: null });

/** A write with the current version and this body. */
const withBody = (what: string, body: unknown): Trial => ({
  what,
  make: ({ updated_at: ifMatch }) => ({ ifMatch, body }),
});

const both = openWrite(
  'a body with both update and unassign',
  'update.body-with-both-objects',
  assigned,
  (world) => [
    {
      what: 'both',
      make: (task) => ({
        ifMatch: task.updated_at,
        body: { ...toAnother(world, task), ...unassignBody({ by: world.actor }) },
      }),
    },
  ],
);

const neither = openWrite(
  'a body with neither update nor unassign',
  'update.body-with-neither-object',
  assigned,
  () => [
    withBody('an empty object', {}),
    withBody('null for both', { update: null, unassign: null }),
    withBody('another field', { reassign: {} }),
  ],
);

const unassignUnassigned = openWrite(
  'an unassign on a task that has no assignment',
  'unassign.on-an-unassigned-task',
  (world) => world.tasks.unassigned(),
  ({ actor: by }) => [withBody('unassign', unassignBody({ by }))],
);

/** An assignment with the current version, written in another way. */
const withVersion =
  (world: World) =>
  (what: string, rewrite: (version: string) => string): Trial => ({
    what,
    make: (task) => ({ ifMatch: rewrite(task.updated_at), body: toAnother(world, task) }),
  });

const quoted = openWrite(
  'an If-Match in quotes, as HTTP writes entity tags',
  'update.quoted-if-match',
  assigned,
  (world) => [
    withVersion(world)('in quotes', (version) => `"${version}"`),
    withVersion(world)('as a weak tag', (version) => `W/"${version}"`),
  ],
);

const star = openWrite('an If-Match of a star', 'update.if-match-star', assigned, (world) => [
  withVersion(world)('star', () => '*'),
]);

const sameInstant = openWrite(
  'an If-Match of the same instant, written differently',
  'update.if-match-same-instant',
  assigned,
  (world) => [
    withVersion(world)('another mark for UTC', withOtherZoneMark),
    withVersion(world)('more fractional digits', withMoreDigits),
  ],
);

const withContentType =
  (world: World) =>
  (what: string, contentType: string | null): Trial => ({
    what,
    make: (task) => ({ ifMatch: task.updated_at, body: toAnother(world, task), contentType }),
  });

const contentTypes = openWrite(
  'a body of another media type, or of none',
  'update.other-content-types',
  assigned,
  (world) => [
    withContentType(world)('text/plain', 'text/plain'),
    withContentType(world)('none', null),
  ],
);

export const openWrites = [
  both,
  neither,
  unassignUnassigned,
  quoted,
  star,
  sameInstant,
  contentTypes,
];
