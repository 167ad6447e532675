import type { Answer } from '../helpers/http/answer.ts';
import { Inconclusive, other, Violation } from '../helpers/outcomes.ts';
import { taskOf } from '../helpers/tasks/task-answer.ts';
import { isObject, shortJson } from '../helpers/validation.ts';
import type { FieldDifference } from '../schemas/difference.ts';
import { sameId } from '../schemas/identifier.ts';
import { judgesBy, ofAssigned } from './answers.ts';
import {
  type ExpectedAssignment,
  fieldDifference,
  mismatch,
  namesNobody,
  valueAt,
} from './comparing-tasks.ts';
import {
  expectSuccess,
  leaveToOtherClauses,
  missingFields,
  requireAccepted,
} from './expectations.ts';
import {
  afterWhich,
  answered,
  answersAndReads,
  assigns,
  assignsAnew,
  eachStep,
  reassigns,
  type Step,
  type Steps,
  shownAfter,
  unassigns,
  type WriteJudges,
  type WriteKind,
} from './writes.ts';

/*
 * Judges of the assignment that a valid write makes or removes, and of its comment (States and transitions, 1. Update a
 * task assignment). A scenario spreads those that fit the writes that it makes into its judges.
 */

type Fields = Readonly<Record<string, unknown>>;

/**
 * The assignment of the task in an answer; null where the task is unassigned.
 * @throws Inconclusive where it is neither an object nor null: that breaks a clause of its own
 */
function assignmentOf(answer: Answer): Fields | null {
  const { assignment }: { assignment: unknown } = taskOf(answer);
  if (typeof assignment === 'object' && !Array.isArray(assignment))
    return assignment as Fields | null;
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

/** Judges of what the document says of an assignment that has a comment, or has none. */
export const commentJudges = {
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
      matches: ({ to, comment }) => to !== null && typeof comment === 'string',
      lacking: 'No task was assigned with a comment',
    },
  ),
  'comment.is-not-carried-over': eachStep(
    (step) => {
      requireAssigned(step);
      const kept = assignmentOf(shownAfter(step))?.assignment_comment;
      // A missing comment may be shown as null, or as an empty text.
      if (kept === null || kept === undefined || kept === '') return;
      throw new Violation(
        {
          ...fieldDifference('assignment.assignment_comment', 'null', shortJson(kept)),
          when: 'after an assignment without a comment',
        },
        answersShowing(step, (shown) => isObject(shown) && shown.assignment_comment === kept),
      );
    },
    {
      matches: ({ to, comment }) => to !== null && typeof comment !== 'string',
      lacking: 'No task was assigned without a comment',
    },
  ),
  ...judgesBy(ofAssigned, ({ steps }: Steps) =>
    answersAndReads({ steps: steps.filter(assigns.matches) }),
  ),
} satisfies WriteJudges;

/** The assignment that a step requests; a comment that it leaves out is not compared: another clause judges that. */
function requested({ to, by, comment }: Step): ExpectedAssignment {
  return {
    assigned_by_id: by,
    assigned_to_id: to?.id,
    assigned_to_type: to?.type,
    assignment_comment: comment ?? undefined,
  };
}

/**
 * @param all all steps of that kind: the violation says after which of them the field is wrong
 * @param expectedOf the fields that the answer to a step should show
 * @throws Violation unless the assignment in the answer to an accepted write is as expected
 */
export function expectInAnswer(
  step: Step,
  all: readonly Step[],
  expectedOf: (step: Step) => ExpectedAssignment,
): void {
  const mismatchIn = (one: Step) => mismatch(expectedOf(one), one.answer.object?.assignment);
  const wrong = mismatchIn(step);
  if (wrong === undefined) return;
  const { before, answer } = step;
  const [field = ''] = wrong.fields;
  const isAsBefore = shortJson(valueAt(before, field)) === wrong.actual;
  throw new Violation(
    {
      ...wrong,
      ...(isAsBefore && { wrong: 'stays' }),
      ...afterWhich(all, (one) => mismatchIn(one)?.fields[0] === field),
    },
    [answer],
  );
}

/** Judges of what the document says of every assignment and reassignment. */
export const assigningJudges = {
  'update.answers-with-the-new-assignment': eachStep((step, all) => {
    // Inconclusive where the assignment is neither an object nor null: a clause of its own forbids that.
    assignmentOf(answered(step));
    expectInAnswer(step, all, requested);
  }, assigns),
  'assign.task-becomes-assigned': eachStep(expectAssigned, assignsAnew),
} satisfies WriteJudges;

/** Judges of what the document says of a reassignment. */
export const reassigningJudges = {
  'reassign.task-goes-to-the-new-assignee': eachStep(expectAssigned, reassigns),
} satisfies WriteJudges;

/** A reassignment to another assignee than the step before assigned the task to. */
const changesAssignee: WriteKind = {
  ...reassigns,
  matches: (step) =>
    reassigns.matches(step) && Boolean(step.from) && !sameId(step.from?.id, step.to?.id),
};

/** Judges of what the document says of a reassignment to somebody else. */
export const newAssigneeJudges = {
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

/** Judges of what the document says of every unassignment. */
export const unassigningJudges = {
  'unassign.comment-is-optional': eachStep(({ answer, comment }) => {
    leaveToOtherClauses(answer);
    // A service that fails has not looked at the comment.
    if (answer.status >= 500) requireAccepted(answer);
    const how =
      comment === undefined
        ? 'without a comment'
        : comment === null
          ? 'with the comment null'
          : 'with a comment';
    expectSuccess(answer, `an unassignment ${how}`);
  }, unassigns),
  'unassign.task-becomes-unassigned': eachStep(({ read, answer }) => {
    requireAccepted(answer);
    const { assignment } = taskOf(read);
    if (namesNobody(assignment)) return;
    throw new Violation(stillAssigned(assignment), [read, answer]);
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
} satisfies WriteJudges;
