import { errorFields, movingFields } from './assessment.ts';
import type { OpenClause } from './clauses.ts';
import { filters, listEncodings } from './operations.ts';

/*
 * What is observed of each open clause. An observation is a set of facts; a fact is a small JSON value. `observations`
 * has the form of the facts of each clause, as a JSON Schema and as a type. Facts come out the same with any seed, in
 * any order of the scenarios and on any state of the tasks: they hold kinds, statuses, names and shapes, never ids,
 * times or personal data. Words are made of them in `reports/` alone.
 */

/** The form of a fact as a JSON Schema. The type of its values is known to the compiler only: `value` is never set. */
export interface Form<Value> {
  readonly schema: object;
  readonly value?: Value;
}

type ValueOf<F> = F extends Form<infer Value> ? Value : never;
type Fields = Readonly<Record<string, Form<unknown>>>;
type Values<F extends Fields> = { readonly [Name in keyof F]: ValueOf<F[Name]> };

const number: Form<number> = { schema: { type: 'integer' } };
const status: Form<number> = { schema: { type: 'integer', minimum: 100, maximum: 599 } };
const text: Form<string> = { schema: { type: 'string' } };
const flag: Form<boolean> = { schema: { type: 'boolean' } };
const names: Form<readonly string[]> = { schema: { type: 'array', items: { type: 'string' } } };
const textOrNone: Form<string | null> = {
  schema: { type: ['string', 'null'], description: 'null: none.' },
};

const oneOf = <const Value extends string | boolean | null>(
  ...values: readonly Value[]
): Form<Value> => ({ schema: { enum: values } });

const either = <One, Other>(one: Form<One>, other: Form<Other>): Form<One | Other> => ({
  schema: { anyOf: [one.schema, other.schema] },
});

const properties = (fields: Fields): object => ({
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(
    Object.entries(fields).map(([name, { schema }]) => [name, schema]),
  ),
});

/** An object with all of these fields, and perhaps some of the optional ones. */
const record = <F extends Fields, O extends Fields = Record<never, never>>(
  fields: F,
  // The cast: without optional fields there are none.
  optional: O = {} as O,
): Form<Values<F> & Partial<Values<O>>> => ({
  schema: { ...properties({ ...fields, ...optional }), required: Object.keys(fields) },
});

/** One of several independent facts: an object with exactly one of these fields. */
const aspect = <F extends Fields>(fields: F): Form<Partial<Values<F>>> => ({
  schema: { ...properties(fields), minProperties: 1, maxProperties: 1 },
});

/** One of several situations, and what came of it. */
const cases = <const Situation extends string, Outcome>(
  situations: readonly Situation[],
  outcome: Form<Outcome>,
) => record({ when: oneOf(...situations), outcome });

/**
 * The structure of a JSON value, without its values: the name of a type, or an object or a list of structures.
 * `…` stands for what is left out: what is nested too deeply, or a name that looks like data.
 */
export type Shape = string | readonly Shape[] | { readonly [field: string]: Shape };

const shape: Form<Shape> = {
  schema: {
    type: ['string', 'array', 'object'],
    description:
      'The structure of a JSON value, without its values: {"code": "string", "errors": [{"message": "string"}]}.',
  },
};

const refused = record({ refused: status });

/** What came of a write: the status of a refusal, or what an accepted write did. */
const writeOutcome = either(
  refused,
  record({ accepted: oneOf('assigned', 'unassigned', 'new version', 'nothing changed') }),
);

/** What became of the comment of an assignment. */
const commentOutcome = either(
  refused,
  oneOf(
    'kept',
    'null',
    'missing',
    'empty',
    'trimmed',
    'trimmed at the end',
    'trimmed at the start',
    'changed',
  ),
);

/** What an export with a parameter gave, compared with one without it; `gives` is missing where it was refused. */
const exportOutcome = record(
  { status },
  {
    gives: oneOf(
      'the same events',
      'no events',
      'other events',
      'a PDF',
      'as without it',
      'from that day on',
    ),
  },
);

/** A parameter with a value that the document says nothing of, and what an export with it gave. */
const parameter = record({ parameter: text, value: text, outcome: exportOutcome });

/** The parts of a write that can be invalid. */
const invalidPart = oneOf(
  'body',
  'update',
  'update.assigned_by_id',
  'update.assigned_to_id',
  'update.assigned_to_type',
  'update.assignment_comment',
  'unassign.assigned_by_id',
  'unassign.assignment_comment',
);

