import { type Assignee, acceptingJson, type Caller, type Remark } from '../helpers/api.ts';
import type { Answer } from '../helpers/http/answer.ts';
import { chunked } from '../helpers/http/transport.ts';
import { isObject, shortJson } from '../helpers/json.ts';
import {
  type Disturbance,
  Inconclusive,
  NothingSeen,
  other,
  PartNotConfigured,
  Violation,
} from '../helpers/outcomes.ts';
import { carriesTask, taskOf } from '../helpers/tasks/task-answer.ts';
import type { Judge } from '../runner/scenario.ts';
import type { World } from '../runner/world.ts';
import type { JudgedClause } from '../schemas/clauses.ts';
import type { FieldDifference } from '../schemas/difference.ts';
import type { CommentOutcome, Observation } from '../schemas/observations.ts';
import { assignmentFields, sameId, type Task } from '../schemas/resources.ts';
import { isLong, judgeBy, ofAssigned, ofTask, type Rules } from './answers.ts';
import {
  differences,
  expectOtherFieldsKept,
  expectSameTask,
  expectUnchanged,
  fieldDifference,
  isPadded,
  mismatch,
  namesNobody,
  staysAfterWrite,
  valueAt,
} from './comparing-tasks.ts';
import {
  expectSuccess,
  isRefused,
  judgeEach,
  leaveToOtherClauses,
  missingFields,
  noJsonObject,
  requireAccepted,
  unlikeStatus,
  type WithFacts,
} from './expectations.ts';
import { furtherFields, publicName } from './shapes.ts';

/*
 * Valid writes, made one after the other; judges of what the document says of every write, and of the assignment and
 * comment that it makes or removes (Endpoints, States and transitions, 1. Update a task assignment); observations of what
 * it leaves open. A scenario spreads those that fit the writes that it makes into its own.
 */

/** Who makes a write: who made the one before, another actor, where there are two, or the first of all. */
export type ActorOfWrite = 'the same' | 'another' | 'the first';

/** A valid write: to whom, with what comment. */
export interface Write {
  /** null removes the assignment. */
  readonly to: Assignee | null;
  /** undefined leaves the comment out. */
  readonly comment?: string | null | undefined;
  /** Left out: another. */
  readonly actor?: ActorOfWrite;
  readonly contentType?: string | undefined;
  /** The read after it says so too. */
  readonly acceptsJson?: boolean | undefined;
  readonly isChunked?: boolean | undefined;
  readonly order?: Remark['order'];
  /** The user whom the task goes to, or who gives it up, makes it, where the target takes that one as an actor. */
  readonly isBySelf?: true;
  /** The answer stands for the read after it. */
  readonly isUnread?: boolean | undefined;
}

/** A write that was made: the task before it, the answer, and the read after it. */
export interface Step extends Write, WithFacts {
  /** The task as the run read it first, or as somebody else left it since. */
  readonly firstSeen: Task;
  readonly before: Task;
  /** To whom the step before this one assigned the task: null where it unassigned, undefined where there is none. */
  readonly from: Assignee | null | undefined;
  readonly by: string;
  readonly answer: Answer;
  readonly read: Answer;
  /** Whether the read took a while to show the write. */
  readonly isReadLate: boolean;
  /** How the read shows that somebody else, or a workflow, has changed the task after the write. */
  readonly disturbance: Disturbance | undefined;
}

/** The evidence of a scenario that made writes. */
export interface Steps {
  readonly steps: readonly Step[];
}

/** The same, of writes to one task, the first as others left it. */
interface OfOneTask {
  readonly own: readonly Step[];
}

/**
 * The actor of a write: one who did not make the write before, and whom the task does not go to, unless the write says
 * otherwise; so a service that keeps the old assigned_by_id is found out. The usual one where there is no other.
 */
