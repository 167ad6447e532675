import type { FromSchema } from 'json-schema-to-ts';
import { reasonSchema } from './results.ts';

const text = { type: 'string' } as const;
const count = { type: 'integer', minimum: 0 } as const;
const facts = { type: 'array', items: {} } as const;
const kinds = {
  type: 'array',
  items: { enum: reasonSchema.anyOf.map(({ properties }) => properties.kind.const) },
} as const;

const clause = { id: text, section: text, text } as const;
const ofClause = ['id', 'section', 'text'] as const;

const differenceSchema = {
  type: 'object',
  additionalProperties: false,
  required: [...ofClause, 'reference', 'mock', 'alike'],
  properties: {
    ...clause,
    reference: { ...facts, description: 'What only the reference does, sorted.' },
    mock: { ...facts, description: 'What only the mock does, sorted.' },
    alike: { ...facts, description: 'What both do, sorted.' },
  },
} as const;

const undecidedSchema = {
  type: 'object',
  additionalProperties: false,
  required: [...ofClause, 'reasons'],
  properties: { ...clause, reasons: { type: 'array', items: reasonSchema } },
} as const;

const uncomparedSchema = {
  type: 'object',
  additionalProperties: false,
  required: [...ofClause, 'reference', 'mock'],
  properties: {
    ...clause,
    reference: {
      ...kinds,
      description: 'Why it was not observed of the reference; empty: it was.',
    },
    mock: {
      type: 'array',
      items: reasonSchema,
      description: 'Why it was not observed of the mock; empty: it was.',
    },
  },
} as const;

const sideSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['target', 'date'],
  properties: { target: text, date: text },
} as const;

export const fidelitySchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://task-audit-contract.example/schemas/fidelity',
  title: 'Fidelity of a mock',
  description:
    'Which clauses a mock violates, and where, on the points that the document leaves open, it does otherwise than the reference. Lists keep the catalogue’s order.',
  type: 'object',
  additionalProperties: false,
  required: [
    'format',
    'reference',
    'mock',
    'counts',
    'violated',
    'differing',
    'uncompared',
    'unjudged',
    'alike',
  ],
  properties: {
    format: { const: 2 },
    reference: sideSchema,
    mock: sideSchema,
    counts: {
      type: 'object',
      additionalProperties: false,
      required: ['upheld', 'violated', 'unjudged', 'alike', 'differing', 'uncompared'],
      properties: {
        upheld: count,
        violated: count,
        unjudged: count,
        alike: count,
        differing: count,
        uncompared: count,
      },
    },
    violated: {
      type: 'array',
      description:
        'Stated and implied clauses that the mock violates, each with its first violation.',
      items: {
        type: 'object',
        additionalProperties: false,
        required: [...ofClause, 'what', 'expected', 'actual', 'more'],
        properties: {
          ...clause,
          what: { ...text, description: 'What was done.' },
          expected: text,
          actual: text,
          more: { ...count, description: 'In how many more scenarios it showed.' },
        },
      },
    },
    differing: { type: 'array', items: differenceSchema },
    uncompared: {
      type: 'array',
      description: 'Open clauses of which one of both was not observed.',
      items: uncomparedSchema,
    },
    unjudged: {
      type: 'array',
      description:
        'Stated and implied clauses that could not be decided of the mock, or not in full.',
      items: undecidedSchema,
    },
    alike: { type: 'array', items: text, description: 'Ids of the open clauses that are alike.' },
  },
} as const;

/** The content of fidelity.json, format 2. */
export type Fidelity = FromSchema<typeof fidelitySchema>;
export type Difference = FromSchema<typeof differenceSchema>;
