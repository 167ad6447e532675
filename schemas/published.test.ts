import { expect, test } from 'vitest';
import {
  catalogueSchema,
  checkUpSchema,
  fidelitySchema,
  profileSchema,
  waiversSchema,
} from './files.ts';
import { resultsSchema } from './results.ts';

// The schemas of the files that the suite writes, prints and reads, as files for programs of other people.
// `npm run update` writes them anew.
test.for([
  ['results', resultsSchema],
  ['profile', profileSchema],
  ['fidelity', fidelitySchema],
  ['waivers', waiversSchema],
  ['catalogue', catalogueSchema],
  ['check-up', checkUpSchema],
] as const)(
  'schemas/published/%s.schema.json is what this version writes and reads',
  async ([name, schema]) => {
    const text = `${JSON.stringify(schema, null, 2)}\n`;
    await expect(text).toMatchFileSnapshot(`published/${name}.schema.json`);
  },
);
