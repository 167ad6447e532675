import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { allFaults } from '../proof/faults.ts';
import { findingsUnder, headlineOf } from '../reports/findings.ts';
import { requestsFile } from '../reports/requests.ts';
import { noWaivers } from '../reports/verdicts.ts';
import { scenarios } from '../suites/index.ts';
import { emptyFolder, startCommand } from './process.fixture.ts';
import { openContract } from './run.ts';
import { select } from './selection.ts';
import { shareTarget } from './shared-target.fixture.ts';

/*
 * The requests of a finding, sent again by bash and curl, are answered as in the run; and `--last-failed` says what became of
 * the findings.
 */

const shell = promisify(execFile);

interface Case {
  /** The finding, of those of the fault's first clause. */
  readonly headline: string;
  /** A scenario, where one of several that judge the clause is enough. */
  readonly scenario?: string;
}

const put = 'PUT …/update-assignment';

const faults: Readonly<Record<string, Case>> = {
  'a-write-refused-with-409-keeps-its-comment': {
    headline: 'assignment_comment after a write with an If-Match one version old',
    scenario: 'sequence 1: ',
  },
  'a-version-one-step-old-is-accepted': {
    headline: `${put} accepts a write with an If-Match one version old: 200, not 409`,
    scenario: 'sequence 1: ',
  },
  'an-unassign-with-a-version-a-millisecond-off-is-carried-out': {
    headline: `${put} (unassign) accepts a write with an If-Match one step earlier than updated_at`,
  },
  'simultaneous-writes-all-win': {
    headline: `${put} accepts more than one of several simultaneous writes`,
  },
  'a-key-with-bearer-before-it-is-accepted-by-update-assignment': {
    headline: 'does not refuse a write with “Bearer” before the key: 404, not 401',
  },
  'a-key-without-its-last-character-is-enough': {
    headline: 'accepts a request with the key with an additional character: 200, not 401',
    scenario: 'a task asked for without a valid key answers 401',
  },
  'a-missing-key-is-accepted-by-get-task': {
    headline: 'GET /tasks/{id} accepts a request without the apikey header',
  },
  'export-auditee-id-is-ignored-beside-event-type': {
    headline: 'GET …/export: auditee_id is ignored beside event_type',
    scenario: 'several parameters in one request keep the events that match all of them',
  },
  'export-pdf-loses-an-event-at-each-page-break': {
    headline: 'GET …/export: the PDF, beside its CSV: 8 of 120 events are missing',
    scenario: 'the PDF of a query holds the events of its CSV',
  },
};

/** Begins for every service at the same moment: their events are the same. */
function clock(): () => number {
  const began = performance.now();
  return () => Date.UTC(2026, 5, 15, 12) + performance.now() - began;
}

test.for(Object.entries(faults))('%s', async ([id, expected]) => {
  const fault = allFaults.find((one) => one.id === id);
  if (fault === undefined) throw new Error(`There is no fault ${id}.`);
  const folder = await emptyFolder();
  const { rules = {}, wire, breaks } = fault;
  let isSentAgain = false;
  // Simultaneous writes of the script wait longer than it takes to start five times curl.
  const beforeWriting = async () => await (isSentAgain ? pause(2000) : rules.beforeWriting?.());
  const target = await shareTarget(folder, undefined, {
    pastEvents: 800,
    clock: clock(),
    rules: { ...rules, ...(rules.beforeWriting && { beforeWriting }) },
    ...(wire && { wire }),
  });
  const before = await target.assignments();
  const { API_KEY = '', REPORT_DIR = '' } = target.variables;
  const variables = {
    ...target.variables,
    AUDIT_TIMEOUT_MS: '500',
    // The clock of this service is behind: the events of the run's own writes are kept out of the window.
    EXPORT_RANGE_END: '2026-06-15T11:59:59.999Z',
  };
  const contract = await openContract(() => variables, {
    scenarios: select(scenarios, { only: [expected.scenario ?? breaks[0] ?? ''] }),
  });
  const { results, exchanges } = await contract.runAll();
  const findings = findingsUnder(results, noWaivers).map(({ finding }) => finding);
  const index = findings.findIndex((one) => headlineOf(one).includes(expected.headline));
  const [violation] = findings[index]?.violations ?? [];
  if (violation === undefined) throw new Error(findings.map(headlineOf).join('\n'));

  const file = join(REPORT_DIR, requestsFile(index + 1));
  const text = await readFile(file, 'utf8');
  expect(text).not.toContain(API_KEY);
  await writeFile(file, text.replaceAll(/sleep \d+/g, 'sleep 0.1'));
  isSentAgain = true;
  const { stdout, stderr } = await shell('bash', [file], {
    env: { ...process.env, API_KEY, TMPDIR: folder },
    maxBuffer: 10_000_000,
  });
  const statuses = (seen: readonly (number | string | undefined)[]): string[] =>
    id === 'simultaneous-writes-all-win' ? seen.map(String).sort() : seen.map(String);
  const recorded = exchanges.filter(({ number }) => violation.sequence?.includes(number));
  expect(
    statuses(
      Array.from(
        stdout.matchAll(/^HTTP\/1\.1 (\d{3})|^(\d{3})(?: .* bytes in .*)?$/gm),
        ([, shown, saved]) => shown ?? saved,
      ),
    ),
  ).toEqual(statuses(recorded.map(({ response }) => response?.status)));
  // Each request is shown above its answer.
  expect(stderr).toContain('# Look here: ');
  expect(stderr).not.toMatch(/^curl: |: line \d+:/m);
  expect(stdout + stderr).not.toContain(API_KEY);
  expect(await target.assignments()).toEqual(before);
});

test('--last-failed says of each finding whether it is still there', {
  timeout: 120_000,
}, async () => {
  const folder = await emptyFolder();
  let isBroken = true;
  const target = await shareTarget(folder, (request, handle) => {
    const isTask = /\/tasks\/[^/]+$/.test(request.target);
    const { apikey = target.variables.API_KEY ?? '' } = request.headers;
    return handle(
      isBroken && isTask ? { ...request, headers: { ...request.headers, apikey } } : request,
    );
  });
  const run = async (...args: readonly string[]) =>
    await startCommand(args, folder, target.variables).ended;
  const none = await run('--last-failed');
  expect(none.stderr).toContain('Expected results of a run, but there is no file or folder ');
  expect(none.code).toBe(2);

  const first = await run('--only', 'auth.', '--read-only');
  expect(first.code).toBe(1);
  const still = await run('--last-failed', '--read-only');
  expect(still.stdout).toMatch(
    /\n {2}✗ 1 GET \/tasks\/\{id\} does not refuse an unknown task without the apikey header: .*\(still\s+there, 2 runs in a row\)\n/,
  );
  expect(still.code).toBe(1);
  isBroken = false;
  const gone = await run('--last-failed', '--read-only');
  expect(gone.stdout).toMatch(
    /\nSince the run of .* UTC\n {2}findings: 1 gone.*\n\n {2}gone: .*\n\nCONFORMANT .*\n$/,
  );
  expect(gone.code).toBe(0);
  const nothing = await run('--last-failed');
  expect(nothing.stderr).toMatch(/^--last-failed: the last run, of .* UTC, found nothing violated/);
  expect(nothing.code).toBe(2);
});
