import { expect, test } from 'vitest';
import { Api } from '../api.ts';
import type { Answer } from '../http/answer.ts';
import { Client } from '../http/client.ts';
import { createPacing } from '../http/pacing.ts';
import { Recorder } from '../http/recorder.ts';
import { inVirtualTime } from '../http/virtual-time.fixture.ts';
import { pause } from '../http/waiting.ts';
import { Journal } from './journal.ts';
import { Tasks } from './leases.ts';
import { taskOf } from './task-answer.ts';
import { TaskPool } from './task-pool.ts';

const id = '7d4f9a52-6f0e-4c6b-9a1e-0c8f5f6b2d11';
const settleMs = 150;
/** How long a read takes that follows on a refused write, in milliseconds. */
const lateMs = 48;

/**
 * Tries a refused write to a task whose version is the number of changes so far.
 * @param changes how often the task has changed after so many milliseconds, and so many refused writes
 * @returns whether the change is said to be somebody else's
 */
async function isCleared(changes: (ms: number, writes: number) => number): Promise<boolean> {
  return await inVirtualTime(async () => {
    const began = performance.now();
    let writes = 0;
    const answer = (status: number, body: object) => ({
      status,
      headers: [],
      body: (async function* () {
        yield new TextEncoder().encode(JSON.stringify(body));
      })(),
    });
    const client = new Client(
      async ({ method }) => {
        await pause(1);
        if (method === 'PUT') writes += 1;
        const version = new Date(changes(performance.now() - began, writes)).toISOString();
        return method === 'PUT'
          ? answer(409, {})
          : answer(200, { id, updated_at: version, assignment: null });
      },
      new Recorder([]),
      createPacing(1, 0),
      { requestTimeoutMs: 1000, maxExportBytes: 10_000, writes: true },
    );
    const access = {
      apiKey: 'key',
      target: { baseUrl: 'http://127.0.0.1:1/v5' },
      wrongRegionUrl: undefined,
    };
    const journal = new Journal();
    const api = new Api(client, access, 'a scenario', journal);
    const pool = new TaskPool([id], () => undefined);
    const tasks = new Tasks(pool, journal, api, { actor: 'by', settleMs, used: new Set() });
    const task = await tasks.any();
    const { read } = await tasks.trial(
      task,
      async (before) => {
        await api.update(id, { ifMatch: 'another', body: {} });
        await pause(lateMs);
        return { before, read: (await tasks.look(id)).answer };
      },
      ({ before, read }: { before: { updated_at: string }; read: Answer }) =>
        before.updated_at !== taskOf(read).updated_at,
    );
    return tasks.disturbance([read]) !== undefined;
  });
}

test('what follows on each of several trials, and on nothing else, is their effect', async () => {
  expect(await isCleared((_, writes) => writes)).toBe(false);
});

test('what a job changes as often as trials are made is not', async () => {
  // A trial takes 50 ms, and there are some 205 from one to the next.
  expect(await isCleared((ms) => Math.floor((ms + 185) / 208))).toBe(true);
});
