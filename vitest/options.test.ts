import { describe, expect, test } from 'vitest';
import { variableNames } from '../schemas/configuration.ts';
import { type ContractOptions, variablesOf, withOptionNames } from './options.ts';

const least = { baseUrl: 'http://localhost:4010/v5', apiKey: 'canary-key' };

describe('options as variables:', () => {
  test.for([
    [{}, {}],
    [{ name: 'the mock', only: ['conflict.'], seed: undefined }, {}],
    [{ taskIds: ['a', 'b'] }, { TASK_IDS: 'a,b' }],
    [
      { allowWrites: false, staleWaiversFail: true },
      { ALLOW_WRITES: 'no', STALE_WAIVERS_FAIL: 'yes' },
    ],
    [
      { seed: 0, requestTimeoutMs: 300 },
      { SEED: '0', REQUEST_TIMEOUT_MS: '300' },
    ],
    [
      { exportRangeStart: new Date(0), exportRangeEnd: '2026-01-01T00:00:00Z' },
      { EXPORT_RANGE_START: '1970-01-01T00:00:00.000Z', EXPORT_RANGE_END: '2026-01-01T00:00:00Z' },
    ],
    [
      { exportFilterValues: { event_type: ['assessment'], metadata: { tag: ['kyc'] } } },
      { EXPORT_FILTER_VALUES: '{"event_type":["assessment"],"metadata":{"tag":["kyc"]}}' },
    ],
  ] as const satisfies readonly [Partial<ContractOptions>, object][])('%j', ([more, expected]) => {
    expect(variablesOf({ ...least, ...more })).toEqual({
      BASE_URL: 'http://localhost:4010/v5',
      API_KEY: 'canary-key',
      ...expected,
    });
  });

  test('one that does not exist is an error that names the nearest', () => {
    const misspelt: ContractOptions = Object.assign({ taskId: ['a'] }, least);
    expect(() => variablesOf(misspelt)).toThrow('There is no option taskId. Nearest: taskIds');
  });
});

test('a text names options in place of variables', () => {
  expect(withOptionNames('BASE_URL and MAX_REQUESTS_PER_SECOND, not BASE_URLS')).toBe(
    'baseUrl and maxRequestsPerSecond, not BASE_URLS',
  );
  expect(withOptionNames(variableNames.join(' '))).not.toContain('_');
});
