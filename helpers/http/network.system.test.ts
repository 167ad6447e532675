import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ClientRequest } from './client.ts';
import { clientOf, serverOf } from './sockets.fixture.ts';

// What a target does to its connections, over real sockets.

/** A write: it is sent once, whatever comes. */
function once(url: string, more: Partial<ClientRequest> = {}): ClientRequest {
  return {
    operation: 'update-assignment',
    scenario: 'a scenario',
    method: 'PUT',
    url,
    headers: {},
    body: '{}',
    route: 'direct',
    ...more,
  };
}

test('a redirect is an answer: the key goes nowhere else', async () => {
  let reached = 0;
  const elsewhere = await serverOf((_, response) => {
    reached += 1;
    response.end();
  });
  const base = await serverOf((_, response) =>
    response.writeHead(307, { Location: elsewhere }).end(),
  );
  const got = await clientOf().send(once(`${base}/v5/tasks/1`));
  expect([got.status, got.header('location'), reached]).toEqual([307, elsewhere, 0]);
});

test('headers are sent and kept as they are written', async () => {
  let sent: readonly string[] = [];
  const base = await serverOf((request, response) => {
    sent = request.rawHeaders;
    response.writeHead(200, { 'x-LOUD': 'Value', 'Set-Cookie': ['a=1', 'b=2'] }).end();
  });
  const headers = { 'If-Match': '2026-01-01T00:00:00.000Z', apikey: 'a-key' };
  const got = await clientOf().send(once(`${base}/v5/tasks/1`, { headers }));
  expect(sent.join(' ')).toContain('If-Match 2026-01-01T00:00:00.000Z apikey a-key');
  expect(got.headers).toContainEqual(['x-LOUD', 'Value']);
  expect(got.headers.filter(([name]) => name === 'Set-Cookie')).toHaveLength(2);
});

test('no Content-Type is added to a body that has none', async () => {
  let names: readonly string[] = [];
  const base = await serverOf((request, response) => {
    names = Object.keys(request.headers);
    response.end();
  });
  await clientOf().send(once(`${base}/v5/tasks/1`));
  expect(names).not.toContain('content-type');
});

describe('an answer that does not come whole', () => {
  test('a body that breaks off', async () => {
    const base = await serverOf((_, response) => {
      response.writeHead(200, { 'Content-Length': '100' }).write('half', () => response.destroy());
    });
    const client = clientOf();
    await expect(client.send(once(`${base}/v5/tasks/1`))).rejects.toMatchObject({
      message: expect.stringMatching(/^PUT \/v5\/tasks\/1: the connection was (closed|reset)$/),
      exchanges: [1],
    });
    expect(client.recorder.exchanges[0]?.response?.status).toBe(200);
    expect(client.recorder.exchanges[0]?.response?.size).toBe(4);
  });

  test('a body without an end is cut at the limit', async () => {
    const base = await serverOf((_, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(10_000)));
      };
      response.on('drain', more);
      more();
    });
    await expect(clientOf({ maxExportBytes: 50_000 }).send(once(base))).rejects.toMatchObject({
      message: 'PUT /: the body is larger than 50000 bytes',
      exchanges: [1],
    });
  });

  test('a head that never comes is cut at the time-out', async () => {
    const base = await serverOf(() => {});
    await expect(clientOf({ requestTimeoutMs: 40 }).send(once(base))).rejects.toMatchObject({
      message: 'PUT /: no complete response within 40 ms',
      exchanges: [1],
    });
  });

  test('a body that stops is cut at the time-out', async () => {
    const base = await serverOf((_, response) => response.writeHead(200).write('{'));
    await expect(clientOf({ requestTimeoutMs: 40 }).send(once(base))).rejects.toMatchObject({
      message: 'PUT /: no complete response within 40 ms',
      exchanges: [1],
    });
  });

  test('a port that nothing listens on', async () => {
    const base = await serverOf(() => {});
    const port = new URL(base).port;
    // Port 1 of the loopback address: nobody may listen there without being root.
    await expect(clientOf().send(once(base.replace(port, '1')))).rejects.toMatchObject({
      message: 'PUT /: nothing listens there (connection refused)',
      exchanges: [2],
    });
  });
});

test.runIf(process.platform === 'linux')(
  'the blocked route leaves from the blocked address, the direct one does not',
  async () => {
    const base = await serverOf((request, response) => response.end(request.socket.remoteAddress));
    const client = clientOf({}, { blockedLocalAddress: '127.0.0.2' });
    const blocked = await client.send(once(base, { route: 'blocked' }));
    const direct = await client.send(once(base));
    expect([blocked.text, direct.text]).toEqual(['127.0.0.2', '127.0.0.1']);
  },
);

test('the blocked route goes through the proxy where one is configured', async () => {
  const asked: (string | undefined)[] = [];
  const proxy = createServer().on('connect', (request, socket) => {
    asked.push(request.url);
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  proxy.listen(0, '127.0.0.1');
  await new Promise((resolve) => proxy.once('listening', resolve));
  onTestFinished(() => {
    proxy.close();
  });
  // address() gives text for pipes only, and this listens on a port.
  const { port } = proxy.address() as AddressInfo;
  const client = clientOf({}, { blockedProxyUrl: `http://127.0.0.1:${port}` });
  const through = client.send(once('http://host.test/v5/tasks/1', { route: 'blocked' }));
  await expect(through).rejects.toThrow(/^PUT \/v5\/tasks\/1: /);
  expect(asked).toEqual(['host.test:80']);
});

test.for([
  ['that has no proxy of its scheme', 'httpsProxy', undefined],
  ['that is asked without the proxy', 'httpProxy', '127.0.0.1'],
] as const)('a target %s is not taken for a proxy on the same port', async ([, name, noProxy]) => {
  const closed = createServer().listen(0, '127.0.0.1');
  await new Promise((listening) => closed.once('listening', listening));
  const { port: free } = closed.address() as AddressInfo;
  await new Promise((done) => closed.close(done));
  const dead = { [name]: `http://proxy.test:${free}`, ...(noProxy && { noProxy }) };
  const refused = clientOf({ retryBudgetMs: 0 }, dead).send(once(`http://127.0.0.1:${free}`));
  await expect(refused).rejects.toMatchObject({ exchange: { failure: { loss: 'refused' } } });
});
