import type { FromSchema } from 'json-schema-to-ts';
import { differenceSchema } from './difference.ts';
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
 * How the response to a request was lost. `not reached`: there is no such host, or no way to it. `no TLS`: the handshake failed. `given up`: the run itself ended
 * it, because it was over, or the file was too large.
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

const text = { type: 'string' } as const;
const texts = { type: 'array', items: text } as const;
const count = { type: 'integer', minimum: 0 } as const;
const exchanges = {
  type: 'array',
  description: 'The numbers of the exchanges that show it.',
  items: { type: 'integer', minimum: 1 },
} as const;

/** By what a configured value is known to be of no use: an answer, or that there is none. */
const unusableBy = {
  status: { type: 'integer', description: 'What the target answered to it.' },
  answer: { ...text, description: 'The beginning of the body that came with that, on one line.' },
  or: {
    type: 'array',
    description:
      'Who may be the wrong ones instead: the same refused writes name them, and nothing tells which it is.',
    items: {
      type: 'object',
      additionalProperties: false,
      required: ['variable', 'value'],
      properties: { variable: text, value: text },
    },
  },
  exchangedWith: {
    ...text,
    description: 'The variable that it may belong into: nobody of either was accepted.',
  },
  loss: { type: 'string', enum: losses, description: 'Why nothing answered at it.' },
} as const;

const unusableSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['variable', 'value'],
  description: 'A configured value that cannot be used, and what shows that.',
  properties: { variable: text, value: text, ...unusableBy },
} as const;

const lackSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['variable', 'what'],
  properties: {
    variable: { ...text, description: 'The variable that would give it.' },
    what: { ...text, description: 'What is missing, as a phrase: "a second user".' },
    unusable: {
      type: 'array',
      description: 'The configured values that cannot be used, and what shows that.',
      minItems: 1,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['value'],
        properties: { value: text, ...unusableBy },
      },
    },
  },
} as const;

const reason = <const Kind extends string>(kind: Kind, description: string) =>
  ({
    type: 'object',
    additionalProperties: false,
    required: ['kind'],
    description,
    properties: { kind: { const: kind } },
  }) as const;

const explained = <const Kind extends string>(kind: Kind, description: string) =>
  ({
    type: 'object',
    additionalProperties: false,
    required: ['kind', 'why', 'on'],
    description,
    properties: { kind: { const: kind }, why: text, on: exchanges },
  }) as const;

export const reasonSchema = {
  description: 'Why a verdict is not a plain one.',
  anyOf: [
    reason('not selected', 'The run was one of chosen clauses, and the clause is none of them.'),
    reason('left out', 'It is left out on purpose (EXCEPT).'),
    reason('nothing seen', 'An open clause of which nothing came up.'),
    {
      type: 'object',
      additionalProperties: false,
      required: ['kind', 'lacks'],
      description: 'The configuration gives nothing to judge with.',
      properties: {
        kind: { const: 'not configured' },
        lacks: { type: 'array', items: lackSchema, minItems: 1 },
      },
    },
    explained('not applicable', 'What this target holds gives nothing to judge with.'),
    explained('not run', 'The run ended before, or could not start.'),
    explained('inconclusive', 'The evidence does not decide.'),
    explained('untestable', 'No request can show it.'),
    explained('suite failure', 'The suite itself failed; `why` is the error, with its stack.'),
  ],
} as const;

const clauseResultSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'level', 'section', 'text', 'verdict', 'reasons', 'scenarios', 'observed'],
  properties: {
    id: text,
    level: { type: 'string', enum: ['stated', 'implied', 'open'] },
    section: text,
    text,
    verdict: { type: 'string', enum: clauseVerdicts },
    reasons: {
      type: 'array',
      description:
        'Why the verdict is not a plain one, or what one that is upheld does not stand on: beside `upheld`, `not configured` names what is missing to judge the rest of the clause. Empty where there is nothing of the kind.',
      items: reasonSchema,
    },
    scenarios: { ...texts, description: 'The scenarios that judged or observed it.' },
    observed: {
      type: 'array',
      description: 'The facts that were observed of an open clause, sorted.',
      items: {},
    },
  },
} as const;

