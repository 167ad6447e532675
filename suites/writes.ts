import type { Assignee } from '../helpers/api.ts';
import type { Answer } from '../helpers/http/answer.ts';
import {
  type Disturbance,
  Inconclusive,
  NothingSeen,
  PartNotConfigured,
  Violation,
} from '../helpers/outcomes.ts';
import { taskOf } from '../helpers/tasks/task-answer.ts';
import type { World } from '../runner/world.ts';
import { assignmentFields } from '../schemas/assignment.ts';
import type { JudgedClause } from '../schemas/clauses.ts';
import type { FieldDifference } from '../schemas/difference.ts';
import { sameId } from '../schemas/identifier.ts';
import type { Observation } from '../schemas/observations.ts';
import type { Task } from '../schemas/task.ts';
import { judgesBy, ofTask } from './answers.ts';
import {
  differences,
  expectOtherFieldsKept,
  expectSameTask,
  expectUnchanged,
  namesNobody,
  staysAfterWrite,
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
} from './expectations.ts';
import { furtherFields, publicName } from './shapes.ts';

/*
 * Valid writes, made one after the other, with judges of what the document says of every write (Endpoints, States and
 * transitions, 1. Update a task assignment), and observations of what it leaves open. Judges of the assignment that a
 * write makes or removes stand in assignment-judges.ts.
 */

/** A valid write: to whom, with what comment. */
export interface Write {
  /** null removes the assignment. */
  readonly to: Assignee | null;
  /** undefined leaves the comment out. */
  readonly comment?: string | null | undefined;
  /** The actor of the write before makes this one too; else another actor does, where there are two. */
  readonly sameActor?: true;
}

