import type { Assignee } from '../helpers/api.ts';
import type { Answer } from '../helpers/http/answer.ts';
import { jsonObject } from '../helpers/json-object.ts';
import { Inconclusive, NothingSeen } from '../helpers/outcomes.ts';
import { carriesTask, taskOf } from '../helpers/tasks/task-answer.ts';
import { isObject } from '../helpers/validation.ts';
import { type AnyScenario, type Scenario, scenario } from '../runner/scenario.ts';
import type { World } from '../runner/world.ts';
import type { JudgedClause } from '../schemas/clauses.ts';
import type { RefusalCause } from '../schemas/observations.ts';
import type { Task } from '../schemas/task.ts';
import { judgesBy, ofRefusal } from './answers.ts';
import {
  type Attempt,
  answersOf,
  attemptInTurn,
  type Batch,
  keepsTheOtherFields,
  latest,
  waysOf,
} from './attempts.ts';
import { differences, expectUnchanged, mismatch } from './comparing-tasks.ts';
import { isRefused, judgeEach, requireTwin } from './expectations.ts';
import {
  aNumber,
  type InvalidWrite,
  invalidBodies,
  invalidFields,
  withAnEmptyIfMatch,
  withoutIfMatch,
} from './invalid-writes.ts';
import { newComment } from './marks.ts';
import { errorShapes } from './shapes.ts';

/*
 * 1. Update a task assignment: the writes of invalid-writes.ts, without If-Match or with an invalid body, are not carried
 * out. The document does not say which status refuses them, so what counts is what they leave behind.
 */

type InvalidAttempt<Defect> = Attempt & Pick<InvalidWrite<Defect>, 'clause' | 'defect'>;

interface RefusedWrites<Defect> {
  readonly batches: readonly Batch<InvalidAttempt<Defect>>[];
  /** The valid write that all of them were made from. */
  readonly twin: Answer;
  /** Whom the valid write assigns the task to. */
  readonly to: Assignee;
}

async function attemptEach<Defect>(
  world: World,
  task: Task,
  invalidWrites: readonly InvalidWrite<Defect>[],
): Promise<RefusedWrites<Defect>> {
  const { tasks, anotherUser, actor: by } = world;
  const to = anotherUser(task);
  const comment = newComment(world);
  const update = {
    assigned_by_id: by,
    assigned_to_id: to.id,
    assigned_to_type: 'USER' as const,
    assignment_comment: comment,
  };
  const unassign = { assigned_by_id: by, assignment_comment: comment };
  const attempts = invalidWrites.map((write) => ({
    ...write,
    make: ({ updated_at: ifMatch }: Task) => write.make({ ifMatch, update, unassign }),
  }));
  const batches = await attemptInTurn(world, task, attempts);
  const { answer: twin } = await tasks.assign(latest(batches), to, { by, comment });
  return { batches, twin, to };
}

/** The clauses that the writes of a batch break if it changed the task: that of the last, or of all refused. */
function blamed({ writes }: Batch<InvalidAttempt<unknown>>): JudgedClause[] {
  const accepted = writes.filter(({ answer }) => !isRefused(answer));
  return (accepted.length > 0 ? accepted : writes).map(({ attempt }) => attempt.clause);
}

/** @throws Violation where an accepted write answers with another assignment, though somebody else has changed the task since */
function expectNotCarriedOut(
  how: string,
  { before, writes, disturbance }: Batch<InvalidAttempt<unknown>>,
): void {
  const answer = writes.at(-1)?.answer;
  if (disturbance === undefined || !answer?.succeeded || !carriesTask(answer)) return;
  const after = taskOf(answer);
  const changed = differences(before, after);
  if (!changed.includes('updated_at') || !changed.includes('assignment')) return;
  expectUnchanged(before, after, { on: [answer], how });
}

/** Whether a number in the last write was taken for the text that it reads as: the document does not exclude it. */
function isReadAsText({ writes, read, disturbance }: Batch<InvalidAttempt<unknown>>): boolean {
  const answer = writes.at(-1)?.answer;
  const { update } = jsonObject(answer?.exchange.request.body) ?? {};
  if (!answer?.succeeded || !isObject(update) || !Object.values(update).includes(aNumber)) {
    return false;
  }
  const shown = disturbance === undefined ? read : answer;
  const asTexts = Object.entries(update).map(([field, value]) => [field, String(value)]);
  return mismatch(Object.fromEntries(asTexts), shown.object?.assignment) === undefined;
}

