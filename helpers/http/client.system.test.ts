import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { NotConfigured } from '../outcomes.ts';
import type { ClientRequest } from './client.ts';
import { keptBodyBytes } from './exchange.ts';
import { clientOf, reading, serverOf } from './sockets.fixture.ts';
import { chunked } from './transport.ts';

function writing(base: string): ClientRequest {
  return {
    ...reading(base),
    operation: 'update-assignment',
    method: 'PUT',
    headers: { 'If-Match': 'a version', 'Content-Type': 'application/json' },
    body: '{"unassign":{}}',
  };
}

describe('what is recorded', () => {
  test('is what went over the wire, without the key', async () => {
    const base = await serverOf((request, response) => {
      response.writeHead(200, { 'X-Echo': String(request.headers.apikey) });
      response.end(`{"key":"${request.headers.apikey}"}`);
    });
    const client = clientOf();
    client.recorder.redactor.keepSecret('canary-key');
    const answer = await client.send({ ...reading(base), headers: { apikey: 'canary-key' } });
    expect(answer.json).toEqual({ key: 'canary-key' });
    const [exchange] = client.recorder.exchanges;
    expect(exchange).toMatchObject({ number: 1, scenario: 'a scenario', operation: 'get-task' });
    expect(exchange?.request.headers).toEqual([['apikey', '[redacted]']]);
    expect(exchange?.response?.headers).toContainEqual(['X-Echo', '[redacted]']);
    expect(new TextDecoder().decode(exchange?.response?.body)).toBe('{"key":"[redacted]"}');
  });

  test('of a long body is its beginning and its size; the answer has all of it', async () => {
    const body = 'x'.repeat(3 * keptBodyBytes);
    const base = await serverOf((_, response) => response.end(body));
    const client = clientOf();
    const answer = await client.send(reading(base));
    expect(answer.text).toBe(body);
    const [exchange] = client.recorder.exchanges;
    expect(exchange?.response?.body).toHaveLength(keptBodyBytes);
    expect(exchange?.response?.size).toBe(3 * keptBodyBytes);
  });

  test('is every attempt, also those without an answer', async () => {
    let count = 0;
    const base = await serverOf((request, response) => {
      count += 1;
      if (count === 1) request.socket.destroy();
      else response.end('{}');
    });
    const client = clientOf();
    expect((await client.send(reading(base))).exchange.number).toBe(2);
    const [lost, retried] = client.recorder.exchanges;
    expect(lost?.response).toBeUndefined();
    expect(lost?.failure).toEqual({ loss: 'cut off', why: 'the connection was closed' });
    expect(retried?.response?.status).toBe(200);
  });
});

describe('a write', () => {
  test('is sent in chunks where it says so, and else with its length', async () => {
    const base = await serverOf(async (request, response) => {
      const { 'transfer-encoding': transfer, 'content-length': length } = request.headers;
      response.end(JSON.stringify({ transfer, length, body: await text(request) }));
    });
    const write = writing(base);
    const { body } = write;
    expect((await clientOf().send(write)).json).toEqual({ length: '15', body });
    const inChunks = { ...write, headers: { ...write.headers, ...chunked } };
    expect((await clientOf().send(inChunks)).json).toEqual({ transfer: 'chunked', body });
  });

  test('whose answer is lost is not sent again', async () => {
    let count = 0;
    const base = await serverOf((request) => {
      count += 1;
      request.socket.destroy();
    });
    await expect(clientOf().send(writing(base))).rejects.toMatchObject({
      message: 'PUT /v5/tasks/1: the connection was closed',
      exchanges: [1],
    });
    expect(count).toBe(1);
  });

  test('is not sent at all where writes are not allowed', async () => {
    let count = 0;
    const base = await serverOf((_, response) => {
      count += 1;
      response.end('{}');
    });
    const client = clientOf({ writes: false });
    await expect(client.send(writing(base))).rejects.toThrow(NotConfigured);
    await client.send(reading(base));
    expect(count).toBe(1);
    expect(client.recorder.exchanges.map(({ request }) => request.method)).toEqual(['GET']);
  });

  test('answered with 409 is not sent again', async () => {
    let count = 0;
    const base = await serverOf((_, response) => {
      count += 1;
      response.writeHead(409, { 'Retry-After': '0' }).end();
    });
    expect((await clientOf().send(writing(base))).status).toBe(409);
    expect(count).toBe(1);
  });

  test('answered with 429 is sent again as it was', async () => {
    const bodies: string[] = [];
    const base = await serverOf(async (request, response) => {
      let body = '';
      for await (const piece of request) body += piece;
      bodies.push(`${request.headers['if-match']} ${body}`);
      response.writeHead(bodies.length === 1 ? 429 : 200, { 'Retry-After': '0' }).end();
    });
    expect((await clientOf().send(writing(base))).status).toBe(200);
    expect(bodies).toEqual(['a version {"unassign":{}}', 'a version {"unassign":{}}']);
  });
});

test('429 to the end is no answer', async () => {
  const base = await serverOf((_, response) =>
    response.writeHead(429, { 'Retry-After': '0' }).end(),
  );
  const client = clientOf();
  await expect(client.send(reading(base))).rejects.toMatchObject({
    message: 'GET /v5/tasks/1: answered 429, also on retry',
    exchanges: [6],
  });
  expect(client.recorder.exchanges).toHaveLength(6);
});

test('requests that leave together are under way at the same time', async () => {
  const waiting: (() => void)[] = [];
  const base = await serverOf((_, response) => {
    waiting.push(() => response.end('{}'));
    if (waiting.length === 3) for (const answer of waiting) answer();
  });
  const answers = await clientOf().sendTogether([1, 2, 3].map(() => reading(base)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
});

describe('a file taken piece by piece', () => {
  test('passes through, and only its beginning is kept', async () => {
    const base = await serverOf((_, response) => response.end('y'.repeat(5 * keptBodyBytes)));
    let bytes = 0;
    const answer = await clientOf().send({
      ...reading(base),
      consume: async (pieces) => {
        for await (const piece of pieces) bytes += piece.byteLength;
      },
    });
    expect(bytes).toBe(5 * keptBodyBytes);
    expect(answer.bytes.byteLength).toBeLessThan(5 * keptBodyBytes);
  });

  test('that its reader refuses ends the request with what the reader threw', async () => {
    const base = await serverOf((_, response) => response.end('rows'));
    const refused = clientOf().send({
      ...reading(base),
      consume: () => Promise.reject(new Error('one unclosed quote')),
    });
    await expect(refused).rejects.toThrow('one unclosed quote');
  });

  test('of an error is not handed to the reader', async () => {
    const base = await serverOf((_, response) => response.writeHead(400).end('no'));
    const answer = await clientOf().send({
      ...reading(base),
      consume: () => Promise.reject(new Error('not to be asked')),
    });
    expect([answer.status, answer.text]).toEqual([400, 'no']);
  });
});

describe('a run that is stopped', () => {
  test('waits for no answer that is under way, and sends nothing more', async () => {
    const stop = new AbortController();
    const base = await serverOf(() => stop.abort(new Error('The run was stopped.')));
    const client = clientOf({ stop: stop.signal });
    await expect(client.send(reading(base))).rejects.toThrow('The run was stopped.');
    await expect(client.send(reading(base))).rejects.toThrow('The run was stopped.');
    expect(client.recorder.sent).toBe(1);
  });
});