/** A write that was made: the task before it, the answer, and the read after it. */
export interface Step extends Write {
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

/**
 * An actor who did not make the write before, and whom the task does not go to; the usual one where there is no other.
 * @param actors ids, the usual actor first
 * @param before the actor of the write before
 */
export function anotherActor(
  actors: readonly string[],
  before: string | undefined,
  to: Assignee | null,
): string {
  const isOther = (id: string): boolean => !sameId(id, before) && !sameId(id, to?.id);
  return actors.find(isOther) ?? actors[0] ?? '';
}

/** What a judge throws where one actor alone made all writes. */
export function oneActorAlone(): PartNotConfigured {
  return new PartNotConfigured(
    'ASSIGNED_BY_ID',
    'a second user who makes assignments, or two of USER_IDS of whom the target takes one as such',
  );
}

/**
 * Makes one write after the other, each with the version just read; a step for each. Unassigning an unassigned task is
 * left out, as what that does is open. Where there are two actors, each write has another one than the write before,
 * unless it says `sameActor`, so a service that keeps the old assigned_by_id is found out.
 */
export async function takeSteps(
  { tasks, findActors }: World,
  given: Task,
  writes: readonly Write[],
): Promise<Step[]> {
  const steps: Step[] = [];
  const { actors, task } = await findActors(given);
  let last = task;
  let by: string | undefined = task.assignment?.assigned_by_id;
  for (const { to, comment, sameActor } of writes) {
    if (to === null && namesNobody(last.assignment)) continue;
    by = sameActor && by !== undefined ? by : anotherActor(actors, by, to);
    const remark = comment === undefined ? { by } : { by, comment };
    const { before, answer } = await tasks.assign(last, to, remark);
    // Asked before the read: what somebody else changes after the write does not count here.
    const firstSeen = tasks.firstSeen(before);
    const { answer: read, isLate: isReadLate } = await tasks.look(task.id);
    const from = steps.at(-1)?.to;
    const disturbance = tasks.disturbance([read]);
    const seen = { firstSeen, before, answer, read, isReadLate, disturbance };
    // Where somebody else has unassigned the task meanwhile, this unassign is no step.
    if (to !== null || !namesNobody(before.assignment))
      steps.push({ from, to, comment, by, ...seen });
    last = taskOf(read);
  }
  return steps;
}

/** A kind of writes that a judge is about; `lacking` says why nothing is judged where no step is of the kind. */
export interface WriteKind {
  readonly matches: (step: Step) => boolean;
  readonly lacking: string;
}

const anyWrite: WriteKind = { matches: () => true, lacking: 'No write was made' };

export const assigns: WriteKind = {
  matches: ({ to }) => to !== null,
  lacking: 'No task was assigned',
};

export const unassigns: WriteKind = {
  matches: ({ to }) => to === null,
  lacking: 'No task was unassigned: for that, a task must read as assigned after an assignment',
};

/** An assignment of a task that nobody was assigned to. */
export const assignsAnew: WriteKind = {
  matches: ({ to, before }) => to !== null && namesNobody(before.assignment),
  lacking:
    'No unassigned task was assigned: for that, a task must read as unassigned after an unassignment',
};

/** An assignment of a task that somebody was assigned to. */
export const reassigns: WriteKind = {
  matches: ({ to, before }) => to !== null && !namesNobody(before.assignment),
  lacking: 'No task was reassigned: for that, a task must read as assigned after an assignment',
};

/** A write that was carried out. */
export const succeeds: WriteKind = {
  matches: ({ answer }) => answer.succeeded,
  lacking: 'No write was accepted',
};

export type WriteJudges = { readonly [Id in JudgedClause]?: (evidence: Steps) => void };

/**
 * A judge of every step of a kind. After a write that somebody else has disturbed, the read convicts nobody.
 * @param judgeOf judges one step; is given all steps of the kind too
 */
export const eachStep =
  (judgeOf: (step: Step, all: readonly Step[]) => void, kind: WriteKind = anyWrite) =>
  ({ steps }: Steps): void => {
    const stepsOfKind = steps.filter(kind.matches);
    const tried = steps.map(({ answer }) => answer);
    if (stepsOfKind.length === 0) throw new Inconclusive(`${kind.lacking}.`, tried);
    const judge = (step: Step): void => judgeOf(step, stepsOfKind);
    const disturbed = stepsOfKind.filter(isDisturbed);
    const others = stepsOfKind.filter((one) => !isDisturbed(one));
    if (others.length > 0) judgeEach(others, judge);
    if (disturbed.length === 0) return;
    try {
      judgeEach(disturbed, (step) => judgeDisturbed(judge, step));
    } catch (error) {
      // Where other steps have decided, it does not matter that these do not.
      if (!(error instanceof Inconclusive) || others.length === 0) throw error;
    }
  };

/** The answer that shows what a write did: the read after it, or its own where somebody else changed the task since. */
export function shownAfter({ answer, read, disturbance }: Step): Answer {
  return disturbance === undefined || answer.object === undefined ? read : answer;
}

const isDisturbed = ({ disturbance }: Step): boolean => disturbance !== undefined;

/** @throws Disturbance in place of a Violation that stands on what is read after the write */
function judgeDisturbed(judge: (step: Step) => void, step: Step): void {
  try {
    judge(step);
  } catch (error) {
    if (!(error instanceof Violation) || step.disturbance === undefined) throw error;
    const isOfRead = error.on.some(({ exchange }) => exchange === step.read.exchange.number);
    throw isOfRead ? step.disturbance : error;
  }
}

/** The answer to an accepted write that carries an object. @throws Inconclusive where the step has none */
export function answered({ answer }: Step): Answer {
  requireAccepted(answer);
  if (answer.object !== undefined) return answer;
  throw new Inconclusive(`${answer.request} was not answered with a task.`, [answer]);
}

export const answersAndReads = ({ steps }: Steps): Answer[] =>
  steps.flatMap(({ answer, read }) => [answer, read]);

/** Judges of what the document says of every write that is to be carried out. */
export const writeJudges = {
  'task.updated-at-is-the-version': eachStep(({ answer }) => {
    // A refusal with another status does not show how the version was compared.
    if (answer.status !== 409) return requireAccepted(answer);
    throw unlikeStatus('a write with the updated_at that was just read as If-Match', '2xx', answer);
  }),
  'task.updated-at-changes-with-the-task': eachStep((step, all) => {
    const stays = (one: Step): boolean => taskOf(one.read).updated_at === one.before.updated_at;
    if (!stays(step)) return;
    const { answer, read } = step;
    requireAccepted(answer);
    const { updated_at: version } = taskOf(read);
    throw new Violation({ ...staysAfterWrite(version), ...afterWhich(all, stays) }, [read, answer]);
  }),
  'update.answers-with-a-new-version': eachStep((step, all) => {
    const stays = ({ before, answer }: Step): boolean =>
      answer.object?.updated_at === before.updated_at;
    const { updated_at: version } = answered(step).object ?? {};
    if (version !== undefined && !stays(step)) return;
    throw new Violation(
      version === undefined
        ? missingFields('task', ['updated_at'])
        : { ...staysAfterWrite(version), ...afterWhich(all, stays) },
      [step.answer],
    );
  }),
  'update.answers-with-the-updated-task': eachStep(({ answer, read }) => {
    leaveToOtherClauses(answer);
    expectSuccess(answer, 'a write with the current version');
    if (answer.object === undefined) throw new Violation(noJsonObject(answer), [answer]);
    // The cast: fields are compared whatever their types are; other judges look at types.
    const task = answer.object as unknown as Task;
    const missing = differences(task, taskOf(read)).filter((field) => !(field in task));
    if (missing.length > 0) throw new Violation(missingFields('task', missing), [answer, read]);
    expectSameTask(task, taskOf(read), {
      on: [read, answer],
      when: 'after a write that was answered so',
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
  ...judgesBy(ofTask, answersAndReads),
} satisfies WriteJudges;

/** The kinds of accepted writes after which `isSo` holds: "after an unassignment"; nothing where it holds after all. */
export function afterWhich(
  steps: readonly Step[],
  isSo: (step: Step) => boolean,
): Pick<FieldDifference, 'when'> {
  const accepted = steps.filter(succeeds.matches);
  if (accepted.every(isSo)) return {};
  return { when: `after ${[...new Set(accepted.filter(isSo).map(nameOfWrite))].join(' or ')}` };
}

function nameOfWrite(step: Step): string {
  if (unassigns.matches(step)) return 'an unassignment';
  if (assignsAnew.matches(step)) return 'an assignment';
  return sameId(step.before.assignment?.assigned_to_id, step.to?.id)
    ? 'a write to the same assignee'
    : 'a reassignment';
}

/** An observation of accepted writes: `look` makes a fact of each. */
const ofAccepted =
  <Fact>(look: (step: Step) => Fact) =>
  ({ steps }: Steps): Fact[] =>
    steps.filter(({ answer }) => answer.succeeded).map(look);

/** The same, without the first write, which meets a task as others left it, and without writes that others disturb. */
const ofSettled =
  <Fact>(look: (step: Step) => Fact) =>
  ({ steps }: Steps): Fact[] =>
    ofAccepted(look)({ steps: steps.slice(1).filter((step) => !isDisturbed(step)) });

type StatusTransition = Observation<'task.status-transitions'>;

function transitionBy(step: Step): StatusTransition['when'] {
  if (unassigns.matches(step)) return 'unassigned';
  return assignsAnew.matches(step) ? 'assigned' : 'reassigned';
}

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
  'task.status-transitions': ofSettled((step): StatusTransition => {
    const { status } = taskOf(step.read);
    const becomes = status === step.before.status ? null : publicName(String(status));
    return { when: transitionBy(step), becomes };
  }),
  'fields.further-fields': ({ steps }: Steps) =>
    steps
      .filter(({ answer, to }) => answer.succeeded && to !== null)
      .flatMap(({ answer }) =>
        furtherFields('assignment', answer.object?.assignment, assignmentFields),
      ),
};
