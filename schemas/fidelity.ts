import type { FromSchema } from 'json-schema-to-ts';
import { count, described, listOf, named, object, text } from './forms.ts';
import { reasonKinds, reasonSchema } from './results.ts';

const clause = { id: text, section: text, text } as const;
const side = object({ target: text, date: text });
const facts = (description: string) => listOf({}, description);

const differenceSchema = object({
  ...clause,
  reference: facts('What only the reference does, sorted.'),
  mock: facts('What only the mock does, sorted.'),
  alike: facts('What both do, sorted.'),
});

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
    differing: listOf(differenceSchema),
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
export type Difference = FromSchema<typeof differenceSchema>;
