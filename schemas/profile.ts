import type { OpenClause } from './clauses.ts';
import { described, file, listOf, named, text } from './forms.ts';
import { type Observation, observations } from './observations.ts';
import { type Reason, reasonKinds } from './results.ts';

/** A schema of an object whose keys are ids of open clauses, each with the value that `schemaOf` describes. */
function byClause(schemaOf: (id: string) => object): object {
  const properties = Object.fromEntries(Object.keys(observations).map((id) => [id, schemaOf(id)]));
  return { type: 'object', additionalProperties: false, properties };
}

export const profileSchema = file(
  named(
    'profile',
    'Profile of a target',
    'What a target does on every point that the document leaves open. It holds no ids, times or personal data, and two runs on the same target make the same one, but for the date.',
  ),
  {
    format: { const: 2 },
    suite: described(text, 'The version of the suite that made it.'),
    target: described(
      text,
      'The base address; of the embedded reference service, whose port changes, a name.',
    ),
    date: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d$', description: 'Of the run, in UTC.' },
    observations: {
      description: 'By the id of an open clause: the facts that were observed, sorted.',
      ...byClause((id) => ({
        type: 'array',
        minItems: 1,
        items: observations[id as OpenClause],
      })),
    },
    notObserved: {
      description: 'By the id of an open clause: the kinds of reasons why nothing was observed.',
      ...byClause(() => listOf({ enum: reasonKinds })),
    },
  },
);

/** The content of profile.json, format 2. */
export interface Profile {
  readonly $schema: (typeof profileSchema)['$id'];
  readonly format: 2;
  readonly suite: string;
  readonly target: string;
  readonly date: string;
  readonly observations: { readonly [Id in OpenClause]?: readonly Observation<Id>[] };
  readonly notObserved: { readonly [Id in OpenClause]?: readonly Reason['kind'][] };
}

/** What the profile of the embedded reference service calls its target. */
export const embeddedTarget = 'the embedded reference service';
