import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { conformantRun, exampleRuns } from '../reports/example-results.fixture.ts';
import { profileOf } from '../reports/fidelity.ts';
import { jsonText } from '../reports/printable.ts';
import { parseFile, readResults } from './files.ts';

const refusal = (content: unknown): string => {
  try {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    parseFile('results', text, 'a.json');
    return 'accepted';
  } catch (error) {
    return (error as Error).message;
  }
};

test.for(Object.entries(exampleRuns))('a run that is %s is read as it was written', ([, run]) => {
  expect(parseFile('results', jsonText(run), 'a.json')).toEqual(run);
});

test.for([
  ['no JSON', '<testsuites/>', /^a\.json is not JSON: /],
  ['null', null, 'a.json does not hold valid results of a run:\n  the whole: must be object'],
  [
    'an earlier format',
    { ...conformantRun, format: 1 },
    'a.json was written by an earlier version of the suite (format 1; this version reads format 3). Run the contract again to make it anew.',
  ],
  [
    'a later format',
    { ...conformantRun, format: 4 },
    'a.json was written by a later version of the suite (format 4; this version reads format 3). Update the suite.',
  ],
  [
    'a file of another kind',
    profileOf(conformantRun),
    /^a\.json does not hold valid results of a run:/,
  ],
  [
    'a verdict that there is not',
    { ...conformantRun, verdict: 'fine' },
    'a.json does not hold valid results of a run:\n  verdict: must be one of conformant, violations, error, incomplete, not run',
  ],
  [
    'a clause with a field too many',
    { ...conformantRun, clauses: [{ ...conformantRun.clauses[0], color: 'red' }] },
    'a.json does not hold valid results of a run:\n  clauses.0: must not have "color"',
  ],
  [
    'a fact that has not the form of its clause',
    {
      ...conformantRun,
      clauses: conformantRun.clauses.map((clause) =>
        clause.id === 'update.success-status' ? { ...clause, observed: ['fine'] } : clause,
      ),
    },
    /^a\.json does not hold valid results of a run:\n {2}clauses\.\d+\.observed\.0: must be integer\n/,
  ],
  ['much that is missing', {}, /required property 'target'\n {2}and 8 more$/],
] as const)('%s is refused, and why', ([, content, message]) => {
  if (typeof message === 'string') expect(refusal(content)).toBe(message);
  else expect(refusal(content)).toMatch(message);
});

test('of a folder its results.json is read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'results-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const missing = new RegExp(
    `^Expected results of a run, but the folder "${folder}" has no results\\.json\\. Give the path of `,
  );
  await expect(readResults(folder)).rejects.toThrow(missing);
  await writeFile(join(folder, 'results.json'), jsonText(conformantRun));
  expect(await readResults(folder)).toEqual(conformantRun);
  expect(await readResults(join(folder, 'results.json'))).toEqual(conformantRun);
  await expect(readResults(join(folder, 'other'))).rejects.toThrow(
    /^Expected results of a run, but there is no file or folder ".+other"\. .+ reports\/latest\/results\.json\.$/,
  );
});
