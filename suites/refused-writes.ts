import type { Assignee } from '../helpers/api.ts';
import type { Answer } from '../helpers/http/answer.ts';
import { Inconclusive } from '../helpers/outcomes.ts';
import { taskOf } from '../helpers/tasks/task-answer.ts';
import { type AnyScenario, type Seen, scenario } from '../runner/scenario.ts';
import type { World } from '../runner/world.ts';
import type { JudgedClause, OpenClause } from '../schemas/clauses.ts';
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
  type Spoilt,
  withoutIfMatch,
  wrongBodies,
  wrongFields,
} from './wrong-writes.ts';

/** A write that must not be carried out, and the clause that says so. */
interface WrongWrite extends Trial {
  readonly clause: JudgedClause;
}

interface Evidence {
  readonly stretches: readonly Stretch<WrongWrite>[];
  /** The write that all the wrong ones were made from. */
  readonly twin: Answer;
  /** Whom that one assigns the task to. */
  readonly to: Assignee;
}

async function attempt(world: World, task: Task, spoilt: readonly Spoilt[]): Promise<Evidence> {
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
  const trials = spoilt.map(({ clause, what, spoil }) => ({
    clause,
    what,
    make: ({ updated_at: ifMatch }: Task) => spoil({ ifMatch, update, unassign }),
  }));
  const stretches = await tryInTurn(world, task, trials);
  return { stretches, twin: await api.assign(latest(stretches), to, { by, comment }), to };
}

/** The clauses that the writes of a stretch break if it changed the task: that of the last, or of all refused. */
function blamed({ writes }: Stretch<WrongWrite>): JudgedClause[] {
  const accepted = writes.filter(({ answer }) => !isRefused(answer));
  return (accepted.length > 0 ? accepted : writes).map(({ trial }) => trial.clause);
}

/** The clauses that leave open what such writes are refused with. */
const statusClauses = {
  'no If-Match': 'update.missing-if-match-status',
  'an invalid body': 'update.refused-body-status',
} as const satisfies Record<string, OpenClause>;

/** @throws Inconclusive unless an accepted write is answered with the task assigned as it said */
function requireCarriedOut({ request, object, exchange }: Answer, to: Assignee): void {
  if (mismatch({ assigned_to_id: to.id }, object?.assignment) === undefined) return;
  throw new Inconclusive(
    `That it changed nothing proves nothing: neither did ${request} with the same write, right in every point (#${exchange.number}).`,
  );
}

function refusal(
  name: string,
  refused: keyof typeof statusClauses,
  spoilt: readonly Spoilt[],
  prepare = ({ tasks, user }: World): Promise<Task> => tasks.assigned(user()),
): AnyScenario {
  const statuses = statusClauses[refused];
  const ids = [...new Set(spoilt.map(({ clause }) => clause))];
  const judges = ids.map((id) => [
    id,
    ({ stretches, twin, to }: Evidence) => {
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
    act: async (world) => await attempt(world, await prepare(world), spoilt),
    judges: { ...keepsTheOtherFields, ...Object.fromEntries(judges) },
    observes: {
      [statuses]: ({ stretches }: Evidence): Seen[] =>
        stretches.flatMap(({ writes }) =>
          writes.map(({ trial, answer }) => {
            const outcome = isRefused(answer) ? 'refused' : 'answered';
            return `${trial.what}: ${outcome} with ${answer.status}`;
          }),
        ),
      'errors.body-shape': ({ stretches }: Evidence): Seen[] =>
        errorShapes(refused, answersOf(stretches)),
    },
  });
}

export const refusedWrites = [
  refusal('a write without If-Match is not carried out', 'no If-Match', [
    ...withoutIfMatch,
    anEmptyIfMatch,
  ]),
  refusal(
    'a write without If-Match to an unassigned task is not carried out',
    'no If-Match',
    withoutIfMatch,
    ({ tasks }) => tasks.unassigned(),
  ),
  refusal(
    'a write without a required field, or with one of the wrong type, is not carried out',
    'an invalid body',
    wrongFields,
  ),
  refusal(
    'a write whose body is no JSON object is not carried out',
    'an invalid body',
    wrongBodies,
  ),
];
