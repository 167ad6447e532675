import { describe, expect, test } from 'vitest';
import { Answer } from './answer.ts';
import { answer, exchange } from './exchange.fixture.ts';
import { NoResponse } from './no-response.ts';
import { retryAfterMs, retryDelay } from './retry.ts';

const noAnswer = new NoResponse(exchange, 'the connection was reset');
const retryAfter = (value: string) => [['Retry-After', value]] as const;

describe('an answer that stands', () => {
  test.for([200, 201, 204, 301, 400, 401, 404, 409, 412, 428, 500])('%i', (status) => {
    expect(retryDelay('GET', answer(status), 1, 30_000)).toBeUndefined();
    expect(retryDelay('PUT', answer(status), 1, 30_000)).toBeUndefined();
  });

  test('409, also with Retry-After', () => {
    expect(retryDelay('PUT', answer(409, retryAfter('1')), 1, 30_000)).toBeUndefined();
  });
});

test('the first 500 of an export may pass, the second stands', () => {
  const failed = new Answer({ ...exchange, operation: 'export' }, 500, [], new Uint8Array());
  expect(retryDelay('GET', failed, 1, 30_000)).toBe(250);
  expect(retryDelay('GET', failed, 1, 200)).toBeUndefined();
  expect(retryDelay('GET', failed, 2, 30_000)).toBeUndefined();
});

describe('no answer', () => {
  test('a read is sent again, a little later each time', () => {
    const delays = [1, 2, 3, 4, 5, 6].map((attempt) =>
      retryDelay('GET', noAnswer, attempt, 30_000),
    );
    expect(delays).toEqual([250, 1000, 3000, 6000, 10_000, undefined]);
  });

  test('but not beyond the retry budget', () => {
    expect(retryDelay('GET', noAnswer, 2, 1000)).toBe(1000);
    expect(retryDelay('GET', noAnswer, 2, 999)).toBeUndefined();
  });

  test('nor where it would fail in the same way', () => {
    const permanent = new NoResponse(exchange, 'its certificate is not trusted', 'permanent');
    expect(retryDelay('GET', permanent, 1, 30_000)).toBeUndefined();
  });

  test('a write is not: it may have been carried out', () => {
    expect(retryDelay('PUT', noAnswer, 1, 30_000)).toBeUndefined();
    const notSent = new NoResponse(exchange, 'connection refused', 'not sent');
    expect(retryDelay('PUT', notSent, 1, 30_000)).toBe(250);
  });
});

describe('not now', () => {
  test.for([429, 503])('%i is waited for, a little longer each time, then given up', (status) => {
    const delays = [1, 2, 3, 4, 5, 6].map((attempt) =>
      retryDelay('PUT', answer(status), attempt, 30_000),
    );
    expect(delays).toEqual([250, 1000, 3000, 6000, 10_000, 'give up']);
  });

  test.for([429, 503])('%i is waited for as long as it asks for', (status) => {
    const delays = [1, 5, 6].map((attempt) =>
      retryDelay('GET', answer(status, retryAfter('7')), attempt, 30_000),
    );
    expect(delays).toEqual([7000, 7000, 'give up']);
  });

  test('a wait longer than the retry budget is given up at once', () => {
    expect(retryDelay('GET', answer(429, retryAfter('30')), 1, 30_000)).toBe(30_000);
    expect(retryDelay('GET', answer(429, retryAfter('31')), 1, 30_000)).toBe('give up');
  });

  test.for([502, 504])('%i from a gateway is waited for with reads only', (status) => {
    expect(retryDelay('GET', answer(status), 1, 30_000)).toBe(250);
    expect(retryDelay('PUT', answer(status), 1, 30_000)).toBe('give up');
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
