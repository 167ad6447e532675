import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ServiceResponse } from '../reference/request.ts';
import { emptyFolder, startCommand } from './process.fixture.ts';
import { type SharedTarget, shareTarget } from './shared-target.fixture.ts';

// The whole command against a target that fails now and then: verdicts a little later, never wrong ones, and always
// an end.

const writing = ['--only', 'conflict.', '--only', 'unassign.', '--only', 'comment.is-on'];

const refusal = (status: number, headers: Record<string, string> = {}): ServiceResponse => ({
  status,
  headers,
  body: '',
});

/** One kind of failure after another. The reference's listener closes the connection where an error is thrown. */
const failures: readonly (() => ServiceResponse)[] = [
  () => {
    throw new Error('no answer');
  },
  () => refusal(503),
  () => refusal(429, { 'Retry-After': '0' }),
  () => refusal(502),
  () => refusal(429, { 'Retry-After': new Date(Date.now() + 900).toUTCString() }),
  () => refusal(504),
];

test('a series of failures, and some now and then, change no verdict', async () => {
  const folder = await emptyFolder();
  let made = 0;
  const target = await shareTarget(folder, async (request, handle, number) => {
    const isSeries = number > 40 && number <= 60;
    if (!isSeries && number % 37 !== 0) return await handle(request);
    made += 1;
    return failures[made % failures.length]?.() ?? refusal(500);
  });
  const before = await target.assignments();
  const { stdout, code } = await startCommand(writing, folder, target.variables).ended;
  expect(stdout).toMatch(/^CONFORMANT {2}/);
  expect(code).toBe(0);
  expect(made).toBeGreaterThan(20);
  expect(await target.assignments()).toEqual(before);
});

test('failures without an end are no violation', async () => {
  const folder = await emptyFolder();
  const target = await shareTarget(folder, async (request, handle, number) =>
    number % 8 === 0 ? (failures[number % failures.length]?.() ?? refusal(500)) : handle(request),
  );
  const before = await target.assignments();
  const { stdout, code } = await startCommand(writing, folder, target.variables).ended;
  expect(stdout).toMatch(/^(CONFORMANT|INCOMPLETE) {2}/);
  expect([0, 3]).toContain(code);
  expect(await target.assignments()).toEqual(before);
});

test('an answer that is lost after the write was carried out is not sent again', async () => {
  const folder = await emptyFolder();
  let writes = 0;
  const target = await shareTarget(folder, async (request, handle) => {
    const response = await handle(request);
    writes += request.method === 'PUT' ? 1 : 0;
    if (request.method === 'PUT' && (writes === 3 || writes === 25))
      throw new Error('the answer is lost');
    return response;
  });
  const before = await target.assignments();
  const { stdout, code } = await startCommand(writing, folder, target.variables).ended;
  expect(stdout).toMatch(/^CONFORMANT {2}/);
  expect(code).toBe(0);
  expect(await target.assignments()).toEqual(before);
});

test('a target that falls silent: no accusation, an end in time, and all is put back', async () => {
  const folder = await emptyFolder();
  let silentSince: number | undefined;
  const target: SharedTarget = await shareTarget(folder, async (request, handle, number) => {
    if (number === 60) silentSince = performance.now();
    const silentFor = performance.now() - (silentSince ?? Number.POSITIVE_INFINITY);
    if (silentFor >= 0 && silentFor < 6000) throw new Error('no answer');
    return await handle(request);
  });
  const before = await target.assignments();
  const variables = { ...target.variables, RUN_TIMEOUT_MS: '4000' };
  const { stdout, stderr, code } = await startCommand(writing, folder, variables).ended;
  expect(stdout).toMatch(/^(INCOMPLETE|NOT RUN) {2}/);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain('The run was ended after 4 s (RUN_TIMEOUT_MS)');
  expect([2, 3]).toContain(code);
  expect(stderr).not.toContain('NOT PUT BACK');
  expect(await target.assignments()).toEqual(before);
});

describe('a target that is away for three seconds: every verdict comes, and all is put back', () => {
  const away = (): never => {
    throw new Error('no answer');
  };
  const absences = {
    'it answers 503 and when to come back': () => refusal(503, { 'Retry-After': '1' }),
    'it answers 503 and not when to come back': () => refusal(503),
    'it cuts connections': away,
    'it refuses connections': 'refused',
  } satisfies Record<string, (() => ServiceResponse) | 'refused'>;

  test.for(Object.entries(absences))('%s', async ([, answer]) => {
    const folder = await emptyFolder();
    let since = Number.POSITIVE_INFINITY;
    let met = 0;
    const target = await shareTarget(folder, async (request, handle, number) => {
      if (number === 60) {
        since = performance.now();
        if (answer === 'refused') met += front.leave(3000);
      }
      const isAway = performance.now() - since < 3000;
      if (number < 60 || !isAway || answer === 'refused') return await handle(request);
      met += 1;
      return answer();
    });
    const front = await frontOf(target.variables.BASE_URL ?? '');
    const before = await target.assignments();
    const variables = { ...target.variables, BASE_URL: front.baseUrl };
    const { stdout, code } = await startCommand(writing, folder, variables).ended;
    expect(stdout).toMatch(/^CONFORMANT {2}/);
    expect(code).toBe(0);
    expect(met).toBeGreaterThan(0);
    expect(await target.assignments()).toEqual(before);
  });
});

interface Front {
  /** The address of the target, seen from before. */
  readonly baseUrl: string;
  /** Cuts all connections and refuses others, for so many milliseconds. @returns how many were cut */
  leave(milliseconds: number): number;
}

/** Stands before a target, for the time of a test. */
async function frontOf(baseUrl: string): Promise<Front> {
  const url = new URL(baseUrl);
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    const onward = connect(Number(url.port), url.hostname);
    for (const end of [socket, onward]) {
      open.add(end);
      end
        .on('error', () => {})
        .on('close', () => {
          open.delete(end);
          socket.destroy();
          onward.destroy();
        });
    }
    socket.pipe(onward).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // address() gives text for pipes only, and this listens on a port.
  const { port } = server.address() as AddressInfo;
  onTestFinished(() => {
    server.close();
  });
  return {
    baseUrl: `http://127.0.0.1:${port}${url.pathname}`,
    leave(milliseconds) {
      server.close();
      const cut = open.size;
      for (const socket of open) socket.destroy();
      setTimeout(() => server.listen(port, '127.0.0.1'), milliseconds);
      return cut;
    },
  };
}
