import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { select } from '../contract/selection.ts';
import { variableNames } from '../schemas/configuration.ts';
import { clauseVerdicts } from '../schemas/results.ts';
import { scenarios } from '../suites/index.ts';

const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');

test('the README names every variable and every verdict', () => {
  const missing = [...variableNames, ...clauseVerdicts].filter(
    (name) => !readme.includes(`\`${name}\``),
  );
  expect(missing).toEqual([]);
});

test('what the README runs with --only and -t is there to be run', () => {
  const commands = [...readme.matchAll(/(?:--only|-t) (?:'([^']+)'|([a-z-]+\.[a-z-]*))/g)];
  const texts = commands.map(([, quoted, plain]) => quoted ?? plain ?? '');
  expect(texts).toHaveLength(5);
  for (const text of texts) expect(select(scenarios, { only: [text] })).not.toEqual([]);
});
