import { describe, expect, test } from 'vitest';
import type { Variable } from '../../schemas/configuration.ts';
import { variableNames, variables } from '../../schemas/configuration.ts';
import { isOnThisMachine } from './addresses.ts';
import {
  ConfigurationError,
  type Environment,
  namesTarget,
  readSettings,
  secretsIn,
  withoutTarget,
} from './read-settings.ts';
import type { Settings } from './settings.ts';

const remote = { BASE_URL: 'https://eu.staging.example/v5', API_KEY: 'canary-key' };
const read = (more: Environment): Settings => readSettings({ ...remote, ...more }, 7);

function refusal(more: Partial<Record<Variable, string>>): string {
  try {
    read(more);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
    throw error;
  }
  return 'accepted';
}

test('the example of every variable is of its own valid form', () => {
  for (const name of variableNames)
    expect(refusal({ MAILBOX_PASSWORD: 'a', [name]: variables[name].examples[0] })).toBe(
      'accepted',
    );
});

test('a target with nothing but a key: what is left out has its default', () => {
  expect(read({})).toEqual({
    target: { kind: 'remote', baseUrl: 'https://eu.staging.example/v5' },
    apiKey: 'canary-key',
    taskIds: [],
    assessmentIds: [],
    assignedById: undefined,
    userIds: [],
    teamIds: [],
    writes: false,
    wrongRegionUrl: undefined,
    blockedLocalAddress: undefined,
    blockedProxyUrl: undefined,
    caFile: undefined,
    httpsProxy: undefined,
    httpProxy: undefined,
    noProxy: undefined,
    exportWindow: { start: undefined, end: undefined },
    filterValues: {},
    arrayEncoding: 'auto',
    maxConcurrency: 8,
    maxRequestsPerSecond: 50,
    requestTimeoutMs: 30_000,
    readSettleMs: 2000,
    auditTimeoutMs: 30_000,
    mailbox: undefined,
    userEmails: {},
    teamEmails: {},
    mailTimeoutMs: 30_000,
    runTimeoutMs: 1_800_000,
    journalDir: '.contract-journal',
    maxExportBytes: 268_435_456,
    maxExportCombinations: 8,
    seed: 7,
    reportDir: 'reports/latest',
    keepRuns: 10,
    waiversFile: undefined,
    staleWaiversFail: false,
    secrets: ['canary-key'],
    nameOf: expect.any(Function),
  });
});

