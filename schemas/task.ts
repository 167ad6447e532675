import type { FromSchema } from 'json-schema-to-ts';
import type { assignmentSchema } from './assignment.ts';
import { identifierPattern } from './identifier.ts';

const identifier = { type: 'string', pattern: identifierPattern } as const;
const timestamp = { type: 'string', format: 'iso-utc' } as const;
// The document gives the nullability of three fields only; that of the others is open, so null is accepted.
const identifierOrNull = { type: ['string', 'null'], pattern: identifierPattern } as const;
const timestampOrNull = { type: ['string', 'null'], format: 'iso-utc' } as const;
const textOrNull = { type: ['string', 'null'] } as const;

export const taskSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://task-audit-contract.example/schemas/task',
  title: 'Task',
  description: 'A work item that can be assigned to a user or a team.',
  type: 'object',
  required: [
    'id',
    'assessment_id',
    'assessment_template_id',
    'assignment',
    'c_name',
    'name',
    'created_at',
    'updated_at',
    'locked_at',
    'custom_metadata',
    'data_version',
    'entity_id',
    'institution_id',
    'microfrontend_id',
    'status',
    'step_name',
    'workflow_instance_id',
  ],
  properties: {
    id: { title: 'Id', description: 'Task id.', ...identifier },
    assessment_id: {
      title: 'Assessment',
      description: 'Id of the related assessment.',
      ...identifierOrNull,
    },
    assessment_template_id: {
      title: 'Assessment template',
      description: 'Id of the assessment template.',
      ...identifierOrNull,
    },
    assignment: {
      title: 'Assignment',
      description: 'The assignment; null when the task is unassigned.',
      anyOf: [{ type: 'null' }, { $ref: 'assignment' }],
    },
    c_name: { title: 'Name value', description: 'Task name value.', ...textOrNull },
    name: { title: 'Name', description: 'Task name; may be null.', ...textOrNull },
    created_at: { title: 'Created', description: 'When it was created.', ...timestampOrNull },
    updated_at: {
      title: 'Version',
      description: 'When it last changed; the version value for If-Match.',
      ...timestamp,
    },
    locked_at: {
      title: 'Locked',
      description: 'Its meaning is not specified.',
      ...timestampOrNull,
    },
    custom_metadata: {
      title: 'Custom metadata',
      description: 'An object, an empty object or null; its contents are not specified.',
      type: ['object', 'null'],
    },
    data_version: {
      title: 'Data version',
      description: 'Numeric version counter; its rules are not specified.',
      type: ['integer', 'null'],
    },
    entity_id: {
      title: 'Entity',
      description: 'Id of the entity the task relates to.',
      ...identifierOrNull,
    },
    institution_id: {
      title: 'Institution',
      description: 'Id of the institution.',
      ...identifierOrNull,
    },
    microfrontend_id: {
      title: 'Microfrontend',
      description: 'Id of the interface component tied to the task, which can be its name.',
      ...textOrNull,
    },
    status: {
      title: 'Status',
      description: 'A task status value. INCOMPLETE is the one value that is given.',
      ...textOrNull,
    },
    step_name: {
      title: 'Step',
      description: 'Name of the workflow step the task belongs to.',
      ...textOrNull,
    },
    workflow_instance_id: {
      title: 'Workflow instance',
      description: 'Id of the workflow instance.',
      ...identifierOrNull,
    },
  },
} as const;

/** A task as the document describes it (Task). */
export type Task = FromSchema<typeof taskSchema, { references: [typeof assignmentSchema] }>;

/** The fields that the document lists, in its order. */
export const taskFields = taskSchema.required;
