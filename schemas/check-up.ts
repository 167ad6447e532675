import type { FromSchema } from 'json-schema-to-ts';

const text = { type: 'string' } as const;

/** What `doctor --json` prints. */
export const checkUpSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://task-audit-contract.example/schemas/check-up',
  title: 'What doctor found',
  type: 'object',
  additionalProperties: false,
  required: ['$schema', 'suite', 'target', 'isReady', 'topics'],
  properties: {
    $schema: { const: 'https://task-audit-contract.example/schemas/check-up' },
    suite: { ...text, description: 'The version of the suite.' },
    target: { ...text, description: 'The base address.' },
    isReady: { type: 'boolean', description: 'Whether nothing is bad; the exit code is 0 then.' },
    topics: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['topic', 'findings'],
        properties: {
          topic: text,
          findings: {
            type: 'array',
            items: {
              type: 'object',
              additionalProperties: false,
              required: ['mark', 'text'],
              properties: {
                mark: {
                  enum: ['ok', 'note', 'bad'],
                  description: 'bad: a run would suffer from it; note: it would judge less.',
                },
                text: { ...text, description: 'For people.' },
              },
            },
          },
        },
      },
    },
  },
} as const;

export type CheckUpFile = FromSchema<typeof checkUpSchema>;