export function actorOf(
  { to, actor, isBySelf }: Write,
  { actors }: Pick<World, 'actors'>,
  task: Task,
  earlier: Step | undefined,
): string {
  const before = earlier?.by ?? task.assignment?.assigned_by_id;
  const who = to?.id ?? task.assignment?.assigned_to_id;
  const self = isBySelf && actors.find((id) => sameId(id, who));
  const same = actor === 'the same' && before;
  const first = actor === 'the first' && actors[0];
  const another = actors.find((id) => !sameId(id, before) && !sameId(id, to?.id));
  return self || same || first || another || actors[0] || '';
}

/** What a judge throws where one actor alone made all writes. */
export function oneActorAlone(): PartNotConfigured {
  return new PartNotConfigured(
    'ASSIGNED_BY_ID',
    'a second user who makes assignments, or two of USER_IDS of whom the target takes one as such',
  );
}

/**
 * Makes a write with the version just read, and reads the task after it.
 * @param earlier the step before, where there is one
 * @returns undefined where the write would unassign a task that nobody has: what that does is open
 */
export async function takeStep(
  world: Pick<World, 'tasks' | 'actors'>,
  task: Task,
  write: Write,
  earlier?: Step,
): Promise<Step | undefined> {
  const { tasks } = world;
  const { to, comment, contentType, acceptsJson, isChunked, order, isUnread } = write;
  if (to === null && namesNobody(task.assignment)) return undefined;
  const by = actorOf(write, world, task, earlier);
  const reader: Caller = acceptsJson ? acceptingJson : {};
  const writer = { headers: { ...reader.headers, ...(isChunked && chunked) } };
  const said = { by, comment, contentType, order };
  const { before, answer } = await tasks.assign(task, to, said, writer);
  // Asked before the read: what somebody else changes after the write does not count here.
  const firstSeen = tasks.firstSeen(before);
  const isRead = !isUnread || !answer.succeeded || !carriesTask(answer);
  const looked = isRead ? await tasks.look(task.id, reader) : { answer, isLate: false };
  const { answer: read, isLate: isReadLate } = looked;
  // Somebody else may have unassigned the task meanwhile.
  if (to === null && namesNobody(before.assignment)) return undefined;
  const disturbance = tasks.disturbance([read]);
  const seen = { firstSeen, before, answer, read, isReadLate, disturbance };
  return { ...write, from: earlier?.to, by, ...seen, facts: [] };
}

/** A kind of writes that a judge is about; `lacking` says why nothing is judged where no step is of the kind. */
interface WriteKind {
  readonly matches: (step: Step) => boolean;
  readonly lacking: string;
}

const anyWrite: WriteKind = { matches: () => true, lacking: 'No write was made' };

const assigns: WriteKind = {
  matches: ({ to }) => to !== null,
  lacking: 'No task was assigned',
};

const unassigns: WriteKind = {
  matches: ({ to }) => to === null,
  lacking: 'No task was unassigned: for that, a task must read as assigned after an assignment',
};

const assignsAnew: WriteKind = {
  matches: ({ to, before }) => to !== null && namesNobody(before.assignment),
  lacking:
    'No unassigned task was assigned: for that, a task must read as unassigned after an unassignment',
};

const reassigns: WriteKind = {
  matches: ({ to, before }) => to !== null && !namesNobody(before.assignment),
  lacking: 'No task was reassigned: for that, a task must read as assigned after an assignment',
};

/** A reassignment to another assignee than the step before assigned the task to. */
const changesAssignee: WriteKind = {
  ...reassigns,
  matches: (step) =>
    reassigns.matches(step) && Boolean(step.from) && !sameId(step.from?.id, step.to?.id),
};

const succeeds: WriteKind = {
  matches: ({ answer }) => answer.succeeded,
  lacking: 'No write was accepted',
};

/** Whether a write has done what it should: where all have, none of a kind that is lacking was to be made. */
const isDone = ({ to, answer, read }: Step): boolean =>
  answer.succeeded && carriesTask(read) && namesNobody(taskOf(read).assignment) === (to === null);

type WriteJudges = { readonly [Id in JudgedClause]?: Judge<Steps> };

