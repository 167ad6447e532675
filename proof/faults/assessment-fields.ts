import type { JsonObject } from '../../reference/records.ts';
import { dashed } from '../../schemas/clause.ts';
import type { JudgedClause } from '../../schemas/clauses.ts';
import { assessmentFields, errorFields } from '../../schemas/resources.ts';
import { changed, type Fault, fault, table, without } from './fault.ts';

type AssessmentField = (typeof assessmentFields)[number];
type ErrorField = (typeof errorFields)[number];

const clauseOf = (field: AssessmentField) => `assessment.${dashed(field)}` as const;

/** The clauses of all fields. */
export const assessmentFieldClauses = assessmentFields.map(clauseOf);

/** A value of a type that the field does not have. Error fields may be of any type. */
const otherTypes: Readonly<Record<Exclude<AssessmentField, ErrorField>, unknown>> = {
  id: 4711,
  created_at: 1_767_225_600_000,
  entity_id: 4711,
  institution_id: null,
  outcome_id: { name: 'Approved' },
  status_id: 2,
  template_id: ['4711'],
  workflow_instance_id: 4711,
  workflow_state: 1,
};

const missing = assessmentFields.map((field) =>
  fault(
    `an-assessment-lacks-${dashed(field)}`,
    [clauseOf(field), 'get-assessment.answers-with-the-full-assessment'],
    { presentAssessment: (assessment) => without(assessment, field) },
  ),
);

// Object.keys forgets that it lists exactly these keys.
const ofAnotherType = (Object.keys(otherTypes) as (keyof typeof otherTypes)[]).map((field) =>
  fault(`${dashed(field)}-of-an-assessment-is-of-another-type`, [clauseOf(field)], {
    presentAssessment: (assessment) => ({ ...assessment, [field]: otherTypes[field] }),
  }),
);

const wrong = (
  id: string,
  clause: JudgedClause,
  corrupt: (assessment: JsonObject) => JsonObject,
  ...alsoBreaks: readonly JudgedClause[]
): Fault => fault(id, [clause, ...alsoBreaks], { presentAssessment: corrupt });

const withoutError = (id: string, errors: JsonObject): Fault =>
  fault(id, ['assessment.error-fields-null-without-error'], {
    presentAssessment: (assessment) =>
      assessment.workflow_state === 'Error' ? assessment : { ...assessment, ...errors },
  });

/** Assessments whose fields are missing, of another type or at odds with the state (Assessment). */
export const assessmentFieldFaults: readonly Fault[] = [
  ...missing,
  ...ofAnotherType,
  ...table(wrong, 'assessment.workflow-state', {
    'a-workflow-state-is-in-upper-case': (assessment) =>
      changed(assessment, 'workflow_state', (state) => String(state).toUpperCase()),
    'an-active-assessment-is-in-progress': (assessment) =>
      changed(assessment, 'workflow_state', (state) =>
        state === 'Active' ? 'In progress' : state,
      ),
    'a-cancelled-assessment-has-no-state': (assessment) => ({
      ...assessment,
      workflow_state: assessment.workflow_state === 'Cancelled' ? null : assessment.workflow_state,
    }),
  }),
  wrong(
    'an-assessment-id-is-shown-without-hyphens',
    'fields.identifiers-are-uuid-shaped',
    (assessment) => changed(assessment, 'id', (id) => String(id).replaceAll('-', '')),
    'get-assessment.answers-with-the-assessment-asked-for',
  ),
  wrong('an-outcome-is-shown-by-name', 'fields.identifiers-are-uuid-shaped', (assessment) => ({
    ...assessment,
    outcome_id: 'Approved',
  })),
  wrong('an-assessment-is-created-at-a-local-time', 'fields.timestamps-are-iso-utc', (assessment) =>
    changed(assessment, 'created_at', (at) => String(at).replace('Z', '-05:00')),
  ),
  ...errorFields.map((field) =>
    withoutError(`${dashed(field)}-is-set-without-an-error`, { [field]: 'none' }),
  ),
  withoutError('error-details-are-an-empty-object-without-an-error', { error_details: {} }),
  withoutError('error-message-is-empty-text-without-an-error', { error_message: '' }),
  ...table(wrong, 'assessment.error-fields-null-without-error', {
    'a-cancelled-assessment-has-an-empty-error-step': (assessment) =>
      assessment.workflow_state === 'Cancelled' ? { ...assessment, error_step: '' } : assessment,
    'a-cancelled-assessment-has-empty-error-details': (assessment) =>
      assessment.workflow_state === 'Cancelled' ? { ...assessment, error_details: {} } : assessment,
  }),
  fault('an-error-leaves-the-error-fields-null', ['assessment.error-fields-set-on-error'], {
    presentAssessment: (assessment) => ({
      ...assessment,
      ...Object.fromEntries(errorFields.map((field) => [field, null])),
    }),
  }),
];
