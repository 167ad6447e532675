import { isDeepStrictEqual } from 'node:util';
import type { Answer } from '../helpers/http/answer.ts';
import {
  Inconclusive,
  NotConfigured,
  other,
  PartNotConfigured,
  Violation,
} from '../helpers/outcomes.ts';
import { shortJson } from '../helpers/validation.ts';
import { scenario } from '../runner/scenario.ts';
import {
  assessmentFields,
  errorFields,
  movingFields,
  workflowStates,
} from '../schemas/assessment.ts';
import type { Observation } from '../schemas/observations.ts';
import { judgeBy, judgesBy, ofAssessment, ofRead } from './answers.ts';
import { fieldDifference, readAgain } from './comparing-tasks.ts';
import { expectFullObject, requireAccepted, unlikeStatus } from './expectations.ts';
import { furtherFields, shapeOf } from './shapes.ts';

/* 3. Retrieve an assessment, and the table Assessment. */

/** More assessments than this show nothing new. */
const maxAssessments = 20;

/** The fields that must be the same in two reads: for the others, the document does not show when they change. */
const fieldsWithRules = assessmentFields.filter(
  (field) => !movingFields.some((one) => one === field),
);

/**
 * @param when when it was read again, as a phrase: "after its task was assigned"
 * @throws Violation where two reads of an assessment differ in a field of the document's table that has rules
 */
export function expectSameAssessment(
  before: Answer,
  after: Answer,
  { on = [], when }: { readonly on?: readonly Answer[]; readonly when: string },
): void {
  const field = fieldsWithRules.find(
    (name) => !isDeepStrictEqual(before.object?.[name], after.object?.[name]),
  );
  if (field === undefined) return;
  const [expected, actual] = [shortJson(before.object?.[field]), shortJson(after.object?.[field])];
  throw new Violation({ ...fieldDifference(field, expected, actual, 'assessment'), when }, [
    after,
    before,
    ...on,
  ]);
}

type Transition = Observation<'assessment.state-transitions'>;

/** Facts: each field that may change and has changed between two reads; null in place of a field where none has. */
export function transitions(
  when: Transition['when'],
  before: Assessment,
  after: Assessment,
): Transition[] {
  const changed = movingFields.filter((name) => !isDeepStrictEqual(before[name], after[name]));
  return changed.length === 0
    ? [{ when, changes: null }]
    : changed.map((changes) => ({ when, changes }));
}

interface AssessmentRead {
  readonly first: Answer;
  readonly second: Answer;
}

type Assessment = Readonly<Record<string, unknown>>;

interface Shown {
  readonly answer: Answer;
  readonly assessment: Assessment;
}

/** The reads, first and second, that carry an assessment. */
function shownIn(reads: readonly AssessmentRead[]): Shown[] {
  return reads
    .flatMap(({ first, second }) => [first, second])
    .flatMap((answer) =>
      answer.succeeded && answer.object ? [{ answer, assessment: answer.object }] : [],
    );
}

type ErrorField = (typeof errorFields)[number];

function shownErrors(assessment: Assessment): ErrorField[] {
  return errorFields.filter(
    (field) => assessment[field] !== null && assessment[field] !== undefined,
  );
}

type WorkflowState = (typeof workflowStates)[number];

function isStateShown(reads: readonly AssessmentRead[], state: WorkflowState): boolean {
  return shownIn(reads).some(({ assessment }) => assessment.workflow_state === state);
}

/** What ASSESSMENT_IDS lacks where no assessment is in these states, as a phrase. */
const lackingStates = (states: readonly WorkflowState[]): string =>
  states.map((state) => `an assessment in the state ${state}`).join(' and ');

/** The reads of assessments in this state. @throws NotConfigured where there is none */
function shownInState(reads: readonly AssessmentRead[], state: 'Active' | 'Error'): Shown[] {
  const shown = shownIn(reads).filter(({ assessment }) => assessment.workflow_state === state);
  if (shown.length > 0) return shown;
  throw new NotConfigured('ASSESSMENT_IDS', lackingStates([state]));
}

/** Reads of cancelled assessments that show no error; others may keep one from before they were cancelled. */
function cancelledWithoutError(reads: readonly AssessmentRead[]): Shown[] {
  return shownIn(reads).filter(
    ({ assessment }) =>
      assessment.workflow_state === 'Cancelled' &&
      errorFields.every((field) => ['', null, undefined].includes(assessment[field] as string)),
  );
}

