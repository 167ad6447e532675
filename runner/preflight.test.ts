import { expect, test } from 'vitest';
import { readSettings } from '../helpers/config/read-settings.ts';
import { Client } from '../helpers/http/client.ts';
import { createPacing } from '../helpers/http/pacing.ts';
import { Recorder } from '../helpers/http/recorder.ts';
import type { Transport } from '../helpers/http/transport.ts';
import { preflight } from './preflight.ts';

async function lookWith(send: Transport, variables: Record<string, string> = {}) {
  const settings = readSettings(
    { BASE_URL: 'https://eu.staging.example/v5', API_KEY: 'a-key', ...variables },
    1,
  );
  const client = new Client(send, new Recorder(settings.secrets), createPacing(8, 0), {
    requestTimeoutMs: 1000,
    maxExportBytes: 1000,
    writes: false,
    retryBudgetMs: 0,
  });
  return await preflight(client, settings);
}

const failing = (code: string) => async () => {
  throw Object.assign(new Error(code), { code });
};

test.for([
  ['ENOTFOUND', 'the host name is not known (#1). Is BASE_URL right, and is the target up?', {}],
  [
    'EAI_AGAIN',
    'the host name could not be looked up (#1). Is BASE_URL right, and is the target up?',
    {},
  ],
  [
    'ECONNRESET',
    'the connection was reset (#1). Are BASE_URL and HTTPS_PROXY right, and is the target up?',
    { HTTPS_PROXY: 'http://proxy.example:3128', HTTP_PROXY: 'http://other.example' },
  ],
  [
    'ECONNRESET',
    'the connection was reset (#1). Is BASE_URL right (does that port speak https?), and is the target up?',
    { BASE_URL: 'http://eu.staging.example/v5' },
  ],
] as const)('%s is told with the variable to look at', async ([code, why, variables]) => {
  const { obstacle } = await lookWith(failing(code), variables);
  expect(
    obstacle?.endsWith(`cannot be reached: GET /v5/audit-sentinel/events/export: ${why}`),
  ).toBe(true);
});

test('what the target says of an id that it refuses is quoted, without the key', async () => {
  const { unusable } = await lookWith(
    async ({ url }) => ({
      status: url.includes('/tasks/') ? 403 : 200,
      headers: [],
      body: (async function* () {
        yield new TextEncoder().encode('{"error":\n"a-key-of-staging may not"}');
      })(),
    }),
    { TASK_IDS: 'task-1', API_KEY: 'a-key-of-staging' },
  );
  expect(unusable).toEqual([
    {
      variable: 'TASK_IDS',
      value: 'task-1',
      status: 403,
      answer: '{"error": "[redacted] may not"}',
    },
  ]);
});
