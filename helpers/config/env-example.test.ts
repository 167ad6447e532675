import { parse } from 'dotenv';
import { expect, test } from 'vitest';
import { type VariableSchema, variableNames, variables } from '../../schemas/configuration.ts';

const head = [
  'Copy this file to .env and fill in what there is; what stays empty is not set.',
  'Variables of the environment take precedence. Without BASE_URL the embedded reference service is',
  'checked, and the verdict says so; where anything else is set that only a target needs (a key, ids,',
  'REQUIRE_TARGET=yes …), that is an error. --embedded checks the reference service whatever is set.',
  'Lists may be JSON too: ["a","b"].',
];

/** The content of .env.example: every variable with what it is for and its valid form. Ends with a line feed. */
function renderEnvExample(): string {
  const blocks = variableNames.map((name) => {
    const { description, title, examples, default: standard }: VariableSchema = variables[name];
    return [
      `# ${description}`,
      `# Form: ${title}`,
      standard === undefined ? `# Example: ${examples[0]}` : `# Default: ${standard}`,
      `${name}=`,
      '',
    ];
  });
  return [...head.map((line) => `# ${line}`), '', ...blocks.flat()].join('\n');
}

// `npm run update` writes the file anew.
test('.env.example is what the schema says', async () => {
  await expect(renderEnvExample()).toMatchFileSnapshot('../../.env.example');
});

test('as it is, it sets nothing', () => {
  const values = parse(renderEnvExample());
  expect(Object.keys(values)).toEqual(variableNames);
  expect(Object.values(values).join('')).toBe('');
});
