import type { RawUpdate } from '../helpers/api.ts';
import type { JudgedClause } from '../schemas/clauses.ts';
import type { InvalidForm, InvalidPart, Observation } from '../schemas/observations.ts';
import type { ExpectedAssignment } from './comparing-tasks.ts';

/*
 * Writes that are invalid in one point (1. Update a task assignment: headers, body, `update` object, `unassign` object).
 */

/** What an invalid write is made from: a valid assignment and a valid unassignment. */
export interface ValidWrites {
  readonly ifMatch: string;
  readonly update: Readonly<Record<string, unknown>>;
  readonly unassign: Readonly<Record<string, unknown>>;
}

/** A write that is invalid in one point, and the clause that says so. */
export interface InvalidWrite<Defect> {
  readonly clause: JudgedClause;
  /** Completes "a write …", without whether it unassigns: its body says that. */
  readonly how: string;
  /** What is wrong with it, as the facts of an open clause say it. */
  readonly defect: Defect;
  readonly make: (valid: ValidWrites) => RawUpdate;
  /** The field of the assignment that a service makes of it which reads numbers as texts, as some JSON readers do. */
  readonly readAsText?: ExpectedAssignment;
}

/** What is sent where a text is due. */
export const aNumber = 42;

/** Which write lacks the version it was made from. */
export type MissingVersion = Omit<Observation<'update.missing-if-match-status'>, 'status'>;

/** Which part of the body is invalid, and how. */
export interface InvalidBody {
  readonly part: InvalidPart;
  readonly is: InvalidForm;
}

const needsIfMatch = (
  how: string,
  defect: MissingVersion,
  make: (valid: ValidWrites) => RawUpdate,
): InvalidWrite<MissingVersion> => ({
  clause: 'update.needs-if-match',
  how,
  defect,
  make,
});

export const assignsWithoutIfMatch = needsIfMatch(
  'without If-Match',
  { write: 'update', ifMatch: 'missing' },
  ({ update: valid }) => ({ ifMatch: null, body: { update: valid } }),
);

export const withoutIfMatch = [
  assignsWithoutIfMatch,
  needsIfMatch(
    'without If-Match',
    { write: 'unassign', ifMatch: 'missing' },
    ({ unassign: valid }) => ({ ifMatch: null, body: { unassign: valid } }),
  ),
];

export const withAnEmptyIfMatch = [
  needsIfMatch(
    'with an empty If-Match',
    { write: 'update', ifMatch: 'empty' },
    ({ update: valid }) => ({ ifMatch: '', body: { update: valid } }),
  ),
  needsIfMatch(
    'with an empty If-Match',
    { write: 'unassign', ifMatch: 'empty' },
    ({ unassign: valid }) => ({ ifMatch: '', body: { unassign: valid } }),
  ),
];

const invalid = (
  clause: JudgedClause,
  defect: InvalidBody,
  body: (valid: ValidWrites) => unknown,
): InvalidWrite<InvalidBody> => ({
  clause,
  how: `whose ${defect.part.replace(/^(?:update|unassign)\./, '')} is ${defect.is}`,
  defect,
  make: (valid) => ({ ifMatch: valid.ifMatch, body: body(valid) }),
});

/** The name of a field of `update` or `unassign` that can be invalid. */
type FieldOf<Write extends string> = InvalidPart extends infer Part
  ? Part extends `${Write}.${infer Name}`
    ? Name
    : never
  : never;

/** A valid assignment but for one field; undefined leaves it out. */
const update = (
  clause: JudgedClause,
  name: FieldOf<'update'>,
  is: InvalidForm,
  value: unknown,
): InvalidWrite<InvalidBody> =>
  invalid(clause, { part: `update.${name}`, is }, ({ update: valid }) => ({
    update: { ...valid, [name]: value },
  }));

/** A valid unassignment but for one field; undefined leaves it out. */
const unassign = (
  clause: JudgedClause,
  name: FieldOf<'unassign'>,
  is: InvalidForm,
  value: unknown,
): InvalidWrite<InvalidBody> =>
  invalid(clause, { part: `unassign.${name}`, is }, ({ unassign: valid }) => ({
    unassign: { ...valid, [name]: value },
  }));

/** A number in place of a text: not carried out, or carried out as if it were the text that it reads as. */
const numberFor = (
  name: 'assigned_by_id' | 'assigned_to_id' | 'assignment_comment',
): InvalidWrite<InvalidBody> => ({
  ...update('update.field-types', name, 'a number', aNumber),
  readAsText: { [name]: String(aNumber) },
});

export const invalidFields = [
  update('update.needs-assigned-by-id', 'assigned_by_id', 'missing', undefined),
  update('update.needs-assigned-to-id', 'assigned_to_id', 'missing', undefined),
  update('update.needs-assigned-to-type', 'assigned_to_type', 'missing', undefined),
  unassign('unassign.needs-assigned-by-id', 'assigned_by_id', 'missing', undefined),
  update('update.assigned-to-type-values', 'assigned_to_type', 'an unknown value', 'GROUP'),
  update('update.assigned-to-type-values', 'assigned_to_type', 'in lower case', 'user'),
  update('update.assigned-to-type-values', 'assigned_to_type', 'empty', ''),
  numberFor('assigned_by_id'),
  update('update.field-types', 'assigned_by_id', 'null', null),
  numberFor('assigned_to_id'),
  update('update.field-types', 'assigned_to_id', 'null', null),
  update('update.field-types', 'assigned_to_type', 'a number', 1),
  update('update.field-types', 'assigned_to_type', 'null', null),
  numberFor('assignment_comment'),
  update('update.field-types', 'assignment_comment', 'an object', { text: 'x' }),
  // Not a number: whether that was read as a text would show nowhere.
  unassign('update.field-types', 'assigned_by_id', 'an object', { id: 'x' }),
  unassign('update.field-types', 'assignment_comment', 'a list', ['x']),
];

const body = (is: InvalidForm, of: (valid: ValidWrites) => unknown): InvalidWrite<InvalidBody> =>
  invalid('update.body-is-a-json-object', { part: 'body', is }, of);

export const invalidBodies = [
  body('empty', () => ''),
  body('broken JSON', () => '{"unassign": {"assigned_by_id": "x"}'),
  // Serialized twice: what is sent is a JSON string that holds the valid body.
  body('a string', ({ update: valid }) => JSON.stringify(JSON.stringify({ update: valid }))),
  body('a list', ({ update: valid }) => [{ update: valid }]),
  invalid('update.body-is-a-json-object', { part: 'update', is: 'a string' }, () => ({
    update: 'USER',
  })),
];
