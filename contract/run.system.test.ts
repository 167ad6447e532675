import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isObject, jsonObject } from '../helpers/json.ts';
import { toldRun } from '../reports/example-results.fixture.ts';
import { headline, runReport } from '../reports/run-report.ts';
import { renderOnTerminal } from '../reports/terminal.ts';
import { hasReason, unallowedClauses } from '../reports/verdicts.ts';
import { unusableLines } from '../reports/wording.ts';
import { exitCode } from '../runner/verdicts.ts';
import type { Results } from '../schemas/results.ts';
import { scenarios as everyScenario, jsonSuites as scenarios } from '../suites/index.ts';
import { badTargets, configurationFor, startServer } from './bad-targets.fixture.ts';
import { openContract } from './run.ts';
import { select } from './selection.ts';
import { shareTarget } from './shared-target.fixture.ts';

async function scratchFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'contract-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

async function written(folder: string): Promise<Results> {
  return JSON.parse(await readFile(join(folder, 'results.json'), 'utf8'));
}

/** Runs everything against a target: what a person and a pipeline get. */
async function runAgainst(name: keyof typeof badTargets) {
  const folder = await scratchFolder();
  const { baseUrl, close, requests } = await startServer(badTargets[name]);
  onTestFinished(close);
  const configuration = configurationFor(baseUrl, folder);
  // Whoever answers has time for it.
  if (name === 'never answers') configuration.REQUEST_TIMEOUT_MS = '300';
  const contract = await openContract(() => configuration, { scenarios });
  const { results } = await contract.runAll();
  expect(await written(folder)).toEqual(JSON.parse(JSON.stringify(results)));
  const summary = renderOnTerminal(runReport(toldRun({ results })), { color: false, width: 1000 });
  const verdict = summary.trimEnd().split('\n').at(-1) ?? '';
  return { exit: exitCode(results.verdict), verdict, results, baseUrl, requests: requests() };
}

