import { type VariableSchema, variableNames, variables } from '../../schemas/configuration.ts';

const head = [
  'Copy this file to .env and fill in what there is; what stays empty is not set.',
  'Variables of the environment take precedence. Without BASE_URL, and without anything else that only',
  'a target needs (a key, ids, ALLOW_WRITES=yes …), the embedded reference service is checked. Where CI is',
  'set, BASE_URL set to nothing is an error; --embedded checks the reference service whatever is set.',
  'Lists may be JSON too: ["a","b"].',
];

/** The content of .env.example: every variable with what it is for and its valid form. Ends with a line feed. */
export function renderEnvExample(): string {
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
