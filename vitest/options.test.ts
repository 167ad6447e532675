import { describe, expect, test } from 'vitest';
import { variableNames } from '../schemas/configuration.ts';
import { type ContractOptions, optionNameOf, variablesOf } from './options.ts';

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

  test('one that does not exist is an error that names the most similar one', () => {
    const misspelt: ContractOptions = Object.assign({ taskId: ['a'] }, least);
    expect(() => variablesOf(misspelt)).toThrow('There is no option taskId. Did you mean taskIds?');
  });
});

test('a variable is named as an option', () => {
  expect(['BASE_URL', 'MAX_REQUESTS_PER_SECOND'].map(optionNameOf)).toEqual([
    'baseUrl',
    'maxRequestsPerSecond',
  ]);
  expect(variableNames.map(optionNameOf).join(' ')).not.toContain('_');
});
