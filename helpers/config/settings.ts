import { schemaOf, type Variable } from '../../schemas/configuration.ts';
import type { ListEncoding, ListFilter, MetadataKey } from '../../schemas/operations.ts';
import type { Results } from '../../schemas/results.ts';
import { parseJson } from '../json.ts';
import { isOnThisMachine, userInfoOf, withoutTrailingSlash, withoutUserInfo } from './addresses.ts';

/** Values that occur in events, by the filter of the export: `{ event_type: ['assessment'] }`. */
export type FilterValues = {
  readonly [Filter in ListFilter]?: readonly string[];
} & { readonly metadata?: { readonly [Key in MetadataKey]?: readonly string[] } };

/** A mailbox that shows the email of the target. */
export type MailboxSettings = Readonly<NonNullable<ReturnType<typeof mailboxOf>>>;

/** The variables that are set. */
export type Values = { readonly [Name in Variable]?: string };

/** The configuration of a run, parsed. */
export type Settings = Readonly<ReturnType<typeof settingsOf>>;

/**
 * The settings that valid variables mean. Instants are milliseconds since 1970, durations milliseconds.
 * @param beside what no variable says: a seed where none is given, the file of variables that was given by name, and
 *   what must not appear in any record (keys, and passwords in each form in which a record may hold them)
 */
export function settingsOf(
  values: Values,
  beside: { seed: number; envFile: string | undefined; secrets: readonly string[] },
) {
  const text = (name: Variable): string | undefined => values[name] ?? schemaOf(name).default;
  const number = (name: Variable): number => Number(text(name));
  const list = (name: Variable): readonly string[] => [
    ...new Set(text(name)?.split(/\s*,\s*/) ?? []),
  ];
  // The format was checked: the JSON parses, and holds what it should.
  const json = (name: Variable): unknown => parseJson(text(name) ?? '{}');
  const optional = <T>(name: Variable, read: (value: string) => T): T | undefined => {
    const value = text(name);
    return value === undefined ? undefined : read(value);
  };
  const baseUrl = withoutTrailingSlash(text('BASE_URL') ?? '');
  const isLocal = isOnThisMachine(baseUrl);
  const { envFile, secrets } = beside;
  const target: Results['target'] = { kind: 'remote', baseUrl, ...(envFile && { envFile }) };
  return {
    target,
    apiKey: text('API_KEY') ?? '',
    taskIds: list('TASK_IDS'),
    assessmentIds: list('ASSESSMENT_IDS'),
    /** The users in whose name assignments are made; the first is the usual one. */
    assignedByIds: list('ASSIGNED_BY_ID'),
    userIds: list('USER_IDS'),
    teamIds: list('TEAM_IDS'),
    /** Whether tasks may be assigned at all. */
    writes: values.ALLOW_WRITES === undefined ? isLocal : values.ALLOW_WRITES === 'yes',
    wrongRegionUrl: optional('WRONG_REGION_URL', withoutTrailingSlash),
    blockedLocalAddress: text('BLOCKED_LOCAL_ADDRESS'),
    blockedProxyUrl: text('BLOCKED_PROXY_URL'),
    caFile: text('CA_FILE'),
    clientCertFile: text('CLIENT_CERT_FILE'),
    clientKeyFile: text('CLIENT_KEY_FILE'),
    httpsProxy: text('HTTPS_PROXY'),
    httpProxy: text('HTTP_PROXY'),
    noProxy: text('NO_PROXY'),
    exportWindow: {
      start: optional('EXPORT_RANGE_START', Date.parse),
      end: optional('EXPORT_RANGE_END', Date.parse),
    },
    filterValues: json('EXPORT_FILTER_VALUES') as FilterValues,
    arrayEncoding: text('ARRAY_ENCODING') as ListEncoding | 'auto',
    maxConcurrency: number('MAX_CONCURRENCY'),
    /** 0: no limit. */
    maxRequestsPerSecond: Number(text('MAX_REQUESTS_PER_SECOND') ?? (isLocal ? 0 : 50)),
    requestTimeoutMs: number('REQUEST_TIMEOUT_MS'),
    /** How long a write may take to show in reads. */
    readSettleMs: number('READ_SETTLE_MS'),
    auditTimeoutMs: number('AUDIT_TIMEOUT_MS'),
    mailbox: mailboxOf(values),
    /** The email address of each user, by id. */
    userEmails: json('USER_EMAILS') as Readonly<Record<string, string>>,
    /** The email addresses of the members of each team, by its id. */
    teamEmails: json('TEAM_EMAILS') as Readonly<Record<string, readonly string[]>>,
    mailTimeoutMs: number('MAIL_TIMEOUT_MS'),
    runTimeoutMs: number('RUN_TIMEOUT_MS'),
    waitForTargetMs: number('WAIT_FOR_TARGET_MS'),
    journalDir: text('JOURNAL_DIR') ?? '',
    maxExportBytes: number('MAX_EXPORT_BYTES'),
    /** Ids of clauses, beginnings of ids, or parts of names of scenarios that are left out. */
    except: list('EXCEPT').map((each) => each.trim()),
    seed: Number(text('SEED') ?? beside.seed),
    reportDir: text('REPORT_DIR') ?? '',
    keepRuns: number('KEEP_RUNS'),
    waiversFile: text('WAIVERS_FILE'),
    staleWaiversFail: text('STALE_WAIVERS_FAIL') === 'yes',
    secrets,
  };
}

/** The mailbox and how to log in: variables take precedence over a name and a password in the address. */
function mailboxOf(values: Values) {
  const { MAILBOX_URL: address, MAILBOX_USER, MAILBOX_PASSWORD, MAILBOX_TOKEN } = values;
  if (address === undefined) return undefined;
  const { user, password } = userInfoOf(address);
  return {
    /** Without a name and a password in it. */
    url: withoutTrailingSlash(withoutUserInfo(new URL(address).href)),
    user: MAILBOX_USER ?? user,
    password: MAILBOX_PASSWORD ?? password,
    token: MAILBOX_TOKEN,
  };
}
