import { expect, test } from 'vitest';
import { readSettings } from '../helpers/config/read-settings.ts';
import type { Transport } from '../helpers/http/transport.ts';
import { ContractRun } from '../runner/run.ts';
import { type AnyScenario, scenario } from '../runner/scenario.ts';
import type { Task } from '../schemas/resources.ts';
import { everyAnswer } from './every-answer.ts';

const id = '7d4f9a52-6f0e-4c6b-9a1e-0c8f5f6b2d11';
const settings = readSettings(
  {
    BASE_URL: 'http://127.0.0.1:1/v5',
    API_KEY: 'canary-key',
    TASK_IDS: id,
    ASSIGNED_BY_ID: id,
    ALLOW_WRITES: 'yes',
  },
  0,
);

const exampleTask = {
  id,
  assessment_id: id,
  assessment_template_id: id,
  assignment: null,
  c_name: 'Review',
  name: null,
  created_at: '2026-11-05T09:30:00.000Z',
  updated_at: '2026-11-05T09:30:00.000Z',
  locked_at: '2026-11-05T09:30:00.000Z',
  custom_metadata: {},
  data_version: 1,
  entity_id: id,
  institution_id: id,
  microfrontend_id: id,
  status: 'INCOMPLETE',
  step_name: 'review',
  workflow_instance_id: id,
};

/** Reads a task and asks for an export, and judges neither. */
const asking = scenario({
  name: 'a task and an export are asked for',
  needs: ['task'],
  async act({ api, exports, taskIds: [taskId = ''] }) {
    await Promise.allSettled([api.task(taskId), exports.file({ fileType: 'pdf' })]);
  },
  judges: { 'task.name': () => {} },
});

/** Answers exports with these statuses in turn, the last one for good; a task with a body. */
function serving(statuses: readonly number[], task = JSON.stringify(exampleTask)): Transport {
  let count = 0;
  return async ({ url }) => {
    const isExport = url.includes('file_type=pdf');
    const status = isExport ? (statuses[Math.min(count++, statuses.length - 1)] ?? 200) : 200;
    return {
      status,
      headers: [['content-type', 'application/json']],
      body: (async function* () {
        yield new TextEncoder().encode(isExport ? '' : task);
      })(),
    };
  };
}

async function judged(send: Transport, isProved = false, asks: AnyScenario = asking) {
  const run = new ContractRun({
    settings,
    send,
    scenarios: [asks, ...everyAnswer],
    startedAt: new Date('2026-11-05T09:30:00Z'),
    pauseFactor: 0,
  });
  if (isProved) await run.preflight();
  await run.runAll();
  const { clauses, violations, requests } = run.results();
  const clause = clauses.find((one) => one.id === 'errors.server-error-does-not-last');
  return { verdict: clause?.verdict, violations, requests };
}

test('a server error that nobody judges and that lasts is a violation', async () => {
  const { verdict, violations, requests } = await judged(serving([500]));
  expect(verdict).toBe('violated');
  expect(violations).toHaveLength(1);
  expect(violations[0]).toMatchObject({
    difference: {
      when: 'a valid request, each time it is sent',
      actual: 500,
      asked: ['file_type=pdf'],
    },
    intermittent: false,
  });
  expect(requests.serverErrors).toMatchObject([
    { operation: 'export', status: 500, passed: false },
  ]);
});

test('a server error that has passed in the end is none, and its number is reported', async () => {
  const { verdict, violations, requests } = await judged(serving([500, 200]));
  expect(verdict).toBe('upheld');
  expect(violations).toEqual([]);
  expect(requests.serverErrors).toEqual([
    { operation: 'export', status: 500, passed: true, on: [2] },
  ]);
});

test('a service that fails now and then, also when it is asked once more, is not accused', async () => {
  const { verdict, violations } = await judged(serving([500, 500, 500, 200]));
  expect(verdict).toBe('upheld');
  expect(violations).toEqual([]);
});

test('a service that restarts for some seconds is not accused', async () => {
  const { verdict, violations } = await judged(serving([500, 500, 503, 503, 200]));
  expect(verdict).toBe('upheld');
  expect(violations).toEqual([]);
});

test('a gateway that ends a PDF each time is a violation, also where nothing else could be judged', async () => {
  const { verdict, violations } = await judged(serving([504]));
  expect(verdict).toBe('violated');
  expect(violations[0]?.difference).toMatchObject({ kind: 'status', actual: 504 });
});

test('a target that answers nothing but server errors in the end is inconclusive', async () => {
  const down: Transport = async () => ({
    status: 500,
    headers: [],
    body: (async function* () {})(),
  });
  expect((await judged(down)).verdict).toBe('inconclusive');
});

test('what is answered before the run is held to what holds for every answer', async () => {
  const { violations } = await judged(serving([200], '{"id": 5'), true);
  expect(violations.map(({ clause }) => clause)).toContain('interface.response-bodies-are-json');
  expect((await judged(serving([200]), true)).violations).toEqual([]);
});

test('a task that is gone is no path that is gone', async () => {
  const gone: Transport = async (request) => {
    const answer = await serving([200])(request);
    return request.url.includes('/tasks/') ? { ...answer, status: 410 } : answer;
  };
  expect((await judged(gone, true)).violations).toEqual([]);
});

test.for([
  ['event_type=a&event_type=b', 'upheld'],
  ['event_type=a%2Cb', 'upheld'],
  ['event_type=%5B%22a%22%5D', 'upheld'],
  ['event_type=a', 'violated'],
  ['metadata%5Btag%5D=a', 'violated'],
] as const)('a lasting server error to %s: %s', async ([query, verdict]) => {
  const listing = scenario({
    name: 'an export is asked for with a filter',
    async act({ api }) {
      await api.export(query);
    },
    judges: { 'task.name': () => {} },
  });
  const send: Transport = async (request) => {
    const answer = await serving([200])(request);
    return request.url.endsWith(query) ? { ...answer, status: 500 } : answer;
  };
  expect((await judged(send, false, listing)).verdict).toBe(verdict);
});

test('a task to which each assignment fails is a violation where another one takes them', async () => {
  const other = exampleTask.id.replace('7', '8');
  const writing = scenario({
    name: 'tasks are assigned',
    async act({ api, actor: by }) {
      for (const one of [id, other, id]) {
        await api.assign({ ...exampleTask, id: one } as Task, { type: 'USER', id }, { by });
      }
    },
    judges: { 'task.name': () => {} },
  });
  const failingFor =
    (...failing: readonly string[]): Transport =>
    async (request) => {
      const answer = await serving([200])(request);
      const fails = request.method === 'PUT' && failing.some((one) => request.url.includes(one));
      return fails ? { ...answer, status: 500 } : answer;
    };
  const verdictWith = async (...failing: readonly string[]) =>
    (await judged(failingFor(...failing), false, writing)).verdict;
  expect(await verdictWith(id)).toBe('violated');
  expect(await verdictWith(id, other)).toBe('inconclusive');
  expect(await verdictWith(other)).toBe('upheld');
});
