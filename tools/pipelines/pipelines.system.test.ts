import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { emptyFolder, type Started, startCommand } from '../../contract/process.fixture.ts';
import { shareTarget } from '../../contract/shared-target.fixture.ts';
import { clauseIds } from '../../schemas/clauses.ts';
import { variableNames } from '../../schemas/configuration.ts';

// The steps of the pipelines that come with the suite, taken from their files and played in a checkout: as those systems
// would, but for installing packages, and for the steps that are programs of theirs.

const root = fileURLToPath(new URL('../../', import.meta.url));
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Values of variables; those that are undefined are not set. */
type Variables = Readonly<Record<string, string | undefined>>;

interface Played {
  /** The exit codes of the steps of the shell, by their commands. */
  readonly codes: Readonly<Record<string, number>>;
  readonly stdout: string;
  readonly stderr: string;
  readonly outputs: Readonly<Record<string, string>>;
}

/** What is there of the suite after a checkout. */
async function checkout(): Promise<string> {
  const folder = await emptyFolder();
  for (const name of ['bin', 'package.json', 'package-lock.json']) {
    await symlink(join(root, name), join(folder, name));
  }
  await mkdir(join(folder, '.shim'));
  const shim = '#!/bin/sh\n[ "$1" = ci ] || PATH=$REAL_PATH exec npm "$@"\n';
  await writeFile(join(folder, '.shim/npm'), shim, { mode: 0o755 });
  return folder;
}

interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly env?: Variables;
  /** Missing where a program of the system is used. */
  readonly run?: string;
}

/** Plays the steps, of which those behind one that failed are left out unless they are always to be done. */
async function play(steps: readonly Step[], variables: Variables, folder: string): Promise<Played> {
  const { HOME, PATH } = process.env;
  const codes: Record<string, number> = {};
  let [stdout, stderr, outputs] = ['', '', ''];
  for (const { run, env, id = '', ...step } of steps) {
    const isOver = Object.values(codes).some((code) => code !== 0);
    if (run === undefined || (isOver && step.if !== 'always()')) continue;
    const output = join(folder, '.output');
    await writeFile(output, '');
    const given = { GITHUB_OUTPUT: output, ...variables, ...env };
    const args = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run];
    const options = {
      cwd: folder,
      env: { HOME, PATH: `${folder}/.shim:${PATH}`, REAL_PATH: PATH, ...given },
    };
    const ended = await new Promise<{ code: number; out: string; err: string }>((done) => {
      const child = execFile('bash', args, options, (_, out, err) =>
        done({ code: child.exitCode ?? 1, out, err }),
      );
    });
    codes[run.trim().split('\n').at(-1) ?? ''] = ended.code;
    stdout += ended.out;
    stderr += ended.err;
    if (id !== '') outputs += await readFile(output, 'utf8');
  }
  const entries = outputs.split('\n').filter(Boolean);
  const named = entries.map((line) => [line.split('=', 1)[0], line.slice(line.indexOf('=') + 1)]);
  return { codes, stdout, stderr, outputs: Object.fromEntries(named) };
}

/** A text of GitHub with what its expressions stand for: `${{ vars.BASE_URL }}`. What is not there is empty. */
function evaluated(text: string, context: Variables): string {
  return text.replaceAll(/\$\{\{ (\S+) \}\}/g, (_, name: string) => context[name] ?? '');
}

function evaluatedAll(env: Variables = {}, context: Variables): Variables {
  const entries = Object.entries(env);
  return Object.fromEntries(entries.map(([name, text = '']) => [name, evaluated(text, context)]));
}

/** Each pipeline, given the variables of its region as the system would give them. */
const pipelines: Readonly<
  Record<string, (variables: Variables, folder: string, what?: string) => Promise<Played>>
