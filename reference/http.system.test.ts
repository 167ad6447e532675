import { once } from 'node:events';
import { connect } from 'node:net';
import { ProxyAgent, request } from 'undici';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { type Listening, type ListenOptions, listen } from './http.ts';
import { createReference, type Reference } from './reference.ts';

let listening: Listening | undefined;

afterEach(async () => {
  await listening?.close();
  listening = undefined;
});

async function serve(
  reference: Reference,
  options?: ListenOptions,
): Promise<Listening & { read(url: string, dispatcher?: ProxyAgent): Promise<number> }> {
  const started = await listen(reference, options);
  listening = started;
  const [taskId] = reference.facts.taskIds;
  return {
    ...started,
    async read(url, dispatcher) {
      const { statusCode, body } = await request(`${url}/tasks/${taskId}`, {
        headers: { apikey: reference.facts.apiKey },
        ...(dispatcher && { dispatcher }),
      });
      await body.dump();
      return statusCode;
    },
  };
}

test('a task is assigned and read over a socket', async () => {
  const { facts, handle } = createReference({ seed: 1 });
  const { baseUrl } = await serve({ facts, handle });
  const headers = { apikey: facts.apiKey };
  const path = `${baseUrl}/tasks/${facts.taskIds[0]}`;
  const before = await request(path, { headers });
  const { updated_at } = (await before.body.json()) as { updated_at: string };
  const answer = await request(`${path}/update-assignment`, {
    method: 'PUT',
    headers: { ...headers, 'if-match': updated_at, 'content-type': 'application/json' },
    body: JSON.stringify({
      update: {
        assigned_by_id: facts.actorIds[0],
        assigned_to_id: facts.userIds[0],
        assigned_to_type: 'USER',
        assignment_comment: 'こんにちは 👋',
      },
    }),
  });
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  const updated = await answer.body.json();
  expect(updated).toMatchObject({
    assignment: { assigned_to_id: facts.userIds[0], assignment_comment: 'こんにちは 👋' },
  });
  const after = await request(path, { headers });
  expect(await after.body.json()).toEqual(updated);
});

test('the key is answered with 401 at the address of another region', async () => {
  const { baseUrl, otherRegionUrl, read } = await serve(createReference({ seed: 1 }));
  expect(await read(baseUrl)).toBe(200);
  expect(await read(otherRegionUrl)).toBe(401);
});

test('a request through the proxy comes from an address that is not on the allow list, and is answered with 401', async () => {
  const { baseUrl, otherRegionUrl, blockedProxyUrl, read } = await serve(
    createReference({ seed: 1 }),
  );
  const elsewhere = new ProxyAgent(blockedProxyUrl);
  // Later than the service: open tunnels do not keep it from ending.
  onTestFinished(() => elsewhere.destroy());
  expect(await read(baseUrl, elsewhere)).toBe(401);
  expect(await read(baseUrl)).toBe(200);
  expect(await read(baseUrl, elsewhere)).toBe(401);
  // It leads nowhere else.
  await expect(read(otherRegionUrl, elsewhere)).rejects.toThrow();
});

test('the IPv6 loopback address is served and allowed', async (context) => {
  const reference = createReference({ seed: 1 });
  const served = await serve(reference, { host: '::1' }).catch(() => undefined);
  if (served === undefined) return context.skip('this system has no IPv6');
  expect(served.baseUrl).toMatch(/^http:\/\/\[::1\]:\d+\/v5$/);
  expect(await served.read(served.baseUrl)).toBe(200);
});

test('a body that is made while it is sent arrives whole, no faster than it is read', async () => {
  const piece = new Uint8Array(64 * 1024);
  let made = 0;
  async function* pieces() {
    for (; made < 1024; made += 1) yield piece;
  }
  const handle = async () => ({ status: 200, headers: {}, body: pieces() });
  const { baseUrl } = await serve({ ...createReference({ seed: 1 }), handle });
  const { body } = await request(baseUrl);
  const arriving = body[Symbol.asyncIterator]();
  let size = (await arriving.next()).value.byteLength;
  expect(made).toBeLessThan(1024);
  for await (const bytes of arriving) size += bytes.byteLength;
  expect(size).toBe(1024 * piece.byteLength);
});

test('a service that throws ends the connection, and goes on serving others', async () => {
  const { facts, handle } = createReference({ seed: 1 });
  let calls = 0;
  const { baseUrl, read } = await serve({
    facts,
    handle: (incoming) => {
      calls += 1;
      if (calls === 1) throw new Error('broken');
      return handle(incoming);
    },
  });
  await expect(read(baseUrl)).rejects.toThrow('other side closed');
  expect(await read(baseUrl)).toBe(200);
});

test('closing does not wait for connections that are kept open', async () => {
  const { baseUrl, close } = await serve(createReference({ seed: 1 }));
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
  await once(socket, 'connect');
  const ended = once(socket, 'close');
  listening = undefined;
  await close();
  await ended;
  expect(socket.destroyed).toBe(true);
});
