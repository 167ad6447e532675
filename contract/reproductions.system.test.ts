import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { allFaults } from '../reference/faults.ts';
import { findingsOf } from '../reports/findings.ts';
import { violatedClauses } from '../reports/grouping.ts';
import { headlineOf } from '../reports/headlines.ts';
import { reproductionOf } from '../reports/reproduction.ts';
import { scenarios } from '../suites/index.ts';
import { openContract } from './run.ts';
import { select } from './selection.ts';
import { shareTarget } from './shared-target.fixture.ts';

/*
 * What a report says of a fault, and the commands that it gives for it: pasted, they show the fault on the faulty service, and
 * nothing of it on one that is right.
 */

const shell = promisify(execFile);

const put = 'PUT /tasks/{id}/update-assignment';
const exporting = 'GET /audit-sentinel/events/export';

interface Case {
  /** The finding, of those of the fault's first clause. */
  readonly headline: string;
  /** What is in the output where the fault is, and not where it is not. */
  readonly shows: RegExp;
  /** The same where it is not. */
  readonly right: RegExp;
  /** A scenario, where one of several that judge the clause is enough. */
  readonly scenario?: string;
  /** How often the commands write. */
  readonly writes: number;
}

const faults: Readonly<Record<string, Case>> = {
  'a-write-refused-with-409-keeps-its-comment': {
    headline: `${put} answers 409, but stores the comment`,
    shows: /"assignment_comment":(.*)\nLOOK FOR: .* with the fault it is \1\.$/m,
    right: /"assignment_comment":(.*)\nLOOK FOR: .*: \1; with the fault /m,
    writes: 3,
  },
  'a-version-one-step-old-is-accepted': {
    headline: `${put} answers 200, not 409: with an If-Match one version old`,
    shows: /^2\. .*\n200$/m,
    right: /^2\. .*\n409$/m,
    writes: 2,
  },
  'versions-are-compared-to-the-second': {
    headline: `${put} answers 200, not 409: with an If-Match one later in its last digit`,
    shows: /The write to look at, .*\n200$/m,
    right: /The write to look at, .*\n409$/m,
    scenario: 'an If-Match that differs in its last digit answers 409 and changes nothing',
    writes: 2,
  },
  'a-comment-is-html-escaped': {
    headline: 'GET /tasks/{id}: assignment.assignment_comment of the task is',
    shows: /"assignment_comment":"He said &quot;now/,
    right: /"assignment_comment":"He said \\"now/,
    writes: 1,
  },
  'a-missing-key-is-accepted-by-get-task': {
    headline: 'GET /tasks/{id} answers 200, not 401: without the apikey header',
    shows: /^1\.json: 200,/m,
    right: /^1\.json: 401,/m,
    writes: 0,
  },
  'a-key-without-its-last-character-is-enough': {
    headline: 'answers 200, not 401: with the key with an additional character',
    shows: /^1\.json: 200,/m,
    right: /^1\.json: 401,/m,
    writes: 0,
  },
  'export-auditee-id-is-ignored-beside-event-type': {
    headline: `${exporting}: auditee_id is ignored beside event_type`,
    shows: /^Lines too many in 3\.csv: [1-9]/m,
    right: /^Lines too many in 3\.csv: 0;.*\nLines missing in 3\.csv: 0;/m,
    writes: 0,
  },
  'export-auditee-id-or-event-type-is-enough': {
    headline: 'together keep the events of either, not of both',
    shows: /^Lines too many in 3\.csv: [1-9]/m,
    right: /^Lines too many in 3\.csv: 0;/m,
    writes: 0,
  },
  'export-metadata-tag-is-ignored': {
    headline: `${exporting}: metadata[tag] is ignored`,
    shows: /^\s*[1-9]\d+ 1\.csv$/m,
    right: /^\s*1 1\.csv$/m,
    writes: 0,
  },
  'export-event-type-uses-the-first-value-only': {
    headline: `${exporting}: several values of event_type:`,
    shows: /^Lines missing in 4\.csv: [1-9]/m,
    right: /^Lines missing in 4\.csv: 0;/m,
    writes: 0,
  },
  'export-range-start-is-exclusive': {
    headline: `${exporting}: range_start leaves out the event at its very instant`,
    shows: /^> /m,
    right: /bytes\nLOOK FOR/,
    writes: 0,
  },
  'export-pdf-loses-an-event-at-each-page-break': {
    headline: `${exporting}: the PDF, compared with the CSV of the same query: 8 of 120 events are missing`,
    shows: /in the PDF:\n1\n0\n/,
    right: /in the PDF:\n1\n1\n/,
    scenario: 'the PDF of a query holds the events of its CSV',
    writes: 0,
  },
  'comments-of-unassignments-are-not-recorded': {
    headline: 'the recorded event of an unassignment',
    shows: /\n0\nLOOK FOR/,
    right: /\n[12]\nLOOK FOR/,
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
    rules,
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
  const finding = findingsOf(violatedClauses(results)).find((one) =>
    headlineOf(one).includes(expected.headline),
  );
  if (finding === undefined) {
    throw new Error(findingsOf(violatedClauses(results)).map(headlineOf).join('\n'));
  }
  const found = reproductionOf(finding.violation, results, exchanges);
  expect(found?.writes?.times ?? 0).toBe(expected.writes);
  const key = faulty.variables.API_KEY;
  expect(key).toBe(right.variables.API_KEY);
  const paste = async (baseUrl = ''): Promise<string> => {
    const commands = (found?.lines.join('\n') ?? '')
      .replace(`BASE=${variables.BASE_URL}\n`, `BASE=${baseUrl}\n`)
      .replaceAll('sleep 3', 'sleep 0.1');
    expect(commands).toContain(`BASE=${baseUrl}\n`);
    expect(commands).not.toContain(key);
    // In a pipeline the key is in the environment.
    const env = { ...process.env, API_KEY: key };
    const { stdout, stderr } = await shell('bash', ['-c', commands], { cwd: folder, env });
    expect(stderr).toBe('');
    return stdout;
  };
  const [asFaulty, asRight] = [
    await paste(faulty.variables.BASE_URL),
    await paste(right.variables.BASE_URL),
  ];
  expect(asFaulty).toMatch(expected.shows);
  expect(asRight).toMatch(expected.right);
  expect(asRight).not.toMatch(expected.shows);
  expect(asFaulty).toMatch(/\nLOOK FOR: .*\n$/);
});
