import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { Client, type ClientLimits } from './client.ts';
import { NoResponse } from './no-response.ts';
import { createPacing } from './pacing.ts';
import { Recorder } from './recorder.ts';
import { reading } from './sockets.fixture.ts';
import type { WireResponse } from './transport.ts';
import { inVirtualTime } from './virtual-time.fixture.ts';

// What a client does with its time and memory; over sockets: client.system.test.ts, unreliable-target.system.test.ts.

const never = new Promise<never>(() => {});
const base = 'http://target.test';

/** A client whose requests are answered by these, one after the other. */
function clientOf(limits: Partial<ClientLimits>, ...answers: (() => Promise<WireResponse>)[]) {
  return new Client(() => answers.shift()?.() ?? never, new Recorder(), createPacing(8, 0), {
    requestTimeoutMs: 1000,
    maxExportBytes: 1_000_000,
    writes: true,
    retryBudgetMs: 0,
    ...limits,
  });
}

const answering =
  (body: AsyncIterable<Uint8Array>, headers: readonly [string, string][] = []) =>
  async (): Promise<WireResponse> => ({ status: 200, headers, body });

/** How long this takes until it throws, in virtual milliseconds. */
const timeOf = (work: () => Promise<unknown>): Promise<number> =>
  inVirtualTime(async () => {
    const began = performance.now();
    await expect(work()).rejects.toThrow(/no complete response within \d+ ms/);
    return performance.now() - began;
  });

async function* stalling(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('id,time\n');
  await never;
}

test('an answer that never comes is asked for once more', () =>
  inVirtualTime(async () => {
    async function* body(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('{}');
    }
    const client = clientOf({ retryBudgetMs: 500 }, () => never, answering(body()));
    expect((await client.send(reading(base))).text).toBe('{}');
    expect(client.recorder.exchanges.map(({ failure }) => failure?.loss)).toEqual([
      'timed out',
      undefined,
    ]);
  }));

test('a request without a response is sent again as long as its budget lasts', async () => {
  const closed = Object.assign(new Error('closed'), { code: 'UND_ERR_SOCKET' });
  const close = () => Promise.reject(closed);
  const timesSent = (...answers: (() => Promise<WireResponse>)[]): Promise<number> =>
    inVirtualTime(async () => {
      const limits = { requestTimeoutMs: 300, retryBudgetMs: 10_000, noResponseBudgetMs: 1500 };
      const client = clientOf(limits, ...answers);
      await expect(client.send(reading(base))).rejects.toThrow(NoResponse);
      return client.recorder.exchanges.length;
    });
  expect(await timesSent(close, close, close, close, close)).toBe(3);
  // The time for which an answer was waited counts.
  expect(await timesSent()).toBe(2);
});

test('an export that stalls is cut off at the time-out', async () => {
  const client = clientOf({}, answering(stalling()));
  expect(await timeOf(() => client.send(reading(base, { operation: 'export' })))).toBe(1000);
});

test('a decompression bomb ends at the limit: the rest of it is not taken', async () => {
  const bomb = gzipSync(Buffer.alloc(200_000_000));
  let taken = 0;
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let start = 0; start < bomb.length; start += 1000) {
      taken += 1000;
      yield bomb.subarray(start, start + 1000);
      await setImmediate();
    }
  }
  const client = clientOf(
    { requestTimeoutMs: 50_000 },
    answering(pieces(), [['Content-Encoding', 'gzip']]),
  );
  await expect(client.send(reading(base))).rejects.toThrow('the body is larger than 1000000 bytes');
  expect(taken).toBeLessThan(bomb.length / 2);
});
