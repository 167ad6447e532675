import type { FromSchema } from 'json-schema-to-ts';
import { identifierPattern } from './identifier.ts';

export const assignmentSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://task-audit-contract.example/schemas/assignment',
  title: 'Assignment',
  description: 'Who a task is assigned to, by whom, and with what comment.',
  type: 'object',
  required: ['assigned_by_id', 'assigned_to_id', 'assigned_to_type', 'assignment_comment'],
  properties: {
    assigned_by_id: {
      title: 'Assigned by',
      description: 'Id of the user who made the assignment.',
      type: 'string',
      pattern: identifierPattern,
    },
    assigned_to_id: {
      title: 'Assigned to',
      description: 'Id of the user or team, depending on assigned_to_type.',
      type: 'string',
      pattern: identifierPattern,
    },
    assigned_to_type: {
      title: 'Kind of assignee',
      description: 'Whether assigned_to_id is the id of a user or of a team.',
      type: 'string',
      enum: ['USER', 'TEAM'],
    },
    assignment_comment: {
      title: 'Comment',
      description: 'Optional comment, visible to the assignee.',
      type: ['string', 'null'],
    },
  },
} as const;

/** The fields that the document lists, in its order. */
export const assignmentFields = assignmentSchema.required;

/** An assignment as the document describes it (Assignment). */
export type Assignment = FromSchema<typeof assignmentSchema>;