test('every variable is read', () => {
  const settings = read({
    BASE_URL: 'http://localhost:8080/region/v5/',
    TASK_IDS: 'a, b ,c,a',
    ASSESSMENT_IDS: 'd',
    ASSIGNED_BY_ID: ' e ',
    USER_IDS: 'f,g',
    TEAM_IDS: 'h',
    ALLOW_WRITES: 'no',
    WRONG_REGION_URL: 'https://us.staging.example/v5/',
    BLOCKED_LOCAL_ADDRESS: '10.0.0.7',
    BLOCKED_PROXY_URL: 'http://user:pass@proxy.example:3128',
    CA_FILE: 'ca.pem',
    HTTPS_PROXY: 'http://proxy.example:3128',
    http_proxy: 'http://proxy.example:3129',
    no_proxy: '.internal.example',
    EXPORT_RANGE_START: '2026-01-01T00:00:00Z',
    EXPORT_RANGE_END: '2026-01-01T00:00:00.001+00:00',
    EXPORT_FILTER_VALUES: '{"event_type":["assessment"],"metadata":{"tag":["kyc"]}}',
    ARRAY_ENCODING: 'comma',
    MAX_CONCURRENCY: '1',
    MAX_REQUESTS_PER_SECOND: '0',
    REQUEST_TIMEOUT_MS: '300',
    READ_SETTLE_MS: '0',
    AUDIT_TIMEOUT_MS: '0',
    MAILBOX_URL: 'https://mail.example/catcher/',
    MAILBOX_USER: 'qa',
    MAILBOX_PASSWORD: 'open sesame',
    MAILBOX_TOKEN: 'token',
    USER_EMAILS: '{"f":"F@Staging.example"}',
    TEAM_EMAILS: '{"h":["f@staging.example","g@staging.example"]}',
    MAIL_TIMEOUT_MS: '5000',
    RUN_TIMEOUT_MS: '60000',
    JOURNAL_DIR: 'out/journal',
    MAX_EXPORT_BYTES: '1000',
    MAX_EXPORT_COMBINATIONS: '3',
    SEED: '0',
    REPORT_DIR: 'out/my reports',
    KEEP_RUNS: '0',
    WAIVERS_FILE: 'known/waivers.json',
    STALE_WAIVERS_FAIL: 'yes',
  });
  expect(settings).toEqual({
    target: { kind: 'remote', baseUrl: 'http://localhost:8080/region/v5' },
    apiKey: 'canary-key',
    taskIds: ['a', 'b', 'c'],
    assessmentIds: ['d'],
    assignedById: 'e',
    userIds: ['f', 'g'],
    teamIds: ['h'],
    writes: false,
    wrongRegionUrl: 'https://us.staging.example/v5',
    blockedLocalAddress: '10.0.0.7',
    blockedProxyUrl: 'http://user:pass@proxy.example:3128',
    caFile: 'ca.pem',
    httpsProxy: 'http://proxy.example:3128',
    httpProxy: 'http://proxy.example:3129',
    noProxy: '.internal.example',
    exportWindow: { start: 1_767_225_600_000, end: 1_767_225_600_001 },
    filterValues: { event_type: ['assessment'], metadata: { tag: ['kyc'] } },
    arrayEncoding: 'comma',
    maxConcurrency: 1,
    maxRequestsPerSecond: 0,
    requestTimeoutMs: 300,
    readSettleMs: 0,
    auditTimeoutMs: 0,
    mailbox: {
      url: 'https://mail.example/catcher',
      user: 'qa',
      password: 'open sesame',
      token: 'token',
    },
    userEmails: { f: 'F@Staging.example' },
    teamEmails: { h: ['f@staging.example', 'g@staging.example'] },
    mailTimeoutMs: 5000,
    runTimeoutMs: 60_000,
    journalDir: 'out/journal',
    maxExportBytes: 1000,
    maxExportCombinations: 3,
    seed: 0,
    reportDir: 'out/my reports',
    keepRuns: 0,
    waiversFile: 'known/waivers.json',
    staleWaiversFail: true,
    // Of the proxy the header, as its password may be a word.
    secrets: ['canary-key', 'dXNlcjpwYXNz', 'open sesame', 'token'],
    nameOf: expect.any(Function),
  });
});

test('without what describes a target, limits, seed and folder are left', () => {
  const left = withoutTarget({
    BASE_URL: 'https://eu.staging.example/v5',
    API_KEY: 'a-key',
    ARRAY_ENCODING: 'comma',
    ALLOW_WRITES: 'no',
    SEED: '1',
    REPORT_DIR: 'out',
    PATH: '/bin',
  });
  expect(left).toEqual({ SEED: '1', REPORT_DIR: 'out' });
});

