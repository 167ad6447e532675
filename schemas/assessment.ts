import type { FromSchema } from 'json-schema-to-ts';
import { identifierPattern } from './identifier.ts';

const identifier = { type: 'string', pattern: identifierPattern } as const;

export const workflowStates = ['Active', 'Cancelled', 'Error'] as const;

/** The fields to inspect when workflow_state is `Error` (Assessment). */
export const errorFields = ['error_message', 'error_details', 'error_step', 'error_type'] as const;

/** The fields of which the document does not say when they change; the others belong to an assessment for good. */
export const movingFields = ['workflow_state', 'status_id', 'outcome_id', ...errorFields] as const;

export const assessmentSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://task-audit-contract.example/schemas/assessment',
  title: 'Assessment',
  description:
    'An assessment of an entity: its workflow state, its outcome and, on failure, error information.',
  type: 'object',
  required: [
    'id',
    'created_at',
    'entity_id',
    'institution_id',
    'outcome_id',
    'status_id',
    'template_id',
    'workflow_instance_id',
    'workflow_state',
    ...errorFields,
  ],
  properties: {
    id: { title: 'Id', description: 'Assessment id.', ...identifier },
    created_at: {
      title: 'Created',
      description: 'When it was created.',
      type: 'string',
      format: 'iso-utc',
    },
    entity_id: { title: 'Entity', description: 'Id of the entity.', ...identifier },
    institution_id: { title: 'Institution', description: 'Id of the institution.', ...identifier },
    outcome_id: {
      title: 'Outcome',
      description: 'Id of the assessment’s current outcome.',
      ...identifier,
    },
    status_id: { title: 'Status', description: 'Id of the assessment status.', ...identifier },
    template_id: {
      title: 'Template',
      description: 'Id of the assessment template.',
      ...identifier,
    },
    workflow_instance_id: {
      title: 'Workflow instance',
      description: 'Id of the workflow instance.',
      ...identifier,
    },
    workflow_state: {
      title: 'Workflow state',
      description: 'Where the assessment stands.',
      type: 'string',
      enum: workflowStates,
    },
    error_message: { title: 'Error message', description: 'Null when there is no error.' },
    error_details: { title: 'Error details', description: 'Null when there is no error.' },
    error_step: { title: 'Error step', description: 'Null when there is no error.' },
    error_type: { title: 'Error type', description: 'Null when there is no error.' },
  },
} as const;

/** An assessment as the document describes it (Assessment). */
export type Assessment = FromSchema<typeof assessmentSchema>;

/** The fields that the document lists, in its order. */
export const assessmentFields = assessmentSchema.required;
