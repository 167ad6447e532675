import type { FromSchema } from 'json-schema-to-ts';
import { differenceSchema } from './difference.ts';
import { count, described, file, listOf, maybe, named, object, oneOf, text } from './forms.ts';
import { observations } from './observations.ts';
import { operations } from './operations.ts';

/** What became of a clause in a run. `error`: the suite itself failed; that is about us, not about the target. */
export const clauseVerdicts = [
  'upheld',
  'violated',
  'error',
  'inconclusive',
  'not judged',
  'observed',
  'untestable',
] as const;

/** What became of a run. */
export const runVerdicts = ['conformant', 'violations', 'error', 'incomplete', 'not run'] as const;

/**
 * How the response to a request was lost. `not reached`: there is no such host, or no way to it. `no TLS`: the
 * handshake failed. `given up`: the run itself ended the request, because it was over, or the file was too large.
 */
export const losses = [
  'refused',
  'not reached',
  'no TLS',
  'no proxy',
  'timed out',
  'cut off',
  'unreadable',
  'given up',
  'other',
] as const;

export type Loss = (typeof losses)[number];
export type ClauseVerdict = (typeof clauseVerdicts)[number];
export type RunVerdict = (typeof runVerdicts)[number];

const exchange = { type: 'integer', minimum: 1 } as const;
const exchanges = listOf(exchange, 'The numbers of the exchanges that show it.');

/** What shows that a configured value is of no use: an answer, or that none came. */
const unusableBy = {
  status: maybe({ type: 'integer' }, 'What the target answered to it.'),
  answer: maybe(text, 'The beginning of the body that came with that, on one line.'),
  or: maybe(
    listOf(
      object({ variable: text, value: text }),
      'Who may be the wrong ones instead: the same refused writes name them, and nothing tells which it is.',
    ),
  ),
  exchangedWith: maybe(
    text,
    'The variable that it may belong into: nobody of either was accepted.',
  ),
  loss: maybe(oneOf(losses), 'Why nothing answered at it.'),
} as const;

const unusableSchema = object(
  { variable: text, value: text, ...unusableBy },
  'A configured value that cannot be used, and what shows that.',
);

const lackSchema = object({
  variable: described(text, 'The variable that would give it.'),
  what: described(text, 'What is missing, as a phrase: "a second user".'),
  unusable: maybe({
    ...listOf(
      object({ value: text, ...unusableBy }),
      'The configured values that cannot be used, and what shows that.',
    ),
    minItems: 1,
  }),
});

const reason = <const Kind extends string>(kind: Kind, description: string) =>
  object({ kind: { const: kind } }, description);

const explained = <const Kind extends string>(kind: Kind, description: string) =>
  object({ kind: { const: kind }, why: text, on: exchanges }, description);

export const reasonSchema = {
  description: 'Why a verdict is not a plain one.',
  anyOf: [
    reason('not selected', 'The run was one of chosen clauses, and the clause is none of them.'),
    reason('left out', 'It is left out on purpose (EXCEPT).'),
    reason('nothing seen', 'An open clause of which nothing came up.'),
    object(
      { kind: { const: 'not configured' }, lacks: { ...listOf(lackSchema), minItems: 1 } },
      'The configuration gives nothing to judge with.',
    ),
    explained('not applicable', 'What this target holds gives nothing to judge with.'),
    explained('not run', 'The run ended before, or could not start.'),
    explained('inconclusive', 'The evidence does not decide.'),
    explained('untestable', 'No request can show it.'),
    explained('suite failure', 'The suite itself failed; `why` is the error, with its stack.'),
  ],
} as const;

export const reasonKinds = reasonSchema.anyOf.map(({ properties }) => properties.kind.const);

const clauseResultSchema = object({
  id: text,
  level: oneOf(['stated', 'implied', 'open']),
  section: text,
  text,
  verdict: oneOf(clauseVerdicts),
  reasons: listOf(
    reasonSchema,
    'Why the verdict is not a plain one, or what one that is upheld does not stand on: beside `upheld`, `not configured` names what is missing to judge the rest of the clause. Empty where there is nothing of the kind.',
  ),
  scenarios: listOf(text, 'The scenarios that judged or observed it.'),
  observed: listOf({}, 'The facts that were observed of an open clause, sorted.'),
});

