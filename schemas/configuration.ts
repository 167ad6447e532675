import { named } from './forms.ts';
import { encodingExamples, listEncodings, listFilters, metadataKeys } from './operations.ts';
import { timestampPattern } from './resources.ts';

/** One variable: the form of its value, and texts for people about it. */
export interface VariableSchema {
  readonly type: 'string';
  readonly pattern?: string;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly description: string;
  /** The valid form, in words. */
  readonly title: string;
  readonly examples: readonly string[];
  readonly default?: string;
  /** Set where the value is several texts, separated by commas. */
  readonly isList?: true;
  readonly isInteger?: true;
  /** The option of the command line that sets the variable, or adds to it where it is a list. */
  readonly flag?: {
    readonly name: string;
    /** What stands for the value in the help: `--seed N`. */
    readonly value?: string;
    /** The value that an option without a value sets. */
    readonly sets?: string;
    /** By what the number that the option is given is multiplied. */
    readonly times?: number;
    /** What the option does, for the help. */
    readonly about: string;
  };
  /**
   * `target`: belongs to one target, and makes no sense without its BASE_URL. `access`: how this machine reaches
   * targets, and where it notes what a run changes there. `run`: applies to runs on the embedded service, too.
   */
  readonly scope: 'target' | 'access' | 'run';
  /**
   * Set where no message shows the value. `key`: records do not show it either. `password`: nor this, unless it is so
   * short that it may be a word. `personal`: whose address is whose.
   */
  readonly confidential?: 'key' | 'password' | 'personal';
  /** Set where other programs write the name in small letters: it is read in both forms. */
  readonly isAlsoLowerCase?: true;
}

const matching = (pattern: string, title: string) => ({ type: 'string', pattern, title }) as const;
const filled = (title: string) => matching('\\S', title);
const yesOrNo = { type: 'string', enum: ['yes', 'no'], title: 'yes or no' } as const;
const list = (pattern: string, title: string) =>
  ({ ...matching(pattern, title), isList: true }) as const;
/** Ids are often pasted as a JSON array of texts: that is read, too. */
const ids = list(
  '^[^\\s,/?#"\'\\[\\]]+(\\s*,\\s*[^\\s,/?#"\'\\[\\]]+)*$',
  'ids, separated by commas',
);
const integer = (pattern: string, title: string) =>
  ({ ...matching(pattern, title), isInteger: true }) as const;
const url = (pattern: string, title: string) =>
  ({ ...matching(pattern, title), format: 'url' }) as const;
const httpUrl = url('^https?://[^\\s/?#]+[^\\s?#]*$', 'an http(s) address');
const instant = {
  ...matching(timestampPattern, 'an ISO 8601 UTC datetime'),
  format: 'iso-utc',
} as const;

type Form = Pick<VariableSchema, 'type' | 'title' | 'pattern' | 'enum' | 'format' | 'isList'>;
type Rest = Pick<VariableSchema, 'default' | 'flag' | 'confidential' | 'isAlsoLowerCase'>;

/** Declares a variable of a scope: its form, what it is for, an example, and a default, a flag and the like. */
const of =
  <const Scope extends VariableSchema['scope']>(scope: Scope) =>
  <const F extends Form, const R extends Rest = object>(
    form: F,
    description: string,
    example: string,
    rest?: R,
  ) => ({ scope, ...form, description, examples: [example], ...(rest as R) });
/** The option of the command line that sets a variable. @param about what it does, for the help */
const flag = (
  name: string,
  about: string,
  rest: Omit<NonNullable<VariableSchema['flag']>, 'name' | 'about'>,
) => ({ flag: { name, about, ...rest } });
const target = of('target');
const access = of('access');
const run = of('run');
/** Declares a variable of a run whose example is its default. */
const setting = <const F extends Form, const D extends string, const R extends Rest = object>(
  form: F,
  description: string,
  byDefault: D,
  rest?: R,
) => run(form, description, byDefault, { default: byDefault, ...(rest as R) });

