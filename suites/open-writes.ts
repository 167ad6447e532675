import { type RawUpdate, unassignBody, updateBody } from '../helpers/api.ts';
import type { Answer } from '../helpers/http/answer.ts';
import { Inconclusive, Violation } from '../helpers/outcomes.ts';
import { taskOf } from '../helpers/tasks/task-answer.ts';
import { rewritten } from '../helpers/tasks/versions.ts';
import { problemsOf } from '../helpers/validation.ts';
import { type AnyScenario, type Observation, scenario } from '../runner/scenario.ts';
import type { World } from '../runner/world.ts';
import type { OpenClause } from '../schemas/clauses.ts';
import type { Task } from '../schemas/task.ts';
import { differences, expectSameTask, namesNobody } from './expectations.ts';
import { errorShape, together } from './shapes.ts';

/** A write whose outcome the document leaves open, with the task before and after it. */
interface OpenWrite {
  readonly before: Task;
  readonly answer: Answer;
  readonly read: Answer;
}

/** Whatever becomes of such a write, the task stays valid, and a refused one has changed nothing. */
const judges = {
  'endpoints.refused-write-changes-nothing': (writes: readonly OpenWrite[]) => {
    for (const { before, answer, read } of writes) {
      if (answer.status < 400) continue;
      expectSameTask(
        `the task after a write that was answered with ${answer.status}`,
        before,
        taskOf(read),
        {
          on: [answer, read],
        },
      );
    }
  },
  'endpoints.task-stays-valid': (writes: readonly OpenWrite[]) => {
    for (const { before, answer, read } of writes) {
      // What was not valid before was not made so by this write; its fields have clauses of their own.
      if (problemsOf('task', before).length > 0)
        throw new Inconclusive('The task was not valid before.');
      const [problem] = problemsOf('task', read.object);
      if (problem === undefined) continue;
      const { field, expected, actual } = problem;
      throw new Violation(`the task after the write: ${field}`, {
        expected,
        actual,
        on: [answer, read],
      });
    }
  },
};

/** What was done, in a few words. */
function outcome({ before, answer, read }: OpenWrite): string {
  const after = taskOf(read);
  if (differences(before, after).length === 0) return `${answer.status}, changed nothing`;
  if (namesNobody(after.assignment)) {
    return namesNobody(before.assignment)
      ? `${answer.status}, new version`
      : `${answer.status}, unassigned`;
  }
  return `${answer.status}, assigned`;
}

function openWrite(
  name: string,
  clause: OpenClause,
  prepare: (world: World) => Promise<Task>,
  make: (world: World, task: Task) => readonly (readonly [what: string, RawUpdate])[],
): AnyScenario {
  return scenario({
    name,
    needs: ['writable-task', 'two-users'],
    async act(world) {
      const task = await prepare(world);
      const made: (OpenWrite & { what: string })[] = [];
      let before = task;
      for (const [index, [what]] of make(world, task).entries()) {
        // Made anew from the task as it is: the write before may have changed its version.
        const raw = make(world, before)[index]?.[1];
        if (raw === undefined) break;
        const answer = await world.api.update(task.id, raw);
        const read = await world.api.task(task.id);
        made.push({ what, before, answer, read });
        before = taskOf(read);
      }
      return made;
    },
    judges,
    observes: {
      [clause]: (writes: readonly (OpenWrite & { what: string })[]): Observation =>
        together(writes.map((write) => `${write.what}: ${outcome(write)}`)),
      'errors.body-shape': (writes: readonly OpenWrite[]): Observation =>
        together(
          writes
            .filter(({ answer }) => answer.status >= 400)
            .map(({ answer }) => errorShape(answer)),
        ),
    },
  });
}

const assigned = (world: World) => world.tasks.assignedTo(world.user(0));
const toTheOther = ({ user, actor: by }: World) => updateBody(user(1), { by, comment: null });

const both = openWrite(
  'a body with both update and unassign',
  'update.body-with-both-objects',
  assigned,
  (world, task) => [
    [
      'both',
      {
        ifMatch: task.updated_at,
        body: { ...toTheOther(world), ...unassignBody({ by: world.actor }) },
      },
    ],
  ],
);

const neither = openWrite(
  'a body with neither update nor unassign',
  'update.body-with-neither-object',
  assigned,
  (_, task) => [
    ['an empty object', { ifMatch: task.updated_at, body: {} }],
    ['null for both', { ifMatch: task.updated_at, body: { update: null, unassign: null } }],
    ['another field', { ifMatch: task.updated_at, body: { reassign: {} } }],
  ],
);

const unassignUnassigned = openWrite(
  'an unassign on a task that has no assignment',
  'unassign.on-an-unassigned-task',
  (world) => world.tasks.unassigned(),
  ({ actor: by }, task) => [['unassign', { ifMatch: task.updated_at, body: unassignBody({ by }) }]],
);

const quoted = openWrite(
  'an If-Match in quotes, as HTTP writes entity tags',
  'update.quoted-if-match',
  assigned,
  (world, task) => [
    ['in quotes', { ifMatch: `"${task.updated_at}"`, body: toTheOther(world) }],
    ['as a weak tag', { ifMatch: `W/"${task.updated_at}"`, body: toTheOther(world) }],
  ],
);

const star = openWrite('an If-Match of a star', 'update.if-match-star', assigned, (world) => [
  ['star', { ifMatch: '*', body: toTheOther(world) }],
]);

const sameInstant = openWrite(
  'an If-Match of the same instant, written differently',
  'update.if-match-same-instant',
  assigned,
  (world, task) => {
    const names = ['another mark for UTC', 'more fractional digits'];
    return rewritten(task.updated_at).map(
      (ifMatch, index) =>
        [names[index] ?? 'otherwise', { ifMatch, body: toTheOther(world) }] as const,
    );
  },
);

const contentTypes = openWrite(
  'a body of another media type, or of none',
  'update.other-content-types',
  assigned,
  (world, task) => [
    [
      'text/plain',
      { ifMatch: task.updated_at, body: toTheOther(world), contentType: 'text/plain' },
    ],
    ['none', { ifMatch: task.updated_at, body: toTheOther(world), contentType: null }],
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
