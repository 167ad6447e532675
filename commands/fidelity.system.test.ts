import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { emptyFolder, startCommand } from '../contract/process.fixture.ts';
import { statusVariants } from '../proof/variants/answers.ts';
import { listen } from '../reference/http.ts';
import { createReference } from '../reference/reference.ts';
import { environment, variablesOf } from '../reference/serve.ts';
import { exampleMock, exampleReference } from '../reports/example-fidelity.fixture.ts';
import { conformantRun } from '../reports/example-results.fixture.ts';
import { profileOf } from '../reports/fidelity.ts';
import { jsonText } from '../reports/printable.ts';

async function folderOfFiles(): Promise<string> {
  const folder = await emptyFolder();
  await writeFile(join(folder, 'staging.json'), jsonText(exampleReference));
  await writeFile(join(folder, 'same.json'), jsonText(profileOf(conformantRun)));
  await writeFile(join(folder, 'mock.json'), jsonText(exampleMock));
  await writeFile(join(folder, 'good.json'), jsonText(conformantRun));
  await writeFile(join(folder, 'other.json'), '{"clauses":[]}');
  return folder;
}

test('files: every form is written, and the exit code is that of the thresholds', async () => {
  const folder = await folderOfFiles();
  const ask = (...more: string[]) =>
    startCommand(
      ['fidelity', '--mock', 'mock.json', '--reference', 'staging.json', ...more],
      folder,
    ).ended;
  const strict = await ask();
  expect([strict.code, strict.stderr]).toEqual([1, '']);
  expect(strict.stdout).toMatch(/^NOT FAITHFUL {2}Of 6 clauses: 3 upheld, 2 violated,/);
  expect(strict.stdout).toMatch(
    /\nReports {5}reports\/latest\/fidelity\.html, fidelity\.md, fidelity\.json\n$/,
  );
  const latest = join(folder, 'reports/latest');
  const json = JSON.parse(await readFile(join(latest, 'fidelity.json'), 'utf8'));
  expect(json.counts).toEqual({
    ...{ upheld: 3, violated: 2, unjudged: 1 },
    ...{ alike: 1, differing: 3, uncompared: 2 },
  });
  const tolerant = ['--max-violations', '2', '--max-differences', '3'];
  expect((await ask(...tolerant)).code).toBe(3);
  expect((await ask(...tolerant, '--allow-incomplete')).code).toBe(0);
});

test('a file of variables that names no target is not a run on the embedded service', async () => {
  const folder = await emptyFolder();
  await writeFile(join(folder, 'mock.env'), 'SEED=1\nBASE_URL=\n');
  const args = ['fidelity', '--reference-env', 'mock.env', '--mock', 'embedded'];
  const { code, stderr } = await startCommand(args, folder).ended;
  expect(stderr).toContain('BASE_URL: set to nothing, in mock.env or in the environment, while ');
  expect(code).toBe(2);
});

test('a mock that does everything as its reference', async () => {
  const folder = await folderOfFiles();
  const args = ['fidelity', '--mock', 'good.json', '--reference', 'same.json'];
  const { code, stdout } = await startCommand(args, folder).ended;
  expect(stdout).toMatch(/^FAITHFUL {2}/);
  expect(code).toBe(0);
});

test('two addresses: a run on each, with its own key and ids', async () => {
  const folder = await emptyFolder();
  const variant = statusVariants.find(({ id }) => id === 'writes-succeed-with-201');
  for (const [seed, name] of ['mock', 'reference'].entries()) {
    const reference = createReference({
      seed,
      pastEvents: 300,
      ...(name === 'mock' && { rules: variant?.rules ?? {} }),
    });
    const listening = { ...(await listen(reference)), mailboxUrl: '' };
    onTestFinished(() => listening.close());
    await writeFile(
      join(folder, `${name}.env`),
      environment(variablesOf(reference.facts, listening)),
    );
  }
  const args = ['fidelity', '--mock-env', 'mock.env', '--reference-env', 'reference.env'];
  const { code, stdout } = await startCommand(args, folder, { MAX_REQUESTS_PER_SECOND: '0' }).ended;
  expect(stdout).toContain(
    '\nOpen points that differ (1)\n\n  update.success-status\n  The document does not say which status a successful write has.\n    Reference  200\n    Mock       201\n',
  );
  expect(code).toBe(1);
  expect(await readFile(join(folder, 'reports/latest/mock/profile.json'), 'utf8')).toContain('201');
});

test.for([
  [[], /^Missing: --reference\. For example: --reference staging\.json\n/],
  [['--reference', 'staging.json'], /^Missing: --mock\. For example: --mock http/],
  [
    ['--mock', 'none.json', '--reference', 'staging.json'],
    /^--mock: "none\.json" is neither a file nor an address that begins with http/,
  ],
  [
    ['--mock', 'staging.json', '--reference', 'staging.json'],
    /^staging\.json does not hold valid results/,
  ],
  [
    ['--mock', 'mock.json', '--reference', 'other.json'],
    /^other\.json does not hold valid results of a run:/,
  ],
  [
    ['--mock', 'mock.json', '--reference', 'staging.json', '--max-differences', 'few'],
    /^--max-differences: "few" is not a whole number from 0 to 999999/,
  ],
  [
    ['--mock-env', 'none.env', '--reference', 'staging.json'],
    /^--mock-env: none\.env cannot be read/,
  ],
  [
    ['--mock', 'http://127.0.0.1:1', '--reference', 'staging.json'],
    /^The configuration cannot be used; nothing was sent\./,
  ],
] as const)('%j: what is wrong, and exit 2', async ([args, message]) => {
  const folder = await folderOfFiles();
  const { code, stderr } = await startCommand(['fidelity', ...args], folder).ended;
  expect(stderr).toMatch(message);
  expect(stderr).not.toContain('The suite itself failed');
  expect(code).toBe(2);
});
