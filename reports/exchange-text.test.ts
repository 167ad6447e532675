import { expect, test } from 'vitest';
import { exchange } from '../helpers/http/exchange.fixture.ts';
import { renderExchange } from './exchange-text.ts';

const curl = '#1\ncurl -i -g -X GET http://127.0.0.1:1/v5/tasks/1\n';

test.for([
  ['200 application/json\n{"id":"1\\u001b[2J"}', '{"id":"1\u001b[2J"}'],
  ['200 application/json', ''],
  [`200 application/json\n${'x'.repeat(1000)}… (1 more)`, 'x'.repeat(1001)],
])('the command that repeats an exchange, and what came of it: %j', ([told, text]) => {
  const body = new TextEncoder().encode(text);
  const headers = [['Content-Type', 'application/json']] as const;
  const response = { status: 200, headers, body, size: body.byteLength };
  expect(renderExchange({ ...exchange, response })).toBe(`${curl}→ ${told}`);
});

test('a file is no text', () => {
  const body = new Uint8Array([0x25, 0x50, 0xff]);
  const response = { status: 200, headers: [], body, size: 3 };
  expect(renderExchange({ ...exchange, response })).toBe(`${curl}→ 200\n(3 bytes)`);
});

test('no answer', () => {
  const failure = 'no complete response within 300 ms';
  expect(renderExchange({ ...exchange, failure })).toBe(`${curl}→ ${failure}`);
});
