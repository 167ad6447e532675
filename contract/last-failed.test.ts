import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { conformantRun, violatedRun } from '../reports/example-results.fixture.ts';
import { jsonText } from '../reports/printable.ts';
import { clauseIdsOf } from '../runner/scenario.ts';
import type { Results } from '../schemas/results.ts';
import { scenarios } from '../suites/index.ts';
import { lastFailed } from './last-failed.ts';

/** The folder of the last whole run, beside that of the last run of chosen clauses. */
async function reportsOf(runs: Readonly<Record<string, Results>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'last-failed-'));
  for (const [name, results] of Object.entries(runs)) {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, 'results.json'), jsonText(results));
  }
  return join(folder, 'latest');
}

const later = (results: Results): Results => ({
  ...results,
  startedAt: '2027-01-01T00:00:00.000Z',
});

test.for([
  ['the last whole run', { latest: violatedRun }],
  ['the last run of chosen clauses', { chosen: violatedRun }],
  ['whichever is later', { latest: conformantRun, chosen: later(violatedRun) }],
] as const)('the clauses that %s found violated are judged again', async ([, runs]) => {
  const failed = await lastFailed(await reportsOf(runs), scenarios);
  expect(failed.last.violations).toEqual(violatedRun.violations);
  expect(new Set(failed.scenarios.flatMap(clauseIdsOf))).toEqual(
    new Set(violatedRun.violations.map(({ clause }) => clause)),
  );
});

test('where the last run found nothing, or there is none, that is said', async () => {
  const fine = await reportsOf({ latest: violatedRun, chosen: later(conformantRun) });
  await expect(lastFailed(fine, scenarios)).rejects.toThrow(
    '--last-failed: the last run, of 2027-01-01 00:00:00 UTC, found nothing violated: there is nothing to run again.',
  );
  await expect(lastFailed(await reportsOf({}), scenarios)).rejects.toThrow(
    'Expected results of a run, but there is no file or folder ',
  );
});
