import { describe, expect, test } from 'vitest';
import { answer, exchange } from './exchange.fixture.ts';
import { NoResponse } from './no-response.ts';
import { retryAfterMs, retryDelay } from './retry.ts';

const get = { method: 'GET' } as const;
const put = { method: 'PUT' } as const;
const noAnswer = new NoResponse(exchange, 'the connection was reset');
const retryAfter = (value: string) => [['Retry-After', value]] as const;

describe('an answer that stands', () => {
  test.for([200, 201, 204, 301, 400, 401, 404, 409, 412, 428])('%i', (status) => {
    expect(retryDelay(get, answer(status), 1, 30_000)).toBeUndefined();
    expect(retryDelay(put, answer(status), 1, 30_000)).toBeUndefined();
  });

  test('409, also with Retry-After', () => {
    expect(retryDelay(put, answer(409, retryAfter('1')), 1, 30_000)).toBeUndefined();
  });
});

test.for([500, 501, 507])('the first %i of a read may pass, the second stands', (status) => {
  expect(retryDelay(get, answer(status), 1, 30_000)).toBe(250);
  expect(retryDelay(get, answer(status), 1, 200)).toBeUndefined();
  expect(retryDelay(get, answer(status), 2, 30_000)).toBeUndefined();
  expect(retryDelay(put, answer(status), 1, 30_000)).toBeUndefined();
});

test.for([500, 501, 502, 503, 504])(
  'whether a %i lasts is asked for as long as a restart takes, and then it stands',
  (status) => {
    const request = { ...get, repeats: 1 };
    const delays = [1, 2, 3, 4].map((attempt) =>
      retryDelay(request, answer(status), attempt, 30_000),
    );
    expect(delays).toEqual([250, 1000, 3000, undefined]);
    expect(retryDelay(request, answer(404), 1, 30_000)).toBeUndefined();
  },
);

describe('no answer', () => {
  test('a read is sent again, a little later each time', () => {
    const delays = [1, 2, 3, 4, 5, 6].map((attempt) => retryDelay(get, noAnswer, attempt, 30_000));
    expect(delays).toEqual([250, 1000, 3000, 6000, 10_000, undefined]);
  });

  test('but not beyond the retry budget', () => {
    expect(retryDelay(get, noAnswer, 2, 1000)).toBe(1000);
    expect(retryDelay(get, noAnswer, 2, 999)).toBeUndefined();
  });

  test('nor where it would fail in the same way', () => {
    const permanent = new NoResponse(exchange, 'its certificate is not trusted', 'permanent');
    expect(retryDelay(get, permanent, 1, 30_000)).toBeUndefined();
  });

  test('a write is not: it may have been carried out', () => {
    expect(retryDelay(put, noAnswer, 1, 30_000)).toBeUndefined();
    const notSent = new NoResponse(exchange, 'connection refused', 'not sent');
    expect(retryDelay(put, notSent, 1, 30_000)).toBe(250);
  });
});

describe('not now', () => {
  test.for([429, 503])('%i is waited for, a little longer each time, then given up', (status) => {
    const delays = [1, 2, 3, 4, 5, 6].map((attempt) =>
      retryDelay(put, answer(status), attempt, 30_000),
    );
    expect(delays).toEqual([250, 1000, 3000, 6000, 10_000, 'give up']);
  });

  test.for([429, 503])('%i is waited for as long as it asks for', (status) => {
    const delays = [1, 5, 6].map((attempt) =>
      retryDelay(get, answer(status, retryAfter('7')), attempt, 30_000),
    );
    expect(delays).toEqual([7000, 7000, 'give up']);
  });

  test('a wait longer than the retry budget is given up at once', () => {
    expect(retryDelay(get, answer(429, retryAfter('30')), 1, 30_000)).toBe(30_000);
    expect(retryDelay(get, answer(429, retryAfter('31')), 1, 30_000)).toBe('give up');
  });

  test.for([502, 504])('%i from a gateway is waited for with reads only', (status) => {
    expect(retryDelay(get, answer(status), 1, 30_000)).toBe(250);
    expect(retryDelay(put, answer(status), 1, 30_000)).toBe('give up');
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
