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

/*
 * 3. Retrieve an assessment, and the table Assessment.
 */

/** More assessments than this show nothing new. */
const maxAssessments = 20;

/** Of the others the document does not show when they change; they are not compared between two moments. */
const fieldsWithRules = assessmentFields.filter(
  (field) => !movingFields.some((one) => one === field),
);

/**
 * @param when after what it is read again, as a phrase
 * @throws Violation where two readings of an assessment differ in a field of the document's table that has rules
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

/** Which of the fields that may change have changed between two readings of an assessment. */
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

interface Found {
  readonly answer: Answer;
  readonly assessment: Assessment;
}

/** The readings that carry an assessment. */
function found(reads: readonly AssessmentRead[]): Found[] {
  return reads
    .flatMap(({ first, second }) => [first, second])
    .flatMap((answer) =>
      answer.succeeded && answer.object ? [{ answer, assessment: answer.object }] : [],
    );
}

type ErrorField = (typeof errorFields)[number];

function setErrorFields(assessment: Assessment): ErrorField[] {
  return errorFields.filter(
    (field) => assessment[field] !== null && assessment[field] !== undefined,
  );
}

type WorkflowState = (typeof workflowStates)[number];

function isSeen(reads: readonly AssessmentRead[], state: WorkflowState): boolean {
  return found(reads).some(({ assessment }) => assessment.workflow_state === state);
}

/** What ASSESSMENT_IDS lacks, as a phrase. */
const inAState = (states: readonly WorkflowState[]): string =>
  states.map((state) => `an assessment in the state ${state}`).join(' and ');

/** Those in a state that is asked for; without one there is nothing to judge with. */
function inState(reads: readonly AssessmentRead[], state: 'Active' | 'Error'): Found[] {
  const meant = found(reads).filter(({ assessment }) => assessment.workflow_state === state);
  if (meant.length > 0) return meant;
  throw new NotConfigured('ASSESSMENT_IDS', inAState([state]));
}

/** What was cancelled may keep an earlier error; empty texts are none. */
function cancelledWithoutError(reads: readonly AssessmentRead[]): Found[] {
  return found(reads).filter(
    ({ assessment }) =>
      assessment.workflow_state === 'Cancelled' &&
      errorFields.every((field) => ['', null, undefined].includes(assessment[field] as string)),
  );
}

const firstOf = (reads: readonly AssessmentRead[]): Answer[] => reads.map(({ first }) => first);

const judgesOfAnswers = judgesBy(ofAssessment, firstOf);

const asked = 'get-assessment.answers-with-the-assessment-asked-for';

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
    [asked]: (reads) => {
      judgeBy(ofRead[asked], firstOf(reads));
      // A service that has one answer for all of them.
      if (reads.length < 2) throw new PartNotConfigured('ASSESSMENT_IDS', 'a second assessment');
    },
    'get-assessment.changes-nothing': (reads) => {
      for (const { first, second } of reads) {
        if (!first.succeeded) continue;
        if (!second.succeeded) {
          // A failure does not show that reading has changed anything.
          if (second.status !== 404 && second.status !== 410) requireAccepted(second);
          throw unlikeStatus('an assessment, read again', '2xx', second, { on: [first] });
        }
        expectSameAssessment(first, second, { when: readAgain });
      }
      if (found(reads).length === 0) {
        throw new Inconclusive('No answer carried an assessment to look at.', firstOf(reads));
      }
    },
    'assessment.error-fields-null-without-error': (reads) => {
      const active = inState(reads, 'Active');
      for (const { answer, assessment } of [...active, ...cancelledWithoutError(reads)]) {
        const [field] = setErrorFields(assessment);
        if (field === undefined) continue;
        const expected = `null in the state ${assessment.workflow_state}`;
        const actual = shortJson(assessment[field]);
        throw new Violation(fieldDifference(field, expected, actual, 'assessment'), [answer]);
      }
      if (!isSeen(reads, 'Cancelled'))
        throw new PartNotConfigured('ASSESSMENT_IDS', inAState(['Cancelled']));
    },
    'assessment.error-fields-set-on-error': (reads) => {
      for (const { answer, assessment } of inState(reads, 'Error')) {
        if (setErrorFields(assessment).length > 0) continue;
        const expected = errorFields.join(', ');
        throw new Violation(other('shows no error field', { expected }), [answer]);
      }
    },
    ...judgesOfAnswers,
    'assessment.workflow-state': (reads) => {
      judgesOfAnswers['assessment.workflow-state']?.(reads);
      const missing = workflowStates.filter((state) => !isSeen(reads, state));
      if (missing.length > 0) throw new PartNotConfigured('ASSESSMENT_IDS', inAState(missing));
    },
  },
  observes: {
    'assessment.error-fields-when-cancelled': (reads) =>
      found(reads)
        .filter(({ assessment }) => assessment.workflow_state === 'Cancelled')
        .map(({ assessment }) => (setErrorFields(assessment).length === 0 ? 'null' : 'set')),
    'assessment.state-transitions': (reads) =>
      reads.flatMap(({ first, second }) =>
        first.succeeded && second.succeeded && first.object && second.object
          ? transitions('read again', first.object, second.object)
          : [],
      ),
    'get-assessment.success-status': (reads) =>
      reads.filter(({ first }) => first.succeeded).map(({ first }) => first.status),
    'assessment.error-field-types': (reads) =>
      found(reads).flatMap(({ assessment }) =>
        setErrorFields(assessment).map((field) => ({ field, shape: shapeOf(assessment[field]) })),
      ),
    'fields.further-fields': (reads) =>
      found(reads).flatMap(({ assessment }) =>
        furtherFields('assessment', assessment, assessmentFields),
      ),
  },
});

export const readingAssessments = [everyAssessment];
