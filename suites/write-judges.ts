import type { Assignee } from '../helpers/api.ts';
import type { Answer } from '../helpers/http/answer.ts';
import { Inconclusive, Violation } from '../helpers/outcomes.ts';
import { taskOf } from '../helpers/tasks/task-answer.ts';
import { shortJson } from '../helpers/validation.ts';
import type { JudgedClause } from '../schemas/clauses.ts';
import type { Task } from '../schemas/task.ts';
import { expectSameTask, expectSuccess, mismatch, namesNobody } from './expectations.ts';
import { assignmentFieldJudges, taskFieldJudges } from './fields.ts';
import { jsonAnswerJudges } from './json-answers.ts';

/** A write that is to be carried out: what was there, what was answered, what is read afterwards. */
export interface Write {
  readonly before: Task;
  readonly answer: Answer;
  readonly read: Answer;
}

/** A write that assigns. */
export interface Assigning extends Write {
  readonly to: Assignee;
  readonly by: string;
  readonly comment: string;
}

type Judges<Evidence> = { readonly [Id in JudgedClause]?: (evidence: Evidence) => void };

/** Whose rules are not shown (Task), so that a write may change them. */
const withoutShownRules = ['data_version', 'locked_at', 'status'];

/** The object in a write's answer; without one there is no field to look at. */
function answered({ answer }: Write): Readonly<Record<string, unknown>> {
  if (answer.succeeded && answer.object !== undefined) return answer.object;
  const { request, status, exchange } = answer;
  throw new Inconclusive(
    `${request} was not answered with a task: ${status} (#${exchange.number}).`,
  );
}

/** A right write that gets 401 or 409 breaks the clauses about keys and versions, not those about answers. */
function leaveToOtherClauses({ request, status, exchange }: Answer): void {
  if (status !== 401 && status !== 409) return;
  throw new Inconclusive(`${request} was not accepted: ${status} (#${exchange.number}).`);
}

/** Judges of what the document says of every write that is to be carried out. */
export const writeJudges = {
  'task.updated-at-is-the-version': ({ answer }: Write) => {
    if (answer.status !== 409) return;
    throw new Violation('with the updated_at that was just read as If-Match', {
      expected: 'the version to be accepted',
      actual: '409',
      on: [answer],
    });
  },
  'update.answers-with-a-new-version': (write: Write) => {
    const { updated_at: version } = answered(write);
    if (version !== undefined && version !== write.before.updated_at) return;
    throw new Violation('the updated_at in the answer', {
      expected: `another one than ${write.before.updated_at}`,
      actual: shortJson(version),
      on: [write.answer],
    });
  },
  'update.answers-with-the-updated-task': ({ answer, read }: Write) => {
    leaveToOtherClauses(answer);
    expectSuccess(answer, 'a write with the current version');
    if (answer.object === undefined) {
      throw new Violation('the answer to a write', {
        expected: 'the updated Task object',
        actual: answer.bytes.length === 0 ? 'no body' : shortJson(answer.text),
        on: [answer],
      });
    }
    // Compared whatever its fields are: what they should be, the judges of the fields say.
    const task = answer.object as unknown as Task;
    expectSameTask('the task read after a write, beside the one answered', task, taskOf(read), {
      on: [read, answer],
    });
  },
  'update.keeps-the-other-fields': ({ before, answer, read }: Write) => {
    expectSameTask('a field that the write does not mention', before, taskOf(read), {
      on: [read, answer],
      except: ['assignment', 'updated_at', ...withoutShownRules],
    });
  },
  'task.updated-at-changes-with-the-task': ({ before, answer, read }: Write) => {
    const { updated_at: version } = taskOf(read);
    if (version !== before.updated_at) return;
    if (!answer.succeeded) throw new Inconclusive('The write was not accepted.');
    throw new Violation('the updated_at that is read after a write', {
      expected: `another one than ${before.updated_at}`,
      actual: version,
      on: [read, answer],
    });
  },
  ...jsonAnswerJudges(({ answer }: Write) => [answer]),
  ...taskFieldJudges(({ answer, read }: Write) => [answer, read]),
} satisfies Judges<Write>;

/** Judges of what the document says of every assignment and reassignment. */
export const assigningJudges = {
  ...writeJudges,
  'update.answers-with-the-new-assignment': (write: Assigning) => {
    const { to, by, comment, answer } = write;
    const expected = {
      assigned_by_id: by,
      assigned_to_id: to.id,
      assigned_to_type: to.type,
      assignment_comment: comment,
    };
    const wrong = mismatch(expected, answered(write).assignment);
    if (wrong === undefined) return;
    throw new Violation('the assignment in the answer', { ...wrong, on: [answer] });
  },
  'comment.is-on-the-assignment': ({ read, answer, comment }: Assigning) => {
    const { assignment } = taskOf(read);
    if (!answer.succeeded || namesNobody(assignment)) {
      throw new Inconclusive('The task was not assigned.');
    }
    const wrong = mismatch({ assignment_comment: comment }, assignment);
    if (wrong === undefined) return;
    throw new Violation('the comment on the task', { ...wrong, on: [read, answer] });
  },
  ...assignmentFieldJudges(({ answer, read }: Assigning) => [answer, read]),
} satisfies Judges<Assigning>;

/** @throws Violation unless the task, read after a write, is assigned as the write said */
export function expectAssigned({ read, answer, to }: Assigning): void {
  const expected = { assigned_to_id: to.id, assigned_to_type: to.type };
  const wrong = mismatch(expected, taskOf(read).assignment);
  if (wrong === undefined) return;
  throw new Violation('the task after its assignment', { ...wrong, on: [read, answer] });
}

/** @throws Violation unless nobody is assigned to the task, read after a write */
export function expectUnassigned({ read, answer }: Write): void {
  const { assignment } = taskOf(read);
  if (namesNobody(assignment)) return;
  throw new Violation('the task after its assignment was removed', {
    expected: 'nobody assigned',
    actual: `assignment ${shortJson(assignment)}`,
    on: [read, answer],
  });
}
