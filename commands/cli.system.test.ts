import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { configurationFor } from '../contract/bad-targets.fixture.ts';
import { emptyFolder, oneClause, startCommand } from '../contract/process.fixture.ts';
import { listen } from '../reference/http.ts';
import { createReference, type Handle } from '../reference/reference.ts';

// The whole command, in a process of its own: exit codes, what is printed, signals.

test('a wrong command line says what to type, and leaves nothing behind', async () => {
  const folder = await emptyFolder();
  const { code, stdout, stderr } = await startCommand(['--onyl', 'task.id'], folder).ended;
  expect(stderr).toMatch(
    /^There is no option --onyl\. Did you mean --only\?\n\nSee `node \S+\/bin\/contract\.mjs help`\.\n$/,
  );
  expect([code, stdout]).toEqual([2, '']);
  expect(await readdir(folder)).toEqual([]);
});

test('a wrong .env in the working directory is named, never with the key', async () => {
  const folder = await emptyFolder();
  await writeFile(join(folder, '.env'), 'API_KEY=canary-key\nSEED=abc\n');
  const { code, stderr } = await startCommand([], folder).ended;
  expect(stderr).toMatch(
    /^The configuration cannot be used; nothing was sent\. Values come from the environment and from \.env\.\n\n {2}BASE_URL: missing, .+\n\nReports [\s\S]+\n\nNOT RUN {2}Nothing could be judged\. BASE_URL: missing, while API_KEY is set; .*\n$/,
  );
  expect(code).toBe(2);
  const results = await readFile(join(folder, 'reports/not-started/results.json'), 'utf8');
  expect(JSON.parse(results).verdict).toBe('not run');
  expect(stderr + results).not.toContain('canary');
});