/** The facts of each open clause have their form. Only validators check that: in the type, facts are `unknown`. */
const factsHaveTheirForm: object = {
  allOf: Object.entries(observations).map(([id, schema]) => ({
    if: { type: 'object', required: ['id'], properties: { id: { const: id } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { observed: listOf(schema) } },
  })),
};

const violationSchema = object({
  clause: text,
  scenario: text,
  difference: differenceSchema,
  on: listOf(
    object({
      exchange,
      request: described(text, 'Method and path, without ids.'),
      sends: maybe(
        oneOf(['update', 'unassign']),
        'Of a write: which of the two objects its body holds, where it is one.',
      ),
    }),
    'The exchanges that show it, the one to blame first.',
  ),
  intermittent: described(
    { type: 'boolean' },
    'True where one run of the scenario showed it and the other did not.',
  ),
  sequence: maybe(
    exchanges,
    'The exchanges to send again, in this order, for it to show again: those that show it, and what must come before.',
  ),
});

/** An assignment as the target writes it, right or wrong. */
const assignmentSchema = {
  anyOf: [
    { type: 'null' },
    object({
      assigned_by_id: maybe({}),
      assigned_to_id: maybe({}),
      assigned_to_type: maybe({}),
      assignment_comment: maybe({}),
    }),
  ],
} as const;

const putBackSchema = object(
  {
    taskId: text,
    outcome: described(
      oneOf(['as before', 'put back', 'left', 'failed']),
      '`as before`: nothing was to be done. `left`: somebody else has changed it, and that stands. `failed`: it could not be put back.',
    ),
    before: described(assignmentSchema, 'Its assignment before the run.'),
    why: maybe({
      anyOf: [
        reason('changed during the run', 'By somebody else, and as they left it it is now.'),
        reason(
          'another run is there',
          'Another run of the suite wrote to some of the tasks meanwhile: what this one read last need not stand.',
        ),
        object(
          {
            kind: { enum: ['reassigned', 'another run'] },
            since: described(text, 'The updated_at that it has since.'),
            now: assignmentSchema,
          },
          'After the last write of the run, somebody else has assigned it, or another run of the suite has.',
        ),
        object(
          {
            kind: { const: 'not carried out' },
            status: { type: 'integer' },
            now: assignmentSchema,
          },
          'The write that was to put it back was answered, and changed nothing.',
        ),
        object(
          { kind: { const: 'not readable' }, status: { type: 'integer' }, on: exchanges },
          'The target refused to show it.',
        ),
        explained('no answer', 'The task could not be read or written.'),
      ],
    }),
  },
  'What became of a task that was written to.',
);

export const resultsSchema = file(
  named(
    'results',
    'Results of a run',
    'Every clause of the document with its verdict, and every violation. Lists keep the catalogue’s order.',
  ),
  {
    format: { const: 3 },
    suite: described(text, 'The version of the suite that made them.'),
    verdict: oneOf(runVerdicts),
    target: object({
      kind: oneOf(['embedded', 'remote']),
      baseUrl: text,
      envFile: maybe(text, 'The file of variables that the run was given by name.'),
    }),
    seed: { type: 'integer' },
    startedAt: described(text, 'ISO 8601, UTC.'),
    durationMs: { type: 'number', minimum: 0 },
    interruptedBy: described(
      { type: ['string', 'null'] },
      'What ended the run before its time: a signal, or "a kill"; null where it ended by itself.',
    ),
    requests: object({
      total: count,
      repeated: described(count, 'Those that were sent because an earlier one had to be repeated.'),
      lost: described(count, 'Those that got no whole response.'),
      throttled: described(count, 'Those that were answered with 429.'),
      failed: listOf(
        object({
          operation: oneOf(operations),
          cause: {
            description: 'The status that was no answer yet, or how the response was lost.',
            anyOf: [{ type: 'integer' }, oneOf(losses)],
          },
          count: described(count, 'How many requests it befell.'),
          repeated: described(count, 'How many of them were sent again.'),
        }),
        'The requests that were lost, answered with 429, or sent again, by operation and cause.',
      ),
      serverErrors: listOf(
        object({
          operation: oneOf(operations),
          status: { type: 'integer', minimum: 500 },
          passed: described(
            { type: 'boolean' },
            'Whether the last answer to the same request was no server error.',
          ),
          on: { ...listOf(exchange), minItems: 1 },
        }),
        'The answers of 5xx, by operation and status, with the numbers of their exchanges.',
      ),
      byOperation: object({
        'update-assignment': count,
        'get-task': count,
        'get-assessment': count,
        export: count,
      }),
    }),
    pairs: maybe(
      object({ covered: count, possible: count }),
      'Of what exports can be asked for: how many pairs of parameters were asked for together, of those that what the target holds can show.',
    ),
    leftChanged: listOf(
      putBackSchema,
      'The tasks that are not as they were before the run: those that were left, and those that could not be put back.',
    ),
    unusable: maybe(
      listOf(
        unusableSchema,
        'The configured values that were shown to be of no use; others were used in their place, where there are some. Earlier versions of the suite wrote none.',
      ),
    ),
    clauses: listOf({ ...clauseResultSchema, ...factsHaveTheirForm }),
    violations: listOf(violationSchema),
  },
);

/** Whether a clause is upheld but for a part that the configuration gives nothing to judge with. */
export function isUpheldInPart({
  verdict,
  reasons,
}: Pick<ClauseResult, 'verdict' | 'reasons'>): boolean {
  return verdict === 'upheld' && reasons.some(({ kind }) => kind === 'not configured');
}

/** The content of results.json, format 3. */
export type Results = FromSchema<typeof resultsSchema>;
export type ClauseResult = FromSchema<typeof clauseResultSchema>;
export type ViolationResult = FromSchema<typeof violationSchema>;
/** What became of a task that a run wrote to. */
export type PutBack = FromSchema<typeof putBackSchema>;
/** How many pairs of parameters of an export stand in requests together, and how many could. */
export type Pairs = NonNullable<Results['pairs']>;
/** A configured value that cannot be used. */
export type UnusableValue = FromSchema<typeof unusableSchema>;
/** Why a verdict is not a plain one. */
export type Reason = FromSchema<typeof reasonSchema>;
/** Something that the configuration does not give. */
export type Lack = FromSchema<typeof lackSchema>;
