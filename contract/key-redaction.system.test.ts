import { readdir, readFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startServer } from './bad-targets.fixture.ts';
import { json, key, runAgainst, task, taskWith } from './hostile-targets.fixture.ts';

// The whole command against targets that say the key, or ask for it: it is given away nowhere.

describe('the key is in nothing that is written, against a target that', () => {
  const echoes: Readonly<Record<string, RequestListener>> = {
    'says it in every field and header': (_, response) =>
      json(response, taskWith(`"name":"${key}","c_name":"x${key}x","step_name":"${key}"`), {
        'X-Your-Key': key,
        'Set-Cookie': `session=${key}`,
      }),
    'says it in text that is cut': (_, response) =>
      json(response, taskWith(`"name":["${'x'.repeat(96)}${key}"]`)),
    'says it where an object is wanted': (_, response) => json(response, `"${key}"`),
    'says it as the comment of an assignment': (_, response) =>
      json(
        response,
        `{"id":"${task}","updated_at":"2026-01-01T00:00:00.000Z","assignment":{"assigned_by_id":"a","assigned_to_id":"b","assigned_to_type":"USER","assignment_comment":"${key}"}}`,
      ),
    'says it in its errors': (_, response) =>
      response.writeHead(500, key.replaceAll(/[^\x21-\x7e]/g, '')).end(`No ${key} here: ${key}`),
    'sends it elsewhere': (_, response) =>
      response.writeHead(302, { Location: `http://127.0.0.1:1/?apikey=${key}` }).end(),
    'answers with it in place of HTTP': (request) => request.socket.end(`${key}\r\n\r\n`),
    'breaks off after it': (request) =>
      request.socket.end(`HTTP/1.1 200 OK\r\nContent-Length: 900\r\nX-Key: ${key}\r\n\r\n${key}`),
  };
  test.for(Object.entries(echoes))('%s', async ([, listener]) => {
    const { written, code } = await runAgainst(listener);
    expect(written.length).toBeGreaterThan(10_000);
    expect(written.indexOf(key)).toBe(-1);
    expect(written.indexOf(key.slice(0, 12))).toBe(-1);
    expect(code).toBeGreaterThan(0);
  });
});

test('a redirect takes the key nowhere', async () => {
  const elsewhere = await startServer((_, response) => response.end());
  onTestFinished(elsewhere.close);
  const { code } = await runAgainst((_, response) =>
    response.writeHead(307, { Location: elsewhere.baseUrl }).end(),
  );
  expect(code).toBe(2);
  expect(elsewhere.requests()).toBe(0);
});

// Everybody on the machine can read the command line of a process; only Linux shows it in a file.
test.runIf(process.platform === 'linux')('no process is named by the key', async () => {
  const names: string[] = [];
  const { code } = await runAgainst(async (_, response) => {
    names.push(...(await namesOfProcesses()));
    response.writeHead(503).end();
  });
  expect(code).toBe(2);
  expect(names.join('\n')).toContain('bin/contract.mjs');
  expect(names.filter((name) => name.includes(key))).toEqual([]);
});

async function namesOfProcesses(): Promise<string[]> {
  const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  // One may have ended since.
  return await Promise.all(
    processes.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')),
  );
}

test('an error that nobody catches is printed without the key, as a failure of ours', async () => {
  const fail = `setInterval(() => {
    if (process.listenerCount('uncaughtException') > 0) throw new Error('sent apikey: ${key}');
  }, 10)`;
  const { code, stderr, written } = await runAgainst(() => {}, {
    NODE_OPTIONS: `--import "data:text/javascript,${encodeURIComponent(fail)}"`,
    REQUEST_TIMEOUT_MS: '60000',
  });
  expect(code).toBe(2);
  expect(stderr).toContain('The suite itself failed; this says nothing about the target.');
  expect(stderr).toContain('sent apikey: [redacted]');
  expect(written.indexOf(key)).toBe(-1);
});
