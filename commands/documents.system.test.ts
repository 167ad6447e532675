import { spawn } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { configurationFor, startServer } from '../contract/bad-targets.fixture.ts';
import { emptyFolder, oneClause } from '../contract/process.fixture.ts';
import { shareTarget } from '../contract/shared-target.fixture.ts';
import { exampleMock, exampleReference } from '../reports/example-fidelity.fixture.ts';
import { conformantRun, violatedRun } from '../reports/example-results.fixture.ts';
import { profileOf } from '../reports/fidelity.ts';
import { jsonText } from '../reports/printable.ts';
import { exitCodesOf, pages, shellLines } from './documents.fixture.ts';

// What README and docs/ tell to type, typed: in a shell, in a folder that has what the page says there is.

const repository = fileURLToPath(new URL('..', import.meta.url));

interface Play {
  /** What is added to the command: the target of this test, and less to do. */
  readonly more?: string;
  readonly exit?: number;
  /** What it prints on either stream. */
  readonly shows?: string | RegExp;
  /** Ctrl-C is pressed when it has printed this. */
  readonly until?: string;
  readonly variables?: Record<string, string>;
}

const onlyOne = `--only ${oneClause}`;
const profile = jsonText(profileOf(conformantRun));
/** Both runs of a comparison with little to do. */
const little = {
  EXCEPT:
    'export.,audit.,notification.,auth.,update.,interface.,errors.,conflict.,versioning.,comment.,sequence',
};

const played: Readonly<Record<string, Play>> = {
  'cp .env.example .env': {},
  'npm run contract': { more: `-- ${onlyOne}`, shows: /\nCONFORMANT\b.*\n$/ },
  'npm run contract -- doctor': { shows: 'Target (' },
  'npm run contract -- --read-only': { more: onlyOne, shows: /\nCONFORMANT\b.*\n$/ },
  'npm run contract -- restore': { shows: 'Nothing to put back' },
  'npm run contract -- doctor --require-target': { shows: 'Target (' },
  'npm run contract -- --require-target': { more: onlyOne, shows: /\nCONFORMANT\b.*\n$/ },
  'npm run contract -- restore --require-target': { shows: 'Nothing to put back' },
  'npm run contract -- help': { shows: '--only' },
  'npm run contract -- clauses': { shows: 'task.id (stated)' },
  'npm run contract -- clauses comment email': { shows: 'notification.content (open)' },
  'npm run contract -- --only conflict.changes-nothing': { shows: /\nCONFORMANT\b.*\n$/ },
  'npm run contract -- --only conflict. --only comment.': { shows: /\nCONFORMANT\b.*\n$/ },
  "npm run contract -- --only 'a task is read twice'": { shows: /\nCONFORMANT\b.*\n$/ },
  // No scenario has the name of the one that found it in the example: nobody has judged it again.
  'npm run contract -- --last-failed': {
    shows: /^ {2}not judged: [\s\S]*\nCONFORMANT\b.*\n$/m,
  },
  'npm run contract -- --level stated': { more: onlyOne, shows: /\nCONFORMANT\b.*\n$/ },
  'npx vitest run --project contract -t conflict.changes-nothing': { shows: 'passed' },
  "npx vitest run --project contract --tags-filter 'stated or implied'": {
    more: '-t task.created-at',
    shows: 'passed',
  },
  'npm run contract -- compare reports/eu reports/us': { shows: 'upheld → violated' },
  'npm run contract -- compare before.json after.json': { shows: 'What changed' },
  'npm run contract -- compare eu.json us.json --markdown regions.md': {
    shows: /upheld → violated[\s\S]*regions\.md/,
  },
  'npm run contract -- compare before.json reports/latest --page changes.html': {
    shows: 'changes.html',
  },
  'npm run contract -- compare before.json reports/latest --fail-on new': { exit: 1 },
  'npm run contract -- compare last-month/profile.json reports/latest/profile.json': {
    shows: 'observed → not judged',
  },
  'npm run contract -- waive reports/latest --owner team-workflow --issue https://tracker.example/WF-311':
    { shows: 'waivers.json' },
  'npm run contract -- --env mock.env': { more: onlyOne, shows: /\nCONFORMANT\b.*\n$/ },
  'npm run fidelity -- --mock http://127.0.0.1:8080/v5 --mock-env mock.env --reference staging.json':
    { more: '--mock "$BASE_URL"', exit: 3, shows: 'INCOMPLETE', variables: little },
  'npm run fidelity -- --mock-env mock.env --reference-env staging.env': {
    exit: 3,
    shows: 'INCOMPLETE',
    variables: little,
  },
  'npm run fidelity -- --mock reports/latest --reference staging.json': {
    exit: 1,
    shows: 'NOT FAITHFUL',
  },
  'npm run serve -- --port 8080 --seed 1': { more: '--port 0', until: 'Serving until Ctrl+C' },
  'npm run serve -- --port 8080 --profile staging.json': {
    more: '--port 0',
    until: 'Serving until Ctrl+C',
    shows: 'As the profile says: ',
  },
  'cp openapi.json mock.json': {},
  "sed -E 's#^( *\"?)/(tasks|assessments|audit-sentinel)/#\\1/v5/\\2/#' yours.json > mock.json": {
    more: '; cmp mock.json openapi.json',
  },
};

