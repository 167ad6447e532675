import { execFile, execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { filesIn, linksIn, pages, shellLines } from '../../commands/documents.fixture.ts';
import { badTargets, configurationFor, startServer } from '../../contract/bad-targets.fixture.ts';
import { type Ended, emptyFolder, start } from '../../contract/process.fixture.ts';
import { shareTarget } from '../../contract/shared-target.fixture.ts';
import { clauseIds } from '../../schemas/clauses.ts';
import { type Registry, startRegistry } from './registry.fixture.ts';

// What `npm pack` packs, as a project uses it that has installed it. Nothing is downloaded: the registry has the packages of
// the checkout. The workflow of the tests runs this with every version of Node that the package supports.

const repository = fileURLToPath(new URL('../..', import.meta.url));
const project = mkdtempSync(join(tmpdir(), 'contract-'));
const modules = join(project, 'node_modules');
const ownPackage = join(modules, 'task-audit-contract');
let packed: string[] = [];
let packedBytes = 0;

let file = '';
let registry: Registry;

beforeAll(async () => {
  registry = await startRegistry();
  // npm is a script of the shell there.
  const shell = process.platform === 'win32';
  const options = { cwd: repository, encoding: 'utf8', shell } as const;
  const args = ['pack', '--json', '--silent', '--pack-destination', project];
  const [{ filename, files, size }] = JSON.parse(execFileSync('npm', args, options));
  packedBytes = size;
  packed = files.map(({ path }: { path: string }) => path);
  file = filename;
  cpSync(join(repository, 'tools/packing/project'), project, { recursive: true });
  // What a project has besides: Vitest, TypeScript, and the types of Node.
  const installed = await type(`npm install ./${file} vitest typescript @types/node`, project);
  expect(installed).toMatchObject({ code: 0 });
}, 300_000);

afterAll(() => {
  registry.close();
  rmSync(project, { recursive: true });
}, 60_000);

/** Types a command into a shell, with these variables and no others. npm installs from the registry of the test. */
async function type(
  line: string,
  cwd: string,
  variables = {},
): Promise<{ readonly code: number; readonly printed: string }> {
  const { PATH, HOME, TMPDIR } = process.env;
  const npm = { npm_config_registry: registry.url, npm_config_cache: join(project, '.npm') };
  const env = { PATH, HOME, TMPDIR, NO_COLOR: '1', ...npm, ...variables };
  return await new Promise((resolve) => {
    const child = execFile('bash', ['-c', line], { cwd, env }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? 1, printed: stdout + stderr }),
    );
  });
}

const run = async (args: readonly string[], variables = {}): Promise<Ended> =>
  await start(args, project, variables).ended;

