import { describe, expect, test } from 'vitest';
import { Answer } from './answer.ts';
import { answer, exchange } from './exchange.fixture.ts';

test('every 2xx is a success, and nothing else', () => {
  const statuses = [199, 200, 201, 204, 299, 300, 304, 400, 409, 500];
  expect(statuses.filter((status) => answer(status).succeeded)).toEqual([200, 201, 204, 299]);
});

test('a header is found in any case, and repeated ones are joined', () => {
  const got = answer(200, [
    ['Content-Type', 'application/json'],
    ['VARY', 'accept'],
    ['vary', 'origin'],
  ]);
  expect(got.header('content-type')).toBe('application/json');
  expect(got.header('vary')).toBe('accept, origin');
  expect(got.header('etag')).toBeUndefined();
});

describe('the body', () => {
  test.for([
    ['{"a":1}', { a: 1 }, { a: 1 }],
    ['[1]', [1], undefined],
    ['null', null, undefined],
    ['"text"', 'text', undefined],
    ['', undefined, undefined],
    ['<html>', undefined, undefined],
    ['{"a":1', undefined, undefined],
  ] as const)('%s', ([body, json, object]) => {
    const got = answer(200, [], body);
    expect(got.text).toBe(body);
    expect(got.json).toEqual(json);
    expect(got.object).toEqual(object);
  });

  test('that is not UTF-8 is not JSON', () => {
    const got = new Answer(exchange, 200, [], new Uint8Array([0x22, 0xff, 0x22]));
    expect(got.json).toBeUndefined();
    expect(got.text).toBe('"\ufffd"');
  });

  test('that names __proto__ is data like any other', () => {
    const { object } = answer(200, [], '{"__proto__":{"admin":true}}');
    expect(Object.keys(object ?? {})).toEqual(['__proto__']);
    expect(object?.admin).toBeUndefined();
  });
});

test.for([
  ['https://eu.example/v5/tasks/123', 'GET /tasks/{id}'],
  ['https://eu.example/a/v5/tasks/1%2F2/update-assignment', 'GET /tasks/{id}/update-assignment'],
  ['https://eu.example/v5/assessments/9', 'GET /assessments/{id}'],
  ['https://eu.example/v5/audit-sentinel/events/export?a=1', 'GET /audit-sentinel/events/export'],
  ['https://eu.example/elsewhere', 'GET /elsewhere'],
] as const)('%s is called %s', ([url, name]) => {
  const sent = { ...exchange, request: { ...exchange.request, url } };
  expect(new Answer(sent, 200, [], new Uint8Array()).request).toBe(name);
});
