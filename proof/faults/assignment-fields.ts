import type { JsonObject } from '../../reference/records.ts';
import type { Rules } from '../../reference/rules.ts';
import { dashed } from '../../schemas/clause.ts';
import { assignmentSchema } from '../../schemas/resources.ts';
import { changed, type Fault, fault, isObject, table, without } from './fault.ts';

const fields = assignmentSchema.required;

type AssignmentField = (typeof fields)[number];

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

/** Shows the assignment of a task otherwise, or what stands in place of none. */
const showing = (change: (assignment: JsonObject | null) => unknown): Partial<Rules> => ({
  presentTask: (task) => ({
    ...task,
    assignment: change(isObject(task.assignment) ? task.assignment : null),
  }),
});

const wrong = (
  id: string,
  field: AssignmentField,
  corrupt: (assignment: JsonObject) => JsonObject,
): Fault =>
  fault(
    id,
    {
      breaks: [`assignment.${dashed(field)}`, ...shownThrough[field]],
      mayBreak: field === 'assigned_to_id' ? reassigning : [],
    },
    showing((assignment) => assignment && corrupt(assignment)),
  );

/** Something else than null where a task has no assignment. */
const inPlaceOfNull = (id: string, value: unknown): Fault =>
  fault(
    id,
    [
      'task.assignment-null-when-unassigned',
      'unassign.answers-with-null-assignment',
      ...(typeof value === 'object' && !Array.isArray(value) ? [] : (['task.assignment'] as const)),
    ],
    showing((assignment) => assignment ?? value),
  );

const ofAnotherType: Readonly<Record<AssignmentField, unknown>> = {
  assigned_by_id: 4711,
  assigned_to_id: { id: 4711 },
  assigned_to_type: 1,
  assignment_comment: ['Please review.'],
};

/** Assignments whose fields are missing or of another type, and what stands in place of none (Assignment). */
export const assignmentFieldFaults: readonly Fault[] = [
  ...fields.map((field) =>
    wrong(`an-assignment-lacks-${dashed(field)}`, field, (assignment) =>
      without(assignment, field),
    ),
  ),
  ...fields.map((field) =>
    wrong(`${dashed(field)}-of-an-assignment-is-of-another-type`, field, (assignment) =>
      changed(assignment, field, () => ofAnotherType[field]),
    ),
  ),
  fault(
    'an-assignment-without-a-comment-lacks-the-field',
    ['assignment.assignment-comment'],
    showing((assignment) =>
      assignment && assignment.assignment_comment === null
        ? without(assignment, 'assignment_comment')
        : assignment,
    ),
  ),
  ...table(wrong, 'assigned_to_type', {
    'assigned-to-type-is-in-lower-case': (assignment) =>
      changed(assignment, 'assigned_to_type', (type) => String(type).toLowerCase()),
    'a-team-is-shown-as-a-group': (assignment) =>
      changed(assignment, 'assigned_to_type', (type) => (type === 'TEAM' ? 'GROUP' : type)),
  }),
  wrong('a-comment-of-digits-is-shown-as-a-number', 'assignment_comment', (assignment) =>
    changed(assignment, 'assignment_comment', (comment) =>
      /^\d+$/.test(String(comment)) ? Number(comment) : comment,
    ),
  ),
  wrong('who-assigned-is-null', 'assigned_by_id', (assignment) => ({
    ...assignment,
    assigned_by_id: null,
  })),
  fault(
    'the-assignee-is-shown-by-email',
    ['fields.identifiers-are-uuid-shaped', ...shownThrough.assigned_to_id, ...reassigning],
    showing(
      (assignment) => assignment && { ...assignment, assigned_to_id: 'reviewer@team.example' },
    ),
  ),
  fault(
    'an-assignment-is-shown-as-a-list',
    ['task.assignment'],
    showing((assignment) => assignment && [assignment]),
  ),
  inPlaceOfNull('no-assignment-is-shown-as-an-empty-object', {}),
  inPlaceOfNull('no-assignment-is-shown-as-empty-text', ''),
  inPlaceOfNull('no-assignment-is-shown-as-an-empty-list', []),
  inPlaceOfNull('no-assignment-is-shown-as-an-assignment-of-nulls', {
    assigned_by_id: null,
    assigned_to_id: null,
    assigned_to_type: null,
    assignment_comment: null,
  }),
  fault(
    'no-assignment-is-shown-by-leaving-the-field-out',
    [
      'task.assignment',
      'task.assignment-null-when-unassigned',
      'unassign.answers-with-null-assignment',
      'get-task.answers-with-the-full-task',
    ],
    showing((assignment) => assignment ?? undefined),
  ),
];