describe('a wrong value names the variable, what it is, and the valid form:', () => {
  test.for([
    ['BASE_URL', 'eu.staging.example/v5'],
    ['BASE_URL', 'https://eu.staging.example'],
    ['BASE_URL', 'https://eu.staging.example/v6'],
    ['BASE_URL', 'https://eu.staging.example/v5?x=1'],
    ['BASE_URL', 'ftp://eu.staging.example/v5'],
    ['BASE_URL', 'http://[half/v5'],
    ['TASK_IDS', 'a,,b'],
    ['TASK_IDS', 'a b'],
    ['TASK_IDS', 'tasks/a'],
    ['ASSESSMENT_IDS', ','],
    ['ASSIGNED_BY_ID', 'a,b'],
    ['USER_IDS', 'a?b'],
    ['TEAM_IDS', 'a#b'],
    ['ALLOW_WRITES', 'true'],
    ['WRONG_REGION_URL', 'us.staging.example'],
    ['BLOCKED_LOCAL_ADDRESS', 'eth0'],
    ['BLOCKED_PROXY_URL', 'proxy:3128'],
    ['EXPORT_RANGE_START', '2026-01-01'],
    ['EXPORT_RANGE_START', '2026-02-30T00:00:00Z'],
    ['EXPORT_RANGE_END', '2026-01-01T00:00:00+02:00'],
    ['EXPORT_FILTER_VALUES', 'event_type=assessment'],
    ['EXPORT_FILTER_VALUES', '{"event_type":"assessment"}'],
    ['EXPORT_FILTER_VALUES', '{"eventtype":["assessment"]}'],
    ['EXPORT_FILTER_VALUES', '{"metadata":{"colour":["red"]}}'],
    ['EXPORT_FILTER_VALUES', '{"event_type":[]}'],
    ['ARRAY_ENCODING', 'xml'],
    ['MAX_CONCURRENCY', '0'],
    ['MAX_CONCURRENCY', '1000'],
    ['MAX_REQUESTS_PER_SECOND', '0.5'],
    ['REQUEST_TIMEOUT_MS', '9'],
    ['REQUEST_TIMEOUT_MS', '15s'],
    ['AUDIT_TIMEOUT_MS', '-1'],
    ['READ_SETTLE_MS', '-1'],
    ['MAX_EXPORT_BYTES', '256MB'],
    ['SEED', 'abc'],
  ] as const)('%s=%s', ([name, value]) => {
    const { title, examples } = variables[name];
    expect(refusal({ [name]: value })).toBe(
      `${name}: "${value}" is not ${title}; for example ${examples[0]}`,
    );
  });

  test('API_KEY, whose value is not shown', () => {
    expect(refusal({ API_KEY: 'canary key' })).toBe(
      'API_KEY: what it is set to is not a key without spaces or line breaks; for example the-key-of-your-staging-account',
    );
  });

  test('an address with a password in it, which is not shown', () => {
    const message = refusal({ BASE_URL: 'https://user:canary@eu.staging.example/v5' });
    expect(message).toContain('BASE_URL: "https://eu.staging.example/v5" ');
    expect(message).not.toContain('canary');
  });

  test('all of them at once', () => {
    expect(refusal({ SEED: 'x', ALLOW_WRITES: 'x' }).split('\n')).toHaveLength(2);
  });
});

describe('values that contradict each other', () => {
  test('a target without a key', () => {
    expect(refusal({ API_KEY: ' ' })).toBe(
      'API_KEY: missing; with BASE_URL set, a valid key of that target is needed',
    );
  });

  test('a window that ends before it starts', () => {
    const at = '2026-01-01T00:00:00Z';
    expect(refusal({ EXPORT_RANGE_START: at, EXPORT_RANGE_END: at })).toBe(
      `EXPORT_RANGE_END: "${at}" is not later than EXPORT_RANGE_START "${at}"`,
    );
  });
});

describe('the target', () => {
  test('is the embedded service where nothing speaks of another', () => {
    expect(namesTarget({ BASE_URL: '', SEED: '1', MAX_CONCURRENCY: '2' })).toBe(false);
  });

  test('is the one that is named', () => {
    expect(namesTarget(remote)).toBe(true);
  });

  test.for(['API_KEY', 'TASK_IDS', 'WRONG_REGION_URL'])('is required where %s is set', (name) => {
    expect(() => namesTarget({ BASE_URL: ' ', [name]: 'canary' })).toThrow(
      `BASE_URL: missing, while ${name} is set; give the address of the target, for example https://eu.staging.example/v5, or unset ${name} to check the embedded reference service`,
    );
  });
});

