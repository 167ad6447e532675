import { Ajv2020 } from 'ajv/dist/2020.js';
import { isTimestamp } from '../schemas/resources.ts';

/** Compiles the project's own schemas; the only place that says how. */
export const ajv = new Ajv2020({
  strict: true,
  allErrors: true,
  allowUnionTypes: true,
  verbose: true,
  // A test validates the schemas once and for all; to do so here would double the time of a start.
  validateSchema: false,
});

ajv.addFormat('iso-utc', { type: 'string', validate: isTimestamp });
ajv.addFormat('date', {
  type: 'string',
  validate: (text: string) => isTimestamp(`${text}T00:00:00Z`),
});
ajv.addFormat('url', { type: 'string', validate: (text: string) => URL.canParse(text) });
// What the schema of the configuration says of a variable besides its form.
ajv.addVocabulary(['scope', 'confidential', 'isAlsoLowerCase', 'isList', 'isInteger', 'flag']);
