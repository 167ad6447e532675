import { expect, test } from 'vitest';
import { mayImport, wrongImports } from './imports.mjs';

test.for([
  [
    'suites/writes.ts',
    `import { serve } from '../reference/serve.ts';`,
    ['suites must not import reference/serve.ts'],
  ],
  ['reference/rules/version.ts', `import type { Task } from '../../schemas/task.ts';`, []],
  [
    'reference/rules/version.ts',
    `const a = await import('../../helpers/api.ts');`,
    ['reference must not import helpers/api.ts'],
  ],
  ['helpers/http/client.ts', `export { a } from './exchange.ts';`, []],
  [
    'tools/openapi/description.ts',
    `import { a } from '../../helpers/api.ts';`,
    ['tools/openapi must not import helpers/api.ts'],
  ],
  ['tools/bench/bench.ts', `import { a } from '../../helpers/api.ts';`, []],
  ['commands/check.ts', `import '../cli.ts';`, ['commands must not import cli.ts']],
  ...['reference', 'reports', 'contract', 'commands', 'vitest'].map(
    (directory) =>
      [
        `${directory}/a.ts`,
        `import { allFaults } from '../proof/faults.ts';`,
        [`${directory} must not import proof/faults.ts`],
      ] as const,
  ),
  ['tools/oracle/plays.ts', `import { faults } from '../../proof/faults.ts';`, []],
] as const)('%s: %s', ([path, text, expected]) => {
  expect(wrongImports(path, text).map((line) => line.replace(/^.*:1: /, ''))).toEqual(expected);
});

test('the line is named', () => {
  const text = `// first\nimport { a } from '../runner/run.ts';\n`;
  expect(wrongImports('schemas/task.ts', text)).toEqual([
    'schemas/task.ts:2: schemas must not import runner/run.ts',
  ]);
});

test('what may import another directory is not imported by it', () => {
  for (const [from, targets] of Object.entries(mayImport))
    for (const target of targets) expect(mayImport[target]).not.toContain(from);
});