/** Environment variables that configure a run. Values are texts, as the environment has them; empty means not set. */
export const variables = {
  BASE_URL: target(
    url('^https?://[^\\s/?#@]+(/[^\\s?#]*)?/v5/?$', 'an http(s) address that ends in /v5'),
    'Regional base address of the target. Empty: the embedded reference service.',
    'https://eu.staging.example/v5',
    flag('base-url', 'address of the target', { value: 'URL' }),
  ),
  REQUIRE_TARGET: target(
    yesOrNo,
    'Whether a run without BASE_URL is an error. Pipelines set it: one that lost a variable must not be green.',
    'yes',
    flag(
      'require-target',
      'end with 2 where no target is configured; otherwise the embedded reference service is checked',
      { sets: 'yes' },
    ),
  ),
  API_KEY: target(
    matching('^[\\x21-\\x7e]+$', 'a key without spaces or line breaks'),
    'A valid API key of the target.',
    'the-key-of-your-staging-account',
    { confidential: 'key' },
  ),
  API_KEY_FILE: target(
    filled('a file that holds a key and nothing else'),
    'A file to read that key from, in place of API_KEY.',
    '/run/secrets/api-key',
  ),
  TASK_IDS: target(
    ids,
    'Tasks that the run may assign and unassign. One is enough; twelve run fastest.',
    '7d4f9a52-6f0e-4c6b-9a1e-0c8f5f6b2d11,0b0f3c1e-5f55-4f0c-8a5e-2f3f1d3f9b70',
  ),
  ASSESSMENT_IDS: target(
    ids,
    'Assessments to read: best one in each workflow state (Active, Cancelled, Error).',
    '3c1b6b1e-58a4-4b39-9d0b-1f8e6f0a7c22',
  ),
  ASSIGNED_BY_ID: target(
    ids,
    'The user who makes the assignments (assigned_by_id). Whether each write names, and is recorded under, the user who made it takes a second one. A run tries whether the target takes an assignment in the name of one of USER_IDS too, who then takes tasks as well.',
    'f2a7c7f0-7b0b-4b7c-9f57-6a3f4d8f1e33',
  ),
  USER_IDS: target(
    ids,
    'Users whom the run may assign tasks to; two for every transition. They get email.',
    'a4c0e0b0-1c39-4f7e-8b3c-5a2d7e9f0b44,b5d1f1c1-2d4a-4a8f-9c4d-6b3e8fa01c55',
  ),
  TEAM_IDS: target(
    ids,
    'Teams whom the run may assign tasks to; one is enough. Their members get email.',
    'c6e2a2d2-3e5b-4b9a-8d5e-7c4f9ab12d66',
  ),
  ALLOW_WRITES: target(
    yesOrNo,
    'Needed to assign tasks on a target that is not on this machine.',
    'yes',
    flag('read-only', 'assign nothing: run only what needs no write', { sets: 'no' }),
  ),
  JOURNAL_DIR: access(
    filled('a folder'),
    'Where a run notes what it changes, to put it back. Runs on the same tasks must share it.',
    '.contract-journal',
    {
      default: '.contract-journal',
      ...flag('journal', 'folder of the journal, also one that was brought from another machine', {
        value: 'DIR',
      }),
    },
  ),
  WRONG_REGION_URL: target(
    httpUrl,
    'Base address of another region, where the key must get 401.',
    'https://us.staging.example/v5',
  ),
  BLOCKED_LOCAL_ADDRESS: target(
    matching('^[0-9a-fA-F.:]+$', 'an IP address of this machine'),
    'A local address from which requests are not on the allow list of the account.',
    '10.20.30.40',
  ),
  BLOCKED_PROXY_URL: target(
    httpUrl,
    'A proxy from which requests are not on the allow list of the account.',
    'http://proxy.example:3128',
  ),
  CA_FILE: access(
    filled('a file of certificates in PEM form'),
    'Certificate authorities to trust besides those that Node trusts already.',
    'company-ca.pem',
  ),
  CLIENT_CERT_FILE: target(
    filled('a file in PEM form'),
    'The certificate to show to the target, where it asks for one (mutual TLS).',
    'client.pem',
  ),
  CLIENT_KEY_FILE: target(
    filled('a file in PEM form'),
    'The private key of that certificate, without a passphrase.',
    'client-key.pem',
  ),
  HTTPS_PROXY: access(
    httpUrl,
    'The proxy for https addresses; for the target on this machine none is used.',
    'http://proxy.example:3128',
    { isAlsoLowerCase: true },
  ),
  HTTP_PROXY: access(httpUrl, 'The proxy for http addresses.', 'http://proxy.example:3128', {
    isAlsoLowerCase: true,
  }),
  NO_PROXY: access(
    list('\\S', 'host names, separated by commas'),
    'Hosts that are asked without a proxy, and those below them; * for all.',
    '.internal.example,localhost',
    { isAlsoLowerCase: true },
  ),
  EXPORT_RANGE_START: target(
    instant,
    'Start of a closed window in the past for the export suites. Empty: searched for.',
    '2026-01-01T00:00:00.000Z',
  ),
  EXPORT_RANGE_END: target(instant, 'End of that window.', '2026-06-30T23:59:59.999Z'),
  EXPORT_FILTER_VALUES: target(
    { type: 'string', format: 'filter-values', title: 'JSON: lists of values by filter' },
    'Values known to occur, by filter. Empty: searched for.',
    '{"event_type":["assessment"],"metadata":{"tag":["kyc"]}}',
  ),
  ARRAY_ENCODING: target(
    {
      type: 'string',
      enum: ['auto', ...listEncodings],
      title: [
        'auto',
        ...Object.entries(encodingExamples).map(([name, example]) => `${name} (${example})`),
      ].join(', '),
    },
    'How the target wants several values of a list parameter.',
    'auto',
    { default: 'auto' },
  ),
  MAX_CONCURRENCY: setting(
    integer('^[1-9]\\d{0,2}$', 'a whole number from 1 to 999'),
    'How many requests may be under way at once.',
    '8',
  ),
  MAX_REQUESTS_PER_SECOND: run(
    integer('^\\d{1,5}$', 'a whole number; 0 for no limit'),
    'How many requests may start in a second. Empty: 50, on this machine no limit.',
    '50',
  ),
  REQUEST_TIMEOUT_MS: setting(
    integer('^[1-9]\\d{1,6}$', 'milliseconds, at least 10'),
    'How long an answer may take; for an export, its head and each piece of it.',
    '30000',
  ),
  WAIT_FOR_TARGET_MS: run(
    integer('^\\d{1,7}$', 'milliseconds'),
    'How long to wait for a target that does not answer yet, before a run begins.',
    '60000',
    {
      default: '0',
      ...flag('wait', 'how long to wait for a target that does not answer yet', {
        value: 'SECONDS',
        times: 1000,
      }),
    },
  ),
  RUN_TIMEOUT_MS: setting(
    integer('^[1-9]\\d{2,7}$', 'milliseconds, at least 100'),
    'How long scenarios may run; then what was found is reported.',
    '1800000',
  ),
  READ_SETTLE_MS: setting(
    integer('^\\d{1,5}$', 'milliseconds'),
    'How long a write may take to show in reads of the task.',
    '2000',
  ),
  AUDIT_TIMEOUT_MS: setting(
    integer('^\\d{1,7}$', 'milliseconds'),
    'How long a recorded event may take to appear in the export.',
    '30000',
  ),
  MAILBOX_URL: target(
    url('^(https?|imaps?)://[^\\s/?#]+[^\\s?#]*$', 'an http(s) or imap(s) address'),
    'Where the email of the target can be read: Mailpit or MailDev, or a folder by IMAP.',
    'http://mailpit.staging.example:8025',
  ),
  MAILBOX_USER: target(
    matching('^[^\\s:]+$', 'a name without spaces and colons'),
    'The user name of that mailbox, where it asks for one.',
    'qa',
  ),
  MAILBOX_PASSWORD: target(
    filled('a password'),
    'The password of that user.',
    'the-password-of-the-mailbox',
    { confidential: 'password' },
  ),
  MAILBOX_TOKEN: target(
    matching('^[\\x21-\\x7e]+$', 'a token without spaces or line breaks'),
    'A bearer token for the mailbox, in place of a name and a password.',
    'the-token-of-the-mailbox',
    { confidential: 'key' },
  ),
  USER_EMAILS: target(
    { type: 'string', format: 'user-emails', title: 'JSON: an email address by user id' },
    'The addresses of users, at least of two of USER_IDS. The suite sends no email to them.',
    '{"a4c0e0b0-1c39-4f7e-8b3c-5a2d7e9f0b44":"ann@staging.example"}',
    { confidential: 'personal' },
  ),
  TEAM_EMAILS: target(
    { type: 'string', format: 'team-emails', title: 'JSON: lists of email addresses by team id' },
    'The addresses of the members of teams, of all of them.',
    '{"c6e2a2d2-3e5b-4b9a-8d5e-7c4f9ab12d66":["ann@staging.example","bob@staging.example"]}',
    { confidential: 'personal' },
  ),
  MAIL_TIMEOUT_MS: setting(
    integer('^[1-9]\\d{1,6}$', 'milliseconds, at least 10'),
    'How long an email may take to arrive in the mailbox.',
    '30000',
  ),
  MAX_EXPORT_BYTES: setting(
    integer('^[1-9]\\d{3,11}$', 'bytes, at least 1000'),
    'An exported file larger than this is given up.',
    '268435456',
  ),
  EXCEPT: run(
    list(
      '^[^,]*[^,\\s][^,]*(,[^,]*[^,\\s][^,]*)*$',
      'ids of clauses, beginnings of ids, or parts of names of scenarios, separated by commas',
    ),
    'Clauses that are left out on purpose. Reports show them as left out.',
    'notification.',
    flag('except', 'leave these out too, as --only chooses them; reports show them as left out', {
      value: 'TEXT',
    }),
  ),
  SEED: run(
    integer('^\\d{1,9}$', 'a whole number'),
    'Seed of everything random. Empty: chosen at random, and printed with the run.',
    '1',
    flag('seed', 'seed of everything random', { value: 'N' }),
  ),
  REPORT_DIR: setting(
    filled('a folder'),
    'Where the reports go.',
    'reports/latest',
    flag('report-dir', 'folder for the reports', { value: 'DIR' }),
  ),
  KEEP_RUNS: setting(
    integer('^\\d{1,3}$', 'a whole number from 0 to 999'),
    'How many runs of a target are kept, to show what changed.',
    '10',
  ),
  WAIVERS_FILE: run(
    filled('a file'),
    'Known violations, which fail no run for a while. Empty: waivers.json, where there is one.',
    'waivers.json',
  ),
  STALE_WAIVERS_FAIL: setting(
    yesOrNo,
    'Whether a waiver of a clause that is upheld fails the run.',
    'no',
  ),
} satisfies Record<string, VariableSchema>;

export type Variable = keyof typeof variables;

// Object.keys forgets that it lists exactly these.
export const variableNames = Object.keys(variables) as Variable[];

/** The form of a variable, and what people are told of it. */
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

/** Formats of variables that hold JSON: by format, the schema of that JSON. */
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
