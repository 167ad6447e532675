import type { FromSchema } from 'json-schema-to-ts';
import { described, file, listOf, named, object, text } from './forms.ts';

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
