import type { OpenClause } from './clauses.ts';
import { type Observation, observations } from './observations.ts';
import { type Reason, reasonSchema } from './results.ts';

const profileSchemaId = 'https://task-audit-contract.example/schemas/profile';

/** For each of the clauses, and for no others. */
function byClause(schemaOf: (id: string) => object): object {
  const properties = Object.fromEntries(Object.keys(observations).map((id) => [id, schemaOf(id)]));
  return { type: 'object', additionalProperties: false, properties };
}

export const profileSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: profileSchemaId,
  title: 'Profile of a target',
  description:
    'What a target does on every point that the document leaves open. It holds no ids, times or personal data, and two runs on the same target make the same one, but for the date.',
  type: 'object',
  additionalProperties: false,
  required: ['$schema', 'format', 'suite', 'target', 'date', 'observations', 'notObserved'],
  properties: {
    $schema: { const: profileSchemaId },
    format: { const: 2 },
    suite: { type: 'string', description: 'The version of the suite that made it.' },
    target: {
      type: 'string',
      description:
        'The base address; of the embedded reference service, whose port changes, a name.',
    },
    date: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d$', description: 'Of the run, in UTC.' },
    observations: {
      description: 'By the id of an open clause: the facts that were observed, sorted.',
      ...byClause((id) => ({
        type: 'array',
        minItems: 1,
        items: observations[id as OpenClause].schema,
      })),
    },
    notObserved: {
      description: 'By the id of an open clause: the kinds of reasons why nothing was observed.',
      ...byClause(() => ({
        type: 'array',
        items: { enum: reasonSchema.anyOf.map(({ properties }) => properties.kind.const) },
      })),
    },
  },
} as const;

/** The content of profile.json, format 2. */
export interface Profile {
  readonly $schema: typeof profileSchemaId;
  readonly format: 2;
  readonly suite: string;
  readonly target: string;
  readonly date: string;
  readonly observations: { readonly [Id in OpenClause]?: readonly Observation<Id>[] };
  readonly notObserved: { readonly [Id in OpenClause]?: readonly Reason['kind'][] };
}

/** What the profile of the embedded reference service calls its target. */
export const embeddedTarget = 'the embedded reference service';
