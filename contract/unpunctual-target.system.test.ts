import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { en, Faker } from '@faker-js/faker';
import { expect, test } from 'vitest';
import type { Results } from '../schemas/results.ts';
import { emptyFolder, startCommand } from './process.fixture.ts';
import { shareTarget } from './shared-target.fixture.ts';

// The whole command against targets that are right, and only take their time or tell another one: whatever can be
// judged is judged, nothing is accused, and all is put back.

async function verdictsIn(folder: string): Promise<Pick<Results, 'clauses' | 'violations'>> {
  const results: Results = JSON.parse(await readFile(join(folder, 'reports/results.json'), 'utf8'));
  const isUndecided = (verdict: string): boolean =>
    verdict === 'inconclusive' || verdict === 'error';
  return {
    violations: results.violations,
    clauses: results.clauses.filter(({ verdict }) => isUndecided(verdict)),
  };
}

test.for([
  ['ahead of ours', 90_000],
  ['behind ours', -90_000],
] as const)('a target whose clock is ninety seconds %s', async ([, difference]) => {
  const folder = await emptyFolder();
  const clock = (): number => Date.now() + difference;
  const target = await shareTarget(
    folder,
    async (request, handle) => {
      const response = await handle(request);
      const date = new Date(clock()).toUTCString();
      return { ...response, headers: { ...response.headers, date } };
    },
    { clock },
  );
  const before = await target.assignments();
  await startCommand([], folder, target.variables).ended;
  expect(await verdictsIn(folder)).toEqual({ violations: [], clauses: [] });
  expect(await target.assignments()).toEqual(before);
});

test('a target that takes up to a second for an answer', async () => {
  const folder = await emptyFolder();
  const faker = new Faker({ locale: en, seed: 1 });
  const target = await shareTarget(folder, async (request, handle) => {
    // Before the request is carried out, and after. Most come soon: with a second for each it would take minutes.
    await sleep(500 * faker.number.float() ** 4);
    const response = await handle(request);
    await sleep(500 * faker.number.float() ** 4);
    return response;
  });
  const before = await target.assignments();
  const variables = { ...target.variables, REQUEST_TIMEOUT_MS: '10000' };
  const selected = ['conflict.', 'unassign.', 'comment.is-', 'audit.', 'get-task.'];
  const only = selected.flatMap((clauses) => ['--only', clauses]);
  await startCommand(only, folder, variables).ended;
  expect(await verdictsIn(folder)).toEqual({ violations: [], clauses: [] });
  expect(await target.assignments()).toEqual(before);
});
