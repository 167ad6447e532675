import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { renderSummary } from '../reports/console.ts';
import { exitCode } from '../runner/verdicts.ts';
import type { Results } from '../schemas/results.ts';
import { jsonSuites } from '../suites/index.ts';
import { badTargets, configurationFor, startServer } from './bad-targets.fixture.ts';
import { openContract } from './run.ts';

const scenarios = Object.values(jsonSuites).flat();

async function scratchFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'contract-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

async function written(folder: string): Promise<Results> {
  return JSON.parse(await readFile(join(folder, 'results.json'), 'utf8'));
}

/** Runs everything against a target: what a person and a pipeline get. */
async function runAgainst(name: keyof typeof badTargets) {
  const folder = await scratchFolder();
  const { baseUrl, close, requests } = await startServer(badTargets[name]);
  onTestFinished(close);
  const contract = await openContract(() => configurationFor(baseUrl, folder), { scenarios });
  const { results } = await contract.runAll();
  expect(await written(folder)).toEqual(JSON.parse(JSON.stringify(results)));
  const summary = renderSummary(results, { color: false, width: 1000 });
  const [head = ''] = summary.split('\n');
  return { exit: exitCode(results.verdict), head, results, baseUrl, requests: requests() };
}

describe('a target that', () => {
  test.for([
    [
      'answers 401 to everything',
      'answers 401 to every request with the configured key. Is API_KEY valid for this region, and is this machine’s address allowed?',
      3,
    ],
    [
      'answers 404 to everything',
      'answers 404 to every request, also to an export, which takes no id. Is BASE_URL the address of the service, up to /v5?',
      3,
    ],
    [
      'answers HTML to everything',
      'answers every request with an HTML page, as a sign-in page or a gateway does. Is BASE_URL the address of the service, up to /v5?',
      3,
    ],
    [
      'closes every connection',
      /cannot be reached: GET \/v5\/\S+: the connection was closed \(#\d+\)\. Is BASE_URL right, and is the target up\?$/,
      9,
    ],
    [
      'never answers',
      /cannot be reached: GET \/v5\/\S+: no complete response within 300 ms \(#\d+\)\. Is BASE_URL right, and is the target up\?$/,
      6,
    ],
  ] as const)('%s: nothing could be judged, and why', async ([name, why, sent]) => {
    const { exit, head, baseUrl, requests } = await runAgainst(name);
    expect(exit).toBe(2);
    expect(head).toMatch(/^NOT RUN {2}Nothing could be judged\. /);
    expect(head).toContain(baseUrl);
    if (typeof why === 'string') expect(head.endsWith(why)).toBe(true);
    else expect(head).toMatch(why);
    expect(requests).toBe(sent);
  });

  test('answers 200 {} to everything: violations', async () => {
    const { exit, head, results } = await runAgainst('answers 200 {} to everything');
    expect(exit).toBe(1);
    expect(head).toMatch(
      /^VIOLATIONS {2}\d+ of \d+ chosen clauses violated: \d+ stated, \d+ implied; /,
    );
    const violated = new Set(results.violations.map(({ clause }) => clause));
    expect([...violated]).toEqual(
      expect.arrayContaining(['task.id', 'assessment.id', 'auth.invalid-key-is-401']),
    );
    const ours = results.clauses.filter(({ verdict }) => verdict === 'error');
    expect(ours).toEqual([]);
  });
});

describe('a run that cannot start', () => {
  async function refused(variables: Record<string, string>): Promise<Results> {
    const folder = await scratchFolder();
    const configure = () => ({ REPORT_DIR: folder, ...variables });
    await expect(openContract(configure, { scenarios })).rejects.toThrow();
    const results = await written(folder);
    expect(results).toMatchObject({ verdict: 'not run', requests: { total: 0 } });
    return results;
  }
  const whyOf = ({ clauses }: Results): string => {
    const [reason] = clauses.find(({ id }) => id === 'task.id')?.reasons ?? [];
    expect(reason).toMatchObject({ kind: 'not run', on: [] });
    return reason !== undefined && 'why' in reason ? reason.why : '';
  };

  test('for a wrong value', async () => {
    const results = await refused({ SEED: 'x', MAX_CONCURRENCY: '0' });
    expect(whyOf(results)).toBe(
      'MAX_CONCURRENCY: "0" is not a whole number from 1 to 999; for example 8; SEED: "x" is not a whole number; for example 1',
    );
  });

  test('for want of an address', async () => {
    const results = await refused({ API_KEY: 'canary-key' });
    expect(whyOf(results)).toMatch(/^BASE_URL: missing, while API_KEY is set; /);
    expect(JSON.stringify(results)).not.toContain('canary-key');
  });

  test('for want of a key', async () => {
    const results = await refused({ BASE_URL: 'http://127.0.0.1:1/v5', SEED: '9' });
    expect(whyOf(results)).toMatch(/^API_KEY: missing; /);
    expect(results.target).toEqual({ kind: 'remote', baseUrl: 'http://127.0.0.1:1/v5' });
    expect(results.seed).toBe(9);
  });

  test('for want of a folder for its reports', async () => {
    const file = join(await scratchFolder(), 'a-file');
    await writeFile(file, '');
    await expect(openContract(() => ({ REPORT_DIR: file }), { scenarios })).rejects.toThrow(
      /^REPORT_DIR: ".*a-file" cannot be written to \(EEXIST.*\); for example reports\/latest$/,
    );
  });
});

test('a run that needs no write sends none', async () => {
  const configure = () => ({ ALLOW_WRITES: 'no', SEED: '1', REPORT_DIR: folder });
  const folder = await scratchFolder();
  const { results } = await (await openContract(configure, { scenarios })).runAll();
  expect(results.requests.byOperation['update-assignment']).toBe(0);
  expect(results.requests.byOperation['get-task']).toBeGreaterThan(0);
  expect(results.verdict).toBe('incomplete');
});
