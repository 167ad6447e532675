import type { RawUpdate } from '../helpers/api.ts';
import type { Answer } from '../helpers/http/answer.ts';
import type { JudgedClause, OpenClause } from '../schemas/clauses.ts';
import type {
  InvalidForm,
  InvalidPart,
  Observation,
  RefusalCause,
} from '../schemas/observations.ts';

/*
 * Writes that are invalid in one point, as data (1. Update a task assignment: headers, body, `update`, `unassign`).
 */

/** What an invalid write is made from: a valid assignment and a valid unassignment. */
interface ValidWrites {
  readonly ifMatch: string;
  readonly update: Readonly<Record<string, unknown>>;
  readonly unassign: Readonly<Record<string, unknown>>;
}

/** The open clause that the answer to a write tells of, and what it tells. */
export interface Observed {
  readonly clause: OpenClause;
  readonly facts: (answer: Answer) => readonly Observation[];
}

/** A write that is invalid in one point. */
export interface InvalidWrite {
  /** Completes “a write …”: “without If-Match”. Does not say whether the write unassigns: its body does. */
  readonly how: string;
  /** What the writes of the clause have in common, where there are several, as `how` says it of one. */
  readonly common?: string;
  readonly cause: RefusalCause;
  /** The clause that it breaks if it is carried out. */
  readonly leaves: JudgedClause;
  readonly unassigns: boolean;
  readonly observes: Observed;
  readonly make: (valid: ValidWrites) => RawUpdate;
}

/** A number, sent where a text is due: a service refuses it, or takes it for the text “42”. */
export const aNumber = 42;

type MissingVersion = Observation<'update.missing-if-match-status'>;

/** An assignment and an unassignment, in this order, without a version: `ifMatch` is null (no header) or empty. */
const withoutVersion = (
  how: string,
  is: MissingVersion['ifMatch'],
  ifMatch: string | null,
): InvalidWrite[] =>
  (['update', 'unassign'] as const).map((write) => ({
    leaves: 'update.needs-if-match',
    cause: 'no If-Match',
    how,
    unassigns: write === 'unassign',
    observes: {
      clause: 'update.missing-if-match-status',
      facts: ({ status }) => [{ write, ifMatch: is, status }],
    },
    make: (valid) => ({ ifMatch, body: { [write]: valid[write] } }),
  }));

const withoutIfMatch = withoutVersion('without If-Match', 'missing', null);
const withAnEmptyIfMatch = withoutVersion('with an empty If-Match', 'empty', '');

/** The fact with which status a write is refused of whose body this part is invalid. */
export const statusOf = (part: InvalidPart, is: InvalidForm): Observed => ({
  clause: 'update.refused-body-status',
  facts: ({ status }) => [{ part, is, status }],
});

/** What the writes of a clause have in common, where the first of them does not say it. */
const commonOf: { readonly [Id in JudgedClause]?: string } = {
  'update.field-types': 'with a field of a wrong type',
  'update.body-is-a-json-object': 'whose body is no JSON object',
};

/** A write with the current version and an invalid body. */
const invalid = (
  leaves: JudgedClause,
  part: InvalidPart,
  is: InvalidForm,
  body: (valid: ValidWrites) => unknown,
): InvalidWrite => ({
  leaves,
  cause: 'invalid body',
  ...(commonOf[leaves] && { common: commonOf[leaves] }),
  unassigns: part.startsWith('unassign'),
  how: `whose ${part.replace(/^(?:update|unassign)\./, '')} is ${is}`,
  observes: statusOf(part, is),
  make: (valid) => ({ ifMatch: valid.ifMatch, body: body(valid) }),
});

/** A write with this value in the field `part`, such as `update.assigned_by_id`; undefined leaves the field out. */
const field = (
  clause: JudgedClause,
  part: Extract<InvalidPart, `${string}.${string}`>,
  is: InvalidForm,
  value: unknown,
): InvalidWrite => {
  // The cast: the name of each of these parts is an object of the body, a dot, and a field.
  const [write, name] = part.split('.') as ['update' | 'unassign', string];
  return invalid(clause, part, is, (valid) => ({
    [write]: { ...valid[write], [name]: value },
  }));
};

const invalidFields = [
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

const body = (is: InvalidForm, make: (valid: ValidWrites) => unknown): InvalidWrite =>
  invalid('update.body-is-a-json-object', 'body', is, make);

const invalidBodies = [
  body('empty', () => ''),
  body('broken JSON', () => '{"unassign": {"assigned_by_id": "x"}'),
  // Serialized twice: what is sent is a JSON string that holds the valid body.
  body('a string', ({ update: valid }) => JSON.stringify(JSON.stringify({ update: valid }))),
  body('a list', ({ update: valid }) => [{ update: valid }]),
  invalid('update.body-is-a-json-object', 'update', 'a string', () => ({
    update: 'USER',
  })),
];

export const invalidWrites: readonly InvalidWrite[] = [
  ...withoutIfMatch,
  ...withAnEmptyIfMatch,
  ...invalidFields,
  ...invalidBodies,
];