describe('writes', () => {
  test('are allowed on this machine unless forbidden, elsewhere only where allowed', () => {
    const writes = (BASE_URL: string, ALLOW_WRITES = '') => read({ BASE_URL, ALLOW_WRITES }).writes;
    expect(writes('http://127.0.0.1:8080/v5')).toBe(true);
    expect(writes('http://127.0.0.1:8080/v5', 'no')).toBe(false);
    expect(writes('https://eu.staging.example/v5')).toBe(false);
    expect(writes('https://eu.staging.example/v5', 'yes')).toBe(true);
  });

  test.for([
    ['http://localhost/v5', true],
    ['http://127.8.9.10:1/v5', true],
    ['http://[::1]:1/v5', true],
    ['http://localhost.example/v5', false],
    ['http://127.0.0.1.example/v5', false],
    ['http://127.0.0.1@eu.example/v5', false],
    ['http://0.0.0.0/v5', false],
    ['not an address', false],
  ] as const)('%s on this machine: %s', ([url, here]) => {
    expect(isOnThisMachine(url)).toBe(here);
  });
});

describe('a mailbox', () => {
  test('may have its name and password in its address', () => {
    const MAILBOX_URL = 'http://qa:p%40ss%20word@mail.example:8025';
    const given = { url: 'http://mail.example:8025', user: 'qa', password: 'p@ss word' };
    expect(read({ MAILBOX_URL }).mailbox).toEqual({ ...given, token: undefined });
    const instead = { MAILBOX_URL, MAILBOX_USER: 'me', MAILBOX_PASSWORD: 'mine' };
    expect(read(instead).mailbox).toMatchObject({ user: 'me', password: 'mine' });
  });

  test('a user name takes a password', () => {
    expect(refusal({ MAILBOX_USER: 'qa' })).toBe(
      'MAILBOX_PASSWORD: missing; with MAILBOX_USER set, the password of that user is needed',
    );
  });

  test.for([
    ['USER_EMAILS', 'ann@canary.example'],
    ['USER_EMAILS', '{"a":"canary"}'],
    ['USER_EMAILS', '{"a":["ann@canary.example"]}'],
    ['USER_EMAILS', '{"a":"Ann <ann@canary.example>"}'],
    ['TEAM_EMAILS', '{"a":"ann@canary.example"}'],
    ['TEAM_EMAILS', '{"a":[]}'],
    ['TEAM_EMAILS', '{"a":["canary"]}'],
    ['MAILBOX_TOKEN', 'canary with space'],
  ] as const)('%s: %s is refused, and not repeated', ([name, value]) => {
    const message = refusal({ [name]: value });
    expect(message).toContain(`${name}: what it is set to is not `);
    expect(message).not.toContain('canary');
  });

  test('the password in a wrong address is not repeated', () => {
    const message = refusal({ MAILBOX_URL: 'smtp://qa:canary@mail.example' });
    expect(message).toContain('MAILBOX_URL: "smtp://mail.example" is not ');
    expect(message).not.toContain('canary');
  });
});

describe('secrets', () => {
  test('the key, and what opens the mailbox', () => {
    const variables = { API_KEY: 'key', MAILBOX_TOKEN: 'token', MAILBOX_PASSWORD: 'long-enough' };
    expect(secretsIn(variables)).toEqual(['key', 'long-enough', 'token']);
  });

  test.each(['HTTPS_PROXY', 'HTTP_PROXY', 'BLOCKED_PROXY_URL', 'MAILBOX_URL'])(
    'the password in %s, in each form in which it may come back',
    (name) => {
      const forms = ['canary%2Bword', 'canary+word', 'YW5uOmNhbmFyeSt3b3Jk'];
      expect(secretsIn({ [name]: 'http://ann:canary%2Bword@proxy.example:3128' })).toEqual(forms);
    },
  );

  test('a password that may be a word is not looked for everywhere', () => {
    expect(
      secretsIn({ MAILBOX_PASSWORD: 'admin', HTTP_PROXY: 'http://a:b@proxy.example' }),
    ).toEqual([]);
  });

  test('what is no address has no password', () => {
    expect(secretsIn({ HTTPS_PROXY: 'proxy', BLOCKED_PROXY_URL: '' })).toEqual([]);
  });
});
