import type { FromSchema } from 'json-schema-to-ts';
import { operations } from './operations.ts';

/** What became of a clause in a run. */
export const clauseVerdicts = [
  'upheld',
  'violated',
  'inconclusive',
  'not judged',
  'observed',
  'untestable',
] as const;

/** What became of a run. */
export const runVerdicts = ['conformant', 'violations', 'incomplete', 'not run'] as const;

/** The reason of a clause that is not judged because no scenario that was to be played looks at it. */
export const notSelected = 'No scenario that was selected looks at it.';

export type ClauseVerdict = (typeof clauseVerdicts)[number];
export type RunVerdict = (typeof runVerdicts)[number];

const text = { type: 'string' } as const;
const texts = { type: 'array', items: text } as const;
const count = { type: 'integer', minimum: 0 } as const;

const clauseResultSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'level', 'section', 'text', 'verdict', 'reason', 'scenarios', 'observed'],
  properties: {
    id: text,
    level: { type: 'string', enum: ['stated', 'implied', 'open'] },
    section: text,
    text,
    verdict: { type: 'string', enum: clauseVerdicts },
    reason: { ...text, description: 'Why the verdict is not a plain one; empty where it is.' },
    scenarios: { ...texts, description: 'The scenarios that judged or observed it.' },
    observed: { ...texts, description: 'What was seen of an open clause, as JSON, sorted.' },
  },
} as const;

const violationSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['clause', 'scenario', 'message', 'expected', 'actual', 'intermittent', 'exchanges'],
  properties: {
    clause: text,
    scenario: text,
    message: text,
    expected: text,
    actual: text,
    intermittent: {
      type: 'boolean',
      description: 'True where one play of the scenario showed it and the other did not.',
    },
    exchanges: { type: 'array', items: { type: 'integer', minimum: 1 } },
  },
} as const;

export const resultsSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://task-audit-contract.example/schemas/results',
  title: 'Results of a run',
  description:
    'Every clause of the document with its verdict, and every violation. Lists keep the catalogue’s order.',
  type: 'object',
  additionalProperties: false,
  required: [
    'format',
    'verdict',
    'target',
    'seed',
    'startedAt',
    'durationMs',
    'requests',
    'clauses',
    'violations',
  ],
  properties: {
    format: { const: 1 },
    verdict: { type: 'string', enum: runVerdicts },
    target: {
      type: 'object',
      additionalProperties: false,
      required: ['kind', 'baseUrl'],
      properties: { kind: { type: 'string', enum: ['embedded', 'remote'] }, baseUrl: text },
    },
    seed: { type: 'integer' },
    startedAt: { ...text, description: 'ISO 8601, UTC.' },
    durationMs: { type: 'number', minimum: 0 },
    requests: {
      type: 'object',
      additionalProperties: false,
      required: ['total', 'byOperation'],
      properties: {
        total: count,
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
    clauses: { type: 'array', items: clauseResultSchema },
    violations: { type: 'array', items: violationSchema },
  },
} as const;

/** The content of results.json, format 1. */
export type Results = FromSchema<typeof resultsSchema>;
export type ClauseResult = FromSchema<typeof clauseResultSchema>;
export type ViolationResult = FromSchema<typeof violationSchema>;
