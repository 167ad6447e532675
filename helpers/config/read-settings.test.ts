import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Variable } from '../../schemas/configuration.ts';
import { variableNames, variables } from '../../schemas/configuration.ts';
import { ConfigurationError } from '../errors.ts';
import { isOnThisMachine } from './addresses.ts';
import {
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
  const companions = { MAILBOX_PASSWORD: 'a', CLIENT_CERT_FILE: 'b', CLIENT_KEY_FILE: 'c' };
  // The one file that is read at once.
  for (const name of variableNames.filter((one) => one !== 'API_KEY_FILE'))
    expect(refusal({ ...companions, [name]: variables[name].examples[0] })).toBe('accepted');
});

test('a target with nothing but a key: what is left out has its default', () => {
  expect(read({})).toEqual({
    target: { kind: 'remote', baseUrl: 'https://eu.staging.example/v5' },
    apiKey: 'canary-key',
    taskIds: [],
    assessmentIds: [],
    assignedByIds: [],
    userIds: [],
    teamIds: [],
    writes: false,
    wrongRegionUrl: undefined,
    blockedLocalAddress: undefined,
    blockedProxyUrl: undefined,
    caFile: undefined,
    clientCertFile: undefined,
    clientKeyFile: undefined,
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
    waitForTargetMs: 0,
    journalDir: '.contract-journal',
    maxExportBytes: 268_435_456,
    except: [],
    seed: 7,
    reportDir: 'reports/latest',
    keepRuns: 10,
    waiversFile: undefined,
    staleWaiversFail: false,
    secrets: ['canary-key'],
  });
});

