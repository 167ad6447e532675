import type { FromSchema } from 'json-schema-to-ts';
import { assignmentSchema } from './assignment.ts';
import { field, named, text } from './forms.ts';

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
