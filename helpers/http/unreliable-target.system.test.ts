import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type createServer as createTcpServer } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Inconclusive } from '../outcomes.ts';
import { hasOpenSsl, selfSigned } from './certificates.fixture.ts';
import { clientOf, reading, serverOf } from './sockets.fixture.ts';

// Failures of network and target, over real sockets: those that pass are retried, those that last are explained.

const body = '{"id":"1"}';

type Failure = (request: IncomingMessage, response: ServerResponse) => void;

/** Fails so many requests, then answers as it should. */
function failingFirst(times: number, fail: Failure): RequestListener {
  let count = 0;
  return (request, response) => {
    count += 1;
    if (count <= times) fail(request, response);
    else response.end(body);
  };
}

const failures = {
  'a connection that is reset': (request) => request.socket.resetAndDestroy(),
  'a connection that is closed': (request) => request.socket.destroy(),
  'half a body': (_, response) => {
    response.writeHead(200, { 'Content-Length': '10' }).write('{"id"', () => response.destroy());
  },
  'half a body of unknown length': (_, response) => {
    response.writeHead(200).write('{"id"', () => response.destroy());
  },
  'a body shorter than its Content-Length': (request) => {
    request.socket.end('HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n{"id":"1"}');
  },
  'a Content-Length that is no number': (request) => {
    request.socket.end('HTTP/1.1 200 OK\r\nContent-Length: ten\r\n\r\n{"id":"1"}');
  },
  'no HTTP at all': (request) => request.socket.end('SSH-2.0-OpenSSH_9.6\r\n'),
  '502': (_, response) => response.writeHead(502).end('<h1>Bad Gateway</h1>'),
  '503': (_, response) => response.writeHead(503).end(),
  '504': (_, response) => response.writeHead(504).end(),
  '429 without Retry-After': (_, response) => response.writeHead(429).end(),
  '429 with Retry-After in seconds': (_, response) =>
    response.writeHead(429, { 'Retry-After': '0' }).end(),
  '429 with Retry-After as a date': (_, response) =>
    response.writeHead(429, { 'Retry-After': new Date().toUTCString() }).end(),
  'an encoded body that breaks off': (_, response) =>
    response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(body).subarray(0, 15)),
} satisfies Record<string, Failure>;

describe('a failure that passes: the response comes a little later', () => {
  test.for(Object.entries(failures))('%s', async ([, fail]) => {
    const client = clientOf();
    const base = await serverOf(failingFirst(1, fail));
    expect((await client.send(reading(base))).text).toBe(body);
    expect(client.recorder.exchanges).toHaveLength(2);
  });

  test('a whole second without anybody listening', async () => {
    const base = await serverOf(failingFirst(2, failures['a connection that is reset']));
    const client = clientOf({ retryBudgetMs: 50_000 });
    expect((await client.send(reading(base))).text).toBe(body);
    expect(client.recorder.exchanges).toHaveLength(3);
  });
});

test('whoever soon gives up a target that is silent still waits for one that says "not now"', async () => {
  const client = clientOf({ retryBudgetMs: 5000, noResponseBudgetMs: 0 });
  const restarting = await serverOf(failingFirst(1, failures['503']));
  expect((await client.send(reading(restarting))).text).toBe(body);
  const silent = await serverOf(failures['a connection that is reset']);
  await expect(client.send(reading(silent))).rejects.toThrow('the connection was');
});

test('whoever soon gives up a target that is silent does not wait for it twice', async () => {
  const silent = await serverOf(() => {});
  const client = clientOf({ requestTimeoutMs: 300, retryBudgetMs: 5000, noResponseBudgetMs: 400 });
  await expect(client.send(reading(silent))).rejects.toThrow('no complete response');
  expect(client.recorder.exchanges).toHaveLength(1);
});