/** What is wrong with the part of a write. */
const invalidForm = oneOf(
  'empty',
  'broken JSON',
  'a string',
  'a list',
  'a number',
  'an object',
  'null',
  'missing',
  'missing, with an old version',
  'an unknown value',
  'in lower case',
);

/** Why a request was refused; the body of its response is observed. */
const refusalCause = oneOf(
  'no valid key',
  'unknown task',
  'unknown assessment',
  'old version',
  'no If-Match',
  'invalid body',
  'reversed range',
);

const listFilter = oneOf('event_type', 'sub_type', 'system_source');

/** For each open clause that requests can show: the form of a fact that is observed of it. */
export const observations = {
  'interface.answer-headers': record({ on: oneOf('task', 'csv', 'pdf'), header: textOrNone }),
  'fields.further-fields': record(
    { on: oneOf('task', 'assessment', 'assignment'), field: textOrNone },
    { shape },
  ),

  'task.microfrontend-id-form': oneOf('UUID-shaped', 'another text'),
  'task.status-values': textOrNone,
  'task.nullable-fields': textOrNone,
  'task.custom-metadata-contents': shape,
  'task.data-version-rules': oneOf('stays', 'one more', 'changes', 'no number'),
  'task.locked-at-rules': oneOf('stays', 'becomes null', 'becomes updated_at', 'changes'),
  'task.status-transitions': record({
    when: oneOf('assigned', 'reassigned', 'unassigned'),
    becomes: textOrNone,
  }),
  'assessment.state-transitions': record({
    when: oneOf('read again', 'after an assignment of its task'),
    changes: oneOf(...movingFields, null),
  }),
  'assessment.error-fields-when-cancelled': oneOf('null', 'set'),
  'service.task-agrees-with-its-assessment': record({
    field: oneOf('entity_id', 'institution_id', 'workflow_instance_id'),
    agrees: flag,
  }),
  'assessment.error-field-types': record({ field: oneOf(...errorFields), shape }),

  'update.success-status': status,
  'get-task.success-status': status,
  'task.read-delay': oneOf('at once', 'later'),
  'get-assessment.success-status': status,
  'update.refused-body-status': record({ part: invalidPart, is: invalidForm, status }),
  'update.missing-if-match-status': record({
    write: oneOf('update', 'unassign'),
    ifMatch: oneOf('missing', 'empty'),
    status,
  }),
  'update.quoted-if-match': cases(['in quotes', 'as a weak tag'], writeOutcome),
  'update.if-match-star': cases(['*'], writeOutcome),
  'update.if-match-same-instant': cases(
    ['another mark for UTC', 'more fractional digits'],
    writeOutcome,
  ),
  'update.other-content-types': cases(['none', 'text/plain'], writeOutcome),
  'update.body-with-both-objects': cases(['both'], writeOutcome),
  'update.body-with-neither-object': cases(
    ['an empty object', 'null for both', 'another field'],
    writeOutcome,
  ),
  'unassign.on-an-unassigned-task': cases(['unassign'], writeOutcome),
  'comment.when-empty': commentOutcome,
  'comment.surrounding-white-space': cases(['around a text', 'nothing else'], commentOutcome),
  'comment.normalization': record({
    in: oneOf('task', 'audit record'),
    of: oneOf('line ends', 'Unicode form'),
    kept: flag,
  }),
  'comment.length-limit': record({
    characters: number,
    outcome: either(refused, oneOf('accepted')),
  }),

  'auth.key-case': oneOf('no UUID', 'case counts', 'case does not count'),
  'errors.body-shape': record(
    { when: refusalCause, body: oneOf('none', 'JSON', 'not JSON'), mediaType: textOrNone },
    { shape },
  ),
  'errors.further-statuses': either(
    record({
      when: oneOf(
        'GET in place of PUT',
        'an id of a task that is not UUID-shaped',
        'an id of an assessment that is not UUID-shaped',
        'a write to an id that is not UUID-shaped',
        'an If-Match that is no timestamp',
      ),
      status,
    }),
    parameter,
  ),
  'errors.passing-failure-of-an-export': oneOf('none', 'some'),
  'limits.rate': aspect({ header: textOrNone, tooManyRequests: flag }),
  'limits.csv-size': aspect({ exportsMoreThan: number, refusesMoreWith: status }),

  'export.array-encoding': record({
    encoding: oneOf(...listEncodings),
    values: oneOf('several', 'one'),
  }),
  'export.case-of-filter-values': record({ filter: oneOf(...filters), caseCounts: flag }),
  'export.brackets-of-metadata': record({
    brackets: oneOf('percent-encoded', 'plain'),
    honoured: flag,
  }),
  'export.unknown-metadata-key': parameter,
  'export.unknown-file-type': parameter,
  'export.unknown-locale': parameter,
  'export.unknown-timezone': parameter,
  'export.null-range': parameter,
  'export.malformed-range': parameter,
  'export.range-with-offset': cases(['+00:00', '+02:00'], exportOutcome),
  'export.supported-locales': record(
    { locale: text, status },
    { reads: oneOf('differently', 'as without it') },
  ),
  'export.csv-columns': aspect({ headings: names, columnsWithoutHeadings: number }),
  'export.csv-form': aspect({
    delimiter: text,
    lineEnd: text,
    endsLastLine: flag,
    byteOrderMark: flag,
    quotes: oneOf('around every cell', 'where needed'),
    headings: flag,
    titleLines: number,
    footerLines: number,
    separatorLine: flag,
    encoding: oneOf('utf-8', 'utf-16le', 'utf-16be', 'windows-1252'),
    /** What stands before a text that a spreadsheet would take for a formula. */
    formulaGuard: oneOf('an apostrophe', 'a TAB', 'none'),
    emptyWithoutEvents: flag,
  }),
  'export.csv-content-type': textOrNone,
  'export.pdf-content-type': textOrNone,
  'export.file-name': record({ of: oneOf('csv', 'pdf'), contentDisposition: textOrNone }),
  'export.date-style': either(
    oneOf('not readable'),
    record({
      order: oneOf(
        'year first',
        'day first',
        'month first',
        'month by name',
        'epoch seconds',
        'epoch milliseconds',
      ),
      /** One or two digits are written as 9, more digits as that many, letters as a: `9999-9-9`. */
      pattern: text,
    }),
  ),
  'export.order-of-events': aspect({
    byTime: oneOf('oldest first', 'newest first', 'neither', 'not known'),
    again: oneOf('the same', 'another'),
  }),
  'export.pdf-form': aspect({
    pages: number,
    width: number,
    height: number,
    leftEdges: number,
    runningTitle: oneOf('none', 'without numbers', 'with numbers'),
    pageNumbers: flag,
    printsEveryColumn: flag,
    leavesOut: text,
    cutsOff: text,
    ellipses: flag,
  }),

  'notification.copy-to-the-assigner': oneOf('a copy', 'none'),
  'notification.of-an-unassignment': oneOf('somebody', 'nobody'),
  'notification.content': record({ showsComment: flag, namesTask: flag }),
  'notification.messages-to-a-team': oneOf('one each', 'one for several'),
  'notification.delay': oneOf('within 15 seconds', 'later'),
  'audit.delay': oneOf('at once', 'within ten seconds', 'later'),
  'audit.event-fields': oneOf('time', ...filters, null),
  'audit.classification-values': either(
    record({
      of: oneOf('any event', 'a reassignment', 'an unassignment'),
      filter: listFilter,
      value: text,
    }),
    parameter,
  ),
} satisfies { readonly [Id in OpenClause]: Form<unknown> };

/** A fact that is observed of an open clause. */
export type Observation<Id extends OpenClause = OpenClause> = ValueOf<(typeof observations)[Id]>;

export type WriteOutcome = ValueOf<typeof writeOutcome>;
export type CommentOutcome = ValueOf<typeof commentOutcome>;
export type ExportOutcome = ValueOf<typeof exportOutcome>;
export type InvalidPart = ValueOf<typeof invalidPart>;
export type InvalidForm = ValueOf<typeof invalidForm>;
export type RefusalCause = ValueOf<typeof refusalCause>;

/** A fact as JSON with its fields in order: equal facts are equal texts. */
export function canonical(fact: unknown): string {
  return JSON.stringify(fact, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

/** Facts as a set: each once, in a fixed order. */
export function factSet<Fact>(facts: readonly Fact[]): Fact[] {
  const byText = new Map(facts.map((fact) => [canonical(fact), fact]));
  return [...byText].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, fact]) => fact);
}