/** @throws Inconclusive unless an accepted write is answered with the task assigned as it said */
function requireCarriedOut(answer: Answer, to: Assignee): void {
  if (mismatch({ assigned_to_id: to.id }, answer.object?.assignment) === undefined) return;
  throw new Inconclusive(
    `That it changed nothing proves nothing: neither did ${answer.request} with the valid write that it was made from.`,
    [answer],
  );
}

/** What invalid writes were answered with. */
function statuses<Defect>({ batches }: RefusedWrites<Defect>): (Defect & { status: number })[] {
  return batches.flatMap(({ writes }) =>
    writes.map(({ attempt, answer }) => ({ ...attempt.defect, status: answer.status })),
  );
}

/** What the writes of a clause have in common, where the first of them does not say it. */
const commonOf: Readonly<Partial<Record<JudgedClause, string>>> = {
  'update.field-types': 'with a field of a wrong type',
  'update.body-is-a-json-object': 'whose body is no JSON object',
};

function refusal<Defect>(
  name: string,
  cause: RefusalCause,
  invalidWrites: readonly InvalidWrite<Defect>[],
  observes: Scenario<RefusedWrites<Defect>>['observes'],
  prepare = ({ tasks, user }: World): Promise<Task> => tasks.assigned(user()),
): AnyScenario {
  const ids = [...new Set(invalidWrites.map(({ clause }) => clause))];
  const judges = ids.map((id) => [
    id,
    ({ batches, twin, to }: RefusedWrites<Defect>) => {
      requireTwin(twin, 'the valid write that it was made from');
      const ofClause = batches.filter(({ writes }) =>
        writes.some(({ attempt }) => attempt.clause === id),
      );
      judgeEach(
        ofClause,
        (batch) => {
          const { before, writes, read } = batch;
          const isBlamed = blamed(batch).includes(id);
          if (isReadAsText(batch)) {
            if (isBlamed) throw new NothingSeen();
            // The task is as that write says: what was refused before it left nothing there.
            return;
          }
          if (!isBlamed) {
            // One of several that was carried out hides what the others did.
            if (differences(before, taskOf(read)).length > 0) throw new NothingSeen();
            return;
          }
          const on = [...writes.map(({ answer }) => answer).slice(-1), read];
          const how = waysOf(writes.slice(-1));
          expectNotCarriedOut(how, batch);
          expectUnchanged(before, taskOf(read), { on, how });
          // A target that carries out nothing would seem to carry out nothing invalid.
          if (writes.some(({ answer }) => answer.succeeded)) requireCarriedOut(twin, to);
        },
        commonOf[id],
      );
    },
  ]);
  return scenario({
    name,
    needs: ['writable-task', 'two-users'],
    act: async (world) => await attemptEach(world, await prepare(world), invalidWrites),
    judges: {
      ...keepsTheOtherFields,
      ...judgesBy(ofRefusal, ({ batches }: RefusedWrites<Defect>) => answersOf(batches)),
      ...Object.fromEntries(judges),
    },
    observes: {
      ...observes,
      'errors.body-shape': ({ batches }) => errorShapes(cause, answersOf(batches)),
    },
  });
}

export const refusedWrites = [
  refusal(
    'a write without If-Match is not carried out',
    'no If-Match',
    [...withoutIfMatch, ...withAnEmptyIfMatch],
    { 'update.missing-if-match-status': statuses },
  ),
  refusal(
    'a write without If-Match to an unassigned task is not carried out',
    'no If-Match',
    withoutIfMatch.slice(0, 1),
    { 'update.missing-if-match-status': statuses },
    ({ tasks }) => tasks.unassigned(),
  ),
  refusal(
    'a write without a required field, with one of the wrong type, or whose body is no JSON object, is not carried out',
    'invalid body',
    [...invalidFields, ...invalidBodies],
    { 'update.refused-body-status': statuses },
  ),
];