/** What is observed of each open clause has the form of its facts. Left to validators: the type knows facts as `unknown`. */
const factsHaveTheirForm: object = {
  allOf: Object.entries(observations).map(([id, { schema }]) => ({
    if: { type: 'object', required: ['id'], properties: { id: { const: id } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { observed: { type: 'array', items: schema } } },
  })),
};

const violationSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['clause', 'scenario', 'difference', 'on', 'intermittent'],
  properties: {
    clause: text,
    scenario: text,
    difference: differenceSchema,
    on: {
      type: 'array',
      description: 'The exchanges that show it, the one to blame first.',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['exchange', 'request'],
        properties: {
          exchange: { type: 'integer', minimum: 1 },
          request: { ...text, description: 'Method and path, without ids.' },
          sends: {
            type: 'string',
            enum: ['update', 'unassign'],
            description: 'Of a write: which of the two objects its body holds, where it is one.',
          },
        },
      },
    },
    intermittent: {
      type: 'boolean',
      description: 'True where one run of the scenario showed it and the other did not.',
    },
    sequence: {
      ...exchanges,
      description:
        'The exchanges to send again, in this order, for it to show again: those that show it, and what must come before.',
    },
  },
} as const;

/** As the target writes it, right or wrong. */
const assignmentSchema = {
  anyOf: [
    { type: 'null' },
    {
      type: 'object',
      additionalProperties: false,
      properties: {
        assigned_by_id: {},
        assigned_to_id: {},
        assigned_to_type: {},
        assignment_comment: {},
      },
    },
  ],
} as const;

const putBackSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['taskId', 'outcome', 'before'],
  description: 'What became of a task that was written to.',
  properties: {
    taskId: text,
    outcome: {
      type: 'string',
      enum: ['as before', 'put back', 'left', 'failed'],
      description:
        '`as before`: nothing was to be done. `left`: somebody else has changed it, and that stands. `failed`: it could not be put back.',
    },
    before: { ...assignmentSchema, description: 'Its assignment before the run.' },
    why: {
      anyOf: [
        reason('changed during the run', 'By somebody else, and as they left it it is now.'),
        reason(
          'other fields changed',
          'After the last write of the run, by somebody else or a workflow; not the assignment.',
        ),
        reason(
          'another run is there',
          'Another run of the suite wrote to some of the tasks meanwhile: what this one read last need not stand.',
        ),
        {
          type: 'object',
          additionalProperties: false,
          required: ['kind', 'since', 'now'],
          description:
            'After the last write of the run, somebody else has assigned it, or another run of the suite has.',
          properties: {
            kind: { enum: ['reassigned', 'another run'] },
            since: { ...text, description: 'The updated_at that it has since.' },
            now: assignmentSchema,
          },
        },
        {
          type: 'object',
          additionalProperties: false,
          required: ['kind', 'status', 'now'],
          description: 'The write that was to put it back was answered, and changed nothing.',
          properties: {
            kind: { const: 'not carried out' },
            status: { type: 'integer' },
            now: assignmentSchema,
          },
        },
        {
          type: 'object',
          additionalProperties: false,
          required: ['kind', 'status', 'on'],
          description: 'The target refused to show it.',
          properties: {
            kind: { const: 'not readable' },
            status: { type: 'integer' },
            on: exchanges,
          },
        },
        explained('no answer', 'The task could not be read or written.'),
      ],
    },
  },
} as const;

const failedSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['operation', 'cause', 'count', 'repeated'],
  properties: {
    operation: { type: 'string', enum: operations },
    cause: {
      description: 'The status that was no answer yet, or how the response was lost.',
      anyOf: [{ type: 'integer' }, { type: 'string', enum: losses }],
    },
    count: { ...count, description: 'How many requests it befell.' },
    repeated: { ...count, description: 'How many of them were sent again.' },
  },
} as const;

const serverErrorsSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['operation', 'status', 'passed', 'on'],
  properties: {
    operation: { type: 'string', enum: operations },
    status: { type: 'integer', minimum: 500 },
    passed: {
      type: 'boolean',
      description: 'Whether the last answer to the same request was no server error.',
    },
    on: { type: 'array', items: { type: 'integer', minimum: 1 }, minItems: 1 },
  },
} as const;

const resultsSchemaId = 'https://task-audit-contract.example/schemas/results';

export const resultsSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: resultsSchemaId,
  title: 'Results of a run',
  description:
    'Every clause of the document with its verdict, and every violation. Lists keep the catalogue’s order.',
  type: 'object',
  additionalProperties: false,
  required: [
    '$schema',
    'format',
    'suite',
    'verdict',
    'target',
    'seed',
    'startedAt',
    'durationMs',
    'interruptedBy',
    'requests',
    'clauses',
    'violations',
  ],
  properties: {
    $schema: { const: resultsSchemaId },
    format: { const: 3 },
    suite: { ...text, description: 'The version of the suite that made them.' },
    verdict: { type: 'string', enum: runVerdicts },
    target: {
      type: 'object',
      additionalProperties: false,
      required: ['kind', 'baseUrl'],
      properties: {
        kind: { type: 'string', enum: ['embedded', 'remote'] },
        baseUrl: text,
        envFile: { ...text, description: 'The file of variables that the run was given by name.' },
      },
    },
    seed: { type: 'integer' },
    startedAt: { ...text, description: 'ISO 8601, UTC.' },
    durationMs: { type: 'number', minimum: 0 },
    interruptedBy: {
      type: ['string', 'null'],
      description:
        'What ended the run before its time: a signal, or "a kill"; null where it ended by itself.',
    },
    requests: {
      type: 'object',
      additionalProperties: false,
      required: ['total', 'repeated', 'lost', 'throttled', 'byOperation'],
      properties: {
        total: count,
        repeated: {
          ...count,
          description: 'Those that were sent because an earlier one had to be repeated.',
        },
        lost: { ...count, description: 'Those that got no whole response.' },
        throttled: { ...count, description: 'Those that were answered with 429.' },
        failed: {
          type: 'array',
          description:
            'The requests that were lost, answered with 429, or sent again, by operation and cause; earlier versions of the suite wrote none.',
          items: failedSchema,
        },
        serverErrors: {
          type: 'array',
          description:
            'The answers of 5xx, by operation and status, with the numbers of their exchanges; earlier versions of the suite wrote none.',
          items: serverErrorsSchema,
        },
        byOperation: {
          type: 'object',
          additionalProperties: false,
          required: operations,
          properties: {
            'update-assignment': count,
            'get-task': count,
            'get-assessment': count,
            export: count,
          },
        },
      },
    },
    leftChanged: {
      type: 'array',
      description:
        'The tasks that are not as they were before the run: those that were left, and those that could not be put back. Earlier versions of the suite wrote none.',
      items: putBackSchema,
    },
    unusable: {
      type: 'array',
      description:
        'The configured values that were shown to be of no use; others were used in their place, where there are some. Earlier versions of the suite wrote none.',
      items: unusableSchema,
    },
    clauses: { type: 'array', items: { ...clauseResultSchema, ...factsHaveTheirForm } },
    violations: { type: 'array', items: violationSchema },
  },
} as const;

/** Whether a clause is upheld, and the configuration gives nothing to judge a part of it with. */
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
/** Requests of an operation that failed for one cause. */
export type FailedRequests = FromSchema<typeof failedSchema>;
/** Answers of 5xx to an operation. */
export type ServerErrors = FromSchema<typeof serverErrorsSchema>;
/** A configured value that cannot be used. */
export type UnusableValue = FromSchema<typeof unusableSchema>;
/** Why a verdict is not a plain one. */
export type Reason = FromSchema<typeof reasonSchema>;
/** Something that the configuration does not give. */
export type Lack = FromSchema<typeof lackSchema>;
