import type { FromSchema } from 'json-schema-to-ts';
import type { OpenClause } from './clauses.ts';
import { listOf, maybe, object, oneOf, text } from './forms.ts';
import { filters, listEncodings } from './operations.ts';
import { errorFields, movingFields } from './resources.ts';

/*
 * What is observed of each open clause. An observation is a set of facts; a fact is a small JSON value. `observations`
 * has the form of the facts of each clause, as a JSON Schema and as a type. Facts come out the same with any seed, in
 * any order of the scenarios and on any state of the tasks: they hold kinds, statuses, names and shapes, never ids,
 * times or personal data. Words are made of them in `reports/` alone.
 */

const integer = { type: 'integer' } as const;
const status = { type: 'integer', minimum: 100, maximum: 599 } as const;
const flag = { type: 'boolean' } as const;
const textOrNone = { type: ['string', 'null'], description: 'null: none.' } as const;

const either = <const One, const Other>(one: One, other: Other) =>
  ({ anyOf: [one, other] }) as const;

/** One of several independent facts: an object with exactly one of these fields. */
const aspect = <const Fields>(fields: Fields) =>
  ({
    type: 'object',
    additionalProperties: false,
    minProperties: 1,
    maxProperties: 1,
    properties: fields,
  }) as const;

/** One of several situations, and what came of it. */
const cases = <const Situations extends readonly string[], const Outcome extends object>(
  situations: Situations,
  outcome: Outcome,
) => object({ when: oneOf(situations), outcome });

/**
 * The structure of a JSON value, without its values: the name of a type, or an object or a list of structures.
 * `…` stands for what is left out: what is nested too deeply, or a name that looks like data.
 */
export type Shape = FromSchema<typeof shape>;

const shape = {
  type: ['string', 'array', 'object'],
  description:
    'The structure of a JSON value, without its values: {"code": "string", "errors": [{"message": "string"}]}.',
} as const;

const refused = object({ refused: status });

/** What came of a write: the status of a refusal, or what an accepted write did. */
const writeOutcome = either(
  refused,
  object({ accepted: oneOf(['assigned', 'unassigned', 'new version', 'nothing changed']) }),
);

/** What became of the comment of an assignment. */
const commentOutcome = either(
  refused,
  oneOf([
    'kept',
    'null',
    'missing',
    'empty',
    'trimmed',
    'trimmed at the end',
    'trimmed at the start',
    'changed',
  ]),
);

/** What an export with a parameter gave, compared with one without it; `gives` is missing where it was refused. */
const exportOutcome = object({
  status,
  gives: maybe(
    oneOf([
      'the same events',
      'no events',
      'other events',
      'a PDF',
      'as without it',
      'from that day on',
    ]),
  ),
});

/** A parameter with a value that the document says nothing of, and what an export with it gave. */
const parameter = object({ parameter: text, value: text, outcome: exportOutcome });

/** The parts of a write that can be invalid. */
const invalidPart = oneOf([
  'body',
  'update',
  'update.assigned_by_id',
  'update.assigned_to_id',
  'update.assigned_to_type',
  'update.assignment_comment',
  'unassign.assigned_by_id',
  'unassign.assignment_comment',
]);

/** What is wrong with the part of a write. */
const invalidForm = oneOf([
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
]);

/** Why a request was refused; the body of its response is observed. */
const refusalCause = oneOf([
  'no valid key',
  'unknown task',
  'unknown assessment',
  'old version',
  'no If-Match',
  'invalid body',
  'reversed range',
]);

const listFilter = oneOf(['event_type', 'sub_type', 'system_source']);

