import type { Answer } from '../helpers/http/answer.ts';
import { Inconclusive, Violation } from '../helpers/outcomes.ts';
import { taskOf } from '../helpers/tasks/task-answer.ts';
import { shortJson } from '../helpers/validation.ts';
import type { JudgedClause } from '../schemas/clauses.ts';
import type { Task } from '../schemas/task.ts';
import { expectOtherFieldsKept, expectSameTask, expectUnchanged } from './comparing-tasks.ts';
import { expectSuccess, judgeEach, leaveToOtherClauses, requireAccepted } from './expectations.ts';
import { jsonAnswerJudges, taskFieldJudges } from './json-answers.ts';
import type { Step } from './steps.ts';

/** The steps that a scenario took. */
export interface Steps {
  readonly steps: readonly Step[];
}

export type Judges = { readonly [Id in JudgedClause]?: (evidence: Steps) => void };

/** Holds all steps of a kind to something. */
export const each =
  (judge: (step: Step) => void, isMeant: (step: Step) => boolean = () => true) =>
  ({ steps }: Steps): void => {
    const meant = steps.filter(isMeant);
    if (meant.length === 0) throw new Inconclusive('There was no such write to look at.');
    judgeEach(meant, judge);
  };

/** The answer to an accepted write, with an object; without one there is no field to look at. */
export function answered({ answer }: Step): Answer {
  requireAccepted(answer);
  if (answer.object !== undefined) return answer;
  throw new Inconclusive(`${answer.request} was not answered with a task.`, [answer]);
}

const answers = ({ steps }: Steps) => steps.map(({ answer }) => answer);

export const answersAndReads = ({ steps }: Steps) =>
  steps.flatMap(({ answer, read }) => [answer, read]);

/** Judges of what the document says of every write that is to be carried out. */
export const writeJudges = {
  'task.updated-at-is-the-version': each(({ answer }) => {
    if (answer.status !== 409) return;
    throw new Violation('with the updated_at that was just read as If-Match', {
      expected: 'the version to be accepted',
      actual: '409',
      on: [answer],
    });
  }),
  'task.updated-at-changes-with-the-task': each(({ before, answer, read }) => {
    const { updated_at: version } = taskOf(read);
    if (version !== before.updated_at) return;
    requireAccepted(answer);
    throw new Violation('the updated_at that is read after a write', {
      expected: `another one than ${before.updated_at}`,
      actual: version,
      on: [read, answer],
    });
  }),
  'update.answers-with-a-new-version': each((step) => {
    const { updated_at: version } = answered(step).object ?? {};
    if (version !== undefined && version !== step.before.updated_at) return;
    throw new Violation('the updated_at in the answer', {
      expected: `another one than ${step.before.updated_at}`,
      actual: shortJson(version),
      on: [step.answer],
    });
  }),
  'update.answers-with-the-updated-task': each(({ answer, read }) => {
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
  }),
  'update.keeps-the-other-fields': each(
    ({ first, before, answer, read }) => {
      const on = [read, answer];
      expectOtherFieldsKept('the task before the write', before, taskOf(read), on);
      expectOtherFieldsKept('the task as it was first read', first, taskOf(read), on);
    },
    ({ answer }) => answer.succeeded,
  ),
  'endpoints.refused-write-changes-nothing': each(({ before, answer, read }) => {
    if (answer.status < 400) return;
    expectUnchanged('the task after a write that was refused', before, taskOf(read), {
      on: [answer, read],
    });
  }),
  ...jsonAnswerJudges(answers),
  ...taskFieldJudges(answersAndReads),
} satisfies Judges;
