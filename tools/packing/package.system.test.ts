import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { badTargets, configurationFor, startServer } from '../../contract/bad-targets.fixture.ts';
import { type Ended, emptyFolder, start } from '../../contract/process.fixture.ts';
import { shareTarget } from '../../contract/shared-target.fixture.ts';

// What `npm pack` packs, as a project uses it that has installed it. Nothing is downloaded: the dependencies that the
// package names are those of the checkout, and no others are there. The workflow of the tests runs this with every version
// of Node that the package supports.

const repository = fileURLToPath(new URL('../..', import.meta.url));
const { dependencies } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
const project = mkdtempSync(join(tmpdir(), 'contract-'));
const modules = join(project, 'node_modules');
const ownPackage = join(modules, 'task-audit-contract');
let packed: string[] = [];
let packedBytes = 0;

beforeAll(() => {
  // npm is a script of the shell there.
  const shell = process.platform === 'win32';
  const options = { cwd: repository, encoding: 'utf8', shell } as const;
  const args = ['pack', '--json', '--silent', '--pack-destination', project];
  const [{ filename, files, size }] = JSON.parse(execFileSync('npm', args, options));
  packedBytes = size;
  packed = files.map(({ path }: { path: string }) => path);
  mkdirSync(ownPackage, { recursive: true });
  execFileSync('tar', [
    '-xzf',
    join(project, filename),
    '-C',
    ownPackage,
    '--strip-components',
    '1',
  ]);
  // What a project has besides: Vitest, TypeScript, and the types of Node.
  const others = ['vitest', 'typescript', '@types/node'];
  for (const name of [...Object.keys(dependencies), ...others]) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    // Everybody may make a junction, where links are for administrators.
    symlinkSync(join(repository, 'node_modules', name), join(modules, name), 'junction');
  }
  cpSync(join(repository, 'tools/packing/project'), project, { recursive: true });
}, 300_000);

afterAll(() => rmSync(project, { recursive: true }));

const run = async (args: readonly string[], variables = {}): Promise<Ended> =>
  await start(args, project, variables).ended;

test('the package holds the programs, their types and texts for people, and nothing else', () => {
  const strays = packed.filter((path) => !/^dist\/.+\.(js|mjs|d\.ts|css|bcmap)$/.test(path)).sort();
  expect(strays).toEqual([
    '.env.example',
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'dist/helpers/pdf/pdfjs/LICENSE',
    'dist/helpers/pdf/pdfjs/cmaps/LICENSE',
    'dist/reference/export/fonts/DejaVuSans.LICENSE',
    'dist/reference/export/fonts/DejaVuSans.ttf',
    'dist/reference/profile/own-profile.json',
    // The README links to them.
    ...['answers', 'email', 'mock', 'performance', 'pipeline', 'put-back', 'qa', 'variables'].map(
      (name) => `docs/${name}.md`,
    ),
    'openapi.json',
    'package.json',
    ...['catalogue', 'check-up', 'fidelity', 'profile', 'results', 'waivers'].map(
      (name) => `schemas/published/${name}.schema.json`,
    ),
  ]);
  expect(packed.filter((path) => /\.test\.|fixture|proof|bench|example-/.test(path))).toEqual([]);
  // No import names it.
  expect(packed).toContain('dist/helpers/pdf/pdf-process.mjs');
  expect(packed).toContain('dist/helpers/pdf/pdfjs/legacy/build/pdf.mjs');
});

