import type { RawUpdate } from '../helpers/api.ts';
import type { JudgedClause } from '../schemas/clauses.ts';
import type { InvalidForm, InvalidPart, Observation } from '../schemas/observations.ts';

/** What a wrong write is made from: a right assignment and a right unassignment. */
export interface RightWrites {
  readonly ifMatch: string;
  readonly update: Readonly<Record<string, unknown>>;
  readonly unassign: Readonly<Record<string, unknown>>;
}

/** A write that is wrong in one point, and the clause that says so. */
export interface WrongWrite<Wrong> {
  readonly clause: JudgedClause;
  /** Completes "a write …". */
  readonly what: string;
  readonly wrong: Wrong;
  readonly make: (right: RightWrites) => RawUpdate;
}

/** Which write lacks the version it was made from. */
export type MissingVersion = Omit<Observation<'update.missing-if-match-status'>, 'status'>;

/** Which part of the body is wrong, and how. */
export interface InvalidBody {
  readonly part: InvalidPart;
  readonly is: InvalidForm;
}

const needsIfMatch = (
  what: string,
  wrong: MissingVersion,
  make: (right: RightWrites) => RawUpdate,
): WrongWrite<MissingVersion> => ({ clause: 'update.needs-if-match', what, wrong, make });

export const withoutIfMatch = [
  needsIfMatch(
    'without If-Match',
    { write: 'update', ifMatch: 'missing' },
    ({ update: right }) => ({ ifMatch: null, body: { update: right } }),
  ),
  needsIfMatch(
    'that unassigns without If-Match',
    { write: 'unassign', ifMatch: 'missing' },
    ({ unassign: right }) => ({ ifMatch: null, body: { unassign: right } }),
  ),
];

export const anEmptyIfMatch = needsIfMatch(
  'with an empty If-Match',
  { write: 'update', ifMatch: 'empty' },
  ({ update: right }) => ({ ifMatch: '', body: { update: right } }),
);

const invalid = (
  clause: JudgedClause,
  wrong: InvalidBody,
  body: (right: RightWrites) => unknown,
): WrongWrite<InvalidBody> => ({
  clause,
  what: `whose ${wrong.part} is ${wrong.is}`,
  wrong,
  make: (right) => ({ ifMatch: right.ifMatch, body: body(right) }),
});

/** The name of a field of `update` or `unassign` that can be invalid. */
type FieldOf<Write extends string> = InvalidPart extends infer Part
  ? Part extends `${Write}.${infer Name}`
    ? Name
    : never
  : never;

/** A right assignment but for one field; undefined leaves it out. */
const update = (
  clause: JudgedClause,
  name: FieldOf<'update'>,
  is: InvalidForm,
  value: unknown,
): WrongWrite<InvalidBody> =>
  invalid(clause, { part: `update.${name}`, is }, ({ update: right }) => ({
    update: { ...right, [name]: value },
  }));

/** A right unassignment but for one field; undefined leaves it out. */
const unassign = (
  clause: JudgedClause,
  name: FieldOf<'unassign'>,
  is: InvalidForm,
  value: unknown,
): WrongWrite<InvalidBody> =>
  invalid(clause, { part: `unassign.${name}`, is }, ({ unassign: right }) => ({
    unassign: { ...right, [name]: value },
  }));

export const invalidFields = [
  update('update.needs-assigned-by-id', 'assigned_by_id', 'missing', undefined),
  update('update.needs-assigned-to-id', 'assigned_to_id', 'missing', undefined),
  update('update.needs-assigned-to-type', 'assigned_to_type', 'missing', undefined),
  unassign('unassign.needs-assigned-by-id', 'assigned_by_id', 'missing', undefined),
  update('update.assigned-to-type-values', 'assigned_to_type', 'an unknown value', 'GROUP'),
  update('update.assigned-to-type-values', 'assigned_to_type', 'in lower case', 'user'),
  update('update.assigned-to-type-values', 'assigned_to_type', 'empty', ''),
  update('update.field-types', 'assigned_by_id', 'a number', 42),
  update('update.field-types', 'assigned_by_id', 'null', null),
  update('update.field-types', 'assigned_to_id', 'a number', 42),
  update('update.field-types', 'assigned_to_id', 'null', null),
  update('update.field-types', 'assigned_to_type', 'a number', 1),
  update('update.field-types', 'assigned_to_type', 'null', null),
  update('update.field-types', 'assignment_comment', 'a number', 42),
  update('update.field-types', 'assignment_comment', 'an object', { text: 'x' }),
  unassign('update.field-types', 'assigned_by_id', 'a number', 42),
  unassign('update.field-types', 'assignment_comment', 'a list', ['x']),
];

const body = (is: InvalidForm, of: (right: RightWrites) => unknown): WrongWrite<InvalidBody> =>
  invalid('update.body-is-a-json-object', { part: 'body', is }, of);

export const invalidBodies = [
  body('empty', () => ''),
  body('broken JSON', () => '{"unassign": {"assigned_by_id": "x"}'),
  // Serialized twice: what is sent is a JSON string that holds the right body.
  body('a string', ({ update: right }) => JSON.stringify(JSON.stringify({ update: right }))),
  body('a list', ({ update: right }) => [{ update: right }]),
  invalid('update.body-is-a-json-object', { part: 'update', is: 'a string' }, () => ({
    update: 'USER',
  })),
];