test('the package holds the programs, their types and texts for people, and nothing else', () => {
  const strays = packed.filter((path) => !/^dist\/.+\.(js|mjs|d\.ts|css|bcmap)$/.test(path)).sort();
  expect(strays).toEqual([
    '.env.example',
    '.github/workflows/contract.yml',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'LICENSE',
    'README.md',
    'SECURITY.md',
    'action.yml',
    'dist/THIRD-PARTIES.txt',
    'dist/helpers/pdf/pdfjs/LICENSE',
    'dist/helpers/pdf/pdfjs/cmaps/LICENSE',
    'dist/reference/export/fonts/DejaVuSans.LICENSE',
    'dist/reference/export/fonts/DejaVuSans.ttf',
    'dist/reference/profile/own-profile.json',
    'dist/sbom.cdx.json',
    // The README links to them.
    ...[
      'answers',
      'email',
      'mock',
      'performance',
      'pipeline',
      'project',
      'put-back',
      'qa',
      'variables',
    ].map((name) => `docs/${name}.md`),
    'openapi.json',
    'package.json',
    ...['catalogue', 'check-up', 'fidelity', 'profile', 'results', 'waivers'].map(
      (name) => `schemas/published/${name}.schema.json`,
    ),
    'tools/pipelines/Jenkinsfile',
    'tools/pipelines/gitlab-ci.yml',
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

test('links of its documents lead to what it holds', () => {
  for (const path of packed.filter((one) => one.endsWith('.md'))) {
    const gone = linksIn(readFileSync(join(ownPackage, path), 'utf8')).filter(
      (to) => !existsSync(join(ownPackage, dirname(path), to)),
    );
    expect(gone, path).toEqual([]);
  }
});

test('what it carries, and what is installed with it, is named with a licence', () => {
  const read = (path: string): string => readFileSync(join(ownPackage, path), 'utf8');
  const notices = read('dist/THIRD-PARTIES.txt');
  const { components } = JSON.parse(read('dist/sbom.cdx.json'));
  const named = components.map(({ name, version = '' }: Record<string, string>) =>
    `${name} ${version}`.trim(),
  );
  expect(named.slice(0, 4)).toEqual([
    expect.stringMatching(/^pdfjs-dist 5\./),
    expect.stringMatching(/^core-js 3\./),
    'cmap-resources',
    'DejaVu Sans 2.37',
  ]);
  for (const one of named) expect(notices).toContain(`${one} (`);
  const { dependencies } = JSON.parse(read('package.json'));
  for (const one of Object.keys(dependencies)) expect(notices).toContain(`\n${one} `);
  for (const [file = ''] of notices.matchAll(/\bdist\/\S+/g)) expect(packed).toContain(file);
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

describe('docs/project.md', () => {
  const { text = '' } = pages.find(({ path }) => path === 'docs/project.md') ?? {};
  const files = filesIn(text);
  const workflow = parse(files.get('.github/workflows/contract.yml') ?? '').jobs.contract;
  const topics = new Set(clauseIds.map((id) => `${id.split('.', 1)[0]}.`));
  /** A run of few clauses and scenarios takes little time. */
  const few = {
    EXCEPT: [...topics, 'sequence 2', 'sequence 3']
      .filter((one) => !/^(conflict|task)/.test(one))
      .join(','),
    READ_SETTLE_MS: '100',
  };
  /** Each line of the page, in its order: its exit code, and what it prints. */
  const played: readonly (readonly [line: string, exit: number, prints: RegExp])[] = [
    ['npm init -y', 0, /Wrote to/],
    ['npm install --save-dev ./task-audit-contract-2.0.0.tgz vitest', 0, /added \d+ packages/],
    ['npx task-audit-contract doctor', 0, /Target \(/],
    ['npx task-audit-contract', 1, /\nVIOLATIONS {2}/],
    [
      'npx task-audit-contract waive reports/latest --owner team-workflow --issue https://tracker.example/WF-311',
      0,
      /waivers\.json/,
    ],
    ['npx task-audit-contract --allow not-judged', 0, /\nCONFORMANT\b.*waived/],
    ['mkdir -p profiles', 0, /^$/],
    ['cp reports/latest/profile.json profiles/eu.json', 0, /^$/],
    [
      'npx task-audit-contract compare profiles/eu.json reports/latest/profile.json',
      0,
      /Nothing changed/,
    ],
    ['npx vitest run', 0, /Tests {2}\d+ passed \| \d+ skipped/],
  ];

  test('each of its lines is played', () => {
    expect(played.map(([line]) => line)).toEqual(shellLines(text));
  });

  test('does what it says, from an empty folder', async () => {
    const folder = await emptyFolder();
    cpSync(join(project, file), join(folder, file));
    for (const [name, content] of files) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
    // A region that takes a version that is one write old, in place of the one that the page names.
    const { variables } = await shareTarget(folder, undefined, {
      rules: {
        versionMatches: (given, { current, earlier }) =>
          given === current || given === earlier.at(-1),
      },
    });
    const own = (name: string, value: string): string => variables[name] ?? value;
    const env = (files.get('.env') ?? '').replaceAll(
      /^(\w+)=(.*)$/gm,
      (_, name, value) => `${name}=${own(name, value)}`,
    );
    writeFileSync(join(folder, '.env'), env);
    for (const [line, exit, prints] of played) {
      const { code, printed } = await type(line, folder, few);
      expect(printed).toMatch(prints);
      expect(code, printed).toBe(exit);
    }
    // What is not ignored is what a pipeline has.
    const checkout = await emptyFolder();
    await type(`git init && git add . && git checkout-index --all --prefix=${checkout}/`, folder);
    expect(readdirSync(checkout).sort()).toEqual([
      '.github',
      '.gitignore',
      'contract.test.ts',
      'package-lock.json',
      'package.json',
      'profiles',
      'task-audit-contract-2.0.0.tgz',
      'waivers.json',
    ]);
    const given = Object.entries<string>(workflow.env).map(([name, value]) => [
      name,
      own(name, value),
    ]);
    for (const { run } of workflow.steps.filter((step: object) => 'run' in step)) {
      const { code, printed } = await type(run, checkout, { ...Object.fromEntries(given), ...few });
      expect(code, printed).toBe(0);
    }
    expect(existsSync(join(checkout, 'reports/history'))).toBe(true);
  });
});
