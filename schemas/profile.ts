import type { FromSchema } from 'json-schema-to-ts';

const seenSchema = {
  anyOf: [
    { type: 'string' },
    { type: 'number' },
    { type: 'array', items: { type: 'string' }, description: 'Names whose order counts.' },
  ],
} as const;

export const profileSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://task-audit-contract.example/schemas/profile',
  title: 'Profile of a target',
  description:
    'What a target does on every point that the document leaves open. It holds no ids, times or personal data, and two runs on the same target make the same one, but for the date.',
  type: 'object',
  additionalProperties: false,
  required: ['format', 'target', 'date', 'observations', 'notObserved'],
  properties: {
    format: { const: 1 },
    target: {
      type: 'string',
      description:
        'The base address; of the embedded reference service, whose port changes, a name.',
    },
    date: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d$', description: 'Of the run, in UTC.' },
    observations: {
      type: 'object',
      description: 'By the id of an open clause: everything that was seen, sorted.',
      additionalProperties: { type: 'array', items: seenSchema, minItems: 1 },
    },
    notObserved: {
      type: 'object',
      description: 'By the id of an open clause: why nothing was seen.',
      additionalProperties: { type: 'string' },
    },
  },
} as const;

/** The content of profile.json, format 1. */
export type Profile = FromSchema<typeof profileSchema>;

/** One thing that was seen of an open clause. */
export type Seen = FromSchema<typeof seenSchema>;

/** What the profile of the embedded reference service calls its target. */
export const embeddedTarget = 'the embedded reference service';
