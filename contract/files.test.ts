import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { conformantRun, exampleRuns } from '../reports/example-results.ts';
import { renderJson } from '../reports/json.ts';
import { parseResults, readResults } from './read-results.ts';

const refusal = (content: unknown): string => {
  try {
    parseResults(typeof content === 'string' ? content : JSON.stringify(content), 'a.json');
    return 'accepted';
  } catch (error) {
    return (error as Error).message;
  }
};

test.for(Object.entries(exampleRuns))('a run that is %s is read as it was written', ([, run]) => {
  expect(parseResults(renderJson(run), 'a.json')).toEqual(run);
});

test.for([
  ['no JSON', '<testsuites/>', /^a\.json is not JSON: /],
  ['null', null, 'a.json holds no results of a run:\n  the whole: must be object'],
  [
    'another format',
    { ...conformantRun, format: 2 },
    'a.json holds no results of a run:\n  format: must be 1',
  ],
  [
    'a verdict that there is not',
    { ...conformantRun, verdict: 'fine' },
    'a.json holds no results of a run:\n  verdict: must be one of conformant, violations, incomplete, not run',
  ],
  [
    'a clause too many things are said of',
    { ...conformantRun, clauses: [{ ...conformantRun.clauses[0], color: 'red' }] },
    'a.json holds no results of a run:\n  clauses.0: must not have "color"',
  ],
  ['much that is missing', {}, /required property 'startedAt'\n {2}and 4 more$/],
] as const)('%s is refused, and why', ([, content, message]) => {
  if (typeof message === 'string') expect(refusal(content)).toBe(message);
  else expect(refusal(content)).toMatch(message);
});

test('of a folder its results.json is read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'results-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const missing = new RegExp(`^${folder}: ENOENT: .*results\\.json`);
  await expect(readResults(folder)).rejects.toThrow(missing);
  await writeFile(join(folder, 'results.json'), renderJson(conformantRun));
  expect(await readResults(folder)).toEqual(conformantRun);
  expect(await readResults(join(folder, 'results.json'))).toEqual(conformantRun);
});
