import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emptyFolder, startCommand } from '../contract/process.fixture.ts';
import { exampleRuns } from '../reports/example-results.ts';
import { renderJson } from '../reports/json.ts';

const slow = { timeout: 60_000 };

async function folderOfRuns(): Promise<string> {
  const folder = await emptyFolder();
  for (const [name, results] of Object.entries(exampleRuns)) {
    await writeFile(join(folder, `${name}.json`), renderJson(results));
  }
  return folder;
}

test('two files: what changed, in every form', slow, async () => {
  const folder = await folderOfRuns();
  const step = join(folder, 'step.md');
  const { code, stdout, stderr } = await startCommand(
    ['compare', 'conformant.json', 'violations.json', '--markdown', 'a.md', '--page=a.html'],
    folder,
    { GITHUB_STEP_SUMMARY: step },
  ).ended;
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^What changed\n/);
  expect(stdout).toContain('\n  upheld -> violated: update.keeps-the-other-fields, conflict.');
  expect(stdout).toMatch(/\n\nReports {5}a\.md, a\.html\n$/);
  const markdown = await readFile(join(folder, 'a.md'), 'utf8');
  expect(markdown).toMatch(/^# What changed\n/);
  expect(await readFile(step, 'utf8')).toBe(`${markdown}\n`);
  expect(await readFile(join(folder, 'a.html'), 'utf8')).toContain('<h1>What changed</h1>');
});

test('several files: the verdicts side by side', slow, async () => {
  const folder = await folderOfRuns();
  const files = ['conformant.json', 'violations.json', 'interrupted.json'];
  const { code, stdout } = await startCommand(['compare', ...files], folder).ended;
  expect(stdout).toMatch(/^3 runs side by side\n {2}A {3}conformant\.json: /);
  expect(stdout).toMatch(
    /\n {2}conflict\.differing-version-is-409 +upheld +violated +not judged\n/,
  );
  expect(code).toBe(0);
});

test.for([
  [['compare', 'conformant.json'], /^Two or more results are needed: compare A B, /],
  [['compare', 'conformant.json', 'none.json'], /^none\.json: ENOENT: /],
  [
    ['compare', 'conformant.json', 'junit.json'],
    /^junit\.json holds no results of a run:\n {2}the whole: must have required property '\$schema'\n/,
  ],
  [
    ['compare', 'conformant.json', 'violations.json', '--page', 'none/a.html'],
    /^none\/a\.html cannot be written: ENOENT/,
  ],
] as const)('%j: what is wrong, and exit 2', slow, async ([args, message]) => {
  const folder = await folderOfRuns();
  await writeFile(join(folder, 'junit.json'), '{"testsuites":[]}');
  const { code, stderr } = await startCommand(args, folder).ended;
  expect(stderr).toMatch(message);
  expect(stderr).not.toContain('The suite itself failed');
  expect(code).toBe(2);
});