describe('a failure that lasts: no response, and why', () => {
  test.for([
    ['a connection that is reset', 'cut off', /the connection was (reset|closed)/],
    ['half a body', 'cut off', /the connection was (reset|closed)/],
    [
      'a Content-Length that is no number',
      'unreadable',
      /not valid HTTP: .*\(Invalid character in Content-Length\)/,
    ],
    ['no HTTP at all', 'unreadable', /not valid HTTP: .*\(Expected HTTP\//],
    ['502', undefined, /answered 502, also on retry/],
    ['429 with Retry-After as a date', undefined, /answered 429, also on retry/],
    ['an encoded body that breaks off', 'cut off', /the encoded body breaks off/],
  ] as const)('%s', async ([name, loss, why]) => {
    const client = clientOf();
    const base = await serverOf(failures[name]);
    await expect(client.send(reading(base))).rejects.toThrow(why);
    expect(client.recorder.exchanges.at(-1)?.failure?.loss).toBe(loss);
  });

  test('nobody listens', async () => {
    const client = clientOf();
    const free = new URL(await serverOf(() => {}));
    free.port = '1';
    await expect(client.send(reading(free.href))).rejects.toThrow('nothing listens there');
    expect(client.recorder.exchanges.at(-1)?.failure?.loss).toBe('refused');
  });

  test('a response that drips for ever is cut off', async () => {
    const base = await serverOf((_, response) => {
      const timer = setInterval(() => response.write(' '), 10);
      response.on('close', () => clearInterval(timer));
    });
    const client = clientOf({ requestTimeoutMs: 100, retryBudgetMs: 0 });
    await expect(client.send(reading(base))).rejects.toThrow('no complete response within 100 ms');
  });

  test('a body over the limit is not asked for again', async () => {
    const base = await serverOf((_, response) => response.end('x'.repeat(2000)));
    const client = clientOf({ maxExportBytes: 1000 });
    await expect(client.send(reading(base))).rejects.toMatchObject({
      message: 'GET /v5/tasks/1: the body is larger than 1000 bytes',
      exchanges: [1],
    });
    expect(client.recorder.exchanges).toHaveLength(1);
  });

  test('a target that responds to none of many requests is reported', async () => {
    const reported: Inconclusive[] = [];
    const base = await serverOf(failures['a connection that is closed']);
    const onUnresponsive = (why: Inconclusive): void => void reported.push(why);
    const client = clientOf({ retryBudgetMs: 0, onUnresponsive });
    for (let index = 0; index < 12; index += 1) {
      await client.send(reading(base)).catch(() => {});
    }
    expect(reported).toHaveLength(1);
    expect(reported[0]?.exchanges).toEqual([12]);
    expect(reported[0]?.message).toMatch(
      /^The target has not answered for \d+ s\. Last error: GET \/v5\/tasks\/1: the connection was closed$/,
    );
  });
});

describe('a body that is encoded though nobody asked for it', () => {
  test.for([
    ['gzip', gzipSync(body)],
    ['GZIP', gzipSync(body)],
    ['deflate', deflateSync(body)],
    ['br', brotliCompressSync(body)],
    ['gzip, br', brotliCompressSync(gzipSync(body))],
    ['identity', Buffer.from(body)],
  ] as const)('%s is decoded', async ([encoding, bytes]) => {
    const base = await serverOf((_, response) =>
      response.writeHead(200, { 'Content-Encoding': encoding }).end(bytes),
    );
    const client = clientOf();
    expect((await client.send(reading(base))).json).toEqual({ id: '1' });
    // As it came over the wire: that is what a Content-Length counts.
    expect(client.recorder.exchanges[0]?.response?.size).toBe(bytes.length);
  });

  test('an unknown encoding is reported', async () => {
    const base = await serverOf((_, response) =>
      response.writeHead(200, { 'Content-Encoding': 'constructor' }).end(body),
    );
    await expect(clientOf().send(reading(base))).rejects.toThrow(
      'the body has an unknown encoding, constructor',
    );
  });

  test('a decompression bomb ends at the limit', async () => {
    const bomb = gzipSync(Buffer.alloc(200_000_000));
    const base = await serverOf((_, response) =>
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb),
    );
    const client = clientOf({ maxExportBytes: 268_435_456, requestTimeoutMs: 50_000 });
    await expect(client.send(reading(base))).rejects.toMatchObject({
      message: 'GET /v5/tasks/1: the body is larger than 16777216 bytes',
      exchanges: [1],
    });
  });
});

test('connections that are closed after every answer', async () => {
  const base = await serverOf((_, response) =>
    response.writeHead(200, { Connection: 'close' }).end(body),
  );
  const client = clientOf();
  for (let index = 0; index < 5; index += 1) {
    expect((await client.send(reading(base))).text).toBe(body);
  }
  expect(client.recorder.exchanges).toHaveLength(5);
});

/** A proxy that leads everywhere to this machine. @returns its address, and where it was asked to go */
async function proxyTo(target: string): Promise<{ address: string; asked: string[] }> {
  const asked: string[] = [];
  const proxy = createServer().on('connect', (request, socket) => {
    asked.push(request.url ?? '');
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    const onward = connect(Number(new URL(target).port), '127.0.0.1');
    socket.pipe(onward).pipe(socket);
  });
  return { address: await listening(proxy), asked };
}

test('a proxy is used for all hosts but those that need none', async () => {
  const target = await serverOf((_, response) => response.end(body));
  const { address, asked } = await proxyTo(target);
  const client = clientOf({}, { httpProxy: address, noProxy: '127.0.0.1' });
  expect((await client.send(reading('http://region.test'))).text).toBe(body);
  expect((await client.send(reading(target))).text).toBe(body);
  expect(asked).toEqual(['region.test:80']);
});

describe.runIf(hasOpenSsl)('a certificate', () => {
  test('that is not trusted is reported; with its authority it is trusted', async () => {
    const { key, certificate } = selfSigned();
    const server = createTlsServer({ key, cert: certificate }, (_, response) => response.end(body));
    const base = (await listening(server)).replace('http:', 'https:');
    const client = clientOf();
    await expect(client.send(reading(base))).rejects.toMatchObject({
      message:
        'GET /v5/tasks/1: its certificate is self-signed; CA_FILE names authorities to trust',
      exchanges: [1],
    });
    expect(client.recorder.exchanges).toHaveLength(1);
    const trusting = clientOf({}, { certificates: [certificate] });
    expect((await trusting.send(reading(base))).text).toBe(body);
  });

  test('is looked at through a proxy too', async () => {
    const { key, certificate } = selfSigned();
    const server = createTlsServer({ key, cert: certificate }, (_, response) => response.end(body));
    const base = (await listening(server)).replace('http:', 'https:');
    const { address, asked } = await proxyTo(base);
    const client = clientOf({}, { httpsProxy: address });
    await expect(client.send(reading(base))).rejects.toThrow('its certificate is self-signed');
    const trusting = clientOf({}, { httpsProxy: address, certificates: [certificate] });
    expect((await trusting.send(reading(base))).text).toBe(body);
    expect(asked).toEqual([new URL(base).host, new URL(base).host]);
  });
});

/** Listens on a free port, for the time of a test. @returns its http address */
async function listening(server: ReturnType<typeof createTcpServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
  });
  // address() gives text for pipes only, and this listens on a port.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
