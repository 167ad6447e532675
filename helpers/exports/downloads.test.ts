import { expect, test } from 'vitest';
import { Api } from '../api.ts';
import { Client } from '../http/client.ts';
import { NoResponse } from '../http/no-response.ts';
import { createPacing } from '../http/pacing.ts';
import { Recorder } from '../http/recorder.ts';
import { Inconclusive } from '../outcomes.ts';
import { Downloads, fileReaders, tableOf } from './downloads.ts';

const limits = { requestTimeoutMs: 50, maxExportBytes: 2 ** 21, retryBudgetMs: 0, writes: false };

/** Downloads of a target that answers every export with this body. */
function downloadsOf(body: () => AsyncIterable<Uint8Array>, configured = limits) {
  const sent: string[] = [];
  const client = new Client(
    async ({ url }) => {
      sent.push(url);
      return { status: 200, headers: [], body: body() };
    },
    new Recorder(),
    createPacing(8, 0),
    configured,
  );
  const access = {
    apiKey: 'the-key',
    target: { baseUrl: 'http://target.test/v5' },
    wrongRegionUrl: undefined,
  };
  const api = new Api(client, access, 'a scenario');
  return { downloads: new Downloads(api, fileReaders()), sent };
}

async function* small(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('Id,Type\ne-1,task\ne-2,task\n');
}

async function* stalling(): AsyncGenerator<Uint8Array> {
  yield* small();
  await new Promise(() => undefined);
}

async function* endless(): AsyncGenerator<Uint8Array> {
  for (;;) yield Buffer.from('e-1,task\n'.repeat(10_000));
}

test('the same query is sent once, and again only where it is asked for anew', async () => {
  const { downloads, sent } = downloadsOf(small);
  const [one, other] = await Promise.all([
    downloads.csv({ start: 0 }),
    downloads.csv({ start: 0 }),
  ]);
  expect(one).toBe(other);
  expect(sent).toHaveLength(1);
  const anew = await downloads.csv({ start: 0 }, { isAnew: true });
  expect(anew.table?.rows).toEqual(one.table?.rows);
  expect(sent).toHaveLength(2);
});

test('a file that stops coming is no response within the configured time, and inconclusive', async () => {
  const { downloads } = downloadsOf(stalling);
  const download = downloads.csv({});
  await expect(download).rejects.toBeInstanceOf(NoResponse);
  await expect(download).rejects.toBeInstanceOf(Inconclusive);
  await expect(download).rejects.toThrow('50 ms');
});

test('a file of more bytes than configured is no response, and inconclusive', async () => {
  const { downloads } = downloadsOf(endless, { ...limits, maxExportBytes: 100_000 });
  const download = downloads.csv({});
  await expect(download).rejects.toBeInstanceOf(NoResponse);
  await expect(download).rejects.toThrow('larger than 100000 bytes');
});

test('a file of more events than wanted is read no further, and gives no table', async () => {
  const { downloads } = downloadsOf(endless);
  const download = await downloads.csv({}, { max: 1000 });
  expect(download).toMatchObject({ overflowed: true, table: undefined });
  expect(() => tableOf(download)).toThrow('gave more events than a check needs');
});
