import { named } from './forms.ts';
import { listEncodings, listFilters, metadataKeys } from './operations.ts';
import { timestampPattern } from './timestamp.ts';

/** Also read: a JSON array of texts, as it is often pasted. */
const list = {
  type: 'string',
  isList: true,
  pattern: '^[^\\s,/?#"\'\\[\\]]+(\\s*,\\s*[^\\s,/?#"\'\\[\\]]+)*$',
} as const;
const integer = (pattern: string) => ({ type: 'string', isInteger: true, pattern }) as const;
const httpUrl = {
  type: 'string',
  format: 'url',
  pattern: '^https?://[^\\s/?#]+[^\\s?#]*$',
} as const;
const baseUrl = {
  type: 'string',
  format: 'url',
  pattern: '^https?://[^\\s/?#@]+(/[^\\s?#]*)?/v5/?$',
} as const;

/** One variable: what it must look like, and for people: what it means and a valid form. */
export interface VariableSchema {
  readonly type: 'string';
  readonly pattern?: string;
  readonly enum?: readonly string[];
  readonly format?: string;
  /** What the variable is for. */
  readonly description: string;
  /** The valid form, in words. */
  readonly title: string;
  readonly examples: readonly string[];
  readonly default?: string;
  /** Whether it is several texts, separated by commas. */
  readonly isList?: true;
  readonly isInteger?: true;
  /** The option of the command line that sets it; of a list, that adds to it. */
  readonly flag?: {
    readonly name: string;
    /** What stands for the value in the help: `--seed N`. */
    readonly value?: string;
    /** What the option sets that takes no value. */
    readonly sets?: string;
    /** By what a number is multiplied. */
    readonly times?: number;
    /** What it does, for the help. */
    readonly about: string;
  };
  /**
   * `target`: only a target needs it, and it makes no sense without its BASE_URL. `access`: how targets are reached from
   * this machine, and where it is noted what is changed there. `run`: holds whatever is checked, the embedded reference
   * service too.
   */
  readonly scope: 'target' | 'access' | 'run';
  /**
   * What no message shows. `key`: redacted in every record, too. `password`: too, unless it is so short that it may
   * be a word. `personal`: whose address is whose.
   */
  readonly confidential?: 'key' | 'password' | 'personal';
  /** Whether other programs write the name in small letters, so that it is read in both forms. */
  readonly isAlsoLowerCase?: true;
}