/**
 * A judge of every step of a kind. After a write that somebody else has disturbed, the read convicts nobody, and that it
 * does not decide matters only where no other step does.
 */
const eachStep =
  (judge: (step: Step) => void, kind: WriteKind = anyWrite) =>
  ({ steps }: Steps) => {
    const all = steps.filter(kind.matches);
    if (all.length === 0) {
      if (steps.length > 0 && steps.every(isDone)) throw new NothingSeen();
      const tried = steps.map(({ answer }) => answer);
      throw new Inconclusive(`${kind.lacking}.`, tried);
    }
    const isAnyCalm = all.some((step) => !isDisturbed(step));
    return judgeEach(steps, (step) => {
      if (!kind.matches(step)) throw new NothingSeen();
      try {
        judge(step);
      } catch (error) {
        const { disturbance, read } = step;
        if (disturbance === undefined) throw error;
        const isOfRead =
          error instanceof Violation &&
          error.on.some(({ exchange }) => exchange === read.exchange.number);
        if (!isOfRead && !(error instanceof Inconclusive)) throw error;
        if (isAnyCalm) throw new NothingSeen();
        throw isOfRead ? disturbance : error;
      }
    });
  };

/** The answer that shows what a write has done: the read; where somebody else has disturbed that, the answer to the write. */
function shownAfter({ answer, read, disturbance }: Step): Answer {
  return disturbance === undefined || answer.object === undefined ? read : answer;
}

const isDisturbed = ({ disturbance }: Step): boolean => disturbance !== undefined;

/** How a write is commented: "without a comment". */
function howCommented(comment: Write['comment']): string {
  if (comment === undefined) return 'without a comment';
  if (comment === '') return 'with an empty comment';
  return comment === null ? 'with the comment null' : 'with a comment';
}

/** As `howCommented`, as facts of which each may be why a write differs. */
export function factsOfComment(comment: Write['comment']): string[] {
  return [
    howCommented(comment),
    ...(isLong(comment) ? ['with a long comment, not in ASCII alone'] : []),
    ...(isPadded(comment ?? '') ? ['with white space around its comment'] : []),
  ];
}

/** @throws Violation where a write is refused for its comment; Inconclusive where another thing may be the reason */
export function expectTaken({ to, answer, comment }: Step): void {
  leaveToOtherClauses(answer);
  // A service that fails has not looked at the comment.
  if (answer.status >= 500) requireAccepted(answer);
  const what = to === null ? 'an unassignment' : 'an assignment';
  expectSuccess(answer, `${what} ${howCommented(comment)}`);
}

/** The answer to an accepted write that carries an object. @throws Inconclusive where the step has none */
function answered({ answer }: Step): Answer {
  requireAccepted(answer);
  if (answer.object !== undefined) return answer;
  throw new Inconclusive(`${answer.request} was not answered with a task.`, [answer]);
}

/** Judges of the answers to writes of a kind, and of the reads after them, by these rules. */
function byRules(rules: Rules, kind: WriteKind = anyWrite): WriteJudges {
  const judges = Object.entries(rules).map(([id, rule]) => [
    id,
    ({ steps }: Steps) =>
      judgeEach(steps, (step) => {
        judgeBy(rule, kind.matches(step) ? [step.answer, step.read] : []);
      }),
  ]);
  return Object.fromEntries(judges);
}

export const judgesOfTasks = byRules(ofTask);

/** What a write does, as a noun. */
export function nameOfWrite(step: Step): string {
  if (unassigns.matches(step)) return 'an unassignment';
  if (assignsAnew.matches(step)) return 'an assignment';
  return sameId(step.before.assignment?.assigned_to_id, step.to?.id)
    ? 'a write to the same assignee'
    : 'a reassignment';
}

/**
 * The assignment of the task in an answer; null where the task is unassigned.
 * @throws Inconclusive where it is neither an object nor null: that breaks a clause of its own
 */
