import { type Assignee, bodyThatAssigns } from '../helpers/api.ts';
import type { Answer } from '../helpers/http/answer.ts';
import { jsonObject } from '../helpers/json-object.ts';
import { Inconclusive, NothingSeen } from '../helpers/outcomes.ts';
import { carriesTask, taskOf } from '../helpers/tasks/task-answer.ts';
import { isObject } from '../helpers/validation.ts';
import { type AnyScenario, scenario } from '../runner/scenario.ts';
import type { World } from '../runner/world.ts';
import type { JudgedClause } from '../schemas/clauses.ts';
import type { RefusalCause } from '../schemas/observations.ts';
import type { Task } from '../schemas/task.ts';
import { judgesBy, ofRefusal } from './answers.ts';
import {
  answersOf,
  attemptInTurn,
  type Batch,
  keepsTheOtherFields,
  latestTask,
  observesAttempts,
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
 * 1. Update a task assignment: the writes of invalid-writes.ts, without If-Match or with an invalid body, are not
 * carried out. The document does not say which status refuses them, so what counts is what they leave behind.
 */

interface RefusedWrites {
  readonly batches: readonly Batch[];
  /** The answer to the valid write that all of them were made from. */
  readonly twin: Answer;
  /** Whom the valid write assigns the task to. */
  readonly to: Assignee;
}

/** Attempts the invalid writes in turn, and at the end the valid write that they were made from. */
async function attemptEach(
  world: World,
  task: Task,
  invalidWrites: readonly InvalidWrite[],
): Promise<RefusedWrites> {
  const { tasks, anotherUser, actor: by } = world;
  const to = anotherUser(task);
  const remark = { by, comment: newComment(world) };
  const { update = {} } = bodyThatAssigns(to, remark);
  const { unassign = {} } = bodyThatAssigns(null, remark);
  const attempts = invalidWrites.map((write) => ({
    ...write,
    make: ({ updated_at: ifMatch }: Task) => write.make({ ifMatch, update, unassign }),
  }));
  const batches = await attemptInTurn(world, task, attempts);
  const { answer: twin } = await tasks.assign(latestTask(batches), to, remark);
  return { batches, twin, to };
}

/** The clauses to blame if a batch changed the task: that of the accepted write, or of all where none was accepted. */
function blamedClauses({ writes }: Batch): (JudgedClause | undefined)[] {
  const accepted = writes.filter(({ answer }) => !isRefused(answer));
  return (accepted.length > 0 ? accepted : writes).map(({ attempt }) => attempt.clause);
}

/** @throws Violation where, in a disturbed batch, an accepted write answers with another version and assignment */
function expectNotCarriedOut(how: string, { before, writes, disturbance }: Batch): void {
  const answer = writes.at(-1)?.answer;
  if (disturbance === undefined || !answer?.succeeded || !carriesTask(answer)) return;
  const after = taskOf(answer);
  const changed = differences(before, after);
  if (!changed.includes('updated_at') || !changed.includes('assignment')) return;
  expectUnchanged(before, after, { on: [answer], how });
}

/** Whether the service took the number in the last write for the text “42”, which the document does not exclude. */
function isReadAsText({ writes, read, disturbance }: Batch): boolean {
  const answer = writes.at(-1)?.answer;
  const { update } = jsonObject(answer?.exchange.request.body) ?? {};
  if (!answer?.succeeded || !isObject(update) || !Object.values(update).includes(aNumber)) {
    return false;
  }
  const shown = disturbance === undefined ? read : answer;
  const asTexts = Object.entries(update).map(([field, value]) => [field, String(value)]);
  return mismatch(Object.fromEntries(asTexts), shown.object?.assignment) === undefined;
}

/** @throws Inconclusive unless the answer to the valid write shows the task assigned to this assignee */
function requireCarriedOut(answer: Answer, to: Assignee): void {
  if (mismatch({ assigned_to_id: to.id }, answer.object?.assignment) === undefined) return;
  throw new Inconclusive(
    `That it changed nothing proves nothing: neither did ${answer.request} with the valid write that it was made from.`,
    [answer],
  );
}

/** What the writes of a clause have in common, as it completes "a write …", where the first write does not say it. */
const commonOf: Readonly<Partial<Record<JudgedClause, string>>> = {
  'update.field-types': 'with a field of a wrong type',
  'update.body-is-a-json-object': 'whose body is no JSON object',
};

/** @throws Violation where a write of this clause changed the task, NothingSeen where the batch does not show whether */
function judgeBatch(batch: Batch, clause: JudgedClause, { twin, to }: RefusedWrites): void {
  const { before, writes, read } = batch;
  if (!blamedClauses(batch).includes(clause)) {
    // A write of another clause was carried out, which hides what those of this clause did. Where that one was read as
    // text, the task is just as it says: the writes refused before it have left nothing.
    const isHidden = differences(before, taskOf(read)).length > 0 && !isReadAsText(batch);
    if (isHidden) throw new NothingSeen();
    return;
  }
  if (isReadAsText(batch)) throw new NothingSeen();
  const on = [...writes.map(({ answer }) => answer).slice(-1), read];
  const how = waysOf(writes.slice(-1));
  expectNotCarriedOut(how, batch);
  expectUnchanged(before, taskOf(read), { on, how });
  // A target that accepts every write and carries out none would pass: the valid one must show.
  if (writes.some(({ answer }) => answer.succeeded)) requireCarriedOut(twin, to);
}

/** The scenario that none of these writes is carried out; `prepare` gives the task that they are sent to. */
function refusalScenario(
  name: string,
  cause: RefusalCause,
  invalidWrites: readonly InvalidWrite[],
  prepare = ({ tasks, user }: World): Promise<Task> => tasks.assigned(user()),
): AnyScenario {
  const ids = new Set(invalidWrites.map(({ clause }) => clause));
  const judges = Array.from(ids, (id) => [
    id,
    (evidence: RefusedWrites) => {
      const { batches, twin } = evidence;
      requireTwin(twin, 'the valid write that it was made from');
      const ofClause = batches.filter(({ writes }) =>
        writes.some(({ attempt }) => attempt.clause === id),
      );
      judgeEach(ofClause, (batch) => judgeBatch(batch, id, evidence), commonOf[id]);
    },
  ]);
  return scenario({
    name,
    needs: ['writable-task', 'two-users'],
    act: async (world) => await attemptEach(world, await prepare(world), invalidWrites),
    judges: {
      ...keepsTheOtherFields,
      ...judgesBy(ofRefusal, ({ batches }: RefusedWrites) => answersOf(batches)),
      ...Object.fromEntries(judges),
    },
    observes: {
      ...observesAttempts(invalidWrites),
      'errors.body-shape': ({ batches }: RefusedWrites) => errorShapes(cause, answersOf(batches)),
    },
  });
}

export const refusedWrites = [
  refusalScenario('a write without If-Match is not carried out', 'no If-Match', [
    ...withoutIfMatch,
    ...withAnEmptyIfMatch,
  ]),
  refusalScenario(
    'a write without If-Match to an unassigned task is not carried out',
    'no If-Match',
    withoutIfMatch.slice(0, 1),
    ({ tasks }) => tasks.unassigned(),
  ),
  refusalScenario(
    'a write without a required field, with one of the wrong type, or whose body is no JSON object, is not carried out',
    'invalid body',
    [...invalidFields, ...invalidBodies],
  ),
];
