import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

// Keys, ids and what a target sent are not to be committed, wherever a command of README and docs/ puts them.

const root = fileURLToPath(new URL('..', import.meta.url));
const git = (args: readonly string[], input = ''): string[] =>
  execFileSync('git', args, { cwd: root, input, encoding: 'utf8' }).split('\n').filter(Boolean);

const reports = [
  ...['index.html', 'summary.md', 'junit.xml', 'results.json', 'profile.json', 'exchanges.har'],
  'findings/1.sh',
];
const folders = [
  ...['latest', 'chosen', 'interrupted', 'killed', 'not-started', 'unfinished', 'eu']
    .map((name) => `reports/${name}`)
    .concat('reports/latest/mock', 'reports/latest/reference'),
  ...['eu', 'us', 'kept/2026-11-22', 'last-month'],
];

test('git ignores every .env, every report and every journal', () => {
  const made = [
    ...['.env', 'us.env', 'mock.env', 'staging.env', 'reference.env', 'regions/eu.env'],
    ...['.env.staging', '.contract-journal/1.jsonl'],
    ...folders.flatMap((folder) => reports.map((file) => `${folder}/${file}`)),
    ...['fidelity.html', 'fidelity.md', 'fidelity.json'].map((file) => `reports/latest/${file}`),
    ...['reports/history/eu.staging.example/1.json', 'eu/history/eu.staging.example/1.json'],
    ...['before.json', 'after.json', 'eu.json', 'us.json', 'regions.md', 'changes.html'],
    'mock.json',
  ];
  const ignored = git(['check-ignore', '--no-index', '--stdin'], made.join('\n'));
  expect(made.filter((path) => !ignored.includes(path))).toEqual([]);
});

test('git ignores nothing that belongs to the suite, and no profile or waivers that are meant to be committed', () => {
  expect(git(['ls-files', '--cached', '--ignored', '--exclude-standard'])).toEqual([]);
  const meant = [
    ...['.env.example', 'waivers.json', 'staging.json', 'reference/new.ts', 'reports/new.ts'],
    ...['reports/html/new.ts', 'reports/golden/new/results.json', 'docs/new.md'],
  ];
  // check-ignore ends with 1 where it names nothing.
  expect(() => git(['check-ignore', '--no-index', '--stdin'], meant.join('\n'))).toThrow(
    expect.objectContaining({ status: 1, stdout: '' }),
  );
});