/** For each open clause that requests can show: the form of a fact that is observed of it. */
export const observations = {
  'interface.answer-headers': object({ on: oneOf(['task', 'csv', 'pdf']), header: textOrNone }),
  'fields.further-fields': object({
    on: oneOf(['task', 'assessment', 'assignment']),
    field: textOrNone,
    shape: maybe(shape),
  }),

  'task.microfrontend-id-form': oneOf(['UUID-shaped', 'another text']),
  'task.status-values': textOrNone,
  'task.nullable-fields': textOrNone,
  'task.custom-metadata-contents': shape,
  'task.data-version-rules': oneOf(['stays', 'one more', 'changes', 'no number']),
  'task.locked-at-rules': oneOf(['stays', 'becomes null', 'becomes updated_at', 'changes']),
  'task.status-transitions': object({
    when: oneOf(['assigned', 'reassigned', 'unassigned']),
    becomes: textOrNone,
  }),
  'assessment.state-transitions': object({
    when: oneOf(['read again', 'after an assignment of its task']),
    changes: { enum: [...movingFields, null] as const },
  }),
  'assessment.error-fields-when-cancelled': oneOf(['null', 'set']),
  'service.task-agrees-with-its-assessment': object({
    field: oneOf(['entity_id', 'institution_id', 'workflow_instance_id']),
    agrees: flag,
  }),
  'assessment.error-field-types': object({ field: oneOf(errorFields), shape }),

  'update.success-status': status,
  'get-task.success-status': status,
  'task.read-delay': oneOf(['at once', 'later']),
  'get-assessment.success-status': status,
  'update.refused-body-status': object({ part: invalidPart, is: invalidForm, status }),
  'update.missing-if-match-status': object({
    write: oneOf(['update', 'unassign']),
    ifMatch: oneOf(['missing', 'empty']),
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
  'comment.normalization': object({
    in: oneOf(['task', 'audit record']),
    of: oneOf(['line ends', 'Unicode form']),
    kept: flag,
  }),
  'comment.length-limit': object({
    characters: integer,
    outcome: either(refused, oneOf(['accepted'])),
  }),

  'auth.key-case': oneOf(['no UUID', 'case counts', 'case does not count']),
  'errors.body-shape': object({
    when: refusalCause,
    body: oneOf(['none', 'JSON', 'not JSON']),
    mediaType: textOrNone,
    shape: maybe(shape),
  }),
  'errors.further-statuses': either(
    object({
      when: oneOf([
        'GET in place of PUT',
        'an id of a task that is not UUID-shaped',
        'an id of an assessment that is not UUID-shaped',
        'a write to an id that is not UUID-shaped',
        'an If-Match that is no timestamp',
      ]),
      status,
    }),
    parameter,
  ),
  'errors.passing-failure-of-an-export': oneOf(['none', 'some']),
  'limits.rate': aspect({ header: textOrNone, tooManyRequests: flag }),
  'limits.csv-size': aspect({ exportsMoreThan: integer, refusesMoreWith: status }),

  'export.array-encoding': object({
    encoding: oneOf(listEncodings),
    values: oneOf(['several', 'one']),
  }),
  'export.case-of-filter-values': object({ filter: oneOf(filters), caseCounts: flag }),
  'export.brackets-of-metadata': object({
    brackets: oneOf(['percent-encoded', 'plain']),
    honoured: flag,
  }),
  'export.unknown-metadata-key': parameter,
  'export.unknown-file-type': parameter,
  'export.unknown-locale': parameter,
  'export.unknown-timezone': parameter,
  'export.null-range': parameter,
  'export.malformed-range': parameter,
  'export.range-with-offset': cases(['+00:00', '+02:00'], exportOutcome),
  'export.supported-locales': object({
    locale: text,
    status,
    reads: maybe(oneOf(['differently', 'as without it'])),
  }),
  'export.csv-columns': aspect({ headings: listOf(text), columnsWithoutHeadings: integer }),
  'export.csv-form': aspect({
    delimiter: text,
    lineEnd: text,
    endsLastLine: flag,
    byteOrderMark: flag,
    quotes: oneOf(['around every cell', 'where needed']),
    headings: flag,
    titleLines: integer,
    footerLines: integer,
    separatorLine: flag,
    encoding: oneOf(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252']),
    /** What stands before a text that a spreadsheet would take for a formula. */
    formulaGuard: oneOf(['an apostrophe', 'a TAB', 'none']),
    emptyWithoutEvents: flag,
  }),
  'export.csv-content-type': textOrNone,
  'export.pdf-content-type': textOrNone,
  'export.file-name': object({ of: oneOf(['csv', 'pdf']), contentDisposition: textOrNone }),
  'export.date-style': either(
    oneOf(['not readable']),
    object({
      order: oneOf([
        'year first',
        'day first',
        'month first',
        'month by name',
        'epoch seconds',
        'epoch milliseconds',
      ]),
      /** One or two digits are written as 9, more digits as that many, letters as a: `9999-9-9`. */
      pattern: text,
    }),
  ),
  'export.order-of-events': aspect({
    byTime: oneOf(['oldest first', 'newest first', 'neither', 'not known']),
    again: oneOf(['the same', 'another']),
  }),
  'export.pdf-form': aspect({
    pages: integer,
    width: integer,
    height: integer,
    leftEdges: integer,
    runningTitle: oneOf(['none', 'without numbers', 'with numbers']),
    pageNumbers: flag,
    printsEveryColumn: flag,
    leavesOut: text,
    cutsOff: text,
    ellipses: flag,
  }),

  'notification.copy-to-the-assigner': oneOf(['a copy', 'none']),
  'notification.of-an-unassignment': oneOf(['somebody', 'nobody']),
  'notification.content': object({ showsComment: flag, namesTask: flag }),
  'notification.messages-to-a-team': oneOf(['one each', 'one for several']),
  'notification.delay': oneOf(['within 15 seconds', 'later']),
  'audit.delay': oneOf(['at once', 'within ten seconds', 'later']),
  'audit.event-fields': { enum: ['time', ...filters, null] as const },
  'audit.classification-values': either(
    object({
      of: oneOf(['any event', 'a reassignment', 'an unassignment']),
      filter: listFilter,
      value: text,
    }),
    parameter,
  ),
} satisfies { readonly [Id in OpenClause]: object };

/** A fact that is observed of an open clause. */
export type Observation<Id extends OpenClause = OpenClause> = Id extends OpenClause
  ? FromSchema<(typeof observations)[Id]>
  : never;

export type WriteOutcome = FromSchema<typeof writeOutcome>;
export type CommentOutcome = FromSchema<typeof commentOutcome>;
export type ExportOutcome = FromSchema<typeof exportOutcome>;
export type InvalidPart = FromSchema<typeof invalidPart>;
export type InvalidForm = FromSchema<typeof invalidForm>;
export type RefusalCause = FromSchema<typeof refusalCause>;

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
