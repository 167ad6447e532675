import { describe, expect, test } from 'vitest';
import { readSettings } from '../helpers/config/read-settings.ts';
import { variableNames } from '../schemas/configuration.ts';
import { type ContractOptions, variablesOf } from './options.ts';

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

const every: Required<ContractOptions> = {
  ...least,
  name: 'the mock',
  only: ['conflict.'],
  requireTarget: true,
  apiKeyFile: '/run/secrets/key',
  taskIds: ['task-1'],
  assessmentIds: ['assessment-1'],
  assignedById: 'user-0',
  userIds: ['user-1', 'user-2'],
  teamIds: ['team-1'],
  allowWrites: true,
  journalDir: '.journal',
  wrongRegionUrl: 'http://localhost:4011/v5',
  blockedLocalAddress: '127.0.0.2',
  blockedProxyUrl: 'http://localhost:3128',
  caFile: 'ca.pem',
  clientCertFile: 'client.pem',
  clientKeyFile: 'client-key.pem',
  httpsProxy: 'http://localhost:3129',
  httpProxy: 'http://localhost:3130',
  noProxy: ['localhost', '.internal.example'],
  exportRangeStart: new Date('2026-01-01'),
  exportRangeEnd: new Date('2026-02-01'),
  exportFilterValues: { metadata: { tag: ['kyc'] } },
  arrayEncoding: 'repeat',
  maxConcurrency: 2,
  maxRequestsPerSecond: 3,
  requestTimeoutMs: 4000,
  runTimeoutMs: 5000,
  waitForTargetMs: 5500,
  readSettleMs: 6000,
  auditTimeoutMs: 7000,
  mailboxUrl: 'http://localhost:8025',
  mailboxUser: 'qa',
  mailboxPassword: 'canary-password',
  mailboxToken: 'canary-token',
  userEmails: { 'user-1': 'ann@staging.example' },
  teamEmails: { 'team-1': ['bob@staging.example'] },
  mailTimeoutMs: 8000,
  maxExportBytes: 9000,
  except: ['pdf.'],
  seed: 11,
  reportDir: 'reports/mock',
  keepRuns: 12,
  waiversFile: 'known.json',
  staleWaiversFail: true,
};

test('every option there is, email included, is a variable that the configuration takes, and every variable an option', () => {
  const variables = variablesOf(every);
  expect(Object.keys(variables).sort()).toEqual([...variableNames].sort());
  const { API_KEY_FILE: _, ...others } = variables;
  expect(readSettings(others, 0)).toMatchObject({
    target: { baseUrl: 'http://localhost:4010/v5' },
    taskIds: ['task-1'],
    userIds: ['user-1', 'user-2'],
    writes: true,
    noProxy: 'localhost,.internal.example',
    exportWindow: { start: Date.UTC(2026, 0), end: Date.UTC(2026, 1) },
    filterValues: { metadata: { tag: ['kyc'] } },
    arrayEncoding: 'repeat',
    maxRequestsPerSecond: 3,
    mailbox: { url: 'http://localhost:8025', user: 'qa', token: 'canary-token' },
    userEmails: { 'user-1': 'ann@staging.example' },
    teamEmails: { 'team-1': ['bob@staging.example'] },
    staleWaiversFail: true,
  });
});
