import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { allFaults, type Fault } from '../proof/faults.ts';
import { startReference, variablesOf } from '../reference/serve.ts';
import { findingsUnder } from '../reports/findings.ts';
import { headlineOf } from '../reports/headlines.ts';
import { reproductionOf } from '../reports/reproduction/reproduction.ts';
import { renderScripts, scriptFile } from '../reports/scripts.ts';
import { noWaivers } from '../reports/waivers.ts';
import { scenarios } from '../suites/index.ts';
import { openContract } from './run.ts';
import { select } from './selection.ts';
import { shareTarget } from './shared-target.fixture.ts';

/*
 * What a report says of a fault, and the script that it writes for it: run, it shows the fault on the faulty service, and
 * nothing of it on one that is right.
 */

const shell = promisify(execFile);

/** How a script ended. */
interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const put = 'PUT …/update-assignment';
const exporting = 'GET …/export';

interface Case {
  /** The finding, of those of the fault's first clause. */
  readonly headline: string;
  /** What the script says of the faulty service, and not of the right one. */
  readonly shows: RegExp;
  /** What it says of the right one. */
  readonly right: RegExp;
  /** A scenario, where one of several that judge the clause is enough. */
  readonly scenario?: string;
  /** In place of some of the fault's. */
  readonly rules?: Fault['rules'];
  /** How often the script writes. */
  readonly writes: number;
  /** Whether what is right is for people to see. */
  readonly isUndecided?: true;
}