function assignmentOf(answer: Answer): Readonly<Record<string, unknown>> | null {
  const { assignment }: { assignment: unknown } = taskOf(answer);
  if (assignment === null || isObject(assignment)) return assignment;
  throw new Inconclusive(`The assignment of the task is ${shortJson(assignment)}.`, [answer]);
}

/** @throws Inconclusive unless the write was accepted, and the task has the assignee that it names */
function requireAssigned(step: Step): void {
  const { answer, read, to } = step;
  requireAccepted(answer);
  if (sameId(assignmentOf(shownAfter(step))?.assigned_to_id, to?.id)) return;
  throw new Inconclusive('The task was not assigned as requested.', [read, answer]);
}

/** The answer to the write and the read after it; the answer first where it shows the wrong assignment already. */
function answersShowing(step: Step, isWrong: (assignment: unknown) => boolean): Answer[] {
  const { answer } = step;
  const shown = shownAfter(step);
  return isWrong(answer.object?.assignment) ? [answer, shown] : [shown, answer];
}

/** @throws Violation unless the read after an accepted assignment shows the assignee that it names */
function expectAssigned({ read, answer, to }: Step): void {
  requireAccepted(answer);
  const expected = { assigned_to_id: to?.id, assigned_to_type: to?.type };
  const wrong = mismatch(expected, assignmentOf(read));
  if (wrong === undefined) return;
  throw new Violation(wrong, [read, answer]);
}

/** Matches a comment that nothing in it tempts a service to change. */
const plainText = /^[\p{L}\d :,.-]{1,100}$/u;

/**
 * A comment that the step leaves out, or that is no plain text and the read does not show either, is not compared: other
 * clauses judge that.
 * @throws Violation unless the assignment in the answer to an accepted write is as requested
 */
function expectInAnswer({ before, to, by, comment, answer, read }: Step): void {
  const isKept =
    plainText.test(comment ?? '') ||
    mismatch({ assignment_comment: comment }, taskOf(read).assignment) === undefined;
  const expected = {
    assigned_by_id: by,
    assigned_to_id: to?.id,
    assigned_to_type: to?.type,
    assignment_comment: isKept ? (comment ?? undefined) : undefined,
  };
  const wrong = mismatch(expected, answer.object?.assignment);
  if (wrong === undefined) return;
  const [field = ''] = wrong.fields;
  const isAsBefore = shortJson(valueAt(before, field)) === wrong.actual;
  throw new Violation({ ...wrong, ...(isAsBefore && { wrong: 'stays' }) }, [answer]);
}

/** The difference of an unassigned task whose assignment is not null; its text shows assigned_to_id first. */
function stillAssigned(assignment: unknown): FieldDifference {
  const actual = isObject(assignment)
    ? { assigned_to_id: assignment.assigned_to_id, ...assignment }
    : assignment;
  return {
    ...fieldDifference('assignment', 'null', shortJson(actual)),
    when: 'after an unassignment',
  };
}