test('a target that is down: what a person reads, and exit 2', async () => {
  const folder = await emptyFolder();
  // Port 1 of the loopback address: nobody listens there without being root.
  const variables = configurationFor('http://127.0.0.1:1/v5', 'out');
  const { code, stdout } = await startCommand([], folder, variables).ended;
  expect(code).toBe(2);
  expect(stdout.trimEnd().split('\n').at(-1)).toMatch(
    /^NOT RUN {2}Nothing could be judged\. http:\/\/127\.0\.0\.1:1\/v5 cannot be reached: GET \/v5\/\S+: nothing listens there \(connection refused\) \(#\d+\)\. Is BASE_URL right, and is the target up\?$/,
  );
  expect(await readdir(join(folder, 'out'))).toContain('results.json');
});

test('the embedded service, whatever is configured', async () => {
  const folder = await emptyFolder();
  const patient = { REQUEST_TIMEOUT_MS: '20000' };
  const variables = { ...configurationFor('http://127.0.0.1:1/v5', 'out'), ...patient };
  const args = ['--embedded', '--only', oneClause];
  const { code, stdout } = await startCommand(args, folder, variables).ended;
  expect(stdout).toMatch(/^CONFORMANT, of the embedded reference service {2}/);
  expect(code).toBe(0);
});

test('a pipeline that lost a variable is not green because the embedded service is', async () => {
  const folder = await emptyFolder();
  await writeFile(join(folder, 'eu.env'), 'SEED=1\n');
  const chosen = ['--only', oneClause];
  const lost = { CI: 'true', BASE_URL: '', API_KEY: '' };
  const required = / BASE_URL: set to nothing, .+, while a target is required \(--require-target, /;
  for (const [args, variables, why] of [
    [chosen, { ...lost, ALLOW_WRITES: 'yes' }, / BASE_URL: set to nothing, .+ --embedded, .+\n$/],
    [['--require-target', ...chosen], lost, required],
    [['doctor', '--require-target'], lost, required],
    [chosen, { ...lost, REQUIRE_TARGET: 'yes' }, required],
    [['--env', 'eu.env', ...chosen], {}, / BASE_URL: missing, while a file of variables is named /],
    [['--embedded', '--require-target'], {}, /^--embedded and --require-target exclude each /],
  ] as const) {
    const { code, stderr } = await startCommand(args, folder, variables).ended;
    expect(stderr.replaceAll('\n\n', ' ')).toMatch(why);
    expect(code).toBe(2);
  }
});

test('on a fresh machine the embedded service is checked, which every verdict says', async () => {
  const folder = await emptyFolder();
  const variables = { CI: 'true', GITHUB_ACTIONS: 'true', BASE_URL: '', REPORT_DIR: 'out' };
  const args = ['--only', oneClause, '--quiet'];
  const { code, stdout } = await startCommand(args, folder, variables).ended;
  expect(stdout).toMatch(
    /^::warning title=The embedded reference service was checked::.+\nCONFORMANT, of the embedded reference service {2}The chosen clause is upheld\.\n$/,
  );
  expect(code).toBe(0);
  for (const [file, text] of [
    ['summary.md', '# Contract compliance: Conformant, of the embedded reference service\n'],
    ['index.html', '<h1>Conformant, of the embedded reference service</h1>'],
    ['junit.xml', '<testsuites name="contract, of the embedded reference service" '],
  ] as const) {
    expect(await readFile(join(folder, 'out', file), 'utf8')).toContain(text);
  }
});

describe('what could not be judged', () => {
  const readOnly = [
    '--embedded',
    '--read-only',
    '--quiet',
    '--only',
    oneClause,
    '--only',
    'comment.',
  ];
  const check = async (...args: readonly string[]) => {
    const folder = await emptyFolder();
    const { code, stdout, stderr } = await startCommand([...readOnly, ...args], folder).ended;
    expect(stderr).toBe('');
    return { code, stdout, folder };
  };

  test('makes a run incomplete, unless that is what is allowed', async () => {
    const { code, stdout, folder } = await check();
    const line =
      /^INCOMPLETE, of the embedded reference service {2}No violation, but not every clause was decided, for want of ALLOW_WRITES; of \d+ chosen clauses \d+ upheld, (\d+) not judged\.\n$/;
    expect(stdout).toMatch(line);
    expect(code).toBe(3);
    // A test tab is as red as the exit code.
    const errorsIn = async (place: string): Promise<string | undefined> =>
      (await readFile(join(place, 'reports/chosen/junit.xml'), 'utf8')).match(
        /errors="(\d+)"/,
      )?.[1];
    expect(await errorsIn(folder)).toBe(line.exec(stdout)?.[1]);
    expect((await check('--allow', 'inconclusive')).code).toBe(3);
    expect((await check('--allow-incomplete')).code).toBe(0);
    const allowed = await check('--allow', 'not-judged');
    expect(allowed.code).toBe(0);
    expect(await errorsIn(allowed.folder)).toBe('0');
  });

  test('may be left out, which the report says', async () => {
    const { code, stdout, folder } = await check('--except', 'comment.');
    expect(stdout).toMatch(
      /^CONFORMANT, of the embedded reference service {2}The chosen clause is upheld; \d+ left out\.\n$/,
    );
    expect(code).toBe(0);
    const results = JSON.parse(await readFile(join(folder, 'reports/chosen/results.json'), 'utf8'));
    const comments = results.clauses.filter(
      ({ id }: { id: string }) => id === 'comment.is-on-the-assignment',
    );
    expect(comments).toMatchObject([{ verdict: 'not judged', reasons: [{ kind: 'left out' }] }]);
  });

  test('cannot be left out by a name that there is not', async () => {
    const { code, stderr } = await startCommand(['--embedded'], await emptyFolder(), {
      EXCEPT: 'notificaton.',
    }).ended;
    expect(stderr).toMatch(
      /\n {2}EXCEPT: No clause .+"notificaton\."\. Did you mean notification\./,
    );
    expect(code).toBe(2);
  });
});

test('the lines before the last one name the files that were written', async () => {
  const folder = await emptyFolder();
  const { stdout } = await startCommand(['--only', oneClause], folder).ended;
  const reports = 'index.html, summary.md, junit.xml, results.json, profile.json, exchanges.har';
  expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
    new RegExp(
      `Reports reports/chosen/${reports.replaceAll('.', '\\.')} CONFORMANT, of the embedded reference service The chosen`,
    ),
  );
  expect((await readdir(join(folder, 'reports/chosen'))).sort()).toEqual(
    reports.split(', ').sort(),
  );
  expect(await readdir(join(folder, 'reports'))).toEqual(['chosen']);
});

test('GitHub Actions gets annotations, the summary of the step and its outputs', async () => {
  const folder = await emptyFolder();
  const step = join(folder, 'step.md');
  await writeFile(step, 'before\n');
  const output = join(folder, 'output');
  const variables = {
    SEED: 'x',
    GITHUB_ACTIONS: 'true',
    GITHUB_STEP_SUMMARY: step,
    GITHUB_OUTPUT: output,
  };
  const { code, stdout } = await startCommand([], folder, variables).ended;
  expect(stdout).toMatch(
    /^::error title=Contract not run::Nothing could be judged\. SEED: "x" is not a whole number; for example 1\.\n/,
  );
  expect(await readFile(step, 'utf8')).toMatch(/^before\n# Contract compliance: Not run\n/);
  expect((await readFile(output, 'utf8')).split('\n')).toEqual([
    'verdict=not run',
    `report=${join(folder, 'reports/not-started')}`,
    expect.stringMatching(/^counts=\{"upheld":0,"violated":0,.+,"waived":0\}$/),
    '',
  ]);
  expect(code).toBe(2);
});

const waiver = {
  clause: oneClause,
  reason: 'The next release fixes it',
  owner: 'team-workflow',
  issue: 'https://tracker.example/1',
  expires: '9999-12-31',
};

test('a waiver of an unknown clause: similar ids, and exit 2', async () => {
  const folder = await emptyFolder();
  await writeFile(join(folder, 'waivers.json'), JSON.stringify([{ ...waiver, clause: 'task.di' }]));
  const { code, stderr } = await startCommand([], folder).ended;
  expect(stderr).toMatch(
    /^waivers\.json does not hold valid waivers:\n {2}entry 1: no clause is called "task\.di"\. Did you mean task\.id, .+\?\n\nReports {5}reports\/not-started\/index\.html, /,
  );
  expect(code).toBe(2);
});

test('a stale waiver is reported, and fails the run where that is configured', async () => {
  const folder = await emptyFolder();
  await writeFile(join(folder, 'waivers.json'), JSON.stringify([waiver]));
  const check = (variables = {}) => startCommand(['--only', oneClause], folder, variables).ended;
  const reported = await check();
  expect(reported.stdout).toContain(
    `\nStale waivers: their clauses are upheld (1)\n  ${oneClause}: `,
  );
  expect(reported.code).toBe(0);
  const failed = await check({ STALE_WAIVERS_FAIL: 'yes' });
  expect(failed.stdout.trimEnd().split('\n').at(-1)).toBe(
    'STALE WAIVERS, of the embedded reference service  The chosen clause is upheld. The run fails because of 1 stale waiver.',
  );
  expect(failed.code).toBe(1);
});

test('a violation does not fail the run while its waiver holds', async () => {
  const folder = await emptyFolder();
  const faulty = createReference({
    seed: 1,
    wire: (handle) => async (request) => {
      const answer = await handle(request);
      return answer.status === 404 ? { ...answer, status: 410 } : answer;
    },
  });
  const { baseUrl, close } = await listen(faulty);
  onTestFinished(close);
  const { apiKey, taskIds, assessmentIds } = faulty.facts;
  const check = (expires: string) =>
    writeFile(
      join(folder, 'waivers.json'),
      JSON.stringify([{ ...waiver, clause: 'get-task.unknown-task-is-404', expires }]),
    ).then(
      () =>
        startCommand(['--only', 'get-task.unknown-task-is-404'], folder, {
          BASE_URL: baseUrl,
          API_KEY: apiKey,
          TASK_IDS: taskIds.join(','),
          ASSESSMENT_IDS: assessmentIds.join(','),
        }).ended,
    );
  const expired = await check('2020-01-01');
  expect(expired.stdout).toContain('\nExpired waivers (1)\n');
  expect(expired.code).toBe(1);
  const waived = await check('9999-12-31');
  expect(waived.stdout.replaceAll('\n', ' ')).toMatch(
    /^CONFORMANT, WITH WAIVERS .* Waived: 1 violated clause\. /,
  );
  expect(waived.code).toBe(0);
});

/** A target that is the reference service for so many requests, and then answers no more. */
async function hangingTarget(max: number) {
  let hang = (): void => {};
  const hanging = new Promise<void>((resolve) => {
    hang = resolve;
  });
  let count = 0;
  const wire =
    (handle: Handle): Handle =>
    (request) => {
      count += 1;
      if (count <= max) return handle(request);
      hang();
      return new Promise(() => {});
    };
  const reference = createReference({ seed: 1, wire });
  const { baseUrl, close } = await listen(reference);
  onTestFinished(close);
  const { apiKey, taskIds, assessmentIds } = reference.facts;
  const variables = {
    BASE_URL: baseUrl,
    API_KEY: apiKey,
    TASK_IDS: taskIds.join(','),
    ASSESSMENT_IDS: assessmentIds.join(','),
  };
  return { variables, hanging };
}

test('Ctrl-C in the middle of a run: what was found is reported', async () => {
  const folder = await emptyFolder();
  const { variables, hanging } = await hangingTarget(100);
  const run = startCommand(['--allow-incomplete'], folder, variables);
  await hanging;
  run.signal('SIGINT');
  const { code, stdout } = await run.ended;
  expect(stdout).toMatch(/^INCOMPLETE, INTERRUPTED BY SIGINT {2}/);
  expect(stdout).toContain('The run was interrupted (SIGINT).');
  // Being cut short is not what --allow-incomplete allows.
  expect(code).toBe(130);
  const results = await readFile(join(folder, 'reports/interrupted/results.json'), 'utf8');
  expect(JSON.parse(results).verdict).toBe('incomplete');
});

test.for([
  ['SIGTERM', 'a pipeline ends it', 143],
  ['SIGHUP', 'its terminal is closed', 129],
] as const)('an end before anything was judged: %s, as %s', async ([signal, , exit]) => {
  const { variables, hanging } = await hangingTarget(0);
  const run = startCommand([], await emptyFolder(), variables);
  await hanging;
  run.signal(signal);
  const { code, stdout } = await run.ended;
  expect(stdout.replaceAll('\n', ' ')).toMatch(
    new RegExp(
      `^NOT RUN, INTERRUPTED BY ${signal} {2}Nothing could be judged\\. The run was interrupted \\(${signal}\\)\\. `,
    ),
  );
  expect(code).toBe(exit);
});

test('a run that is killed leaves a page to whoever comes next', async () => {
  const folder = await emptyFolder();
  const { variables, hanging } = await hangingTarget(40);
  const run = startCommand([], folder, variables);
  await hanging;
  run.signal('SIGKILL');
  await run.ended;
  const chosen = ['--embedded', '--only', oneClause, '--quiet'];
  const { stderr } = await startCommand(chosen, folder).ended;
  expect(stderr).toBe(
    'A run was killed before it could report; what it had found by then: reports/killed/index.html\n',
  );
  const results = JSON.parse(await readFile(join(folder, 'reports/killed/results.json'), 'utf8'));
  expect(results.interruptedBy).toBe('a kill');
  expect((await readdir(join(folder, 'reports'))).sort()).toEqual(['chosen', 'killed', 'latest']);
});

test('the service alone serves until Ctrl-C', async () => {
  const folder = await emptyFolder();
  const service = startCommand(['serve', '--seed', '3'], folder);
  await service.says('# Serving until Ctrl+C is pressed.');
  service.signal('SIGINT');
  const { code, stdout, stderr } = await service.ended;
  expect(stdout).toMatch(/^BASE_URL=http:\/\/127\.0\.0\.1:\d+\/v5\nAPI_KEY=\S+\nTASK_IDS=/);
  expect([code, stderr]).toEqual([0, '']);
});