test('every variable is read', () => {
  const settings = read({
    BASE_URL: 'http://localhost:8080/region/v5/',
    TASK_IDS: 'a, b ,c,a',
    ASSESSMENT_IDS: 'd',
    ASSIGNED_BY_ID: ' e , h ',
    USER_IDS: 'f,g',
    TEAM_IDS: 'h',
    ALLOW_WRITES: 'no',
    WRONG_REGION_URL: 'https://us.staging.example/v5/',
    BLOCKED_LOCAL_ADDRESS: '10.0.0.7',
    BLOCKED_PROXY_URL: 'http://user:pass@proxy.example:3128',
    CA_FILE: 'ca.pem',
    CLIENT_CERT_FILE: 'client.pem',
    CLIENT_KEY_FILE: 'client-key.pem',
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
    WAIT_FOR_TARGET_MS: '7000',
    JOURNAL_DIR: 'out/journal',
    MAX_EXPORT_BYTES: '1000',
    EXCEPT: 'notification., task.id',
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
    assignedByIds: ['e', 'h'],
    userIds: ['f', 'g'],
    teamIds: ['h'],
    writes: false,
    wrongRegionUrl: 'https://us.staging.example/v5',
    blockedLocalAddress: '10.0.0.7',
    blockedProxyUrl: 'http://user:pass@proxy.example:3128',
    caFile: 'ca.pem',
    clientCertFile: 'client.pem',
    clientKeyFile: 'client-key.pem',
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
    waitForTargetMs: 7000,
    journalDir: 'out/journal',
    maxExportBytes: 1000,
    except: ['notification.', 'task.id'],
    seed: 0,
    reportDir: 'out/my reports',
    keepRuns: 0,
    waiversFile: 'known/waivers.json',
    staleWaiversFail: true,
    // Of the proxy the header, as its password may be a word.
    secrets: ['canary-key', 'dXNlcjpwYXNz', 'open sesame', 'token'],
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
    ['BASE_URL', 'https://eu.staging.example/v6'],
    ['BASE_URL', 'https://eu.staging.example/v5?x=1'],
    ['BASE_URL', 'ftp://eu.staging.example/v5'],
    ['BASE_URL', 'http://[half/v5'],
    ['TASK_IDS', 'a,,b'],
    ['TASK_IDS', 'a b'],
    ['TASK_IDS', 'tasks/a'],
    ['ASSESSMENT_IDS', ','],
    ['ASSIGNED_BY_ID', 'a b'],
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
    ['EXPORT_FILTER_VALUES', '["assessment"]'],
    ['TASK_IDS', '["a"'],
    ['TASK_IDS', '["a",1]'],
    ['TASK_IDS', '"a","b"'],
    ['ASSIGNED_BY_ID', '"a"'],
    ['EXCEPT', ','],
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

  test.for([
    ['https://us.staging.example', 'https://us.staging.example/v5'],
    ['https://us.staging.example/', 'https://us.staging.example/v5'],
    ['https://us.staging.example/api', 'https://us.staging.example/api/v5'],
  ] as const)('BASE_URL=%s, which lacks nothing but /v5', ([value, completed]) => {
    expect(refusal({ BASE_URL: value })).toBe(
      `BASE_URL: "${value}" is not an http(s) address that ends in /v5; for example ${completed}`,
    );
  });

  test('API_KEY, whose value is not shown', () => {
    expect(refusal({ API_KEY: 'canary key' })).toBe(
      'API_KEY: must be a key without spaces or line breaks (its value is not shown); for example the-key-of-your-staging-account',
    );
  });

  test.for([
    ['{"event_typ":["x"]}', 'there is no filter "event_typ". Did you mean event_type?'],
    [
      '{"metadata":{"work_step":["x"]}}',
      'there is no key of metadata "work_step". Did you mean workflow_step?',
    ],
    ['{"event_type":"assessment"}', 'event_type must be a list of one text or more.'],
    ['{"event_type":[]}', 'event_type must be a list of one text or more.'],
    ['{"event_type":[1]}', 'event_type.0 must be a text that is not empty.'],
    ['{"metadata":["kyc"]}', 'metadata must be an object.'],
  ] as const)('EXPORT_FILTER_VALUES=%s, where it is wrong', ([value, problem]) => {
    expect(refusal({ EXPORT_FILTER_VALUES: value })).toBe(
      `EXPORT_FILTER_VALUES: ${problem} For example ${variables.EXPORT_FILTER_VALUES.examples[0]}`,
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
  test.for([
    [{}],
    [{ BASE_URL: '', SEED: '1', MAX_CONCURRENCY: '2' }],
    // As a copy of .env.example has them, or a pipeline.
    [{ CI: 'true', BASE_URL: '', API_KEY: '', TASK_IDS: ' ', REQUIRE_TARGET: '', ENV_FILE: '' }],
    [{ ALLOW_WRITES: 'no', REQUIRE_TARGET: 'no' }],
    [{ HTTPS_PROXY: 'http://p.example', CA_FILE: 'a', JOURNAL_DIR: 'b' }],
  ] as const)('is the embedded service where nothing speaks of another: %j', ([environment]) => {
    expect(namesTarget(environment)).toBe(false);
  });

  test('is the one that is named', () => {
    expect(namesTarget(remote)).toBe(true);
    expect(namesTarget({ ...remote, REQUIRE_TARGET: 'yes', ENV_FILE: 'eu.env' })).toBe(true);
  });

  const address = 'give the address of the target, for example https://eu.staging.example/v5';
  const advice = `${address}; or say --embedded, to check the embedded reference service`;

  test.for([
    ['API_KEY'],
    ['TASK_IDS'],
    ['WRONG_REGION_URL'],
    ['ALLOW_WRITES'],
    ['EXPORT_FILTER_VALUES'],
    ['CLIENT_CERT_FILE'],
    ['MAILBOX_TOKEN'],
  ])('is needed where %s is set', ([name = '']) => {
    expect(() => namesTarget({ BASE_URL: ' ', [name]: 'canary' })).toThrow(
      `BASE_URL: set to nothing, in .env or in the environment, while ${name} is set; ${advice}`,
    );
  });

  test('is needed where several are set, which are named', () => {
    const two = { API_KEY: 'a', ALLOW_WRITES: 'yes' };
    expect(() => namesTarget(two)).toThrow(
      /^BASE_URL: missing, while API_KEY and ALLOW_WRITES are /,
    );
    expect(() => namesTarget({ API_KEY: 'no' })).toThrow(' while API_KEY is set; ');
    const four = { ...two, TASK_IDS: 'a', TEAM_IDS: 'b' };
    expect(() => namesTarget(four)).toThrow(/ while API_KEY, TASK_IDS and 2 more are set; /);
  });

  test('is needed where a file of variables is named', () => {
    expect(() => namesTarget({ ENV_FILE: 'eu.env', BASE_URL: '' })).toThrow(
      `BASE_URL: set to nothing, in eu.env or in the environment, while a file of variables is named (eu.env); ${advice}`,
    );
  });

  test('is needed where it is required, whatever else is there', () => {
    for (const more of [{}, { ENV_FILE: 'eu.env' }, { API_KEY: 'a' }]) {
      expect(() => namesTarget({ ...more, REQUIRE_TARGET: 'yes' })).toThrow(
        new ConfigurationError(
          `BASE_URL: missing, while a target is required (--require-target, REQUIRE_TARGET); ${address}`,
        ),
      );
    }
    // A value that is none is no permission.
    expect(() => namesTarget({ REQUIRE_TARGET: 'true' })).toThrow('while REQUIRE_TARGET is set; ');
  });
});

describe('lists', () => {
  test.for([['a,b'], [' a , b '], ['["a","b"]'], ['[ "a", "b" ]']])('%s', ([TASK_IDS = '']) => {
    expect(read({ TASK_IDS }).taskIds).toEqual(['a', 'b']);
  });

  test('what is left out may have spaces in it', () => {
    expect(read({ EXCEPT: 'notification., is read twice' }).except).toEqual([
      'notification.',
      'is read twice',
    ]);
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
    expect(message).toMatch(new RegExp(`^${name}: must be .+ \\(its value is not shown\\)`));
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

describe('a key in a file', () => {
  const target = { BASE_URL: 'https://eu.staging.example/v5' };
  const fileOf = (content: string): string => {
    const folder = mkdtempSync(join(tmpdir(), 'key-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'key'), content);
    return join(folder, 'key');
  };

  test('is read without the line feed at its end, and is a secret', () => {
    const variables = { ...target, API_KEY_FILE: fileOf('canary-of-a-file\n') };
    expect(readSettings(variables, 0)).toMatchObject({
      apiKey: 'canary-of-a-file',
      secrets: ['canary-of-a-file'],
    });
    expect(secretsIn(variables)).toEqual(['canary-of-a-file']);
  });

  test.for([
    [{ API_KEY_FILE: 'no/such/file' }, 'API_KEY_FILE: "no/such/file" cannot be read'],
    [
      { API_KEY_FILE: 'package.json' },
      'API_KEY_FILE: what "package.json" holds is not a key without spaces or line breaks',
    ],
    [
      { API_KEY_FILE: 'package.json', API_KEY: 'canary' },
      'API_KEY_FILE and API_KEY are both set; give one of them',
    ],
    [
      { API_KEY: 'canary', CLIENT_CERT_FILE: 'client.pem' },
      'CLIENT_KEY_FILE: missing; CLIENT_CERT_FILE is of no use without it',
    ],
  ] as const)('%j is refused', ([variables, message]) => {
    expect(() => readSettings({ ...target, ...variables }, 0)).toThrow(message);
  });

  test('that cannot be read is no reason for a message to fail', () => {
    expect(secretsIn({ API_KEY_FILE: 'no/such/file' })).toEqual([]);
  });
});
