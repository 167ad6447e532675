import type { JsonObject } from '../records.ts';
import type { Fault } from './fault.ts';
import { changed, without } from './replaced.ts';

const clauses = {
  assigned_by_id: 'assignment.assigned-by-id',
  assigned_to_id: 'assignment.assigned-to-id',
  assigned_to_type: 'assignment.assigned-to-type',
  assignment_comment: 'assignment.assignment-comment',
} as const;

type Field = keyof typeof clauses;

// Object.keys forgets that it lists exactly these keys.
const fields = Object.keys(clauses) as Field[];

/** What else shows that the field is wrong. */
const shownThrough = {
  assigned_by_id: ['update.answers-with-the-new-assignment'],
  assigned_to_id: ['assign.task-becomes-assigned', 'update.answers-with-the-new-assignment'],
  assigned_to_type: [
    'assign.task-becomes-assigned',
    'reassign.task-goes-to-the-new-assignee',
    'update.answers-with-the-new-assignment',
  ],
  assignment_comment: ['comment.is-on-the-assignment', 'update.answers-with-the-new-assignment'],
} as const;

/** Not where the assignment names nobody: then every assignment looks like the first one. */
const reassigning = ['reassign.task-goes-to-the-new-assignee'] as const;

const wrong = (id: string, field: Field, spoil: (assignment: JsonObject) => JsonObject): Fault => ({
  id,
  breaks: [clauses[field], ...shownThrough[field]],
  mayBreak: field === 'assigned_to_id' ? reassigning : [],
  rules: { presentAssignment: (assignment) => assignment && spoil(assignment) },
});

/** Something else than null where a task has no assignment. */
const inPlaceOfNull = (id: string, value: unknown): Fault => ({
  id,
  breaks: [
    'task.assignment-null-when-unassigned',
    'unassign.answers-with-null-assignment',
    ...(typeof value === 'object' && !Array.isArray(value) ? [] : (['task.assignment'] as const)),
  ],
  rules: { presentAssignment: (assignment) => assignment ?? value },
});

const ofAnotherType: Readonly<Record<Field, unknown>> = {
  assigned_by_id: 4711,
  assigned_to_id: { id: 4711 },
  assigned_to_type: 1,
  assignment_comment: ['Please review.'],
};

/** Assignments whose fields are missing or of another type, and what stands in place of none (Assignment). */
export const assignmentFieldFaults: readonly Fault[] = [
  ...fields.map((field) =>
    wrong(`an-assignment-lacks-${field.replaceAll('_', '-')}`, field, (assignment) =>
      without(assignment, field),
    ),
  ),
  ...fields.map((field) =>
    wrong(
      `${field.replaceAll('_', '-')}-of-an-assignment-is-of-another-type`,
      field,
      (assignment) => changed(assignment, field, () => ofAnotherType[field]),
    ),
  ),
  {
    id: 'an-assignment-without-a-comment-lacks-the-field',
    breaks: ['assignment.assignment-comment'],
    rules: {
      presentAssignment: (assignment) =>
        assignment && assignment.assignment_comment === null
          ? without(assignment, 'assignment_comment')
          : assignment,
    },
  },
  wrong('assigned-to-type-is-in-lower-case', 'assigned_to_type', (assignment) =>
    changed(assignment, 'assigned_to_type', (type) => String(type).toLowerCase()),
  ),
  wrong('a-team-is-shown-as-a-group', 'assigned_to_type', (assignment) =>
    changed(assignment, 'assigned_to_type', (type) => (type === 'TEAM' ? 'GROUP' : type)),
  ),
  wrong('who-assigned-is-null', 'assigned_by_id', (assignment) => ({
    ...assignment,
    assigned_by_id: null,
  })),
  {
    id: 'the-assignee-is-shown-by-email',
    breaks: ['fields.identifiers-are-uuid-shaped', ...shownThrough.assigned_to_id, ...reassigning],
    rules: {
      presentAssignment: (assignment) =>
        assignment && { ...assignment, assigned_to_id: 'reviewer@team.example' },
    },
  },
  {
    id: 'an-assignment-is-shown-as-a-list',
    breaks: ['task.assignment'],
    rules: { presentAssignment: (assignment) => assignment && [assignment] },
  },
  inPlaceOfNull('no-assignment-is-shown-as-an-empty-object', {}),
  inPlaceOfNull('no-assignment-is-shown-as-empty-text', ''),
  inPlaceOfNull('no-assignment-is-shown-as-an-empty-list', []),
  inPlaceOfNull('no-assignment-is-shown-as-an-assignment-of-nulls', {
    assigned_by_id: null,
    assigned_to_id: null,
    assigned_to_type: null,
    assignment_comment: null,
  }),
  {
    id: 'no-assignment-is-shown-by-leaving-the-field-out',
    breaks: [
      'task.assignment',
      'task.assignment-null-when-unassigned',
      'unassign.answers-with-null-assignment',
      'get-task.answers-with-the-full-task',
    ],
    rules: { presentAssignment: (assignment) => assignment ?? undefined },
  },
];
