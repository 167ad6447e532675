import { describe, expect, test } from 'vitest';
import { ajv } from '../helpers/ajv.ts';
import { resultsSchema } from '../schemas/results.ts';
import { exampleRuns, violatedRun } from './example-results.fixture.ts';
import { renderJson } from './json.ts';

const validate = ajv.compile(resultsSchema);

describe('results.json', () => {
  for (const [name, results] of Object.entries(exampleRuns)) {
    test(`of a run that is ${name} matches its golden file, and fits its schema`, async () => {
      const json = renderJson(results);
      await expect(json).toMatchFileSnapshot(`golden/${name}/results.json`);
      validate(JSON.parse(json));
      expect(validate.errors).toBe(null);
    });
  }

  test('has its keys in order whatever order they came in', () => {
    const reversed = Object.fromEntries(Object.entries(violatedRun).reverse());
    expect(renderJson({ ...violatedRun, ...reversed })).toBe(renderJson(violatedRun));
    expect(Object.keys(JSON.parse(renderJson(violatedRun)))).toEqual(
      Object.keys(resultsSchema.properties),
    );
  });
});
