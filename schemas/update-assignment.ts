import type { FromSchema } from 'json-schema-to-ts';

const identifier = { type: 'string' } as const;
const comment = {
  title: 'Comment',
  description: 'Recorded in the entity’s audit record.',
  type: ['string', 'null'],
} as const;

export const updateAssignmentSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://task-audit-contract.example/schemas/update-assignment',
  title: 'Update of an assignment',
  description: 'Holds either an `update` object (assign or reassign) or an `unassign` object.',
  type: 'object',
  properties: {
    update: {
      title: 'Assign or reassign',
      description: 'The assignment that the task is to have.',
      type: 'object',
      required: ['assigned_by_id', 'assigned_to_id', 'assigned_to_type'],
      properties: {
        assigned_by_id: {
          title: 'Assigned by',
          description: 'Id of the user making the assignment.',
          ...identifier,
        },
        assigned_to_id: {
          title: 'Assigned to',
          description: 'Id of the user or team, according to assigned_to_type.',
          ...identifier,
        },
        assigned_to_type: {
          title: 'Kind of assignee',
          description: 'Whether assigned_to_id is the id of a user or of a team.',
          type: 'string',
          enum: ['USER', 'TEAM'],
        },
        assignment_comment: comment,
      },
    },
    unassign: {
      title: 'Unassign',
      description: 'Removes the assignment.',
      type: 'object',
      required: ['assigned_by_id'],
      properties: {
        assigned_by_id: {
          title: 'Unassigned by',
          description: 'Id of the user removing the assignment.',
          ...identifier,
        },
        assignment_comment: comment,
      },
    },
  },
  oneOf: [{ required: ['update'] }, { required: ['unassign'] }],
} as const;

/** The body of PUT /tasks/{task_id}/update-assignment (1. Update a task assignment). */
export type UpdateAssignment = FromSchema<typeof updateAssignmentSchema>;
