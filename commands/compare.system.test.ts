import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emptyFolder, startCommand } from '../contract/process.fixture.ts';
import { exampleRuns } from '../reports/example-results.fixture.ts';
import { profileOf } from '../reports/fidelity.ts';
import { jsonText } from '../reports/printable.ts';

async function folderOfRuns(): Promise<string> {
  const folder = await emptyFolder();
  for (const [name, results] of Object.entries(exampleRuns)) {
    await writeFile(join(folder, `${name}.json`), jsonText(results));
  }
  return folder;
}

test('two files: what changed, in every form', async () => {
  const folder = await folderOfRuns();
  const step = join(folder, 'step.md');
  const { code, stdout, stderr } = await startCommand(
    ['compare', 'conformant.json', 'violations.json', '--markdown', 'a.md', '--page=a.html'],
    folder,
    { GITHUB_STEP_SUMMARY: step },
  ).ended;
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^What changed\n/);
  expect(stdout).toContain('\n  upheld → violated: update.keeps-the-other-fields, conflict.');
  expect(stdout).toMatch(/\n\nReports {5}a\.md, a\.html\n$/);
  const markdown = await readFile(join(folder, 'a.md'), 'utf8');
  expect(markdown).toMatch(/^# Two runs compared: What changed\n/);
  expect(await readFile(step, 'utf8')).toBe(`${markdown}\n`);
  expect(await readFile(join(folder, 'a.html'), 'utf8')).toContain('<h1>What changed</h1>');
});

test.for([
  [['conformant.json', 'conformant.json'], 0],
  [['conformant.json', 'violations.json'], 1],
  [['violations.json', 'violations.json'], 0],
  [['violations.json', 'conformant.json'], 0],
  [['conformant.json', 'error.json'], 2],
  [['conformant.json', 'not-run.json'], 2],
  [['conformant.json', 'interrupted.json'], 3],
] as const)('%j with --fail-on new: exit %i', async ([files, expected]) => {
  const folder = await folderOfRuns();
  const { code } = await startCommand(['compare', ...files, '--fail-on', 'new'], folder).ended;
  expect(code).toBe(expected);
});

test('two profiles: what changed, in words', async () => {
  const folder = await folderOfRuns();
  await writeFile(join(folder, 'a.json'), jsonText(profileOf(exampleRuns.conformant)));
  await writeFile(join(folder, 'b.json'), jsonText(profileOf(exampleRuns.violations)));
  const { code, stdout } = await startCommand(['compare', 'a.json', 'b.json'], folder).ended;
  expect(stdout).toContain('observed → not judged: update.quoted-if-match');
  expect(code).toBe(0);
});

test.for([
  [
    ['compare', 'conformant.json', 'violations.json', '--fail-on', 'any'],
    /^--fail-on: only "new": compare A B/,
  ],
  [['compare', 'conformant.json'], /^Two results are needed: compare A B, /],
  [
    ['compare', 'conformant.json', 'violations.json', 'interrupted.json'],
    /^Two results are needed: compare A B, /,
  ],
  [
    ['compare', 'conformant.json', 'none.json'],
    /^Expected results of a run, or a profile, but there is no file or folder "none\.json"\. /,
  ],
  [
    ['compare', 'conformant.json', 'junit.json'],
    /^junit\.json does not hold valid results of a run:\n {2}the whole: must have required property '\$schema'\n/,
  ],
  [
    ['compare', 'conformant.json', 'violations.json', '--page', 'none/a.html'],
    /^none\/a\.html cannot be written: ENOENT/,
  ],
] as const)('%j: what is wrong, and exit 2', async ([args, message]) => {
  const folder = await folderOfRuns();
  await writeFile(join(folder, 'junit.json'), '{"testsuites":[]}');
  const { code, stderr } = await startCommand(args, folder).ended;
  expect(stderr).toMatch(message);
  expect(stderr).not.toContain('The suite itself failed');
  expect(code).toBe(2);
});
