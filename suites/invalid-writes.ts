import type { RawUpdate } from '../helpers/api.ts';
import type { JudgedClause } from '../schemas/clauses.ts';
import type { InvalidForm, InvalidPart, Observation } from '../schemas/observations.ts';

/*
 * Writes that are invalid in one point, as data (1. Update a task assignment: headers, body, `update`, `unassign`).
 */

/** What an invalid write is made from: a valid assignment and a valid unassignment. */
interface ValidWrites {
  readonly ifMatch: string;
  readonly update: Readonly<Record<string, unknown>>;
  readonly unassign: Readonly<Record<string, unknown>>;
}

/** A write that is invalid in one point, and the clause that says so. */
export interface InvalidWrite<Defect> {
  readonly clause: JudgedClause;
  /** Completes "a write …": "whose body is empty". Does not say whether the write unassigns: its body does. */
  readonly how: string;
  /** What is wrong with it, as the facts of an open clause say it. */
  readonly defect: Defect;
  readonly make: (valid: ValidWrites) => RawUpdate;
}

/** A number, sent where a text is due: a service refuses it, or takes it for the text “42”. */
export const aNumber = 42;

/** Which write has no version, and whether its If-Match is missing or empty. */
type MissingVersion = Omit<Observation<'update.missing-if-match-status'>, 'status'>;

/** Which part of the body is invalid, and how. */
interface InvalidBody {
  readonly part: InvalidPart;
  readonly is: InvalidForm;
}

/** An assignment and an unassignment, in this order, without a version: `ifMatch` is null (no header) or empty. */
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

export const withoutIfMatch = withoutVersion('without If-Match', 'missing', null);
export const withAnEmptyIfMatch = withoutVersion('with an empty If-Match', 'empty', '');

/** A write with the current version and an invalid body. */
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

/** A write with this value in the field `part`, such as `update.assigned_by_id`; undefined leaves the field out. */
const field = (
  clause: JudgedClause,
  part: Extract<InvalidPart, `${string}.${string}`>,
  is: InvalidForm,
  value: unknown,
): InvalidWrite<InvalidBody> => {
  // The cast: the name of each of these parts is an object of the body, a dot, and a field.
  const [write, name] = part.split('.') as ['update' | 'unassign', string];
  return invalid(clause, { part, is }, (valid) => ({
    [write]: { ...valid[write], [name]: value },
  }));
};

export const invalidFields = [
  field('update.needs-assigned-by-id', 'update.assigned_by_id', 'missing', undefined),
  field('update.needs-assigned-to-id', 'update.assigned_to_id', 'missing', undefined),
  field('update.needs-assigned-to-type', 'update.assigned_to_type', 'missing', undefined),
  field('unassign.needs-assigned-by-id', 'unassign.assigned_by_id', 'missing', undefined),
  field('update.assigned-to-type-values', 'update.assigned_to_type', 'an unknown value', 'GROUP'),
  field('update.assigned-to-type-values', 'update.assigned_to_type', 'in lower case', 'user'),
  field('update.assigned-to-type-values', 'update.assigned_to_type', 'empty', ''),
  field('update.field-types', 'update.assigned_by_id', 'a number', aNumber),
  field('update.field-types', 'update.assigned_by_id', 'null', null),
  field('update.field-types', 'update.assigned_to_id', 'a number', aNumber),
  field('update.field-types', 'update.assigned_to_id', 'null', null),
  field('update.field-types', 'update.assigned_to_type', 'a number', 1),
  field('update.field-types', 'update.assigned_to_type', 'null', null),
  field('update.field-types', 'update.assignment_comment', 'a number', aNumber),
  field('update.field-types', 'update.assignment_comment', 'an object', { text: 'x' }),
  // Not a number: where it is read as a text, an unassigned task shows nothing of it.
  field('update.field-types', 'unassign.assigned_by_id', 'an object', { id: 'x' }),
  field('update.field-types', 'unassign.assignment_comment', 'a list', ['x']),
];

const body = (is: InvalidForm, make: (valid: ValidWrites) => unknown): InvalidWrite<InvalidBody> =>
  invalid('update.body-is-a-json-object', { part: 'body', is }, make);

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
