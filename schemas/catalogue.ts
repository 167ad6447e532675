import type { FromSchema } from 'json-schema-to-ts';

const text = { type: 'string' } as const;

/** What `clauses --json` prints. */
export const catalogueSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://task-audit-contract.example/schemas/catalogue',
  title: 'Clauses of the document',
  type: 'object',
  additionalProperties: false,
  required: ['$schema', 'suite', 'clauses'],
  properties: {
    $schema: { const: 'https://task-audit-contract.example/schemas/catalogue' },
    suite: { ...text, description: 'The version of the suite.' },
    clauses: {
      type: 'array',
      description: 'In the order of the document.',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['id', 'level', 'section', 'text', 'scenarios'],
        properties: {
          id: { ...text, description: 'Permanent.' },
          level: { enum: ['stated', 'implied', 'open'] },
          section: { ...text, description: 'The heading of the document.' },
          text: { ...text, description: 'What the document says there.' },
          untestable: { ...text, description: 'Why no request can show it.' },
          scenarios: {
            type: 'array',
            description: 'The scenarios that judge or observe it.',
            items: text,
          },
        },
      },
    },
  },
} as const;

export type Catalogue = FromSchema<typeof catalogueSchema>;
