import type { RawUpdate } from '../helpers/api.ts';
import type { JudgedClause } from '../schemas/clauses.ts';

/** What a wrong write is made from: a right assignment and a right unassignment. */
export interface RightWrites {
  readonly ifMatch: string;
  readonly update: Readonly<Record<string, unknown>>;
  readonly unassign: Readonly<Record<string, unknown>>;
}

/** Spoils a right write. */
type Spoil = (right: RightWrites) => RawUpdate;

export interface Spoilt {
  readonly clause: JudgedClause;
  readonly what: string;
  readonly spoil: Spoil;
}

/** A right `update` or `unassign` object with some of its fields replaced; undefined leaves a field out. */
const update =
  (changes: Record<string, unknown>) =>
  ({ ifMatch, update: right }: RightWrites): RawUpdate => ({
    ifMatch,
    body: { update: { ...right, ...changes } },
  });

const unassign =
  (changes: Record<string, unknown>) =>
  ({ ifMatch, unassign: right }: RightWrites): RawUpdate => ({
    ifMatch,
    body: { unassign: { ...right, ...changes } },
  });

const needsIfMatch = (what: string, spoil: Spoil): Spoilt => ({
  clause: 'update.needs-if-match',
  what,
  spoil,
});

export const withoutIfMatch = [
  needsIfMatch('without If-Match', ({ update }) => ({ ifMatch: null, body: { update } })),
  needsIfMatch('that unassigns without If-Match', ({ unassign }) => ({
    ifMatch: null,
    body: { unassign },
  })),
];

export const anEmptyIfMatch = needsIfMatch('with an empty If-Match', ({ update }) => ({
  ifMatch: '',
  body: { update },
}));

const typeOfAssignee = (value: string): Spoilt => ({
  clause: 'update.assigned-to-type-values',
  what: `with assigned_to_type ${JSON.stringify(value)}`,
  spoil: update({ assigned_to_type: value }),
});

const wrongType = (what: string, spoil: Spoil): Spoilt => ({
  clause: 'update.field-types',
  what: `with ${what}`,
  spoil,
});

export const wrongFields: readonly Spoilt[] = [
  {
    clause: 'update.needs-assigned-by-id',
    what: 'without update.assigned_by_id',
    spoil: update({ assigned_by_id: undefined }),
  },
  {
    clause: 'update.needs-assigned-to-id',
    what: 'without update.assigned_to_id',
    spoil: update({ assigned_to_id: undefined }),
  },
  {
    clause: 'update.needs-assigned-to-type',
    what: 'without update.assigned_to_type',
    spoil: update({ assigned_to_type: undefined }),
  },
  {
    clause: 'unassign.needs-assigned-by-id',
    what: 'without unassign.assigned_by_id',
    spoil: unassign({ assigned_by_id: undefined }),
  },
  typeOfAssignee('GROUP'),
  typeOfAssignee('user'),
  typeOfAssignee(''),
  wrongType('a number as assigned_by_id', update({ assigned_by_id: 42 })),
  wrongType('null as assigned_by_id', update({ assigned_by_id: null })),
  wrongType('a number as assigned_to_id', update({ assigned_to_id: 42 })),
  wrongType('null as assigned_to_id', update({ assigned_to_id: null })),
  wrongType('a number as assigned_to_type', update({ assigned_to_type: 1 })),
  wrongType('null as assigned_to_type', update({ assigned_to_type: null })),
  wrongType('a number as the comment', update({ assignment_comment: 42 })),
  wrongType('an object as the comment', update({ assignment_comment: { text: 'x' } })),
  wrongType('a number as unassign.assigned_by_id', unassign({ assigned_by_id: 42 })),
  wrongType('a list as the comment of unassign', unassign({ assignment_comment: ['x'] })),
];

const noJsonObject = (what: string, body: (right: RightWrites) => unknown): Spoilt => ({
  clause: 'update.body-is-a-json-object',
  what,
  spoil: (right) => ({ ifMatch: right.ifMatch, body: body(right) }),
});

export const wrongBodies = [
  noJsonObject('whose body is empty', () => ''),
  noJsonObject('whose body is broken JSON', () => '{"unassign": {"assigned_by_id": "x"}'),
  // Serialized twice: what is sent is a JSON text that holds the right body.
  noJsonObject('whose body is a JSON text', ({ update }) =>
    JSON.stringify(JSON.stringify({ update })),
  ),
  noJsonObject('whose body is a list', ({ update }) => [{ update }]),
  noJsonObject('whose update is a text', () => ({ update: 'USER' })),
];
