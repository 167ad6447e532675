import type { FromSchema } from 'json-schema-to-ts';
import type { assignmentSchema } from './assignment.ts';
import { field, resource } from './forms.ts';
import { identifier, identifierPattern } from './identifier.ts';

// The document gives the nullability of three fields only; that of the others is open, so null is accepted.
const identifierOrNull = { type: ['string', 'null'], pattern: identifierPattern } as const;
const timestampOrNull = { type: ['string', 'null'], format: 'iso-utc' } as const;
const textOrNull = { type: ['string', 'null'] } as const;

export const taskSchema = resource(
  'task',
  'Task',
  'A work item that can be assigned to a user or a team.',
  {
    id: field('Id', 'Task id.', identifier),
    assessment_id: field('Assessment', 'Id of the related assessment.', identifierOrNull),
    assessment_template_id: field(
      'Assessment template',
      'Id of the assessment template.',
      identifierOrNull,
    ),
    assignment: field('Assignment', 'The assignment; null when the task is unassigned.', {
      anyOf: [{ type: 'null' }, { $ref: 'assignment' }],
    }),
    c_name: field('Name value', 'Task name value.', textOrNull),
    name: field('Name', 'Task name; may be null.', textOrNull),
    created_at: field('Created', 'When it was created.', timestampOrNull),
    updated_at: field('Version', 'When it last changed; the version value for If-Match.', {
      type: 'string',
      format: 'iso-utc',
    }),
    locked_at: field('Locked', 'Its meaning is not specified.', timestampOrNull),
    custom_metadata: field(
      'Custom metadata',
      'An object, an empty object or null; its contents are not specified.',
      { type: ['object', 'null'] },
    ),
    data_version: field('Data version', 'Numeric version counter; its rules are not specified.', {
      type: ['integer', 'null'],
    }),
    entity_id: field('Entity', 'Id of the entity the task relates to.', identifierOrNull),
    institution_id: field('Institution', 'Id of the institution.', identifierOrNull),
    microfrontend_id: field(
      'Microfrontend',
      'Id of the interface component tied to the task, which can be its name.',
      textOrNull,
    ),
    status: field(
      'Status',
      'A task status value. INCOMPLETE is the one value that is given.',
      textOrNull,
    ),
    step_name: field('Step', 'Name of the workflow step the task belongs to.', textOrNull),
    workflow_instance_id: field(
      'Workflow instance',
      'Id of the workflow instance.',
      identifierOrNull,
    ),
  },
);

/** A task as the document describes it (Task). */
export type Task = FromSchema<typeof taskSchema, { references: [typeof assignmentSchema] }>;

/** The fields that the document lists, in its order. */
export const taskFields = taskSchema.required;
