import type { FromSchema } from 'json-schema-to-ts';
import type { OpenClause } from './clauses.ts';
import { count, described, file, listOf, maybe, named, object, text } from './forms.ts';
import { type Observation, observations } from './observations.ts';
import { type Reason, reasonKinds, reasonSchema } from './results.ts';

// The files that the suite writes, prints and reads, but for results.json (`results.ts`).

/** What `clauses --json` prints. */
export const catalogueSchema = file(named('catalogue', 'Clauses of the document'), {
  suite: described(text, 'The version of the suite.'),
  clauses: listOf(
    object({
      id: described(text, 'Permanent.'),
      level: { enum: ['stated', 'implied', 'open'] },
      section: described(text, 'The heading of the document.'),
      text: described(text, 'What the document says there.'),
      untestable: maybe(text, 'Why no request can show it.'),
      scenarios: listOf(text, 'The scenarios that judge or observe it.'),
    }),
    'In the order of the document.',
  ),
});

export type Catalogue = FromSchema<typeof catalogueSchema>;

/** What `doctor --json` prints. */
export const checkUpSchema = file(named('check-up', 'What doctor found'), {
  suite: described(text, 'The version of the suite.'),
  target: described(text, 'The base address.'),
  isReady: described({ type: 'boolean' }, 'Whether nothing is bad; the exit code is 0 then.'),
  topics: listOf(
    object({
      topic: text,
      findings: listOf(
        object({
          mark: described(
            { enum: ['ok', 'note', 'bad'] },
            'bad: a run would suffer from it; note: it would judge less.',
          ),
          text: described(text, 'For people.'),
        }),
      ),
    }),
  ),
});

export type CheckUpFile = FromSchema<typeof checkUpSchema>;

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

const clause = { id: text, section: text, text } as const;
const side = object({ target: text, date: text });
const facts = (description: string) => listOf({}, description);

export const fidelitySchema = {
  ...named(
    'fidelity',
    'Fidelity of a mock',
    'Which clauses a mock violates, and where, on the points that the document leaves open, it does otherwise than the reference. Lists keep the catalogue’s order.',
  ),
  ...object({
    format: { const: 2 },
    reference: side,
    mock: side,
    counts: object({
      upheld: count,
      violated: count,
      unjudged: count,
      alike: count,
      differing: count,
      uncompared: count,
    }),
    violated: listOf(
      object({
        ...clause,
        what: described(text, 'What is wrong, in a line.'),
        expected: text,
        actual: text,
        more: described(count, 'In how many more scenarios it showed.'),
      }),
      'Stated and implied clauses that the mock violates, each with its first violation.',
    ),
    differing: listOf(
      object({
        ...clause,
        reference: facts('What only the reference does, sorted.'),
        mock: facts('What only the mock does, sorted.'),
        alike: facts('What both do, sorted.'),
      }),
    ),
    uncompared: listOf(
      object({
        ...clause,
        reference: listOf(
          { enum: reasonKinds },
          'Why it was not observed of the reference; empty: it was.',
        ),
        mock: listOf(reasonSchema, 'Why it was not observed of the mock; empty: it was.'),
      }),
      'Open clauses of which one of both was not observed.',
    ),
    unjudged: listOf(
      object({ ...clause, reasons: listOf(reasonSchema) }),
      'Stated and implied clauses that could not be decided of the mock, or not in full.',
    ),
    alike: listOf(text, 'Ids of the open clauses that are alike.'),
  }),
} as const;

/** The content of fidelity.json, format 2. */
export type Fidelity = FromSchema<typeof fidelitySchema>;

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