/** Environment variables that configure a run. Values are texts, as the environment has them; empty means not set. */
export const variables = {
  BASE_URL: {
    scope: 'target',
    ...baseUrl,
    title: 'an http(s) address that ends in /v5',
    description: 'Regional base address of the target. Empty: the embedded reference service.',
    examples: ['https://eu.staging.example/v5'],
    flag: { name: 'base-url', value: 'URL', about: 'address of the target' },
  },
  REQUIRE_TARGET: {
    scope: 'target',
    type: 'string',
    enum: ['yes', 'no'],
    title: 'yes or no',
    description:
      'Whether a run without BASE_URL is an error. Pipelines set it: one that lost a variable must not be green.',
    examples: ['yes'],
    flag: {
      name: 'require-target',
      sets: 'yes',
      about:
        'end with 2 where no target is configured; otherwise the embedded reference service is checked',
    },
  },
  API_KEY: {
    scope: 'target',
    confidential: 'key',
    type: 'string',
    pattern: '^[\\x21-\\x7e]+$',
    title: 'a key without spaces or line breaks',
    description: 'A valid API key of the target.',
    examples: ['the-key-of-your-staging-account'],
  },
  API_KEY_FILE: {
    scope: 'target',
    type: 'string',
    pattern: '\\S',
    title: 'a file that holds a key and nothing else',
    description: 'A file to read that key from, in place of API_KEY.',
    examples: ['/run/secrets/api-key'],
  },
  TASK_IDS: {
    scope: 'target',
    ...list,
    title: 'ids, separated by commas',
    description: 'Tasks that the run may assign and unassign. One is enough; more run faster.',
    examples: ['7d4f9a52-6f0e-4c6b-9a1e-0c8f5f6b2d11,0b0f3c1e-5f55-4f0c-8a5e-2f3f1d3f9b70'],
  },
  ASSESSMENT_IDS: {
    scope: 'target',
    ...list,
    title: 'ids, separated by commas',
    description: 'Assessments to read: best one in each workflow state (Active, Cancelled, Error).',
    examples: ['3c1b6b1e-58a4-4b39-9d0b-1f8e6f0a7c22'],
  },
  ASSIGNED_BY_ID: {
    scope: 'target',
    ...list,
    title: 'ids, separated by commas',
    description:
      'The user who makes the assignments (assigned_by_id). Whether each write names, and is recorded under, the user who made it takes a second one. Where there is one alone, a run tries whether the target takes an assignment in the name of another of USER_IDS.',
    examples: ['f2a7c7f0-7b0b-4b7c-9f57-6a3f4d8f1e33'],
  },
  USER_IDS: {
    scope: 'target',
    ...list,
    title: 'ids, separated by commas',
    description:
      'Users whom the run may assign tasks to; two for every transition. They get email.',
    examples: ['a4c0e0b0-1c39-4f7e-8b3c-5a2d7e9f0b44,b5d1f1c1-2d4a-4a8f-9c4d-6b3e8fa01c55'],
  },
  TEAM_IDS: {
    scope: 'target',
    ...list,
    title: 'ids, separated by commas',
    description: 'Teams whom the run may assign tasks to; one is enough. Their members get email.',
    examples: ['c6e2a2d2-3e5b-4b9a-8d5e-7c4f9ab12d66'],
  },
  ALLOW_WRITES: {
    scope: 'target',
    type: 'string',
    enum: ['yes', 'no'],
    title: 'yes or no',
    description: 'Needed to assign tasks on a target that is not on this machine.',
    examples: ['yes'],
    flag: {
      name: 'read-only',
      sets: 'no',
      about: 'assign nothing: run only what needs no write',
    },
  },
  JOURNAL_DIR: {
    scope: 'access',
    type: 'string',
    pattern: '\\S',
    title: 'a folder',
    description:
      'Where a run notes what it changes, to put it back. Runs on the same tasks must share it.',
    examples: ['.contract-journal'],
    default: '.contract-journal',
    flag: {
      name: 'journal',
      value: 'DIR',
      about: 'folder of the journal, also one that was brought from another machine',
    },
  },
  WRONG_REGION_URL: {
    scope: 'target',
    ...httpUrl,
    title: 'an http(s) address',
    description: 'Base address of another region, where the key must get 401.',
    examples: ['https://us.staging.example/v5'],
  },
  BLOCKED_LOCAL_ADDRESS: {
    scope: 'target',
    type: 'string',
    pattern: '^[0-9a-fA-F.:]+$',
    title: 'an IP address of this machine',
    description: 'A local address from which requests are not on the allow list of the account.',
    examples: ['10.20.30.40'],
  },
  BLOCKED_PROXY_URL: {
    scope: 'target',
    ...httpUrl,
    title: 'an http(s) address',
    description: 'A proxy from which requests are not on the allow list of the account.',
    examples: ['http://proxy.example:3128'],
  },
  CA_FILE: {
    scope: 'access',
    type: 'string',
    pattern: '\\S',
    title: 'a file of certificates in PEM form',
    description: 'Certificate authorities to trust besides those that Node trusts already.',
    examples: ['company-ca.pem'],
  },
  CLIENT_CERT_FILE: {
    scope: 'target',
    type: 'string',
    pattern: '\\S',
    title: 'a file in PEM form',
    description: 'The certificate to show to the target, where it asks for one (mutual TLS).',
    examples: ['client.pem'],
  },
  CLIENT_KEY_FILE: {
    scope: 'target',
    type: 'string',
    pattern: '\\S',
    title: 'a file in PEM form',
    description: 'The private key of that certificate, without a passphrase.',
    examples: ['client-key.pem'],
  },
  HTTPS_PROXY: {
    scope: 'access',
    isAlsoLowerCase: true,
    ...httpUrl,
    title: 'an http(s) address',
    description: 'The proxy for https addresses; for the target on this machine none is used.',
    examples: ['http://proxy.example:3128'],
  },
  HTTP_PROXY: {
    scope: 'access',
    isAlsoLowerCase: true,
    ...httpUrl,
    title: 'an http(s) address',
    description: 'The proxy for http addresses.',
    examples: ['http://proxy.example:3128'],
  },
  NO_PROXY: {
    scope: 'access',
    isAlsoLowerCase: true,
    type: 'string',
    isList: true,
    pattern: '\\S',
    title: 'host names, separated by commas',
    description: 'Hosts that are asked without a proxy, and those below them; * for all.',
    examples: ['.internal.example,localhost'],
  },
  EXPORT_RANGE_START: {
    scope: 'target',
    type: 'string',
    pattern: timestampPattern,
    format: 'iso-utc',
    title: 'an ISO 8601 UTC datetime',
    description: 'Start of a closed window in the past for the export suites. Empty: searched for.',
    examples: ['2026-01-01T00:00:00.000Z'],
  },
  EXPORT_RANGE_END: {
    scope: 'target',
    type: 'string',
    pattern: timestampPattern,
    format: 'iso-utc',
    title: 'an ISO 8601 UTC datetime',
    description: 'End of that window.',
    examples: ['2026-06-30T23:59:59.999Z'],
  },
  EXPORT_FILTER_VALUES: {
    scope: 'target',
    type: 'string',
    format: 'filter-values',
    title: 'JSON: lists of values by filter',
    description: 'Values known to occur, by filter. Empty: searched for.',
    examples: ['{"event_type":["assessment"],"metadata":{"tag":["kyc"]}}'],
  },
  ARRAY_ENCODING: {
    scope: 'target',
    type: 'string',
    enum: ['auto', ...listEncodings],
    title:
      'auto, repeat (a=1&a=2), brackets (a[]=1), indices (a[0]=1), comma (a=1%2C2), bare-comma (a=1,2), pipe (a=1|2), semicolon (a=1;2) or json (a=["1","2"])',
    description: 'How the target wants several values of a list parameter.',
    examples: ['auto'],
    default: 'auto',
  },
  MAX_CONCURRENCY: {
    scope: 'run',
    ...integer('^[1-9]\\d{0,2}$'),
    title: 'a whole number from 1 to 999',
    description: 'How many requests may be under way at once.',
    examples: ['8'],
    default: '8',
  },
  MAX_REQUESTS_PER_SECOND: {
    scope: 'run',
    ...integer('^\\d{1,5}$'),
    title: 'a whole number; 0 for no limit',
    description: 'How many requests may start in a second. Empty: 50, on this machine no limit.',
    examples: ['50'],
  },
  REQUEST_TIMEOUT_MS: {
    scope: 'run',
    ...integer('^[1-9]\\d{1,6}$'),
    title: 'milliseconds, at least 10',
    description: 'How long an answer may take; for an export, its head and each piece of it.',
    examples: ['30000'],
    default: '30000',
  },
  WAIT_FOR_TARGET_MS: {
    scope: 'run',
    ...integer('^\\d{1,7}$'),
    title: 'milliseconds',
    description: 'How long to wait for a target that does not answer yet, before a run begins.',
    examples: ['60000'],
    default: '0',
    flag: {
      name: 'wait',
      value: 'SECONDS',
      times: 1000,
      about: 'how long to wait for a target that does not answer yet',
    },
  },
  RUN_TIMEOUT_MS: {
    scope: 'run',
    ...integer('^[1-9]\\d{2,7}$'),
    title: 'milliseconds, at least 100',
    description: 'How long scenarios may run; then what was found is reported.',
    examples: ['1800000'],
    default: '1800000',
  },
  READ_SETTLE_MS: {
    scope: 'run',
    ...integer('^\\d{1,5}$'),
    title: 'milliseconds',
    description: 'How long a write may take to show in reads of the task.',
    examples: ['2000'],
    default: '2000',
  },
  AUDIT_TIMEOUT_MS: {
    scope: 'run',
    ...integer('^\\d{1,7}$'),
    title: 'milliseconds',
    description: 'How long a recorded event may take to appear in the export.',
    examples: ['30000'],
    default: '30000',
  },
  MAILBOX_URL: {
    scope: 'target',
    format: 'url',
    type: 'string',
    pattern: '^(https?|imaps?)://[^\\s/?#]+[^\\s?#]*$',
    title: 'an http(s) or imap(s) address',
    description:
      'Where the email of the target can be read: Mailpit or MailDev, or a folder by IMAP.',
    examples: ['http://mailpit.staging.example:8025'],
  },
  MAILBOX_USER: {
    scope: 'target',
    type: 'string',
    pattern: '^[^\\s:]+$',
    title: 'a name without spaces and colons',
    description: 'The user name of that mailbox, where it asks for one.',
    examples: ['qa'],
  },
  MAILBOX_PASSWORD: {
    scope: 'target',
    confidential: 'password',
    type: 'string',
    pattern: '\\S',
    title: 'a password',
    description: 'The password of that user.',
    examples: ['the-password-of-the-mailbox'],
  },
  MAILBOX_TOKEN: {
    scope: 'target',
    confidential: 'key',
    type: 'string',
    pattern: '^[\\x21-\\x7e]+$',
    title: 'a token without spaces or line breaks',
    description: 'A bearer token for the mailbox, in place of a name and a password.',
    examples: ['the-token-of-the-mailbox'],
  },
  USER_EMAILS: {
    scope: 'target',
    confidential: 'personal',
    type: 'string',
    format: 'user-emails',
    title: 'JSON: an email address by user id',
    description:
      'The addresses of users, at least of two of USER_IDS. The suite sends no email to them.',
    examples: ['{"a4c0e0b0-1c39-4f7e-8b3c-5a2d7e9f0b44":"ann@staging.example"}'],
  },
  TEAM_EMAILS: {
    scope: 'target',
    confidential: 'personal',
    type: 'string',
    format: 'team-emails',
    title: 'JSON: lists of email addresses by team id',
    description: 'The addresses of the members of teams, of all of them.',
    examples: [
      '{"c6e2a2d2-3e5b-4b9a-8d5e-7c4f9ab12d66":["ann@staging.example","bob@staging.example"]}',
    ],
  },
  MAIL_TIMEOUT_MS: {
    scope: 'run',
    ...integer('^[1-9]\\d{1,6}$'),
    title: 'milliseconds, at least 10',
    description: 'How long an email may take to arrive in the mailbox.',
    examples: ['30000'],
    default: '30000',
  },
  MAX_EXPORT_BYTES: {
    scope: 'run',
    ...integer('^[1-9]\\d{3,11}$'),
    title: 'bytes, at least 1000',
    description: 'An exported file larger than this is given up.',
    examples: ['268435456'],
    default: '268435456',
  },
  EXCEPT: {
    scope: 'run',
    type: 'string',
    isList: true,
    pattern: '^[^,]*[^,\\s][^,]*(,[^,]*[^,\\s][^,]*)*$',
    title: 'ids of clauses, beginnings of ids, or parts of names of scenarios, separated by commas',
    description: 'Clauses that are left out on purpose. Reports show them as left out.',
    examples: ['notification.'],
    flag: {
      name: 'except',
      value: 'TEXT',
      about: 'leave these out too, as --only chooses them; reports show them as left out',
    },
  },
  SEED: {
    scope: 'run',
    ...integer('^\\d{1,9}$'),
    title: 'a whole number',
    description: 'Seed of everything random. Empty: chosen at random, and printed with the run.',
    examples: ['1'],
    flag: { name: 'seed', value: 'N', about: 'seed of everything random' },
  },
  REPORT_DIR: {
    scope: 'run',
    type: 'string',
    pattern: '\\S',
    title: 'a folder',
    description: 'Where the reports go.',
    examples: ['reports/latest'],
    default: 'reports/latest',
    flag: { name: 'report-dir', value: 'DIR', about: 'folder for the reports' },
  },
  KEEP_RUNS: {
    scope: 'run',
    ...integer('^\\d{1,3}$'),
    title: 'a whole number from 0 to 999',
    description: 'How many runs of a target are kept, to show what changed.',
    examples: ['10'],
    default: '10',
  },
  WAIVERS_FILE: {
    scope: 'run',
    type: 'string',
    pattern: '\\S',
    title: 'a file',
    description:
      'Known violations, which fail no run for a while. Empty: waivers.json, where there is one.',
    examples: ['waivers.json'],
  },
  STALE_WAIVERS_FAIL: {
    scope: 'run',
    type: 'string',
    enum: ['yes', 'no'],
    title: 'yes or no',
    description: 'Whether a waiver of a clause that is upheld fails the run.',
    examples: ['no'],
    default: 'no',
  },
} as const satisfies Record<string, VariableSchema>;