test('the changelog says of its version what is promised, and how to move to it', () => {
  const { version } = JSON.parse(readFileSync(join(ownPackage, 'package.json'), 'utf8'));
  const changelog = readFileSync(join(ownPackage, 'CHANGELOG.md'), 'utf8');
  const [, newest = ''] = /^## \[(\d+\.\d+\.\d+)\]/m.exec(changelog) ?? [];
  expect(newest).toBe(version);
  expect(changelog).toMatch(/^### Promised$/m);
  expect(changelog).toMatch(/^### How to move from 0\.1\.0$/m);
});

test('its description of the operations and its schemas can be imported', async () => {
  const names = ['openapi.json', 'schemas/results.schema.json', 'schemas/waivers.schema.json'];
  const code = names.map((name) => `require.resolve('task-audit-contract/${name}')`).join(';');
  expect(await run(['-e', code])).toMatchObject({ stderr: '', code: 0 });
});

/** Of all files below a directory. */
function bytesIn(directory: string): number {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

test('it is small, and brings few others', () => {
  expect(packedBytes).toBeLessThan(1_600_000);
  const { packages } = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8'));
  // Those that are optional are the same program for several systems: one of them is installed.
  const installed = Object.entries<{ dev?: true; peer?: true; optional?: true }>(packages).filter(
    ([path, { dev, peer, optional }]) => path !== '' && !dev && !peer && !optional,
  );
  expect(installed.length).toBeLessThanOrEqual(44);
  const bytes = [ownPackage, ...installed.map(([path]) => join(repository, path))].map(bytesIn);
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(60_000_000);
});

test('a run against a target loads nothing that only the reference service needs', async () => {
  const { baseUrl, close } = await startServer(badTargets['answers 404 to everything']);
  onTestFinished(close);
  const hooks = `import { writeSync } from 'node:fs';
    export const load = (url, context, next) => (writeSync(2, 'loads ' + url + '\\n'), next(url, context));`;
  const asUrl = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;
  const register = `import { register } from 'node:module'; register(${JSON.stringify(asUrl(hooks))});`;
  const args = ['--import', asUrl(register), join(ownPackage, 'dist/cli.js'), 'check'];
  const { stderr, code } = await run(args, configurationFor(baseUrl, await emptyFolder()));
  const loaded = [...stderr.matchAll(/^loads (.*)$/gm)].map(([, url = '']) => url);
  expect(loaded.some((url) => url.includes('/dist/runner/run.js'))).toBe(true);
  expect(loaded.some((url) => url.includes('/undici/'))).toBe(true);
  const extras =
    /\/dist\/reference\/|\/node_modules\/(pdfkit|fontkit|nodemailer|postal-mime|imapflow)\//;
  expect(loaded.filter((url) => extras.test(url))).toEqual([]);
  expect(code).toBe(2);
});

test('the command checks the embedded service against the document, and writes its page', async () => {
  const folder = await emptyFolder();
  const args = ['--embedded', '--only', 'task.', '--report-dir', folder];
  const { stdout, code } = await run([join(ownPackage, 'dist/cli.js'), ...args]);
  expect(stdout).toMatch(/^CONFORMANT, of the embedded reference service {2}/);
  expect(code).toBe(0);
  expect(existsSync(join(folder, 'index.html'))).toBe(true);
});

test('the reference service is served', async () => {
  const serving = start([join(ownPackage, 'dist/cli.js'), 'serve', '--port', '0'], project, {});
  await serving.says('API_KEY=');
  serving.signal('SIGINT');
  expect((await serving.ended).stderr).toBe('');
});

describe('the types are right for a project of', () => {
  test.for([
    ['Node', 'tsconfig.json'],
    ['a bundler', 'tsconfig.bundler.json'],
  ] as const)('%s', async ([, config]) => {
    const { stdout, code } = await run([join(modules, 'typescript/bin/tsc'), '-p', config]);
    expect(stdout).toBe('');
    expect(code).toBe(0);
  });
});

describe('contractSuite', () => {
  const vitest = join(modules, 'vitest/vitest.mjs');
  const reporter = '--reporter=verbose';

  test('a mock that upholds the document: a test for each clause, and the tasks are put back', async () => {
    const { variables, assignments } = await shareTarget(await emptyFolder());
    const before = await assignments();
    const { BASE_URL = '', ...others } = variables;
    const { stdout, code } = await run([vitest, 'run', reporter], {
      ...others,
      MOCK_URL: BASE_URL,
    });
    expect(stdout).toContain(
      ' ✓ contract.test.ts > the mock > conflict.changes-nothing: A write refused with a version mismatch leaves the task unchanged.',
    );
    expect(stdout).toContain(
      ` ✓ contract.test.ts > the contract at ${BASE_URL} > task.assignment: A task has the field \`assignment\`, an Assignment object or null.`,
    );
    expect(stdout).toContain(' ✓ another.test.ts > the mock again > unassign.task-becomes-');
    expect(stdout).toMatch(/Tests {2}\d+ passed \(\d+\)\n/);
    expect(code).toBe(0);
    expect(await assignments()).toEqual(before);
  });

  test('one that does not: what was expected, what came, and how to repeat it', async () => {
    const { baseUrl, close } = await startServer(badTargets['answers 200 {} to everything']);
    onTestFinished(close);
    const variables = { ...configurationFor(baseUrl, project), MOCK_URL: baseUrl };
    const { stdout, stderr, code } = await run(
      [vitest, 'run', reporter, '-t', 'the mock get-task.unknown-task-is-404'],
      variables,
    );
    expect(stdout).toMatch(/Tests {2}1 failed \| \d+ skipped/);
    expect(stderr).toMatch(/200, not 404\b.* \(#\d+/);
    expect(stderr).toContain(`curl -i -g -X GET ${baseUrl}/tasks/`);
    expect(stderr).toContain('→ 200 application/json\n{}');
    expect(stderr).toContain('Expected: "404"\nReceived: "200"\n');
    expect(code).toBe(1);
  });

  test('a wrong option is an error at once, where it was given', async () => {
    const { stderr, code } = await run([vitest, 'run'], { MOCK_URL: 'http://127.0.0.1:1' });
    expect(stderr).toContain(
      'contractSuite: BASE_URL: "http://127.0.0.1:1" is not an http(s) address that ends in /v5; for example http://127.0.0.1:1/v5',
    );
    expect(stderr).toContain('❯ contract.test.ts:7:1\n');
    expect(code).toBe(1);
  });
});
