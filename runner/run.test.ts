import { describe, expect, test } from 'vitest';
import { readSettings } from '../helpers/config/read-settings.ts';
import type { Transport } from '../helpers/http/transport.ts';
import { inVirtualTime } from '../helpers/http/virtual-time.fixture.ts';
import { pause } from '../helpers/http/waiting.ts';
import { Violation } from '../helpers/outcomes.ts';
import { Journal } from '../helpers/tasks/journal.ts';
import { markOf, newRun } from '../helpers/tasks/marks.ts';
import { ContractRun, type Progress } from './run.ts';
import { type AnyScenario, notRun, scenario, suiteFailure } from './scenario.ts';
import { resultsNotRun } from './verdicts.ts';

const id = '7d4f9a52-6f0e-4c6b-9a1e-0c8f5f6b2d11';
const settings = readSettings(
  {
    BASE_URL: 'http://127.0.0.1:1/v5',
    API_KEY: 'canary-key',
    TASK_IDS: id,
    ASSESSMENT_IDS: id,
    ASSIGNED_BY_ID: id,
    SEED: '5',
  },
  0,
);

const answering =
  (status: number, body = ''): Transport =>
  async () => ({
    status,
    headers: [],
    body: (async function* () {
      yield new TextEncoder().encode(body);
    })(),
  });
const startedAt = new Date('2026-11-05T09:30:00Z');

function runOf(
  scenarios: readonly AnyScenario[],
  send: Transport = answering(200, '{}'),
  onProgress?: (progress: Progress) => void,
): ContractRun {
  return new ContractRun({
    settings,
    send,
    scenarios,
    startedAt,
    ...(onProgress !== undefined && { onProgress }),
  });
}

const reads = scenario({
  name: 'a task is read',
  needs: ['task'],
  act: ({ api, taskIds }) => api.task(taskIds[0] ?? ''),
  judges: {
    'task.id': (answer) => {
      if (answer.object?.id === id) return;
      throw new Violation('answers without a JSON object', [answer]);
    },
  },
});
const needsATeam = scenario({
  name: 'a team is asked for',
  needs: ['team'],
  act: async () => {},
  judges: { 'task.name': () => {} },
});

test('a scenario is run when it is asked for, and once', async () => {
  const run = runOf([reads], answering(200, `{"id":"${id}"}`));
  expect(run.exchanges).toEqual([]);
  const [one, two] = await Promise.all([run.conclusionsOf(reads), run.conclusionsOf(reads)]);
  expect(one).toBe(two);
  expect(run.exchanges).toHaveLength(1);
});

test('what came of it can be asked for at any time', async () => {
  const progress: Progress[] = [];
  const run = runOf([reads, needsATeam], undefined, (state) => progress.push(state));
  expect(run.results().verdict).toBe('not run');
  await run.runAll();
  const results = run.results();
  expect(results).toMatchObject({
    verdict: 'violations',
    target: { kind: 'remote', baseUrl: 'http://127.0.0.1:1/v5' },
    seed: 5,
    startedAt: '2026-11-05T09:30:00.000Z',
    requests: { total: 2, byOperation: { 'get-task': 2, export: 0 } },
  });
  expect(results.violations.map(({ on }) => on)).toEqual([
    [{ exchange: 1, request: 'GET /tasks/{id}' }],
  ]);
  expect(results.clauses.find((clause) => clause.id === 'task.name')?.reasons).toEqual([
    { kind: 'not configured', lacks: [{ variable: 'TEAM_IDS', what: 'a team' }] },
  ]);
  expect(progress.map(({ finished, total }) => [finished, total])).toEqual([
    [1, 2],
    [2, 2],
  ]);
});

const interrupted = notRun('The run was interrupted (SIGINT).');

