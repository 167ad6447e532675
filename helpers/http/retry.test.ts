import { describe, expect, test } from 'vitest';
import { answer, exchange } from './exchange.fixture.ts';
import { NoResponse } from './no-response.ts';
import { retryAfterMs, retryDelay } from './retry.ts';

const read = { method: 'GET', operation: 'get-task' } as const;
const write = { method: 'PUT', operation: 'update-assignment' } as const;
const noAnswer = new NoResponse(exchange, 'the connection was reset');
const retryAfter = (value: string) => [['Retry-After', value]] as const;

describe('an answer that stands', () => {
  test.for([200, 201, 204, 301, 400, 401, 404, 409, 412, 428, 500])('%i', (status) => {
    expect(retryDelay(read, answer(status), 1, 30_000)).toBeUndefined();
    expect(retryDelay(write, answer(status), 1, 30_000)).toBeUndefined();
  });

  test('409, also with Retry-After', () => {
    expect(retryDelay(write, answer(409, retryAfter('1')), 1, 30_000)).toBeUndefined();
  });
});

test('an export that fails with 500 is asked for once more', () => {
  const exporting = { method: 'GET', operation: 'export' } as const;
  expect(retryDelay(exporting, answer(500), 1, 30_000)).toBe(250);
  expect(retryDelay(exporting, answer(500), 2, 30_000)).toBeUndefined();
});

describe('no answer', () => {
  test('a read is sent again, a little later each time', () => {
    const delays = [1, 2, 3, 4, 5, 6].map((attempt) => retryDelay(read, noAnswer, attempt, 30_000));
    expect(delays).toEqual([250, 1000, 3000, 6000, 10_000, undefined]);
  });

  test('but not beyond the retry budget', () => {
    expect(retryDelay(read, noAnswer, 2, 1000)).toBe(1000);
    expect(retryDelay(read, noAnswer, 2, 999)).toBeUndefined();
  });

  test('nor where it would fail in the same way', () => {
    const permanent = new NoResponse(exchange, 'its certificate is not trusted', 'permanent');
    expect(retryDelay(read, permanent, 1, 30_000)).toBeUndefined();
  });

  test('a write is not: it may have been carried out', () => {
    expect(retryDelay(write, noAnswer, 1, 30_000)).toBeUndefined();
    const notSent = new NoResponse(exchange, 'connection refused', 'not sent');
    expect(retryDelay(write, notSent, 1, 30_000)).toBe(250);
  });
});

describe('not now', () => {
  test.for([429, 503])('%i is waited for, a little longer each time, then given up', (status) => {
    const delays = [1, 2, 3, 4, 5, 6].map((attempt) =>
      retryDelay(write, answer(status), attempt, 30_000),
    );
    expect(delays).toEqual([250, 1000, 3000, 6000, 10_000, 'give up']);
  });

  test.for([429, 503])('%i is waited for as long as it asks for', (status) => {
    const delays = [1, 5, 6].map((attempt) =>
      retryDelay(read, answer(status, retryAfter('7')), attempt, 30_000),
    );
    expect(delays).toEqual([7000, 7000, 'give up']);
  });

  test('a wait longer than the retry budget is given up at once', () => {
    expect(retryDelay(read, answer(429, retryAfter('30')), 1, 30_000)).toBe(30_000);
    expect(retryDelay(read, answer(429, retryAfter('31')), 1, 30_000)).toBe('give up');
  });

  test.for([502, 504])('%i from a gateway is waited for with reads only', (status) => {
    expect(retryDelay(read, answer(status), 1, 30_000)).toBe(250);
    expect(retryDelay(write, answer(status), 1, 30_000)).toBe('give up');
  });
});

describe('Retry-After', () => {
  const now = Date.UTC(2026, 10, 5, 9, 30, 0);

  test.for([
    ['0', 0],
    ['120', 120_000],
    [' 5 ', 5000],
    ['Thu, 05 Nov 2026 09:30:10 GMT', 10_000],
    ['Thu, 05 Nov 2026 09:29:50 GMT', 0],
    ['soon', undefined],
    ['', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    [undefined, undefined],
  ] as const)('%j', ([value, milliseconds]) => {
    expect(retryAfterMs(value, now)).toBe(milliseconds);
  });
});
