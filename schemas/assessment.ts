import type { FromSchema } from 'json-schema-to-ts';
import { field, resource } from './forms.ts';
import { identifier } from './identifier.ts';

export const workflowStates = ['Active', 'Cancelled', 'Error'] as const;

/** The fields to inspect when workflow_state is `Error` (Assessment). */
export const errorFields = ['error_message', 'error_details', 'error_step', 'error_type'] as const;

/** The fields that may change, at times that the document leaves open; the others of an assessment stay the same. */
export const movingFields = ['workflow_state', 'status_id', 'outcome_id', ...errorFields] as const;

const ofAnError = 'Null when there is no error.';

export const assessmentSchema = resource(
  'assessment',
  'Assessment',
  'An assessment of an entity: its workflow state, its outcome and, on failure, error information.',
  {
    id: field('Id', 'Assessment id.', identifier),
    created_at: field('Created', 'When it was created.', { type: 'string', format: 'iso-utc' }),
    entity_id: field('Entity', 'Id of the entity.', identifier),
    institution_id: field('Institution', 'Id of the institution.', identifier),
    outcome_id: field('Outcome', 'Id of the assessment’s current outcome.', identifier),
    status_id: field('Status', 'Id of the assessment status.', identifier),
    template_id: field('Template', 'Id of the assessment template.', identifier),
    workflow_instance_id: field('Workflow instance', 'Id of the workflow instance.', identifier),
    workflow_state: field('Workflow state', 'Where the assessment stands.', {
      type: 'string',
      enum: workflowStates,
    }),
    error_message: field('Error message', ofAnError, {}),
    error_details: field('Error details', ofAnError, {}),
    error_step: field('Error step', ofAnError, {}),
    error_type: field('Error type', ofAnError, {}),
  },
);

/** An assessment as the document describes it (Assessment). */
export type Assessment = FromSchema<typeof assessmentSchema>;

/** The fields that the document lists, in its order. */
export const assessmentFields = assessmentSchema.required;
