import type { FromSchema } from 'json-schema-to-ts';
import { described, listOf, maybe, named, object, text } from './forms.ts';

const someText = { type: 'string', pattern: '\\S', title: 'text that is not empty' } as const;

const knownSchema = object(
  {
    request: described(text, 'Method and path, without ids.'),
    wrong: listOf(text, 'The kind of the difference, as values.'),
    of: listOf(
      text,
      'The parameters or fields that it is about; where there are several, one of them in common is enough.',
    ),
  },
  'What is wrong with the service, whichever scenario shows it.',
);

export const waiversSchema = {
  ...named(
    'waivers',
    'Waivers',
    'The content of waivers.json: violations that are known and do not fail a run for a while.',
  ),
  type: 'array',
  items: object({
    clause: described(someText, 'Id of the clause that may be violated.'),
    reason: described(someText, 'Why that is accepted for now.'),
    owner: described(someText, 'Who sees to it that it ends.'),
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
    findings: maybe({
      type: 'array',
      minItems: 1,
      description:
        'What is known of the clause: another violation of it is not waived. Without it, every violation of the clause is.',
      items: knownSchema,
    }),
  }),
} as const;

/** One entry of waivers.json. */
export type Waiver = FromSchema<typeof waiversSchema>[number];
/** What is wrong with the service: by that a waiver knows a violation again in later runs. */
export type Known = FromSchema<typeof knownSchema>;
