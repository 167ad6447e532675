import type { FromSchema } from 'json-schema-to-ts';
import { described, file, listOf, maybe, named, object, text } from './forms.ts';

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