const faults: Readonly<Record<string, Case>> = {
  'a-write-refused-with-409-keeps-its-comment': {
    headline: `${put} (update) answers 409, but changes assignment.assignment_comment`,
    shows: /^Expected: {3}(.*), as before the write\n.*\nNow: {8}(?!\1$)"assignment_comment":/m,
    right: /^Expected: {3}(.*), as before the write\n.*\nNow: {8}\1$/m,
    writes: 4,
  },
  'the-comment-comes-back-after-an-unassign': {
    headline: 'assignment_comment after an assignment without a comment is "Contract test ',
    shows: /^Now: {8}"assignment_comment":"Contract test \d+: /m,
    right: /^Now: {8}"assignment_comment":null$/m,
    writes: 3,
  },
  'a-version-one-step-old-is-accepted': {
    headline: `${put} (unassign) accepts a write with an If-Match one version old: 200, not 409`,
    shows:
      /^ {3}updated_at: (.*)\n {3}If-Match: {3}(?!\1$).*\n {3}answer: {5}200\nExpected: {3}409\n.*\nNow: {8}200$/m,
    right: /^Now: {8}409$/m,
    writes: 2,
  },
  'versions-are-compared-to-the-second': {
    headline: `${put} (update) accepts a write with an If-Match 1 ms later than updated_at: 200, not 409`,
    shows: /^Now: {8}200$/m,
    right: /^Now: {8}409$/m,
    scenario: 'an If-Match that differs in its last digit answers 409 and changes nothing',
    writes: 2,
  },
  'an-unassign-with-a-version-a-millisecond-off-is-carried-out': {
    headline: `${put} (unassign) accepts a write with an If-Match 1 ms earlier than updated_at: 200, not 409`,
    shows: /^Now: {8}200$/m,
    right: /^Now: {8}409$/m,
    scenario: 'an If-Match that differs in its last digit answers 409 and changes nothing',
    writes: 2,
  },
  'simultaneous-writes-all-win': {
    headline: `${put} accepts more than one of several simultaneous writes`,
    shows: /^Expected: {3}one success and 4 times 409\n.*\nNow: {8}200( 200){4}$/m,
    right: /^Now: {8}200( 409){4}$/m,
    // Longer than it takes to start five times curl.
    rules: { beforeWriting: () => pause(2000) },
    writes: 25,
  },
  'a-comment-is-html-escaped': {
    headline: 'PUT …/update-assignment: assignment_comment is',
    shows: /^Now: {8}"assignment_comment":"=1\+1: he said &quot;now/m,
    right: /^Now: {8}"assignment_comment":"=1\+1: he said \\"now/m,
    writes: 1,
  },
  'a-missing-key-is-accepted-by-get-task': {
    headline: 'GET /tasks/{id} accepts a request without the apikey header',
    shows: /^Expected: {3}401\nIn the run: 200\nNow: {8}200$/m,
    right: /^Expected: {3}401\nIn the run: 200\nNow: {8}401$/m,
    writes: 0,
  },
  'a-key-without-its-last-character-is-enough': {
    headline: 'accepts a request with the key with an additional character: 200, not 401',
    shows: /^Now: {8}200$/m,
    right: /^Now: {8}401$/m,
    writes: 0,
  },
  'a-read-shows-data-version-as-text': {
    headline: 'data_version of the task is',
    shows: /^Now: {8}"data_version":"/m,
    right: /^Now: {8}"data_version":\d+$/m,
    writes: 0,
  },
  'updated-at-never-changes': {
    headline: 'GET /tasks/{id}: updated_at of the task does not change after a write',
    shows: /^ {3}updated_at: (.*)\n[\s\S]*^Now: {8}"updated_at":"\1"$/m,
    right: /^Expected: {3}another value than before the write$/m,
    writes: 1,
  },
  'a-read-answers-with-another-task': {
    headline: 'GET /tasks/{id} answers with another task than the one asked for',
    shows: /^Expected: {3}id (.*)\n.*\nNow: {8}"id":"(?!\1)/m,
    right: /^Expected: {3}id (.*)\n.*\nNow: {8}"id":"\1"$/m,
    writes: 0,
  },
  'an-unknown-assessment-is-answered-with-200': {
    headline: 'GET /assessments/{id} answers 200, not 404, to an unknown id',
    shows: /^Now: {8}200$/m,
    right: /^Now: {8}404$/m,
    writes: 0,
  },
  'a-task-lacks-institution-id': {
    headline: 'GET /tasks/{id} answers with a task without institution_id',
    shows: /^Expected: {3}the field institution_id\n.*\nNow: {8}nothing$/m,
    right: /^Now: {8}"institution_id":"/m,
    writes: 0,
  },
  'export-auditee-id-is-ignored-beside-event-type': {
    headline: `${exporting}: auditee_id is ignored beside event_type`,
    shows: /^Now: {8}[1-9]\d* lines too many, /m,
    right: /^Now: {8}0 lines too many, 0 missing$/m,
    writes: 0,
  },
  'export-auditee-id-or-event-type-is-enough': {
    headline: 'together return the events of either, not of both',
    shows: /^Now: {8}[1-9]\d* lines too many, /m,
    right: /^Now: {8}0 lines too many, 0 missing$/m,
    writes: 0,
  },
  'export-metadata-tag-is-ignored': {
    headline: `${exporting}: metadata[tag] is ignored`,
    shows: /^Expected: {3}no events: .*\n.*\nNow: {8}200, lines: [1-9]\d+$/m,
    right: /^Now: {8}200, lines: 1$/m,
    writes: 0,
  },
  'export-event-type-matches-nothing': {
    headline: `${exporting}: event_type=`,
    shows: /^Now: {8}0 by the filter, [1-9]\d* lines that hold it among all/m,
    right: /^Now: {8}[1-9]\d* by the filter, [1-9]\d* lines that hold it among all/m,
    writes: 0,
  },
  // What readings show was made by a write, which the run has put back.
  'reading-a-task-takes-the-comment-away': {
    headline: 'GET /tasks/{id}: assignment_comment read again is null',
    shows: /^NOT as expected\.$/m,
    right: /^As expected\.$/m,
    writes: 1,
  },
  // A task that is not there is neither read nor put back.
  'a-key-with-bearer-before-it-is-accepted-by-update-assignment': {
    headline: 'does not refuse a write with “Bearer” before the key: 404, not 401',
    shows: /^Now: {8}404\nNOT as expected\.$/m,
    right: /^Now: {8}401\nAs expected\.$/m,
    writes: 1,
  },
  'export-lists-match-events-with-all-their-values': {
    headline: `${exporting}: auditee_id, event_type, sub_type, system_source with several values`,
    shows: /^NOT as expected: auditee_id, event_type, sub_type, system_source$/m,
    right:
      /^system_source:\n[\s\S]*^Now: {8}0 lines too many, 0 missing\nAs expected\.\n\nAs expected\.$/m,
    writes: 0,
  },
  'export-event-type-uses-the-first-value-only': {
    headline: `${exporting}: of 3 different values of event_type only one counts`,
    shows: /^Now: {8}0 lines too many, [1-9]\d* missing$/m,
    right: /^Now: {8}0 lines too many, 0 missing$/m,
    writes: 0,
  },
  'export-range-start-is-exclusive': {
    headline: `${exporting}: range_start leaves out the event at its very instant`,
    shows: /^> .*[\s\S]*^Now: {8}lines that differ: [1-9]\d*$/m,
    right: /^Now: {8}lines that differ: 0$/m,
    writes: 0,
  },
  'export-timezone-is-ignored-beside-filters': {
    headline: `${exporting} with timezone=Etc/GMT+5: 13 of 13 dates are in UTC: 20`,
    shows: /^The same event without the timezone:\n(.*)\r?\n[\s\S]*^Now: {8}\1\r?$/m,
    right: /^The same event without the timezone:\n(.*)\r?\n[\s\S]*^Now: {8}(?!\1\r?$)./m,
    writes: 0,
  },
  'export-400-carries-events': {
    headline: `${exporting} answers 400, and sends events all the same`,
    scenario: 'a range_start later than range_end answers 400, and the refusal carries no events',
    shows: /^Expected: {3}no events\n.*\nNow: {8}400 \S+, [^{]/m,
    right: /^Now: {8}400 \S+, {/m,
    writes: 0,
    isUndecided: true,
  },
  'export-pdf-loses-an-event-at-each-page-break': {
    headline: `${exporting}: the PDF, beside its CSV: 8 of 120 events are missing`,
    shows: /^Now: {8}0 in [12]\.pdf, 1 in [12]\.csv$/m,
    right: /^Now: {8}1 in [12]\.pdf, 1 in [12]\.csv$/m,
    scenario: 'the PDF of a query holds the events of its CSV',
    writes: 0,
  },
  'comments-of-unassignments-are-not-recorded': {
    headline: 'lacks an event with the comment of an unassignment',
    shows:
      /^ {3}Looked for comments with \d+, .*: 3 s .*\d s\n.*\nEvent id,[^\n]*\n[^\n]*,task,unassigned,[^\n]*,,[^\n]*\n[\s\S]*^Now: {8}0 with the comment$/m,
    right: /^Now: {8}[12] with the comment$/m,
    writes: 2,
  },
};

/** Begins for every service at the same moment: their events are the same. */
function clock(): () => number {
  const began = performance.now();
  return () => Date.UTC(2026, 5, 15, 12) + performance.now() - began;
}

test.for(Object.entries(faults))('%s', { timeout: 120_000 }, async ([id, expected]) => {
  const fault = allFaults.find((one) => one.id === id);
  if (fault === undefined) throw new Error(`There is no fault ${id}.`);
  const folder = await mkdtemp(join(tmpdir(), 'reproductions-'));
  const { rules = {}, wire, breaks } = fault;
  const faulty = await shareTarget(folder, undefined, {
    pastEvents: 800,
    clock: clock(),
    rules: { ...rules, ...expected.rules },
    ...(wire && { wire }),
  });
  const right = await shareTarget(folder, undefined, { pastEvents: 800, clock: clock() });
  const variables: Record<string, string> = {
    ...faulty.variables,
    AUDIT_TIMEOUT_MS: '500',
    READ_SETTLE_MS: '50',
  };
  const contract = await openContract(() => variables, {
    scenarios: select(scenarios, { only: [expected.scenario ?? breaks[0] ?? ''] }),
  });
  const { results, exchanges } = await contract.runAll();
  const findings = findingsUnder(results, noWaivers).map((one) => one.finding);
  const index = findings.findIndex((one) => headlineOf(one).includes(expected.headline));
  const finding = findings[index];
  if (finding === undefined) throw new Error(findings.map(headlineOf).join('\n'));
  const found = reproductionOf(finding, results, exchanges);
  expect(found?.writes?.times.most ?? 0).toBe(expected.writes);
  const key = faulty.variables.API_KEY;
  expect(key).toBe(right.variables.API_KEY);
  const text = renderScripts(results, noWaivers, exchanges).get(scriptFile(index + 1)) ?? '';
  expect(text).not.toContain(key);
  const kept = await mkdtemp(join(folder, 'kept-'));
  const script = join(folder, 'script.sh');
  await writeFile(script, text.replaceAll(/sleep \d+/g, 'sleep 0.1'));
  const run = async (args: readonly string[]): Promise<string> => {
    // In a pipeline the key is in the environment.
    const env = { ...process.env, API_KEY: key, TMPDIR: kept };
    const ended = shell('bash', [script, ...args], { cwd: folder, env });
    const { code, stdout, stderr } = await ended.then(
      (texts) => ({ code: 0, ...texts }),
      (error: Ended) => error,
    );
    expect(stderr).toBe('');
    const left = (await readdir(kept)).map((name) => join(kept, name));
    expect(left.filter((name) => !stdout.includes(`Files go to ${name}, and stay there.`))).toEqual(
      [],
    );
    await Promise.all(left.map((name) => rm(name, { recursive: true })));
    const isRight = stdout.includes('\nAs expected.\n');
    expect(code).toBe(stdout.includes('\nNOT as expected') ? 1 : isRight ? 0 : 2);
    return stdout;
  };
  const [asFaulty, asRight] = [await run([]), await run([right.variables.BASE_URL ?? ''])];
  expect(asFaulty.includes('\nNOT as expected')).toBe(expected.isUndecided === undefined);
  expect(asRight.includes('\nAs expected.\n')).toBe(expected.isUndecided === undefined);
  expect(asRight.includes('\nThe task is assigned as it was before.\n')).toBe(expected.writes > 0);
  expect(asFaulty).toMatch(expected.shows);
  expect(asRight).toMatch(expected.right);
  expect(asRight).not.toMatch(expected.shows);
  // zsh has a status of its own, which nothing can be assigned to.
  expect(text).not.toMatch(/\bstatus=/);
  // To be pasted, where not every shell takes comments.
  expect(found?.lines.filter((line) => line.trimStart().startsWith('#'))).toEqual([]);
  await shell('bash', ['-n', '-c', found?.lines.join('\n') ?? '']);
});

test('the script of a finding about email reads the mailbox, or says where to look', {
  timeout: 120_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'reproductions-'));
  const fault = allFaults.find(({ id }) => id === 'only-the-first-member-of-a-team-gets-email');
  const { listening, reference } = await startReference(fault ?? {});
  try {
    const variables: Record<string, string> = {
      ...variablesOf(reference.facts, listening),
      MAIL_TIMEOUT_MS: '1000',
      REPORT_DIR: folder,
      JOURNAL_DIR: folder,
    };
    const contract = await openContract(() => variables, {
      scenarios: select(scenarios, { only: ['notification.assigned-team-gets-email'] }),
    });
    const { results, exchanges } = await contract.runAll();
    const text = renderScripts(results, noWaivers, exchanges).get(scriptFile(1)) ?? '';
    expect(text).not.toMatch(/\w@\w/);
    const script = join(folder, 'script.sh');
    await writeFile(script, text.replaceAll(/sleep \d+/g, 'sleep 0.3'));
    const { API_KEY, MAILBOX_URL } = variables;
    const run = async (mailbox: Record<string, string | undefined>): Promise<string> => {
      const env = { ...process.env, API_KEY, ...mailbox };
      // How many messages the members of a team should get is for people to see.
      const ended = shell('bash', [script], { cwd: folder, env });
      const { code, stdout } = await ended.then(
        (texts) => ({ code: 0, ...texts }),
        (error: Ended) => error,
      );
      expect(code).toBe(2);
      return stdout;
    };
    const read = await run({ MAILBOX_URL });
    expect(read).toMatch(
      /^The latest messages went to:\n"To":\[.*@.*\]\nExpected: .*\n.*\nNow: {8}messages after the write: 1$/m,
    );
    expect(await run({ MAILBOX_URL: 'imaps://imap.staging.example' })).toContain(
      'Now:        curl cannot read the mailbox (MAILBOX_URL): look there yourself for messages since ',
    );
  } finally {
    await listening.close();
  }
});
