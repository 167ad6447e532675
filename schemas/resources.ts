import type { FromSchema } from 'json-schema-to-ts';
import { field, named, resource, text } from './forms.ts';

/** UUID-shaped: 8-4-4-4-12 hexadecimal digits in any case, whatever the version (Resources and their fields). */
export const identifierPattern =
  '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$';

export const identifier = { type: 'string', pattern: identifierPattern } as const;

const uuid = new RegExp(identifierPattern);

/** Whether a text is UUID-shaped, as identifiers are (Resources and their fields). */
export function isUuidShaped(text: string): boolean {
  return uuid.test(text);
}

/** Whether two values are the same id; `AB…` and `ab…` are, as the document leaves open the case of letters. */
export function sameId(one: unknown, other: unknown): boolean {
  if (typeof one !== 'string' || typeof other !== 'string') return false;
  return one.toLowerCase() === other.toLowerCase();
}

/** ISO 8601 datetime in UTC: `Z` or `+00:00`, any number of fractional digits or none (Resources and their fields). */
export const timestampPattern =
  '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)?(?:Z|\\+00:00)$';

const datetime = new RegExp(timestampPattern);

/** Whether the text is an ISO 8601 UTC datetime of a day and a time that exist: 30 February and 25:00 do not. */
export function isTimestamp(text: string): boolean {
  // ISO 8601 allows 23:59:60 for a leap second.
  const second = text.slice(0, 19).replace(/:60$/, ':59');
  const date = new Date(`${second}Z`);
  // Some days that do not exist are read as later ones.
  return datetime.test(text) && date.toJSON()?.startsWith(second) === true;
}

export const assignmentSchema = resource(
  'assignment',
  'Assignment',
  'Who a task is assigned to, by whom, and with what comment.',
  {
    assigned_by_id: field('Assigned by', 'Id of the user who made the assignment.', identifier),
    assigned_to_id: field(
      'Assigned to',
      'Id of the user or team, depending on assigned_to_type.',
      identifier,
    ),
    assigned_to_type: field(
      'Kind of assignee',
      'Whether assigned_to_id is the id of a user or of a team.',
      { type: 'string', enum: ['USER', 'TEAM'] },
    ),
    assignment_comment: field('Comment', 'Optional comment, visible to the assignee.', {
      type: ['string', 'null'],
    }),
  },
);

/** The fields that the document lists, in its order. */
export const assignmentFields = assignmentSchema.required;

/** An assignment as the document describes it (Assignment). */
export type Assignment = FromSchema<typeof assignmentSchema>;

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

const comment = field('Comment', 'Recorded in the entity’s audit record.', {
  type: ['string', 'null'],
});

export const updateAssignmentSchema = {
  ...named(
    'update-assignment',
    'Update of an assignment',
    'Holds either an `update` object (assign or reassign) or an `unassign` object.',
  ),
  type: 'object',
  properties: {
    update: field('Assign or reassign', 'The assignment that the task is to have.', {
      type: 'object',
      required: ['assigned_by_id', 'assigned_to_id', 'assigned_to_type'],
      properties: {
        assigned_by_id: field('Assigned by', 'Id of the user making the assignment.', text),
        assigned_to_id: field(
          'Assigned to',
          'Id of the user or team, according to assigned_to_type.',
          text,
        ),
        assigned_to_type: assignmentSchema.properties.assigned_to_type,
        assignment_comment: comment,
      },
    }),
    unassign: field('Unassign', 'Removes the assignment.', {
      type: 'object',
      required: ['assigned_by_id'],
      properties: {
        assigned_by_id: field('Unassigned by', 'Id of the user removing the assignment.', text),
        assignment_comment: comment,
      },
    }),
  },
  oneOf: [{ required: ['update'] }, { required: ['unassign'] }],
} as const;

/** The body of PUT /tasks/{task_id}/update-assignment (1. Update a task assignment). */
export type UpdateAssignment = FromSchema<typeof updateAssignmentSchema>;
