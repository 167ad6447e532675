import { updateBody } from '../helpers/api.ts';
import type { Answer } from '../helpers/http/answer.ts';
import { taskOf } from '../helpers/tasks/task-answer.ts';
import { type AnyScenario, type Need, scenario } from '../runner/scenario.ts';
import type { World } from '../runner/world.ts';
import type { JudgedClause } from '../schemas/clauses.ts';
import { expectStatus, requireTwin } from './expectations.ts';
import { errorShape, together } from './shapes.ts';

interface UnknownId {
  readonly what: string;
  readonly id: string;
}

/** Ids that match no record of the kind: made from one that does, and from one of another kind. */
function unknownIds(
  known: string,
  ofAnotherKind: readonly string[],
  { chance }: World,
): UnknownId[] {
  const ids = [
    { what: 'a fresh id', id: chance.string.uuid() },
    ...ofAnotherKind.slice(0, 1).map((id) => ({ what: 'the id of another kind of record', id })),
    { what: 'a known id without its last character', id: known.slice(0, -1) },
    { what: 'a known id with a character more', id: `${known}0` },
    { what: 'an id that is not UUID-shaped', id: 'no-such-record' },
  ];
  return ids.filter(({ id }) => id.toLowerCase() !== known.toLowerCase());
}

interface Evidence {
  readonly unknown: readonly { readonly what: string; readonly answer: Answer }[];
  readonly twin: Answer;
}

function notFound(clause: JudgedClause) {
  return {
    [clause]: ({ unknown, twin }: Evidence) => {
      requireTwin(twin, 'the same request with a known id');
      for (const { what, answer } of unknown) expectStatus(answer, 404, what);
    },
  };
}

const observes = {
  'errors.body-shape': ({ unknown }: Evidence) =>
    together(
      unknown.filter(({ answer }) => !answer.succeeded).map(({ answer }) => errorShape(answer)),
    ),
};

function retrieval(
  name: string,
  needs: readonly Need[],
  clause: JudgedClause,
  known: (world: World) => string | undefined,
  others: (world: World) => readonly string[],
  ask: (world: World, id: string) => Promise<Answer>,
): AnyScenario {
  return scenario({
    name,
    needs,
    async act(world) {
      const id = known(world) ?? '';
      const ids = unknownIds(id, others(world), world);
      const [twin, ...answers] = await Promise.all([
        ask(world, id),
        ...ids.map((unknown) => ask(world, unknown.id)),
      ]);
      if (twin === undefined) throw new Error('The known id was not asked for.');
      const unknown = ids.map(({ what }, index) => {
        const answer = answers[index];
        if (answer === undefined) throw new Error('An unknown id was not asked for.');
        return { what, answer };
      });
      return { unknown, twin };
    },
    judges: notFound(clause),
    observes,
  });
}

const write = scenario({
  name: 'a write to an unknown task answers 404',
  needs: ['writable-task', 'user'],
  async act(world) {
    const { api, tasks, user, actor: by, assessmentIds } = world;
    const task = await tasks.any();
    const body = updateBody(user(), { by, comment: 'for an unknown task' });
    const unknown: { what: string; answer: Answer }[] = [];
    for (const { what, id } of unknownIds(task.id, assessmentIds, world)) {
      const answer = await api.update(id, { ifMatch: task.updated_at, body });
      unknown.push({ what, answer });
    }
    // Read again: an unknown id that was taken for the task has changed its version.
    const current = taskOf(await api.task(task.id));
    return { unknown, twin: await api.update(task.id, { ifMatch: current.updated_at, body }) };
  },
  judges: notFound('update.unknown-task-is-404'),
  observes,
});

export const unknownIdsAnswer404 = [
  retrieval(
    'an unknown task answers 404',
    ['task'],
    'get-task.unknown-task-is-404',
    ({ taskIds }) => taskIds[0],
    ({ assessmentIds }) => assessmentIds,
    ({ api }, id) => api.task(id),
  ),
  retrieval(
    'an unknown assessment answers 404',
    ['assessment'],
    'get-assessment.unknown-assessment-is-404',
    ({ assessmentIds }) => assessmentIds[0],
    ({ taskIds }) => taskIds,
    ({ api }, id) => api.assessment(id),
  ),
  write,
];
