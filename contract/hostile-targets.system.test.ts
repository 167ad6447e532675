import { readdir, readFile } from 'node:fs/promises';
import type { RequestListener, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Results } from '../schemas/results.ts';
import { configurationFor, startServer } from './bad-targets.fixture.ts';
import { emptyFolder, startCommand } from './process.fixture.ts';

// The whole command against targets that mean harm: what they say reaches neither a terminal nor a file as it
// came, no key is given away, and there is a verdict, soon.

const slow = { timeout: 60_000 };
const key = 'canary-7f3a9c51-of-the-tests';
const task = '00000000-0000-4000-8000-000000000000';

const json = (response: ServerResponse, text: string | Uint8Array, more = {}): void =>
  void response.writeHead(200, { 'Content-Type': 'application/json', ...more }).end(text);

/** A task, as far as that goes, with something in a field. */
const taskWith = (field: string): string =>
  `{"id":"${task}","updated_at":"2026-01-01T00:00:00.000Z","assignment":null,${field}}`;

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Everything that was written, files and both streams. */
  readonly written: Buffer;
  results(): Promise<Results>;
}

async function runAgainst(listener: RequestListener, more = {}): Promise<Ran> {
  const folder = await emptyFolder();
  const { baseUrl, close } = await startServer(listener);
  onTestFinished(close);
  const variables = {
    ...configurationFor(baseUrl, join(folder, 'reports')),
    API_KEY: key,
    ...more,
  };
  const ended = await startCommand([], folder, variables).ended;
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const contents = await Promise.all(
    files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name))),
  );
  const streams = [Buffer.from(ended.stdout), Buffer.from(ended.stderr)];
  const results = async () =>
    JSON.parse(await readFile(join(folder, 'reports/results.json'), 'utf8'));
  return { ...ended, written: Buffer.concat([...contents, ...streams]), results };
}

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
  test.for(Object.entries(echoes))('%s', slow, async ([, listener]) => {
    const { written, code } = await runAgainst(listener);
    expect(written.length).toBeGreaterThan(10_000);
    expect(written.indexOf(key)).toBe(-1);
    expect(written.indexOf(key.slice(0, 12))).toBe(-1);
    expect(code).toBeGreaterThan(0);
  });
});

test('a redirect takes the key nowhere', slow, async () => {
  const elsewhere = await startServer((_, response) => response.end());
  onTestFinished(elsewhere.close);
  const { code } = await runAgainst((_, response) =>
    response.writeHead(307, { Location: elsewhere.baseUrl }).end(),
  );
  expect(code).toBe(2);
  expect(elsewhere.requests()).toBe(0);
});

// Everybody on the machine can read the command line of a process; only Linux shows it in a file.
test.runIf(process.platform === 'linux')('no process is named by the key', slow, async () => {
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

test(
  'an error that nobody catches is printed without the key, as a failure of ours',
  slow,
  async () => {
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
  },
);

describe('a clear verdict, and nothing of ours fails, against a target that answers', () => {
  const deep = 100_000;
  const hostile: Readonly<Record<string, RequestListener>> = {
    'with escape sequences': (_, response) =>
      json(response, taskWith('"name":"\\u001b[2J\\u001b]0;owned\\u0007\\u202e"')),
    'with a prototype': (_, response) =>
      json(response, taskWith('"__proto__":{"status":"INCOMPLETE","polluted":true}')),
    'with lists in lists': (_, response) => json(response, '['.repeat(deep) + ']'.repeat(deep)),
    'with objects in objects': (_, response) =>
      json(response, taskWith(`"name":${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`)),
    'with numbers beyond 2^53': (_, response) =>
      json(response, taskWith('"data_version":9007199254740993,"name":1e400')),
    'with bytes that are no text': (_, response) =>
      json(response, Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])),
    'with a bomb': (_, response) => json(response, bomb, { 'Content-Encoding': 'gzip' }),
  };
  const bomb = gzipSync(Buffer.alloc(100_000_000));
  test.for(Object.entries(hostile))('%s', slow, async ([, listener]) => {
    const { code, stdout, stderr, results } = await runAgainst(listener, {
      MAX_EXPORT_BYTES: '1000000',
    });
    expect([1, 2, 3]).toContain(code);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the very ones that must not be there
    expect(stdout + stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(stderr).not.toContain('The suite itself failed');
    const { clauses } = await results();
    expect(clauses.filter(({ verdict }) => verdict === 'error')).toEqual([]);
  });
});
