import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { parseWaivers } from '../contract/files.ts';
import { conformantRun, violatedRun } from '../reports/example-results.fixture.ts';
import { jsonText } from '../reports/printable.ts';
import { reviewWaivers, verdictUnder } from '../reports/verdicts.ts';
import type { Results } from '../schemas/results.ts';
import { waive } from './waive.ts';

let folder: string;
let file: string;
let printed: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waive-'));
  file = join(folder, 'known.json');
  printed = '';
  vi.stubEnv('WAIVERS_FILE', file);
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
});

afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await rm(folder, { recursive: true });
});

async function waiveAll(results: Results, ...args: string[]): Promise<void> {
  const path = join(folder, 'results.json');
  await writeFile(path, jsonText(results));
  expect(await waive.run([path, ...args])).toBe(0);
}

/** The example run, with clauses of the catalogue. */
const rename = (id: string): string =>
  id === 'update.keeps-the-other-fields' ? 'update.answers-with-the-updated-task' : id;
const run: Results = {
  ...violatedRun,
  clauses: violatedRun.clauses.map((clause) => ({ ...clause, id: rename(clause.id) })),
  violations: violatedRun.violations.map((one) => ({ ...one, clause: rename(one.clause) })),
};
const filled = ['--owner', 'team-workflow', '--issue', 'https://tracker.example/WF-311'];

test('everything that is violated has a waiver then, and the run does not fail for it', async () => {
  await waiveAll(run, ...filled, '--expires', '2027-01-31');
  expect(printed.split('\n')).toEqual([
    `Written to ${file}. Waived now:`,
    '  PUT …/update-assignment: step_name of the task is "Approval", not "Screening": update.answers-with-the-updated-task',
    '  PUT …/update-assignment accepts an If-Match one version old: 200, not 409: conflict.differing-version-is-409',
    '  PUT …/update-assignment accepts more than one of several simultaneous writes with the same version: conflict.differing-version-is-409',
    '',
  ]);
  const waivers = parseWaivers(await readFile(file, 'utf8'), file);
  // What a task holds stays out of a file that is committed.
  expect(waivers[0]?.findings).toEqual([
    {
      request: 'PUT /tasks/{id}/update-assignment',
      wrong: ['field', 'task', 'value'],
      of: ['step_name'],
    },
  ]);
  expect(waivers[1]).toMatchObject({
    clause: 'conflict.differing-version-is-409',
    owner: 'team-workflow',
    expires: '2027-01-31',
    findings: [
      { request: 'PUT /tasks/{id}/update-assignment', wrong: ['status', '409', '2xx'], of: [] },
      {
        request: 'PUT /tasks/{id}/update-assignment',
        wrong: ['other', 'accepts several simultaneous writes'],
        of: [],
      },
    ],
  });
  const review = reviewWaivers(run, waivers);
  expect(verdictUnder(review, run)).toBe('incomplete');
});

test('a second time only what is new is added, to the waiver of its clause', async () => {
  await waiveAll({ ...run, violations: run.violations.slice(0, 2) }, ...filled);
  const before = parseWaivers(await readFile(file, 'utf8'), file);
  printed = '';
  await waiveAll(run, ...filled, '--expires', '2099-01-31');
  expect(printed.split('\n')).toEqual([
    `Written to ${file}. Waived now:`,
    '  PUT …/update-assignment accepts more than one of several simultaneous writes with the same version: conflict.differing-version-is-409',
    '',
  ]);
  const after = parseWaivers(await readFile(file, 'utf8'), file);
  expect(after[0]).toEqual(before[0]);
  expect(after[1]?.findings).toHaveLength(2);
  expect(after[1]?.expires).toBe(before[1]?.expires);
});

test('of several runs everything is covered that one of them found', async () => {
  const [first, second] = [run.violations.slice(1, 2), run.violations.slice(2)];
  await writeFile(join(folder, 'other.json'), jsonText({ ...run, violations: second }));
  await waiveAll({ ...run, violations: first }, join(folder, 'other.json'), ...filled);
  const waivers = parseWaivers(await readFile(file, 'utf8'), file);
  expect(waivers.map(({ findings }) => findings?.length)).toEqual([2]);
});

test('a waiver of the whole clause stays one', async () => {
  const whole = {
    clause: 'conflict.differing-version-is-409',
    reason: 'known',
    owner: 'somebody',
    issue: 'https://tracker.example/1',
    expires: '2027-01-31',
  };
  await writeFile(file, JSON.stringify([whole]));
  await waiveAll(run, ...filled);
  const [first, second] = parseWaivers(await readFile(file, 'utf8'), file);
  expect(first).toEqual(whole);
  expect(second?.clause).toBe('update.answers-with-the-updated-task');
});

test.each([[], ['--owner', 'team-workflow'], ['--issue', 'https://tracker.example/1']])(
  'nobody, or nowhere: %j',
  async (...args) => {
    await expect(waive.run(args)).rejects.toThrow('waive --owner NAME --issue URL');
  },
);

test('nothing is written where nothing is violated', async () => {
  await waiveAll(conformantRun, ...filled);
  expect(printed).toMatch(/^Nothing to waive/);
  await expect(readFile(file)).rejects.toThrow('ENOENT');
});

test('a date that is none, and an issue without an address, are refused, and nothing is written', async () => {
  await expect(waiveAll(run, ...filled, '--expires', '2027-02-30')).rejects.toThrow('expires');
  await expect(waiveAll(run, '--owner', 'us', '--issue', 'WF-311')).rejects.toThrow('issue');
  await expect(readFile(file)).rejects.toThrow('ENOENT');
});