const firstOf = (reads: readonly AssessmentRead[]): Answer[] => reads.map(({ first }) => first);

const judgesOfAnswers = judgesBy(ofAssessment, firstOf);

const answersWithAskedId = 'get-assessment.answers-with-the-assessment-asked-for';

const everyAssessment = scenario({
  name: 'every configured assessment is read twice',
  needs: ['assessment'],
  async act({ api, assessmentIds, assessment }) {
    const ids = assessmentIds.slice(0, maxAssessments);
    return await Promise.all(
      ids.map(async (id) => {
        const first = await assessment(id);
        return { first, second: await api.assessment(id) };
      }),
    );
  },
  judges: {
    'get-assessment.answers-with-the-full-assessment': (reads) => {
      for (const { first } of reads) expectFullObject(first, 'assessment', assessmentFields);
    },
    [answersWithAskedId]: (reads) => {
      judgeBy(ofRead[answersWithAskedId], firstOf(reads));
      // A service that has one answer for all ids shows with a second id.
      if (reads.length < 2) throw new PartNotConfigured('ASSESSMENT_IDS', 'a second assessment');
    },
    'get-assessment.changes-nothing': (reads) => {
      for (const { first, second } of reads) {
        if (!first.succeeded) continue;
        if (!second.succeeded) {
          // Other failures do not show that the first read has changed anything.
          if (second.status !== 404 && second.status !== 410) requireAccepted(second);
          throw unlikeStatus('an assessment, read again', '2xx', second, { on: [first] });
        }
        expectSameAssessment(first, second, { when: readAgain });
      }
      if (shownIn(reads).length === 0) {
        throw new Inconclusive('No answer carried an assessment to look at.', firstOf(reads));
      }
    },
    'assessment.error-fields-null-without-error': (reads) => {
      const active = shownInState(reads, 'Active');
      for (const { answer, assessment } of [...active, ...cancelledWithoutError(reads)]) {
        const [field] = shownErrors(assessment);
        if (field === undefined) continue;
        const expected = `null in the state ${assessment.workflow_state}`;
        const actual = shortJson(assessment[field]);
        throw new Violation(fieldDifference(field, expected, actual, 'assessment'), [answer]);
      }
      if (!isStateShown(reads, 'Cancelled'))
        throw new PartNotConfigured('ASSESSMENT_IDS', lackingStates(['Cancelled']));
    },
    'assessment.error-fields-set-on-error': (reads) => {
      for (const { answer, assessment } of shownInState(reads, 'Error')) {
        if (shownErrors(assessment).length > 0) continue;
        const expected = errorFields.join(', ');
        throw new Violation(other('shows no error field', { expected }), [answer]);
      }
    },
    ...judgesOfAnswers,
    'assessment.workflow-state': (reads) => {
      judgesOfAnswers['assessment.workflow-state']?.(reads);
      const missing = workflowStates.filter((state) => !isStateShown(reads, state));
      if (missing.length > 0) throw new PartNotConfigured('ASSESSMENT_IDS', lackingStates(missing));
    },
  },
  observes: {
    'assessment.error-fields-when-cancelled': (reads) =>
      shownIn(reads)
        .filter(({ assessment }) => assessment.workflow_state === 'Cancelled')
        .map(({ assessment }) => (shownErrors(assessment).length === 0 ? 'null' : 'set')),
    'assessment.state-transitions': (reads) =>
      reads.flatMap(({ first, second }) =>
        first.succeeded && second.succeeded && first.object && second.object
          ? transitions('read again', first.object, second.object)
          : [],
      ),
    'get-assessment.success-status': (reads) =>
      reads.filter(({ first }) => first.succeeded).map(({ first }) => first.status),
    'assessment.error-field-types': (reads) =>
      shownIn(reads).flatMap(({ assessment }) =>
        shownErrors(assessment).map((field) => ({ field, shape: shapeOf(assessment[field]) })),
      ),
    'fields.further-fields': (reads) =>
      shownIn(reads).flatMap(({ assessment }) =>
        furtherFields('assessment', assessment, assessmentFields),
      ),
  },
});

export const readingAssessments = [everyAssessment];