describe('a target that', () => {
  test.for([
    [
      'answers 401 to everything',
      'answers 401 to every request with the configured key. Is API_KEY valid for this region, and is this machine’s address allowed?',
      4,
    ],
    [
      'answers 404 to everything',
      'answers 404 to every request, also to an export, which takes no id. Is BASE_URL the address of the service, up to /v5?',
      4,
    ],
    [
      'answers HTML to everything',
      'answers every request with an HTML page, as a sign-in page or a gateway does. Is BASE_URL the address of the service, up to /v5?',
      4,
    ],
    [
      'closes every connection',
      /cannot be reached: GET \/v5\/\S+: the connection was closed \(#\d+\)\. Is BASE_URL right \(does that port speak https\?\), and is the target up\?$/,
      12,
    ],
    [
      'never answers',
      /cannot be reached: GET \/v5\/\S+: no complete response within 300 ms \(#\d+\)\. Is BASE_URL right, and is the target up\?$/,
      8,
    ],
  ] as const)('%s: nothing could be judged, and why', async ([name, why, sent]) => {
    const { exit, verdict, baseUrl, requests } = await runAgainst(name);
    expect(exit).toBe(2);
    expect(verdict).toMatch(/^NOT RUN {2}Nothing could be judged\. /);
    expect(verdict).toContain(baseUrl);
    if (typeof why === 'string') expect(verdict.endsWith(why)).toBe(true);
    else expect(verdict).toMatch(why);
    // How often each of the first four is sent again depends on how long that takes: `client.test.ts` counts it.
    expect(requests).toBeGreaterThanOrEqual(4);
    expect(requests).toBeLessThanOrEqual(sent);
  });

  test('answers 200 {} to everything: violations', async () => {
    const { exit, verdict, results } = await runAgainst('answers 200 {} to everything');
    expect(exit).toBe(1);
    expect(verdict).toMatch(
      /^VIOLATIONS {2}\d+ findings; of \d+ chosen clauses .*\d+ violated \(\d+ stated, \d+ implied\)/,
    );
    const violated = new Set(results.violations.map(({ clause }) => clause));
    expect([...violated]).toEqual(
      expect.arrayContaining(['task.id', 'assessment.id', 'auth.invalid-key-is-401']),
    );
    const ours = results.clauses.filter(({ verdict }) => verdict === 'error');
    expect(ours).toEqual([]);
  });
});

describe('a run that cannot start', () => {
  async function refused(variables: Record<string, string>): Promise<Results> {
    const folder = await scratchFolder();
    const configure = () => ({ REPORT_DIR: folder, ...variables });
    await expect(openContract(configure, { scenarios })).rejects.toThrow();
    const results = await written(folder);
    expect(results).toMatchObject({ verdict: 'not run', requests: { total: 0 } });
    return results;
  }
  const whyOf = ({ clauses }: Results): string => {
    const [reason] = clauses.find(({ id }) => id === 'task.id')?.reasons ?? [];
    expect(reason).toMatchObject({ kind: 'not run', on: [] });
    return reason !== undefined && 'why' in reason ? reason.why : '';
  };

  test('for a wrong value', async () => {
    const results = await refused({ SEED: 'x', MAX_CONCURRENCY: '0' });
    expect(whyOf(results)).toBe(
      'MAX_CONCURRENCY: "0" is not a whole number from 1 to 999; for example 8; SEED: "x" is not a whole number; for example 1',
    );
  });

  test('for want of an address', async () => {
    const results = await refused({ API_KEY: 'canary-key' });
    expect(whyOf(results)).toMatch(/^BASE_URL: missing, while API_KEY is set; /);
    expect(JSON.stringify(results)).not.toContain('canary-key');
  });

  test('for want of a key', async () => {
    const results = await refused({ BASE_URL: 'http://127.0.0.1:1/v5', SEED: '9' });
    expect(whyOf(results)).toMatch(/^API_KEY: missing; /);
    expect(results.target).toEqual({ kind: 'remote', baseUrl: 'http://127.0.0.1:1/v5' });
    expect(results.seed).toBe(9);
  });

  test('for want of a folder for its reports', async () => {
    const file = join(await scratchFolder(), 'a-file');
    await writeFile(file, '');
    await expect(openContract(() => ({ REPORT_DIR: file }), { scenarios })).rejects.toThrow(
      /^REPORT_DIR: ".*a-file" cannot be written to \(EEXIST.*\); for example reports\/latest$/,
    );
  });
});

test('a run that needs no write sends none', async () => {
  const configure = () => ({ ALLOW_WRITES: 'no', SEED: '1', REPORT_DIR: folder });
  const folder = await scratchFolder();
  const { results } = await (await openContract(configure, { scenarios })).runAll();
  expect(results.requests.byOperation['update-assignment']).toBe(0);
  expect(results.requests.byOperation['get-task']).toBeGreaterThan(0);
  expect(results.verdict).toBe('incomplete');
});

describe('ids that are not there', () => {
  const unknown = 'cadff918-0000-4000-8000-000000000000';

  async function runWith(
    variables: Record<string, string>,
    only = ['task.', 'get-assessment.', 'update.keeps-other'],
  ) {
    const folder = await scratchFolder();
    const target = await shareTarget(folder);
    const configured = { ...target.variables, ...variables };
    const chosen = select(everyScenario, { only });
    const contract = await openContract(() => configured, { scenarios: chosen });
    const { results } = await contract.runAll();
    return { results, unusable: results.unusable, first: target.taskIds[0] ?? '' };
  }

  const wrong = (what: string, variable = 'TASK_IDS') => ({
    verdict: 'not judged',
    reasons: [
      {
        kind: 'not configured',
        lacks: [{ variable, what, unusable: [{ value: unknown, status: 404 }] }],
      },
    ],
  });

  test('cost what needs them, and nothing else', async () => {
    const { results, unusable } = await runWith({ ASSESSMENT_IDS: unknown });
    expect(unusable).toEqual([{ variable: 'ASSESSMENT_IDS', value: unknown, status: 404 }]);
    expect(results.verdict).toBe('incomplete');
    const byId = new Map(results.clauses.map((clause) => [clause.id, clause]));
    expect(byId.get('task.id')?.verdict).toBe('upheld');
    expect(byId.get('get-assessment.unknown-assessment-is-404')).toMatchObject(
      wrong('an assessment', 'ASSESSMENT_IDS'),
    );
    expect(unallowedClauses(results, new Set(['not judged']))).not.toEqual([]);
  });

  test('leave nothing to be judged where all are wrong', async () => {
    const { results } = await runWith({ TASK_IDS: unknown, ASSESSMENT_IDS: '' });
    expect(exitCode(results.verdict)).toBe(2);
    expect(headline(results).sentence).toBe(
      `Nothing could be judged. TASK_IDS: ${unknown} is not there (404).`,
    );
    expect(results.clauses.filter(({ verdict }) => verdict === 'inconclusive')).toEqual([]);
  });

  test('and routes on which nothing answers are told by their variable, without a password', async () => {
    const { results, unusable } = await runWith(
      {
        WRONG_REGION_URL: 'http://127.0.0.1:1/v5',
        BLOCKED_PROXY_URL: 'http://qa:canary@127.0.0.1:1',
      },
      ['auth.wrong-region-is-401', 'auth.blocked-address-is-401'],
    );
    expect(unusable).toEqual([
      { variable: 'WRONG_REGION_URL', value: 'http://127.0.0.1:1/v5', loss: 'refused' },
      { variable: 'BLOCKED_PROXY_URL', value: 'http://127.0.0.1:1', loss: 'refused' },
    ]);
    expect(results.verdict).toBe('not run');
    expect(headline(results).sentence).toMatch(
      /nothing answers at http:\/\/127\.0\.0\.1:1\/v5 \(a refused connection\)/,
    );
  });

  test('may stand beside those that are', async () => {
    const { results, unusable } = await runWith({
      TASK_IDS: `${unknown},7d4f9a52-0000-4000-8000-000000000000`,
    });
    expect(unusable).toHaveLength(2);
    expect(results.violations).toEqual([]);
  });
});

describe('users whom the target refuses', () => {
  const only = ['sequence'];
  const judging = async (refused: number, configured: number, actors = 2) => {
    const folder = await scratchFolder();
    const target = await shareTarget(folder, async (request, handle) => {
      const names = target.userIds
        .slice(0, refused)
        .some((id) => request.body.includes(`"assigned_to_id":"${id}"`));
      return request.method === 'PUT' && names
        ? { status: 422, headers: {}, body: '{"error":"no such user"}' }
        : await handle(request);
    });
    // A task of a user who is refused could not be put back, and would be tried in vain.
    for (const id of target.taskIds) await target.assign(id, null);
    const userIds = target.userIds.slice(0, configured).join(',');
    const actorIds = target.variables.ASSIGNED_BY_ID?.split(',').slice(0, actors).join(',') ?? '';
    const contract = await openContract(
      () => ({
        ...target.variables,
        ASSIGNED_BY_ID: actorIds,
        USER_IDS: userIds,
        READ_SETTLE_MS: '50',
      }),
      { scenarios: select(everyScenario, { only }) },
    );
    const { results } = await contract.runAll();
    expect(results.unusable).toEqual(
      target.userIds.slice(0, refused).map((value) => ({
        variable: 'USER_IDS',
        value,
        status: 422,
        answer: '{"error":"no such user"}',
      })),
    );
    expect(results.violations).toEqual([]);
    return results.clauses
      .filter(
        (clause) =>
          clause.level !== 'open' &&
          clause.verdict !== 'untestable' &&
          !hasReason(clause, 'not selected'),
      )
      .map(({ verdict }) => verdict);
  };

  test('are whose mistake it is, not the target’s', async () => {
    const verdicts = await judging(1, 1);
    expect(verdicts).toContain('not judged');
    expect(verdicts).not.toContain('inconclusive');
  });

  test.for([
    [1, 2],
    [2, 2],
    [1, 1],
    [2, 1],
  ] as const)(
    '%i of them, with %i assigners: others take their place',
    async ([refused, actors]) => {
      const verdicts = await judging(refused, 3, actors);
      expect(verdicts.length).toBeGreaterThan(3);
      expect(new Set(verdicts)).toEqual(new Set(['upheld']));
    },
  );
});

describe('where the target refuses', () => {
  const unknown = 'cadff918-0000-4000-8000-000000000000';

  type Refuses = (field: string, id: string) => readonly [status: number, body?: unknown];

  /** How services refuse whom they do not know. */
  const refusals = {
    'with 400 and the field': (field) => [400, { errors: [{ field, message: 'is unknown' }] }],
    'with 404 and no body': () => [404],
    'with 422 and the id': (_, id) => [422, { message: `There is nobody with the id ${id}.` }],
    'with 403 and a text': () => [403, { detail: 'Not permitted.' }],
  } satisfies Record<string, Refuses>;

  /** Runs all that is asked in JSON against a service that knows its users and teams. */
  async function runWith(
    refuses: Refuses,
    configure: (target: Record<string, string>) => Record<string, string>,
    maySend: readonly string[] = ['ASSIGNED_BY_ID'],
  ) {
    const folder = await scratchFolder();
    const target = await shareTarget(folder, async (request, handle) => {
      const { USER_IDS = '', TEAM_IDS = '', API_KEY } = target.variables;
      const assigners = maySend.map((name) => target.variables[name]).join();
      const isLet = request.method === 'PUT' && request.headers.apikey === API_KEY;
      const body = jsonObject(isLet ? request.body : '{}');
      for (const part of [body?.update, body?.unassign]) {
        if (!isObject(part)) continue;
        const { assigned_by_id: by, assigned_to_id: to, assigned_to_type: type } = part;
        const known = type === 'TEAM' ? TEAM_IDS : USER_IDS;
        const wrong =
          typeof by === 'string' && !assigners.includes(by)
            ? (['assigned_by_id', by] as const)
            : typeof to === 'string' && !known.includes(to)
              ? (['assigned_to_id', to] as const)
              : undefined;
        if (wrong === undefined) continue;
        const [status, refusal] = refuses(wrong[0], wrong[1]);
        const headers = { 'content-type': 'application/json' };
        return { status, headers, body: refusal === undefined ? '' : JSON.stringify(refusal) };
      }
      return await handle(request);
    });
    const variables = { ...target.variables, READ_SETTLE_MS: '50', AUDIT_TIMEOUT_MS: '50' };
    const contract = await openContract(() => ({ ...variables, ...configure(variables) }), {
      scenarios,
    });
    const { results } = await contract.runAll();
    return { results };
  }

  test.for(Object.entries<Refuses>(refusals))(
    '%s the only assigner, nothing else is blamed',
    async ([, refuses]) => {
      const { results } = await runWith(refuses, () => ({ ASSIGNED_BY_ID: unknown }));
      const [status, body] = refuses('assigned_by_id', unknown);
      expect(results.unusable).toEqual([
        {
          variable: 'ASSIGNED_BY_ID',
          value: unknown,
          status,
          ...(body !== undefined && { answer: JSON.stringify(body) }),
        },
      ]);
      expect(results.violations).toEqual([]);
      expect(exitCode(results.verdict)).toBe(3);
    },
  );

  test('the only assigner, and users may assign: in their name the tasks are put back', async () => {
    const { results } = await runWith(
      refusals['with 404 and no body'],
      () => ({ ASSIGNED_BY_ID: unknown }),
      ['ASSIGNED_BY_ID', 'USER_IDS'],
    );
    expect(results.unusable?.map(({ value }) => value)).toEqual([unknown]);
    expect(results.leftChanged).toEqual([]);
    expect(results.violations).toEqual([]);
  });

  test('the first assigner, the second takes the place', async () => {
    const { results } = await runWith(refusals['with 404 and no body'], (known) => ({
      ASSIGNED_BY_ID: `${unknown},${known.ASSIGNED_BY_ID}`,
    }));
    expect(results.unusable).toEqual([{ variable: 'ASSIGNED_BY_ID', value: unknown, status: 404 }]);
    expect(results.leftChanged).toEqual([]);
    expect(results.violations).toEqual([]);
    expect(results.clauses.filter(isOfWrites).map(({ verdict }) => verdict)).not.toContain(
      'not judged',
    );
  });

  test('users and teams that are exchanged, that is told', async () => {
    const { results } = await runWith(refusals['with 400 and the field'], (known) => ({
      USER_IDS: known.TEAM_IDS ?? '',
      TEAM_IDS: known.USER_IDS ?? '',
    }));
    const variables = results.unusable?.map(({ variable }) => variable);
    expect(new Set(variables)).toEqual(new Set(['USER_IDS', 'TEAM_IDS']));
    expect(unusableLines(results.unusable, results.clauses).join('\n')).toContain(
      'USER_IDS and TEAM_IDS may be exchanged',
    );
    expect(results.violations).toEqual([]);
  });

  test('every unassignment, that is the target’s fault', async () => {
    const folder = await scratchFolder();
    const target = await shareTarget(folder, async (request, handle) =>
      request.method === 'PUT' && jsonObject(request.body)?.unassign !== undefined
        ? { status: 400, headers: {}, body: '{"error":"assigned_by_id is unknown"}' }
        : await handle(request),
    );
    // A task that was assigned to nobody could not be put back, and would be tried in vain.
    for (const id of target.taskIds) await target.assign(id, target.userIds[0] ?? '');
    const chosen = select(everyScenario, { only: ['unassign.'] });
    const configured = { ...target.variables, READ_SETTLE_MS: '50' };
    const contract = await openContract(() => configured, { scenarios: chosen });
    const { results } = await contract.runAll();
    expect(results.unusable).toEqual([]);
    const violated = new Set(results.violations.map(({ clause }) => clause));
    expect([...violated]).toEqual(['unassign.comment-is-optional']);
  });
});

function isOfWrites({ id }: Results['clauses'][number]): boolean {
  return /^(?:assign|reassign|unassign|update|conflict)\./.test(id);
}
