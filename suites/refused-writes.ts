import { type Assignee, bodyThatAssigns, type RawUpdate } from '../helpers/api.ts';
import type { Answer } from '../helpers/http/answer.ts';
import { jsonObject } from '../helpers/json-object.ts';
import { Inconclusive, NothingSeen, Violation } from '../helpers/outcomes.ts';
import { carriesTask, taskOf } from '../helpers/tasks/task-answer.ts';
import { withMoreDigits, withOtherZoneMark } from '../helpers/tasks/versions.ts';
import { isObject, problemsOf } from '../helpers/validation.ts';
import { type AnyScenario, scenario } from '../runner/scenario.ts';
import type { World } from '../runner/world.ts';
import type { JudgedClause, OpenClause } from '../schemas/clauses.ts';
import type { Observation, RefusalCause, WriteOutcome } from '../schemas/observations.ts';
import type { Task } from '../schemas/task.ts';
import { judgesBy, ofRefusal } from './answers.ts';
import {
  type Attempt,
  answersOf,
  attemptInTurn,
  type Batch,
  expectNoTrace,
  keepsTheOtherFields,
  latestTask,
  observesAttempts,
  waysOf,
} from './attempts.ts';
import { differences, expectUnchanged, mismatch, namesNobody } from './comparing-tasks.ts';
import { formDifference, isRefused, judgeEach, requireTwin } from './expectations.ts';
import {
  aNumber,
  type InvalidWrite,
  invalidBodies,
  invalidFields,
  statusOf,
  withAnEmptyIfMatch,
  withoutIfMatch,
} from './invalid-writes.ts';
import { errorShapes } from './shapes.ts';
import { newComment } from './writes.ts';

/*
 * 1. Update a task assignment, States and transitions: writes that are not as the document describes them. Those of
 * invalid-writes.ts, without If-Match or with an invalid body, are not carried out. The document does not say which status
 * refuses them, so what counts is what they leave behind. Of others the outcome is open, and observed; whatever it is, the
 * task stays valid, and a refused write has changed nothing.
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

/** A write whose outcome is open, as it is listed here: before the world in which it is attempted is known. */
interface OpenWrite extends Pick<Attempt, 'how' | 'observes'> {
  readonly make: (task: Task, world: World) => RawUpdate;
}

/** The clauses whose facts are `{ when, outcome }`. */
type OutcomeClause = {
  [Id in OpenClause]: Observation<Id> extends { when: string; outcome: WriteOutcome } ? Id : never;
}[OpenClause];

const bodyToAnother = (task: Task, { anotherUser, actor: by, mark }: World) =>
  bodyThatAssigns(anotherUser(task), { by, comment: `Contract test ${mark()}` });

/** An assignment to another user, with the current version, but for what `change` replaces, as its body. */
const openWrite = <Id extends OutcomeClause>(
  clause: Id,
  when: Observation<Id>['when'],
  change: (task: Task, world: World) => Partial<RawUpdate>,
): OpenWrite => ({
  how: when,
  observes: {
    clause,
    facts: (answer, batch) =>
      // Where somebody else has changed the task since, the outcome is not known. The cast: this is the form of the facts
      // of all these clauses.
      batch.disturbance ? [] : [{ when, outcome: outcomeOf(answer, batch) } as Observation<Id>],
  },
  make: (task, world) => ({
    ifMatch: task.updated_at,
    body: bodyToAnother(task, world),
    ...change(task, world),
  }),
});

interface OpenBatches {
  readonly batches: readonly Batch[];
}

const openJudges = {
  ...keepsTheOtherFields,
  'endpoints.refused-write-changes-nothing': expectNoTrace(
    isRefused,
    (writes) => `whose outcome the document leaves open (${waysOf(writes)})`,
  ),
  'endpoints.task-stays-valid': ({ batches }: OpenBatches) => {
    judgeEach(batches, ({ before, writes, read }) => {
      // A task that was invalid before was not made so by the write; its fields have clauses of their own.
      if (problemsOf('task', before).length > 0)
        throw new Inconclusive(
          'The task did not have the form of its table before the write either, which other clauses are about.',
        );
      const [problem] = problemsOf('task', read.object);
      if (problem === undefined) return;
      const on = [...writes.map(({ answer }) => answer).slice(-1), read];
      throw new Violation(formDifference('task', problem), on);
    });
  },
};