describe('a run that gives up', () => {
  test('says of what was not run why, and keeps what was found', async () => {
    const run = runOf([reads, needsATeam], answering(200, `{"id":"${id}"}`));
    await run.conclusionsOf(reads);
    run.giveUp(interrupted);
    await run.runAll();
    const { clauses, verdict } = run.results();
    expect(clauses.find((clause) => clause.id === 'task.id')?.verdict).toBe('upheld');
    expect(clauses.find((clause) => clause.id === 'task.name')?.reasons).toEqual([
      interrupted.reason,
    ]);
    expect(verdict).toBe('incomplete');
  });

  test('does not wait for an answer that is under way, and sends nothing more', async () => {
    const run = runOf([reads], () => {
      run.giveUp(interrupted);
      return new Promise(() => {});
    });
    await run.runAll();
    expect(run.exchanges.map(({ failure }) => failure)).toEqual([
      { loss: 'given up', why: 'The run was interrupted (SIGINT).' },
    ]);
    expect(run.results().clauses.find(({ id: clause }) => clause === 'task.id')).toMatchObject({
      verdict: 'not judged',
      reasons: [interrupted.reason],
    });
  });

  test('waits for the writes that are under way, and for nothing else', async () => {
    const states: number[] = [];
    const writes = scenario({
      name: 'a write of which the response takes its time, and much to do after it',
      act: async ({ api }) => {
        await api.update(id, { ifMatch: null, body: '{}' });
        await new Promise(() => {});
      },
      judges: { 'task.name': () => {} },
    });
    const run: ContractRun = runOf([writes], async (request) => {
      run.giveUp(interrupted);
      states.push(run.leftToDo.writes);
      await pause(10_000);
      states.push(run.leftToDo.writes);
      return await answering(204)(request);
    });
    await inVirtualTime(() => run.runAll());
    expect(states).toEqual([1, 1]);
    expect(run.leftToDo.writes).toBe(0);
    expect(run.exchanges.map(({ response }) => response?.status)).toEqual([204]);
  });

  test('while exports are read once more is no failure of the suite', async () => {
    const csv = 'event_id,timestamp\n1,2026-11-05T09:00:00Z\n';
    const accused = scenario({
      name: 'an export is judged when the run is given up',
      act: ({ exports }) => exports.csv({ start: '2026-11-05T08:00:00Z' }),
      judges: {
        'export.csv-is-one-table': ({ answer }) => {
          run.giveUp(interrupted);
          throw new Violation('answers without a JSON object', [answer]);
        },
      },
    });
    const run: ContractRun = runOf([accused], answering(200, csv));
    await run.runAll();
    expect(run.results()).toMatchObject({ verdict: 'not run', violations: [] });
  });

  test('because the suite itself failed is an error, beside what was found', async () => {
    const run = runOf([reads, needsATeam], answering(200, `{"id":"${id}"}`));
    await run.conclusionsOf(reads);
    run.giveUp(suiteFailure('no more memory'));
    const { clauses, verdict } = run.results();
    expect(clauses.find((clause) => clause.id === 'task.id')?.verdict).toBe('upheld');
    expect(clauses.find((clause) => clause.id === 'task.name')).toMatchObject({
      verdict: 'error',
      reasons: [{ kind: 'suite failure', why: 'no more memory' }],
    });
    expect(verdict).toBe('error');
  });
});

describe('before the run', () => {
  const base = 'http://127.0.0.1:1/v5';

  test.for([
    [answering(401), `${base} answers 401 to every request with the configured key.`],
    [answering(404), `${base} answers 404 to every request, also to an export`],
    [answering(308), `${base} answers every request with a redirect (308).`],
    [
      answering(200, '<!DOCTYPE html><p>Sign in'),
      `${base} answers every request with an HTML page`,
    ],
  ] as const)('%#: nothing can be judged', async ([send, reason]) => {
    const run = runOf([reads], send);
    expect(await run.preflight()).toContain(reason);
    await run.runAll();
    expect(run.exchanges).toHaveLength(3);
    expect(run.results().verdict).toBe('not run');
  });

  test.for([
    ['has just ended, in a read that lags behind, it may go on', 1, undefined],
    ['still writes, nothing is judged', 9, 'Another run of this suite writes to the same tasks'],
  ] as const)('where another run %s', ([, markedReads, reason]) =>
    inVirtualTime(async () => {
      const assignment = { assigned_to_id: 'a', assignment_comment: `x ${markOf(newRun(), 1)}` };
      let readings = 0;
      const send: Transport = async (request) => {
        if (!request.url.includes('/tasks/')) return await answering(200, '{}')(request);
        readings += 1;
        const shown = readings <= markedReads ? assignment : null;
        return await answering(
          200,
          JSON.stringify({ id, updated_at: `${shown && 1}`, assignment: shown }),
        )(request);
      };
      const writes = scenario({ ...reads, needs: ['writable-task'] });
      const run = new ContractRun({
        settings,
        send,
        scenarios: [writes],
        startedAt,
        journal: Object.assign(new Journal(), { isKept: true }),
      });
      const obstacle = await run.preflight();
      expect(obstacle?.slice(0, reason?.length)).toBe(reason);
    }),
  );

  test('a target that cannot be reached', async () => {
    const run = runOf([reads], () =>
      Promise.reject(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })),
    );
    expect(await run.preflight()).toMatch(
      /^http:\/\/127\.0\.0\.1:1\/v5 cannot be reached: GET \/v5\/.*: nothing listens there \(connection refused\) \(#\d+\)\. Is BASE_URL right, and is the target up\?$/,
    );
  });

  test.for([answering(200, '{}'), answering(403), answering(500)])(
    '%#: it may go on',
    async (send) => {
      expect(await runOf([reads], send).preflight()).toBeUndefined();
    },
  );
});

test('a run that did not start tells every clause why', () => {
  const target = { kind: 'remote', baseUrl: 'http://127.0.0.1:1/v5' } as const;
  const reason = notRun('SEED: "x" is not a whole number');
  const results = resultsNotRun(reason, { target, seed: 0, startedAt, scenarios: [reads] });
  expect(results).toMatchObject({ verdict: 'not run', requests: { total: 0 }, violations: [] });
  expect(results.clauses.find((clause) => clause.id === 'task.id')).toMatchObject({
    verdict: 'not judged',
    reasons: [reason.reason],
    scenarios: [],
  });
});
