import type { FromSchema } from 'json-schema-to-ts';

const someText = { type: 'string', pattern: '\\S', title: 'text that is not empty' } as const;

const knownSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['request', 'wrong', 'of'],
  description: 'What is wrong with the service, whichever scenario shows it.',
  properties: {
    request: { type: 'string', description: 'Method and path, without ids.' },
    wrong: {
      type: 'array',
      items: { type: 'string' },
      description: 'The kind of the difference, as values.',
    },
    of: {
      type: 'array',
      items: { type: 'string' },
      description:
        'The parameters or fields that it is about; where there are several, one of them in common is enough.',
    },
  },
} as const;

export const waiversSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://task-audit-contract.example/schemas/waivers',
  title: 'Waivers',
  description:
    'The content of waivers.json: violations that are known and do not fail a run for a while.',
  type: 'array',
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['clause', 'reason', 'owner', 'issue', 'expires'],
    properties: {
      clause: { ...someText, description: 'Id of the clause that may be violated.' },
      reason: { ...someText, description: 'Why that is accepted for now.' },
      owner: { ...someText, description: 'Who sees to it that it ends.' },
      issue: {
        type: 'string',
        pattern: '^https?://\\S+$',
        title: 'an http(s) address',
        description: 'Address of the issue that tracks it.',
      },
      expires: {
        type: 'string',
        format: 'date',
        title: 'a date like 2026-12-31',
        description: 'The last day on which it holds, in UTC.',
      },
      findings: {
        type: 'array',
        minItems: 1,
        description:
          'What is known of the clause: another violation of it is not waived. Without it, every violation of the clause is.',
        items: knownSchema,
      },
    },
  },
} as const;

/** One entry of waivers.json. */
export type Waiver = FromSchema<typeof waiversSchema>[number];
/** What a violation is known again by: what is wrong with the service. */
export type Known = FromSchema<typeof knownSchema>;