type Effect = Extract<WriteOutcome, { accepted: unknown }>['accepted'];

/** What became of a write; the status of a success has a clause of its own. */
function outcomeOf(answer: Answer, { before, read }: Batch): WriteOutcome {
  return isRefused(answer)
    ? { refused: answer.status }
    : { accepted: effect(before, taskOf(read)) };
}

/** What an accepted write did to the task. */
function effect(before: Task, after: Task): Effect {
  if (differences(before, after).length === 0) return 'nothing changed';
  if (!namesNobody(after.assignment)) return 'assigned';
  return namesNobody(before.assignment) ? 'new version' : 'unassigned';
}

function openScenario(
  name: string,
  prepare: (world: World) => Promise<Task>,
  writes: readonly OpenWrite[],
): AnyScenario {
  return scenario({
    name,
    needs: ['writable-task', 'two-users'],
    async act(world) {
      const attempts = writes.map(({ make, ...write }) => ({
        ...write,
        make: (task: Task) => make(task, world),
      }));
      return { batches: await attemptInTurn(world, await prepare(world), attempts) };
    },
    judges: openJudges,
    observes: observesAttempts(writes),
  });
}

const assigned = ({ tasks, user }: World) => tasks.assigned(user());

const bodyToUnassign = (_task: Task, { actor: by }: World) => bodyThatAssigns(null, { by });

/** A write that is wrong in two points at once: the status shows which of them is checked first. */
const wrongInBoth: OpenWrite = {
  how: 'without update.assigned_by_id and with an old version',
  observes: statusOf('update.assigned_by_id', 'missing, with an old version'),
  make: (task, world) => {
    const { update } = bodyToAnother(task, world);
    return {
      ifMatch: '2000-01-01T00:00:00.000Z',
      body: { update: { ...update, assigned_by_id: undefined } },
    };
  },
};

const neither = 'update.body-with-neither-object';

const otherBodies = [
  openWrite('update.other-content-types', 'text/plain', () => ({ contentType: 'text/plain' })),
  openWrite('update.other-content-types', 'none', () => ({ contentType: null })),
  openWrite(neither, 'an empty object', () => ({ body: {} })),
  openWrite(neither, 'null for both', () => ({ body: { update: null, unassign: null } })),
  openWrite(neither, 'another field', () => ({ body: { reassign: {} } })),
  openWrite('update.body-with-both-objects', 'both', (task, world) => ({
    body: { ...bodyToAnother(task, world), ...bodyToUnassign(task, world) },
  })),
  // Last: it is refused even where all others are accepted, and shows what a refusal leaves behind.
  wrongInBoth,
];

/** An assignment whose If-Match is the current version, written in another way. */
const withVersion = <Id extends OutcomeClause>(
  clause: Id,
  when: Observation<Id>['when'],
  rewrite: (version: string) => string,
): OpenWrite =>
  openWrite(clause, when, ({ updated_at: version }) => ({ ifMatch: rewrite(version) }));

const otherVersions = [
  withVersion('update.quoted-if-match', 'in quotes', (version) => `"${version}"`),
  withVersion('update.quoted-if-match', 'as a weak tag', (version) => `W/"${version}"`),
  withVersion('update.if-match-star', '*', () => '*'),
  withVersion('update.if-match-same-instant', 'another mark for UTC', withOtherZoneMark),
  withVersion('update.if-match-same-instant', 'more fractional digits', withMoreDigits),
];

export const openWrites = [
  openScenario(
    'a body with both update and unassign, with neither, or of another media type',
    assigned,
    otherBodies,
  ),
  openScenario('an If-Match in quotes, as *, or written differently', assigned, otherVersions),
  openScenario('an unassign on a task that has no assignment', ({ tasks }) => tasks.unassigned(), [
    openWrite('unassign.on-an-unassigned-task', 'unassign', (task, world) => ({
      body: bodyToUnassign(task, world),
    })),
  ]),
];