/** What is not played here, and why. */
const notPlayed: Readonly<Record<string, string>> = {
  'npm ci': 'installs; every pipeline begins with it',
  'npx --yes @stoplight/prism-cli@5.14.2 mock mock.json':
    'needs a registry; prism.system.test.ts plays the recipe with a mock that does as Prism',
  'npm run fidelity -- --mock-env mock.env --reference embedded': 'played by prism.system.test.ts',
  'npx --yes nodemon@3 --watch src --ext ts,js,json,yaml --delay 2 --signal SIGTERM --exec "node bin/contract.mjs --base-url http://localhost:4010/v5"':
    'needs a registry; a run that is ended is played by restore.system.test.ts',
  'npm test': 'these tests are it',
  'npm test -- --project system --mode all': 'this test is a part of it',
  'npm run check': 'every commit is checked by it',
  'npm run fix': 'changes the sources',
  'npm run update': 'changes the sources',
  'npm run proof': 'takes an hour',
  'npm run oracle -- before.txt --every 10': 'plays a tenth of the proof',
  'diff before.txt after.txt': 'needs two such files',
  'npm run size': 'counts lines, and changes nothing',
  'npm run bench': 'takes long, and changes docs/performance.md',
  'bash .ci/run': 'runs all tests',
};

// docs/project.md is played by package.system.test.ts, from the packed file.
const others = pages.filter(({ path }) => path !== 'docs/project.md');
const commands = [...new Set(others.flatMap(({ text }) => shellLines(text)))];

test('every command of the pages is played here, or it is said why not', () => {
  expect(Object.keys({ ...played, ...notPlayed }).sort()).toEqual(commands.toSorted());
});

