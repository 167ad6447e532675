import { dashed } from '../schemas/clause.ts';
import { type ClauseId, clauses, type JudgedClause, judgedClauses } from '../schemas/clauses.ts';
import {
  type ListFilter,
  listFilters,
  type MetadataKey,
  metadataKeys,
} from '../schemas/operations.ts';

// Clauses that stand or fall together, taken from the catalogue: a clause that is added under one of these headings
// belongs to its group without being named here.

type Heading = (typeof clauses)[ClauseId]['section'];

/** The judged clauses under these headings of the document. */
export function judgedUnder(...headings: readonly Heading[]): readonly JudgedClause[] {
  return judgedClauses.filter((id) => headings.includes(clauses[id].section));
}

export function except(
  ids: readonly JudgedClause[],
  excepted: readonly JudgedClause[],
): readonly JudgedClause[] {
  return ids.filter((id) => !excepted.includes(id));
}

/** The clause about what a list filter selects. */
export const clauseOfList = (filter: ListFilter) => `export.filters-by-${dashed(filter)}` as const;

/** The clause about what a metadata key selects. */
export const clauseOfKey = (key: MetadataKey) =>
  `export.filters-by-metadata-${dashed(key)}` as const;

const emailClauses = [
  'notification.assigned-user-gets-email',
  'notification.assigned-team-gets-email',
  'notification.new-assignee-gets-email',
  'notification.nobody-else-gets-email',
  'notification.refused-write-sends-no-email',
] as const;

/**
 * What a task seems to break that changes between the steps of a scenario: by being read, or by another task being
 * written. Which of these it is depends on the scenarios that are under way.
 */
export const changingTaskClauses: readonly JudgedClause[] = [
  'task.assignment',
  'task.assignment-null-when-unassigned',
  'task.updated-at',
  'task.updated-at-is-the-version',
  'task.updated-at-changes-with-the-task',
  'auth.refusal-changes-nothing',
  ...except(
    judgedUnder(
      'What the service does',
      'Assignment (object inside a task)',
      'States and transitions',
      'Endpoints',
      '1. Update a task assignment',
      '2. Retrieve a task',
      'Errors: 409 Version mismatch',
    ),
    ['states.only-the-assignment-changes', ...emailClauses],
  ),
];

/** Filters together: one that is wrong alone is wrong here too. */
export const combinedFilterClauses = [
  'export.lists-are-any-of',
  'export.filters-combine',
  'export.metadata-keys-combine',
  'export.range-combines-with-filters',
] as const;

/** What filters select, alone and together. */
export const filterClauses: readonly JudgedClause[] = [
  ...listFilters.map(clauseOfList),
  ...metadataKeys.map(clauseOfKey),
  ...combinedFilterClauses,
];

const queryClauses = judgedUnder('4. Export audit events: query parameters');

/** Ranges are compared with each other: one wrong bound shows in all of them. */
export const rangeClauses = except(queryClauses, filterClauses);

/** What is recorded of assignments: it is looked for through exports. */
export const auditTrailClauses = except(judgedUnder('Events'), emailClauses);

/** All that is judged by the rows of CSV exports: rows that are lost or wrong can show in each of these. */
export const rowClauses: readonly JudgedClause[] = [
  ...queryClauses,
  ...auditTrailClauses,
  ...except(judgedUnder('4. Export audit events'), [
    'export.needs-the-apikey',
    'export.answers-200',
    'export.parameters-are-optional',
    'export.refusal-carries-no-events',
    'export.pdf-opens',
    'export.content-length-is-true',
    'export.csv-has-no-limit-of-5000',
  ]),
];

/** Metadata keys that the task and the assessments at hand have values of. */
const keysAtHand: readonly MetadataKey[] = [
  'entity_id',
  'assessment_id',
  'task_id',
  'workflow_instance_id',
];

/** Metadata keys of which only the rows of an export show values. */
export const clausesOfKeysInRowsOnly = metadataKeys
  .filter((key) => !keysAtHand.includes(key))
  .map(clauseOfKey);

/** What an event of the run's own shows, where exports hold no others. */
export const judgedByOwnEvents: readonly JudgedClause[] = [
  clauseOfList('auditee_id'),
  clauseOfKey('task_id'),
  clauseOfKey('entity_id'),
  'export.metadata-keys-combine',
  'export.filters-combine',
  'export.range-combines-with-filters',
];
