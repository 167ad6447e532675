import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { configurationSchema, jsonFormats } from './configuration.ts';
import { fidelitySchema, profileSchema, waiversSchema } from './files.ts';
import {
  assessmentSchema,
  assignmentSchema,
  taskSchema,
  updateAssignmentSchema,
} from './resources.ts';
import { resultsSchema } from './results.ts';

const schemas = {
  assessmentSchema,
  assignmentSchema,
  configurationSchema,
  fidelitySchema,
  profileSchema,
  resultsSchema,
  taskSchema,
  updateAssignmentSchema,
  waiversSchema,
  ...jsonFormats,
};

// Where they are used they are trusted, which halves the time that it takes to compile them.
test.each(Object.entries(schemas))('%s is a JSON Schema of the draft 2020-12', (_, schema) => {
  const ajv = new Ajv2020();
  expect(ajv.validateSchema(schema), ajv.errorsText()).toBe(true);
});
