import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import {
  configurationSchema,
  filterValuesSchema,
  type Variable,
  type VariableSchema,
  variableNames,
  variables,
} from '../../schemas/configuration.ts';
import { teamEmailsSchema, userEmailsSchema } from '../../schemas/mail-configuration.ts';
import { isTimestamp } from '../../schemas/timestamp.ts';
import { mailboxOf } from './mailbox-settings.ts';
import type { ArrayEncoding, FilterValues, Settings } from './settings.ts';

/** The configuration cannot be used. The message names each variable, its value and the valid form. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

/** Variables by name, as process.env has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

type Values = Partial<Record<Variable, string>>;

const ajv = new Ajv2020({
  strict: true,
  allErrors: true,
  strictSchema: false,
  validateSchema: false,
});
ajv.addFormat('iso-utc', { type: 'string', validate: isTimestamp });
ajv.addFormat('filter-values', {
  type: 'string',
  validate: (text: string) => areFilterValues(parseJson(text)),
});
const areFilterValues = ajv.compile(filterValuesSchema);
for (const [format, schema] of [
  ['user-emails', userEmailsSchema],
  ['team-emails', teamEmailsSchema],
] as const) {
  const isValid = ajv.compile(schema);
  ajv.addFormat(format, { type: 'string', validate: (text: string) => isValid(parseJson(text)) });
}
const isConfiguration = ajv.compile(configurationSchema);

/**
 * The settings of a run against a target of somebody else's.
 *
 * @param environment variables by name, as process.env has them; empty ones count as not set
 * @param randomSeed a seed for runs that are given none
 * @throws ConfigurationError
 */
export function readSettings(environment: Environment, randomSeed: number): Settings {
  const values = valuesOf(environment);
  const problems = isConfiguration(values)
    ? []
    : (isConfiguration.errors ?? []).map(explain(values));
  problems.push(...contradictions(values));
  if (problems.length > 0) throw new ConfigurationError([...new Set(problems)].join('\n'));
  return settingsOf(values, randomSeed);
}

/** Variables that say something about a target, and nothing about the embedded reference service. */
const ofTarget = [
  'API_KEY',
  'TASK_IDS',
  'ASSESSMENT_IDS',
  'ASSIGNED_BY_ID',
  'USER_IDS',
  'TEAM_IDS',
  'MAILBOX_URL',
  'USER_EMAILS',
  'TEAM_EMAILS',
  'WRONG_REGION_URL',
  'BLOCKED_LOCAL_ADDRESS',
  'BLOCKED_PROXY_URL',
] as const satisfies readonly Variable[];

/**
 * Whether the variables name a target; without one the embedded reference service is it.
 * @throws ConfigurationError where they describe a target and lack its address: a pipeline that lost its
 *   BASE_URL must not be green because the embedded service is
 */
export function namesTarget(environment: Environment): boolean {
  const values = valuesOf(environment);
  if (values.BASE_URL !== undefined) return true;
  const stray = ofTarget.find((name) => values[name] !== undefined);
  if (stray === undefined) return false;
  throw new ConfigurationError(
    `BASE_URL: missing, while ${stray} is set; give the address of the target, for example ` +
      `${variables.BASE_URL.examples[0]}, or unset ${stray} to check the embedded reference service`,
  );
}

function valuesOf(environment: Environment): Values {
  const given = variableNames.flatMap((name) => {
    // Other programs write the names of proxies in small letters.
    const value = (
      environment[name] ?? (isProxy(name) ? environment[name.toLowerCase()] : '')
    )?.trim();
    return value === undefined || value === '' ? [] : [[name, value] as const];
  });
  return Object.fromEntries(given);
}

function isProxy(name: Variable): boolean {
  return name === 'HTTPS_PROXY' || name === 'HTTP_PROXY' || name === 'NO_PROXY';
}

function explain(values: Values): (error: ErrorObject) => string {
  return (error) => {
    // The schema is flat: the path of every error is the name of a variable.
    const name = error.instancePath.slice(1) as Variable;
    return problem(name, values[name] ?? '');
  };
}

function problem(name: Variable, value: string): string {
  const { title, examples }: VariableSchema = variables[name];
  const shown = unshown.includes(name) ? 'what it is set to' : `"${withoutUserInfo(value)}"`;
  return `${name}: ${shown} is not ${title}; for example ${examples[0]}`;
}

/** What is told to nobody: secrets, and whose address is whose. */
const unshown: readonly Variable[] = [
  'API_KEY',
  'MAILBOX_PASSWORD',
  'MAILBOX_TOKEN',
  'USER_EMAILS',
  'TEAM_EMAILS',
];