export type Variable = keyof typeof variables;

// Object.keys forgets that it lists exactly these.
export const variableNames = Object.keys(variables) as Variable[];

/** What is known of a variable. */
export function schemaOf(name: Variable): VariableSchema {
  return variables[name];
}

const atLeastOne = <const Items extends object>(items: Items) =>
  ({ type: 'array', minItems: 1, items }) as const;
const byName = (names: readonly string[]) => ({
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(
    names.map((name) => [name, atLeastOne({ type: 'string', minLength: 1 })]),
  ),
});
const address = { type: 'string', pattern: '^[^\\s@<>"]+@[^\\s@<>"]+$' } as const;
const byId = (values: object) => ({ type: 'object', additionalProperties: values });
const filterValues = byName(listFilters);

/** What a variable holds whose format is one of these: JSON of this schema. */
export const jsonFormats = {
  'filter-values': {
    ...named('filter-values', 'Known filter values'),
    ...filterValues,
    properties: { ...filterValues.properties, metadata: byName(metadataKeys) },
  },
  'user-emails': { ...named('user-emails', 'Addresses of users'), ...byId(address) },
  'team-emails': {
    ...named('team-emails', 'Addresses of the members of teams'),
    ...byId(atLeastOne(address)),
  },
};

/** The configuration as one object of texts. */
export const configurationSchema = {
  ...named('configuration', 'Configuration of a run'),
  type: 'object',
  properties: variables,
} as const;
