import { errorFields } from '../../schemas/assessment.ts';
import type { JudgedClause } from '../../schemas/clauses.ts';
import type { JsonObject } from '../records.ts';
import type { Fault } from './fault.ts';
import { changed, without } from './replaced.ts';

/** The clause of each field, and a value of a type that the field does not have. */
const fields: Readonly<Record<string, readonly [clause: JudgedClause, otherType: unknown]>> = {
  id: ['assessment.id', 4711],
  created_at: ['assessment.created-at', 1_767_225_600_000],
  entity_id: ['assessment.entity-id', 4711],
  institution_id: ['assessment.institution-id', null],
  outcome_id: ['assessment.outcome-id', { name: 'Approved' }],
  status_id: ['assessment.status-id', 2],
  template_id: ['assessment.template-id', ['4711']],
  workflow_instance_id: ['assessment.workflow-instance-id', 4711],
  workflow_state: ['assessment.workflow-state', 1],
};

/** Error fields may be of any type: they can only be missing. */
const errorClauses: Readonly<Record<string, JudgedClause>> = {
  error_message: 'assessment.error-message',
  error_details: 'assessment.error-details',
  error_step: 'assessment.error-step',
  error_type: 'assessment.error-type',
};

/** The clauses of all fields. */
export const assessmentFieldClauses = [
  ...Object.values(fields).map(([clause]) => clause),
  ...Object.values(errorClauses),
];

const wrong = (
  id: string,
  clause: JudgedClause,
  spoil: (assessment: JsonObject) => JsonObject,
  ...alsoBreaks: readonly JudgedClause[]
): Fault => ({
  id,
  breaks: [clause, ...alsoBreaks],
  rules: { presentAssessment: spoil },
});

const named = (field: string) => field.replaceAll('_', '-');

const lacking = (field: string, clause: JudgedClause) =>
  wrong(
    `an-assessment-lacks-${named(field)}`,
    clause,
    (assessment) => without(assessment, field),
    'get-assessment.answers-with-the-full-assessment',
  );

const withoutError = (id: string, errors: JsonObject): Fault => ({
  id,
  breaks: ['assessment.error-fields-null-without-error'],
  rules: {
    presentAssessment: (assessment) =>
      assessment.workflow_state === 'Error' ? assessment : { ...assessment, ...errors },
  },
});

/** Assessments whose fields are missing, of another type or at odds with the state (Assessment). */
export const assessmentFieldFaults: readonly Fault[] = [
  ...Object.entries(fields).map(([field, [clause]]) => lacking(field, clause)),
  ...Object.entries(errorClauses).map(([field, clause]) => lacking(field, clause)),
  ...Object.entries(fields).map(([field, [clause, value]]) =>
    wrong(`${named(field)}-of-an-assessment-is-of-another-type`, clause, (assessment) => ({
      ...assessment,
      [field]: value,
    })),
  ),
  wrong('a-workflow-state-is-in-upper-case', 'assessment.workflow-state', (assessment) =>
    changed(assessment, 'workflow_state', (state) => String(state).toUpperCase()),
  ),
  wrong('an-active-assessment-is-in-progress', 'assessment.workflow-state', (assessment) =>
    changed(assessment, 'workflow_state', (state) => (state === 'Active' ? 'In progress' : state)),
  ),
  wrong('a-cancelled-assessment-has-no-state', 'assessment.workflow-state', (assessment) => ({
    ...assessment,
    workflow_state: assessment.workflow_state === 'Cancelled' ? null : assessment.workflow_state,
  })),
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
    withoutError(`${named(field)}-is-set-without-an-error`, { [field]: 'none' }),
  ),
  withoutError('error-details-are-an-empty-object-without-an-error', { error_details: {} }),
  withoutError('error-message-is-empty-text-without-an-error', { error_message: '' }),
  {
    id: 'an-error-leaves-the-error-fields-null',
    breaks: ['assessment.error-fields-set-on-error'],
    rules: {
      presentAssessment: (assessment) => ({
        ...assessment,
        ...Object.fromEntries(errorFields.map((field) => [field, null])),
      }),
    },
  },
];