/** Judges of what the document says of every write, of whom it assigns a task to, and of its comment. */
export const stepJudges = {
  'task.updated-at-is-the-version': eachStep(({ answer }) => {
    // A refusal with another status does not show how the version was compared.
    if (answer.status !== 409) return requireAccepted(answer);
    throw unlikeStatus('a write with the updated_at that was just read as If-Match', '2xx', answer);
  }),
  'task.updated-at-changes-with-the-task': eachStep(({ before, answer, read }) => {
    const { updated_at: version } = taskOf(read);
    if (version !== before.updated_at) return;
    requireAccepted(answer);
    throw new Violation(staysAfterWrite(version), [read, answer]);
  }),
  'update.answers-with-a-new-version': eachStep((step) => {
    const { updated_at: version } = answered(step).object ?? {};
    if (version === undefined)
      throw new Violation(missingFields('task', ['updated_at']), [step.answer]);
    if (version === step.before.updated_at)
      throw new Violation(staysAfterWrite(step.before.updated_at), [step.answer]);
  }),
  'update.answers-with-the-updated-task': eachStep(({ answer, read }) => {
    leaveToOtherClauses(answer);
    expectSuccess(answer, 'a write with the current version');
    if (answer.object === undefined) throw new Violation(noJsonObject(answer), [answer]);
    // The cast: fields are compared whatever their types are; other judges look at types.
    const task = answer.object as unknown as Task;
    const missing = differences(task, taskOf(read)).filter(
      (path) => !path.includes('.') && !(path in task),
    );
    if (missing.length > 0) throw new Violation(missingFields('task', missing), [answer, read]);
    expectSameTask(task, taskOf(read), {
      on: [read, answer],
      when: 'after a write whose answer says otherwise',
    });
  }),
  'update.keeps-the-other-fields': eachStep(({ firstSeen, before, answer, read, disturbance }) => {
    // Where somebody else has changed the task since, the answer shows what the write has done to it.
    const on = disturbance === undefined ? [read, answer] : [answer];
    const after = taskOf(disturbance === undefined ? read : answer);
    expectOtherFieldsKept(before, after, on);
    expectOtherFieldsKept(firstSeen, after, on);
  }, succeeds),
  'endpoints.refused-write-changes-nothing': eachStep(({ before, answer, read }) => {
    if (!isRefused(answer)) throw new NothingSeen();
    expectUnchanged(before, taskOf(read), { how: 'with the current version', on: [answer, read] });
  }),
  ...judgesOfTasks,
  // Whom the task is assigned to.
  'update.answers-with-the-new-assignment': eachStep((step) => {
    // Inconclusive where the assignment is neither an object nor null: a clause of its own forbids that.
    assignmentOf(answered(step));
    expectInAnswer(step);
  }, assigns),
  'assign.task-becomes-assigned': eachStep(expectAssigned, assignsAnew),
  'reassign.task-goes-to-the-new-assignee': eachStep(expectAssigned, reassigns),
  'unassign.comment-is-optional': eachStep(expectTaken, unassigns),
  'unassign.task-becomes-unassigned': eachStep(({ read, answer }) => {
    requireAccepted(answer);
    const { assignment } = taskOf(read);
    if (!namesNobody(assignment)) throw new Violation(stillAssigned(assignment), [read, answer]);
  }, unassigns),
  'unassign.answers-with-null-assignment': eachStep((step) => {
    const { assignment } = answered(step).object ?? {};
    if (assignment === null) return;
    throw new Violation(
      assignment === undefined ? missingFields('task', ['assignment']) : stillAssigned(assignment),
      [step.answer],
    );
  }, unassigns),
  'task.assignment-null-when-unassigned': eachStep(({ read, answer }) => {
    requireAccepted(answer);
    const { assignment: now } = taskOf(read);
    if (now === null) return;
    if (!namesNobody(now)) throw new Inconclusive('The task was not unassigned.', [read, answer]);
    throw new Violation(stillAssigned(now), [read]);
  }, unassigns),
  // Its comment.
  'comment.is-on-the-assignment': eachStep(
    (step) => {
      requireAssigned(step);
      const expected = { assignment_comment: step.comment };
      const wrong = mismatch(expected, assignmentOf(shownAfter(step)));
      if (wrong === undefined) return;
      const isAsWrong = (one: unknown): boolean => mismatch(expected, one)?.actual === wrong.actual;
      throw new Violation(wrong, answersShowing(step, isAsWrong));
    },
    {
      matches: ({ to, comment }) => to !== null && Boolean(comment),
      lacking: 'No task was assigned with a comment',
    },
  ),
  'comment.is-not-carried-over': eachStep(
    (step) => {
      requireAssigned(step);
      const kept = assignmentOf(shownAfter(step))?.assignment_comment;
      // A missing comment may be shown as null, or as an empty text; that it is a text at all is another clause.
      if (typeof kept !== 'string' || kept === '') return;
      throw new Violation(
        {
          ...fieldDifference('assignment.assignment_comment', 'null', shortJson(kept)),
          when: 'after an assignment without a comment',
        },
        answersShowing(step, (shown) => isObject(shown) && shown.assignment_comment === kept),
      );
    },
    {
      matches: ({ to, comment }) => to !== null && !comment,
      lacking: 'No task was assigned without a comment',
    },
  ),
  ...byRules(ofAssigned, assigns),
  'service.assignee-is-single': eachStep((step) => {
    const { from, read, answer, to } = step;
    requireAccepted(answer);
    const now = assignmentOf(read);
    // The former assignee beside the new one, as “A,B” or in a list, is no single assignee either.
    if (!String(now?.assigned_to_id).includes(from?.id ?? '')) return requireAssigned(step);
    throw new Violation(
      other('names the former assignee', { expected: `${to?.id}`, actual: shortJson(now) }),
      [read, answer],
    );
  }, changesAssignee),
} satisfies WriteJudges;