/** An address without a name and a password in it. */
export function withoutUserInfo(url: string): string {
  return url.replace(/\/\/[^/?#]*@/, '//');
}

const addresses = [
  'BASE_URL',
  'WRONG_REGION_URL',
  'BLOCKED_PROXY_URL',
  'MAILBOX_URL',
  'HTTPS_PROXY',
  'HTTP_PROXY',
] as const satisfies readonly Variable[];

function contradictions(values: Values): string[] {
  const found: string[] = [];
  if (values.BASE_URL !== undefined && values.API_KEY === undefined) {
    found.push('API_KEY: missing; with BASE_URL set, a valid key of that target is needed');
  }
  for (const name of addresses) {
    const value = values[name];
    if (value !== undefined && !URL.canParse(value)) found.push(problem(name, value));
  }
  if (values.MAILBOX_USER !== undefined && values.MAILBOX_PASSWORD === undefined) {
    found.push(
      'MAILBOX_PASSWORD: missing; with MAILBOX_USER set, the password of that user is needed',
    );
  }
  const { EXPORT_RANGE_START: start, EXPORT_RANGE_END: end } = values;
  if (start !== undefined && end !== undefined && Date.parse(start) >= Date.parse(end)) {
    found.push(`EXPORT_RANGE_END: "${end}" is not later than EXPORT_RANGE_START "${start}"`);
  }
  return found;
}

function settingsOf(values: Values, randomSeed: number): Settings {
  const text = (name: Variable): string | undefined => {
    const { default: standard }: VariableSchema = variables[name];
    return values[name] ?? standard;
  };
  const number = (name: Variable): number => Number(text(name));
  const list = (name: Variable): string[] => [...new Set(text(name)?.split(/\s*,\s*/) ?? [])];
  const instant = (name: Variable): number | undefined => {
    const value = text(name);
    return value === undefined ? undefined : Date.parse(value);
  };
  const baseUrl = (text('BASE_URL') ?? '').replace(/\/+$/, '');
  const near = isOnThisMachine(baseUrl);
  return {
    target: { kind: 'remote', baseUrl },
    apiKey: text('API_KEY') ?? '',
    taskIds: list('TASK_IDS'),
    assessmentIds: list('ASSESSMENT_IDS'),
    assignedById: text('ASSIGNED_BY_ID'),
    userIds: list('USER_IDS'),
    teamIds: list('TEAM_IDS'),
    writes: values.ALLOW_WRITES === undefined ? near : values.ALLOW_WRITES === 'yes',
    wrongRegionUrl: text('WRONG_REGION_URL')?.replace(/\/+$/, ''),
    blockedLocalAddress: text('BLOCKED_LOCAL_ADDRESS'),
    blockedProxyUrl: text('BLOCKED_PROXY_URL'),
    caFile: text('CA_FILE'),
    httpsProxy: text('HTTPS_PROXY'),
    httpProxy: text('HTTP_PROXY'),
    noProxy: text('NO_PROXY'),
    exportWindow: { start: instant('EXPORT_RANGE_START'), end: instant('EXPORT_RANGE_END') },
    // The format check has seen that it parses and what it holds.
    filterValues: (parseJson(text('EXPORT_FILTER_VALUES') ?? '{}') ?? {}) as FilterValues,
    arrayEncoding: text('ARRAY_ENCODING') as ArrayEncoding | 'auto',
    maxConcurrency: number('MAX_CONCURRENCY'),
    maxRequestsPerSecond: Number(text('MAX_REQUESTS_PER_SECOND') ?? (near ? 0 : 50)),
    requestTimeoutMs: number('REQUEST_TIMEOUT_MS'),
    auditTimeoutMs: number('AUDIT_TIMEOUT_MS'),
    mailbox: mailboxOf(values),
    // The format checks have seen that they parse and what they hold.
    userEmails: (parseJson(text('USER_EMAILS') ?? '{}') ?? {}) as Settings['userEmails'],
    teamEmails: (parseJson(text('TEAM_EMAILS') ?? '{}') ?? {}) as Settings['teamEmails'],
    mailTimeoutMs: number('MAIL_TIMEOUT_MS'),
    runTimeoutMs: number('RUN_TIMEOUT_MS'),
    journalDir: text('JOURNAL_DIR') ?? '',
    maxExportBytes: number('MAX_EXPORT_BYTES'),
    maxExportCombinations: number('MAX_EXPORT_COMBINATIONS'),
    seed: Number(text('SEED') ?? randomSeed),
    reportDir: text('REPORT_DIR') ?? '',
    keepRuns: number('KEEP_RUNS'),
    waiversFile: text('WAIVERS_FILE'),
    staleWaiversFail: text('STALE_WAIVERS_FAIL') === 'yes',
  };
}

/** Whether an address is a loopback one: writes there reach nobody else. */
export function isOnThisMachine(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
