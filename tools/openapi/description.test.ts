import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { description, renderDescription } from './description.ts';
import {
  assessmentExample,
  assignmentExample,
  taskExample,
  unassignExample,
  updateExample,
} from './examples.ts';

// `npm run update` writes the file anew.
test('openapi.json is what the schemas and clauses say', async () => {
  await expect(renderDescription()).toMatchFileSnapshot('../../openapi.json');
});

test('it is valid OpenAPI 3.1', async () => {
  const text = renderDescription();
  const validator = new Validator();
  expect(await validator.validate(JSON.parse(text))).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
});

describe('an example is valid by the schema it stands beside:', () => {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false });
  addFormats.default(ajv);
  ajv.addKeyword('components');
  ajv.addSchema({ $id: 'description', components: description.components });

  test.for([
    ['Task', taskExample],
    ['Task', { ...taskExample, assignment: null }],
    ['Assignment', assignmentExample],
    ['Assessment', assessmentExample],
    ['UpdateAssignment', updateExample],
    ['UpdateAssignment', unassignExample],
  ] as const)('%s', ([name, example]) => {
    const isValid = ajv.getSchema(`description#/components/schemas/${name}`);
    expect(isValid?.(example)).toBe(true);
    expect(isValid?.({ ...example, assigned_to_type: 7, update: 7, id: 7 })).toBe(false);
  });
});
