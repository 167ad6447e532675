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

/** An assignment and an unassignment that name no version. */
const withoutVersion = (
  how: string,
  is: MissingVersion['ifMatch'],
  ifMatch: string | null,
): InvalidWrite<MissingVersion>[] =>
  (['update', 'unassign'] as const).map((write) => ({
    clause: 'update.needs-if-match',
    how,
    defect: { write, ifMatch: is },
    make: (valid) => ({ ifMatch, body: { [write]: valid[write] } }),
  }));

/** The first of them assigns. */
export const withoutIfMatch = withoutVersion('without If-Match', 'missing', null);
export const withAnEmptyIfMatch = withoutVersion('with an empty If-Match', 'empty', '');

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

/** Makes writes of one kind that are valid but for one field; a value that is undefined leaves it out. */
const validBut =
  <Write extends 'update' | 'unassign'>(write: Write) =>
  (
    clause: JudgedClause,
    name: FieldOf<Write>,
    is: InvalidForm,
    value: unknown,
  ): InvalidWrite<InvalidBody> =>
    // The cast: the name is that of a field of this kind of write.
    invalid(clause, { part: `${write}.${name}` as InvalidPart, is }, (valid) => ({
      [write]: { ...valid[write], [name]: value },
    }));

const update = validBut('update');
const unassign = validBut('unassign');

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
