import type { FromSchema } from 'json-schema-to-ts';
import { field, resource } from './forms.ts';
import { identifier } from './identifier.ts';

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
