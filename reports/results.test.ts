import { describe, expect, test } from 'vitest';
import { ajv } from '../helpers/ajv.ts';
import { resultsSchema } from '../schemas/results.ts';
import { exampleRuns } from './example-results.fixture.ts';
import { jsonText } from './printable.ts';

const validate = ajv.compile(resultsSchema);

describe('results.json', () => {
  for (const [name, results] of Object.entries(exampleRuns)) {
    test(`of a run that is ${name} matches its golden file, and fits its schema`, async () => {
      const json = jsonText(results);
      await expect(json).toMatchFileSnapshot(`golden/${name}/results.json`);
      validate(JSON.parse(json));
      expect(validate.errors).toBe(null);
    });
  }
});
