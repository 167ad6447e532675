import type { Assignee } from '../helpers/api.ts';
import type { Answer } from '../helpers/http/answer.ts';
import { Inconclusive } from '../helpers/outcomes.ts';
import { taskOf } from '../helpers/tasks/task-answer.ts';
import { type AnyScenario, type Scenario, scenario } from '../runner/scenario.ts';
import type { World } from '../runner/world.ts';
import type { JudgedClause } from '../schemas/clauses.ts';
import type { RefusalCause } from '../schemas/observations.ts';
import type { Task } from '../schemas/task.ts';
import { expectUnchanged } from './comparing-tasks.ts';
import { mismatch, requireTwin } from './expectations.ts';
import { errorShapes } from './shapes.ts';
import {
  answersOf,
  isRefused,
  keepsTheOtherFields,
  latest,
  type Stretch,
  type Trial,
  tryInTurn,
} from './stretches.ts';
import {
  anEmptyIfMatch,
  invalidBodies,
  invalidFields,
  type WrongWrite,
  withoutIfMatch,
} from './wrong-writes.ts';

/** A write that must not be carried out, and the clause that says so. */
interface WrongTrial<Wrong> extends Trial {
  readonly clause: JudgedClause;
  readonly wrong: Wrong;
}

interface Evidence<Wrong> {
  readonly stretches: readonly Stretch<WrongTrial<Wrong>>[];
  /** The write that all the wrong ones were made from. */
  readonly twin: Answer;
  /** Whom that one assigns the task to. */
  readonly to: Assignee;
}

async function attempt<Wrong>(
  world: World,
  task: Task,
  wrongWrites: readonly WrongWrite<Wrong>[],
): Promise<Evidence<Wrong>> {
  const { api, anotherUser, actor: by, faker } = world;
  const to = anotherUser(task);
  const comment = faker.lorem.sentence();
  const update = {
    assigned_by_id: by,
    assigned_to_id: to.id,
    assigned_to_type: 'USER',
    assignment_comment: comment,
  };
  const unassign = { assigned_by_id: by, assignment_comment: comment };
  const trials = wrongWrites.map((write) => ({
    ...write,
    make: ({ updated_at: ifMatch }: Task) => write.make({ ifMatch, update, unassign }),
  }));
  const stretches = await tryInTurn(world, task, trials);
  return { stretches, twin: await api.assign(latest(stretches), to, { by, comment }), to };
}

/** The clauses that the writes of a stretch break if it changed the task: that of the last, or of all refused. */
function blamed({ writes }: Stretch<WrongTrial<unknown>>): JudgedClause[] {
  const accepted = writes.filter(({ answer }) => !isRefused(answer));
  return (accepted.length > 0 ? accepted : writes).map(({ trial }) => trial.clause);
}

/** @throws Inconclusive unless an accepted write is answered with the task assigned as it said */
function requireCarriedOut(answer: Answer, to: Assignee): void {
  if (mismatch({ assigned_to_id: to.id }, answer.object?.assignment) === undefined) return;
  throw new Inconclusive(
    `That it changed nothing proves nothing: neither did ${answer.request} with the same write, right in every point.`,
    [answer],
  );
}

/** What wrong writes were answered with. */
function statuses<Wrong>({ stretches }: Evidence<Wrong>): (Wrong & { status: number })[] {
  return stretches.flatMap(({ writes }) =>
    writes.map(({ trial, answer }) => ({ ...trial.wrong, status: answer.status })),
  );
}

function refusal<Wrong>(
  name: string,
  cause: RefusalCause,
  wrongWrites: readonly WrongWrite<Wrong>[],
  observes: Scenario<Evidence<Wrong>>['observes'],
  prepare = ({ tasks, user }: World): Promise<Task> => tasks.assigned(user()),
): AnyScenario {
  const ids = [...new Set(wrongWrites.map(({ clause }) => clause))];
  const judges = ids.map((id) => [
    id,
    ({ stretches, twin, to }: Evidence<Wrong>) => {
      requireTwin(twin, 'the same write, right in every point');
      for (const stretch of stretches.filter((one) => blamed(one).includes(id))) {
        const { before, writes, read } = stretch;
        const on = [...writes.map(({ answer }) => answer).slice(-1), read];
        const what = writes.at(-1)?.trial.what ?? '';
        expectUnchanged(`the task after a write ${what}`, before, taskOf(read), { on });
        // A target that carries out nothing would seem to carry out nothing wrong.
        if (writes.some(({ answer }) => answer.succeeded)) requireCarriedOut(twin, to);
      }
    },
  ]);
  return scenario({
    name,
    needs: ['writable-task', 'two-users'],
    act: async (world) => await attempt(world, await prepare(world), wrongWrites),
    judges: { ...keepsTheOtherFields, ...Object.fromEntries(judges) },
    observes: {
      ...observes,
      'errors.body-shape': ({ stretches }) => errorShapes(cause, answersOf(stretches)),
    },
  });
}

export const refusedWrites = [
  refusal(
    'a write without If-Match is not carried out',
    'no If-Match',
    [...withoutIfMatch, anEmptyIfMatch],
    { 'update.missing-if-match-status': statuses },
  ),
  refusal(
    'a write without If-Match to an unassigned task is not carried out',
    'no If-Match',
    withoutIfMatch,
    { 'update.missing-if-match-status': statuses },
    ({ tasks }) => tasks.unassigned(),
  ),
  refusal(
    'a write without a required field, or with one of the wrong type, is not carried out',
    'invalid body',
    invalidFields,
    { 'update.refused-body-status': statuses },
  ),
  refusal(
    'a write whose body is no JSON object is not carried out',
    'invalid body',
    invalidBodies,
    { 'update.refused-body-status': statuses },
  ),
];