/** What became of a comment: it was refused, or how the task that was read shows it. */
export function becomesOf({ comment, answer, read }: Step): CommentOutcome {
  if (!answer.succeeded) return { refused: answer.status };
  // Of any type: that it is a text or null is judged elsewhere.
  const kept: unknown = taskOf(read).assignment?.assignment_comment;
  if (kept === comment) return 'kept';
  if (kept === null) return 'null';
  if (kept === undefined) return 'missing';
  if (kept === '') return 'empty';
  if (typeof comment !== 'string') return 'changed';
  if (kept === comment.trim()) return 'trimmed';
  if (kept === comment.trimEnd()) return 'trimmed at the end';
  return kept === comment.trimStart() ? 'trimmed at the start' : 'changed';
}

/** An observation of accepted writes: `look` makes a fact of each. */
const ofAccepted =
  <Fact>(look: (step: Step) => Fact) =>
  ({ own }: OfOneTask): Fact[] =>
    own.filter(({ answer }) => answer.succeeded).map(look);

/** The same, without the first write, which meets a task as others left it, and without writes that others disturb. */
const ofSettled =
  <Fact>(look: (step: Step) => Fact) =>
  ({ own }: OfOneTask): Fact[] =>
    ofAccepted(look)({ own: own.slice(1).filter((step) => !isDisturbed(step)) });

/** What accepted writes do to the fields whose rules the document does not give (Task, Endpoints). */
export const observesWrites = {
  'update.success-status': ofAccepted(({ answer }) => answer.status),
  'task.read-delay': ofAccepted(({ isReadLate }) => (isReadLate ? 'later' : 'at once')),
  'task.data-version-rules': ofSettled(
    ({ before, read }): Observation<'task.data-version-rules'> => {
      const { data_version: after } = taskOf(read);
      if (typeof after !== 'number' || typeof before.data_version !== 'number') return 'no number';
      const difference = after - before.data_version;
      if (difference === 0) return 'stays';
      return difference === 1 ? 'one more' : 'changes';
    },
  ),
  'task.locked-at-rules': ofSettled(({ before, read }): Observation<'task.locked-at-rules'> => {
    const { locked_at: after, updated_at: version } = taskOf(read);
    if (after === before.locked_at) return 'stays';
    if (after === null) return 'becomes null';
    return after === version ? 'becomes updated_at' : 'changes';
  }),
  'task.status-transitions': ofSettled((step): Observation<'task.status-transitions'> => {
    const { status } = taskOf(step.read);
    const becomes = status === step.before.status ? null : publicName(String(status));
    if (unassigns.matches(step)) return { when: 'unassigned', becomes };
    return { when: assignsAnew.matches(step) ? 'assigned' : 'reassigned', becomes };
  }),
  'fields.further-fields': ({ own }: OfOneTask) =>
    own
      .filter(({ answer, to }) => answer.succeeded && to !== null)
      .flatMap(({ answer }) =>
        furtherFields('assignment', answer.object?.assignment, assignmentFields),
      ),
};