> = {
  async 'action.yml'(variables, folder, args = '') {
    const context = { 'github.action_path': folder, 'inputs.arguments': args };
    const steps: Step[] = parse(textOf('action.yml')).runs.steps;
    const ready = steps.map((step) => ({ ...step, env: evaluatedAll(step.env, context) }));
    // As the header shows it, secrets and variables are `env` of the job, and empty where they are not there.
    const env = { REPORT_DIR: 'reports/eu', JOURNAL_DIR: 'journal/eu', ...variables };
    return await play(ready, env, folder);
  },
  async '.github/workflows/contract.yml'(variables, folder, job = 'region') {
    const { env, steps } = parse(textOf('.github/workflows/contract.yml')).jobs[job];
    const kinds = ['vars', 'secrets'].flatMap((kind) =>
      Object.entries(variables).map(([name, value]) => [`${kind}.${name}`, value]),
    );
    const context = { ...Object.fromEntries(kinds), 'matrix.region': 'eu' };
    const given = { ...variables, RUNNER_TEMP: folder, ...evaluatedAll(env, context) };
    return await play(steps, given, folder);
  },
  async 'tools/pipelines/gitlab-ci.yml'(variables, folder) {
    const { contract } = parse(textOf('tools/pipelines/gitlab-ci.yml'));
    const own = Object.entries<string>(contract.variables).map(([name, text]) => [
      name,
      text.replaceAll('$CI_PROJECT_DIR', folder).replaceAll('$REGION', 'eu'),
    ]);
    const steps = [
      ...contract.script.map((run: string) => ({ run })),
      ...contract.after_script.map((run: string) => ({ run, if: 'always()' })),
    ];
    return await play(steps, { ...variables, ...Object.fromEntries(own), REGION: 'eu' }, folder);
  },
  async 'tools/pipelines/Jenkinsfile'(variables, folder) {
    const [before = '', after = ''] = textOf('tools/pipelines/Jenkinsfile').split(/^ +post \{$/m);
    const commandsIn = (text: string): string[] =>
      [...text.matchAll(/^ +sh '(.+)'$/gm)].map(([, run = '']) => run);
    const own = [...before.matchAll(/^ +(\w+) = "(.+)"$/gm)].map(([, name, text = '']) => [
      name,
      text.replaceAll(/\$\{REGION\}/g, 'eu'),
    ]);
    // All of the region is in one secret file; what else the job gives is in the environment.
    const isOfRegion = (name: string): boolean => variableNames.some((one) => one === name);
    const lines = Object.entries(variables).filter(
      ([name, value]) => isOfRegion(name) && value !== undefined,
    );
    await writeFile(
      join(folder, 'secret file'),
      lines.map(([name, value]) => `${name}='${value}'\n`).join(''),
    );
    const steps = [
      ...commandsIn(before).map((run) => ({ run })),
      ...commandsIn(after).map((run) => ({ run, if: 'always()' })),
    ];
    return await play(steps, { ...Object.fromEntries(own), ENV_FILE: 'secret file' }, folder);
  },
};

/** What leaves a run of few requests, writes among them. */
const allButFew = [...new Set(clauseIds.map((id) => `${id.split('.', 1)[0]}.`)), 'sequence']
  .filter((prefix) => prefix !== 'task.')
  .join(',');

async function healthyRegion(): Promise<{ variables: Variables; requests: () => number }> {
  const { variables, requests } = await shareTarget(await emptyFolder());
  const { REPORT_DIR: _, JOURNAL_DIR: __, ...own } = variables;
  return { variables: { ...own, REQUEST_TIMEOUT_MS: '20000', EXCEPT: allButFew }, requests };
}

/** A fork, or a branch that is not protected, gets nothing of a region. */
const reds: Readonly<Record<string, (region: Variables) => Variables>> = {
  'nothing is there': () => ({}),
  'every variable is there and empty': (region) =>
    Object.fromEntries(Object.keys(region).map((name) => [name, ''])),
  'the address is lost': (region) => ({ ...region, BASE_URL: '' }),
  'the key is lost': (region) => ({ ...region, API_KEY: '' }),
};

describe.each(Object.keys(pipelines))('%s', (path) => {
  const playIt = pipelines[path] ?? expect.unreachable();

  test('is green on a healthy region, and leaves its reports where it takes them from', async () => {
    const folder = await checkout();
    const { variables, requests } = await healthyRegion();
    const { codes, stdout, stderr } = await playIt(variables, folder);
    expect(Object.values(codes), stdout + stderr).toEqual(Object.values(codes).map(() => 0));
    expect(Object.keys(codes).filter((run) => run.includes('restore'))).toHaveLength(1);
    expect(stdout).toMatch(/^CONFORMANT {2}/m);
    expect(stderr).toMatch(/^Nothing to put back: /m);
    expect(requests()).toBeGreaterThan(0);
    const junit = await readFile(join(folder, 'reports/eu/junit.xml'), 'utf8');
    expect(junit).toContain('<testsuites name="contract" ');
  });

  test.for(Object.entries(reds))('is not green where %s', async ([, losing]) => {
    const { variables, requests } = await healthyRegion();
    const { codes, stderr } = await playIt(losing(variables), await checkout());
    const failed = Object.entries(codes).find(([, code]) => code !== 0);
    expect(failed).toEqual([expect.stringContaining('contract'), 2]);
    expect(stderr).toMatch(/^(NOT RUN.+| +)(BASE_URL|API_KEY): (missing|set to nothing)/m);
    expect(requests()).toBe(0);
  });
});

test('the workflow puts back on another runner what one has left changed', async () => {
  const folder = await checkout();
  let run: Started | undefined;
  const { variables, assignments } = await shareTarget(folder, async (request, handle) => {
    const response = await handle(request);
    if (request.method === 'PUT' && response.status === 200) run?.signal('SIGKILL');
    return response;
  });
  const before = await assignments();
  run = startCommand(['--only', 'comment.'], folder, variables);
  await run.ended;
  run = undefined;
  expect(await assignments()).not.toEqual(before);
  const { JOURNAL_DIR: _, ...own } = variables;
  const workflow = pipelines['.github/workflows/contract.yml'];
  const { codes, stdout, stderr } =
    (await workflow?.(own, folder, 'put-back')) ?? expect.unreachable();
  expect(Object.values(codes), stdout + stderr).toEqual([0]);
  expect(await assignments()).toEqual(before);
});

test('action.yml takes its arguments a line each, as they are, also to put back, and says what came of them', async () => {
  const folder = await checkout();
  const { variables } = await healthyRegion();
  const { BASE_URL = '', EXCEPT: _, ...others } = variables;
  const lines = Object.entries(others).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(join(folder, "the region's.env"), lines.join(''));
  const args = [
    '--env',
    "the region's.env",
    `--base-url=${BASE_URL}`,
    '--only=a task is read twice',
    '',
    '--level',
    'implied',
  ];
  const played = await pipelines['action.yml']?.({}, folder, `${args.join('\n')}\n`);
  const { codes, stdout, stderr, outputs } = played ?? expect.unreachable();
  expect(Object.values(codes), stdout + stderr).toEqual([0, 0, 0, 0]);
  expect(stderr).toContain(`Nothing to put back: journal/eu holds no journal of ${BASE_URL}.\n`);
  const { verdict, report, counts = '' } = outputs;
  expect(verdict).toBe('conformant');
  const { clauses } = JSON.parse(await readFile(join(report ?? '', 'results.json'), 'utf8'));
  const upheld = clauses.filter(({ verdict }: { verdict: string }) => verdict === 'upheld');
  expect(upheld.every(({ level }: { level: string }) => level === 'implied')).toBe(true);
  expect(JSON.parse(counts)).toEqual({
    upheld: upheld.length,
    violated: 0,
    error: 0,
    inconclusive: 0,
    'not judged': 0,
    observed: 0,
    untestable: 0,
    waived: 0,
  });
});