/** The variables as a file, but for the folders, which are those of the pages. */
function envOf({
  REPORT_DIR: _reports,
  JOURNAL_DIR: _journal,
  ...variables
}: Record<string, string>): string {
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}\n`);
  return lines.join('');
}

/** A folder as the pages have it: the checkout, an .env for a target that is served, and files of earlier runs. */
async function folderOfAUser() {
  const folder = await emptyFolder();
  for (const name of ['bin', 'node_modules', 'package.json', 'openapi.json', '.env.example']) {
    await symlink(join(repository, name), join(folder, name));
  }
  const { variables } = await shareTarget(folder);
  const staging = await shareTarget(folder);
  const env = envOf(variables);
  const results = { before: conformantRun, after: violatedRun };
  const own = await readFile(join(repository, 'openapi.json'), 'utf8');
  const files: Record<string, string> = {
    ...{ '.env': env, 'mock.env': env, 'staging.env': envOf(staging.variables) },
    ...{ 'before.json': jsonText(results.before), 'after.json': jsonText(results.after) },
    ...{ 'eu.json': jsonText(results.before), 'us.json': jsonText(results.after) },
    'reports/eu/results.json': jsonText(results.before),
    'reports/us/results.json': jsonText(results.after),
    'reports/latest/results.json': jsonText(results.after),
    'reports/latest/profile.json': jsonText(profileOf(results.after)),
    'last-month/profile.json': profile,
    'staging.json': jsonText(exampleReference),
    'yours.json': own.replaceAll('"/v5/', '"/'),
    'mock.json': own,
  };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return { folder, variables };
}

/**
 * Types a command into a shell; Ctrl-C goes to all that it started, as at a terminal.
 * @param options what it prints, or what happens, before Ctrl-C is pressed; the variables of the environment
 * @returns the exit code as a shell shows it
 */
async function type(
  line: string,
  cwd: string,
  { until, variables = {} }: { until?: string | Promise<void>; variables?: Play['variables'] } = {},
): Promise<{ readonly code: number | null; readonly printed: string }> {
  const { PATH, HOME, TMPDIR } = process.env;
  const env = { PATH, HOME, TMPDIR, NO_COLOR: '1', npm_config_update_notifier: 'false' };
  const shell = spawn('bash', ['-c', line], {
    cwd,
    env: { ...env, ...variables },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const signalAll = (signal: NodeJS.Signals): void => {
    // The shell leads a group of its own, which is gone when all of it has ended.
    const isGone = shell.exitCode !== null || shell.signalCode !== null;
    if (shell.pid !== undefined && !isGone) process.kill(-shell.pid, signal);
  };
  onTestFinished(() => signalAll('SIGKILL'));
  let printed = '';
  let isStopped = false;
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      if (typeof until !== 'string' || isStopped || !printed.includes(until)) return;
      isStopped = true;
      signalAll('SIGINT');
    });
  }
  if (typeof until === 'object') void until.then(() => signalAll('SIGINT'));
  return await new Promise((resolve) => {
    shell.on('close', (code, signal) => resolve({ code: codeOf(code, signal), printed }));
  });
}

function codeOf(code: number | null, signal: NodeJS.Signals | null): number | null {
  return signal === null ? code : 128 + constants.signals[signal];
}

test.for(Object.entries(played))('%s', async ([line, play]) => {
  const { folder, variables } = await folderOfAUser();
  // npm ends as Ctrl-C ends whoever does not listen to it, though what it runs does.
  const { until, more = '', exit = until === undefined ? 0 : 130, shows = '' } = play;
  const isVitest = line.startsWith('npx vitest');
  const { BASE_URL = '' } = variables;
  const { code, printed } = await type(`${line} ${more}`, isVitest ? repository : folder, {
    ...(until !== undefined && { until }),
    // The tests of this suite have their own folder; everything else is in .env.
    variables: isVitest ? variables : { ...play.variables, BASE_URL },
  });
  expect(printed).toMatch(shows);
  expect(code, printed).toBe(exit);
});

describe('each exit code that docs/pipeline.md lists', () => {
  const codes: Readonly<Record<string, (folder: string) => Promise<number | null>>> = {
    0: async (folder) => (await type(`npm run contract -- ${onlyOne}`, folder)).code,
    1: async (folder) => {
      const waiver = {
        ...{ clause: oneClause, reason: 'r', owner: 'o', issue: 'https://tracker.example/1' },
        expires: '9999-12-31',
      };
      await writeFile(join(folder, 'waivers.json'), JSON.stringify([waiver]));
      const variables = { STALE_WAIVERS_FAIL: 'yes' };
      return (await type(`npm run contract -- ${onlyOne}`, folder, { variables })).code;
    },
    2: async (folder) =>
      (await type('npm run contract', folder, { variables: { BASE_URL: 'http://127.0.0.1:1/v5' } }))
        .code,
    3: async (folder) =>
      (await type(`npm run contract -- --read-only ${onlyOne} --only comment.`, folder)).code,
    130: async (folder) => {
      const { variables, asked } = await neverAnswering();
      // Without npm, which ends with 130 whatever it runs.
      return (await type('node bin/contract.mjs', folder, { variables, until: asked })).code;
    },
  };

  test('is one that there is', () => {
    expect([...exitCodesOf('docs/pipeline.md', 1).keys()]).toEqual(Object.keys(codes));
  });

  test.for(Object.entries(codes))('%s', async ([code, exit]) => {
    expect(await exit((await folderOfAUser()).folder)).toBe(Number(code));
  });
});

describe('each exit code that docs/mock.md lists', () => {
  const files = 'npm run fidelity -- --mock mock-results.json --reference staging.json';
  const codes: Readonly<Record<string, readonly [line: string]>> = {
    0: ['npm run fidelity -- --mock before.json --reference last-month/profile.json'],
    1: [files],
    2: ['npm run fidelity -- --mock none.json --reference staging.json'],
    3: [`${files} --max-violations 2 --max-differences 3`],
    130: ['node bin/contract.mjs fidelity --reference staging.json --mock "$BASE_URL"'],
  };

  test('is one that there is', () => {
    expect([...exitCodesOf('docs/mock.md', 1).keys()]).toEqual(Object.keys(codes));
  });

  test.for(Object.entries(codes))('%s', async ([code, [line]]) => {
    const { folder } = await folderOfAUser();
    await writeFile(join(folder, 'mock-results.json'), jsonText(exampleMock));
    const { variables, asked } = await neverAnswering();
    const ended = await type(line, folder, { variables, until: asked });
    expect(ended.code, ended.printed).toBe(Number(code));
  });
});

/** The configuration of a target that takes requests and answers none. */
async function neverAnswering() {
  let isAsked = (): void => {};
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  const { baseUrl, close } = await startServer(() => isAsked());
  onTestFinished(close);
  const { REPORT_DIR: _reports, JOURNAL_DIR: _journal, ...rest } = configurationFor(baseUrl, 'r');
  return { asked, variables: { ...rest, REQUEST_TIMEOUT_MS: '20000' } };
}
