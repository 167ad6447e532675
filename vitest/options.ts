import { ConfigurationError } from '../helpers/config/read-settings.ts';
import type { FilterValues } from '../helpers/config/settings.ts';
import { didYouMean, similar } from '../helpers/did-you-mean.ts';
import { type Variable, variableNames } from '../schemas/configuration.ts';
import type { ListEncoding } from '../schemas/operations.ts';

/**
 * The options of `contractSuite`: the configuration of a run, by the names of its variables in camel case. Only
 * `baseUrl` and a key are needed; what else is left out costs the clauses that need it, and their tests are
 * skipped with the reason. Neither the environment nor `.env` is read.
 */
export interface ContractOptions {
  /** Title of the suite; "the contract at" the address unless given. */
  readonly name?: string | undefined;
  /** Only clauses with these ids, or whose ids begin so, or scenarios with these texts in their names. */
  readonly only?: readonly string[] | undefined;
  /** Base address of the service, ending in `/v5`. */
  readonly baseUrl: string;
  /** Of no use here, where an address is always needed. */
  readonly requireTarget?: boolean | undefined;
  /** A key that the service accepts; needed unless `apiKeyFile` is given. */
  readonly apiKey?: string | undefined;
  /** A file to read that key from. */
  readonly apiKeyFile?: string | undefined;
  /** Tasks that may be assigned and unassigned; they are put back. One is enough, more run faster. */
  readonly taskIds?: readonly string[] | undefined;
  /** Assessments to read; best one in each workflow state. */
  readonly assessmentIds?: readonly string[] | undefined;
  /** The user who makes the assignments; with a second one, whether each write is recorded under its own is judged too. */
  readonly assignedById?: string | readonly string[] | undefined;
  /** Users whom tasks may be assigned to; two for every transition. */
  readonly userIds?: readonly string[] | undefined;
  /** Teams whom tasks may be assigned to. */
  readonly teamIds?: readonly string[] | undefined;
  /** Whether tasks may be assigned at all; on this machine they may unless this is false, elsewhere only if true. */
  readonly allowWrites?: boolean | undefined;
  /** Where it is noted what a run changes, to put it back; `.contract-journal` unless given. */
  readonly journalDir?: string | undefined;
  /** Base address of another region, where the key must get 401. */
  readonly wrongRegionUrl?: string | undefined;
  /** A local address from which requests are not on the allow list. */
  readonly blockedLocalAddress?: string | undefined;
  /** A proxy from which requests are not on the allow list. */
  readonly blockedProxyUrl?: string | undefined;
  /** A file of certificate authorities to trust besides the usual ones (PEM). */
  readonly caFile?: string | undefined;
  /** The certificate to show to the service, where it asks for one (PEM). */
  readonly clientCertFile?: string | undefined;
  /** The private key of that certificate (PEM). */
  readonly clientKeyFile?: string | undefined;
  readonly httpsProxy?: string | undefined;
  readonly httpProxy?: string | undefined;
  /** Hosts that are asked without a proxy. */
  readonly noProxy?: readonly string[] | undefined;
  /** Start of a closed window in the past for exports; found by looking unless given. */
  readonly exportRangeStart?: string | Date | undefined;
  /** End of that window. */
  readonly exportRangeEnd?: string | Date | undefined;
  /** Values known to occur, by filter; found by looking unless given. */
  readonly exportFilterValues?: FilterValues | undefined;
  /** How lists are encoded in a query; `auto` finds out, and is the default. */
  readonly arrayEncoding?: ListEncoding | 'auto' | undefined;
  /** How many requests may be under way at once; 8 unless given. */
  readonly maxConcurrency?: number | undefined;
  /** How many requests may start in a second; on this machine no limit, elsewhere 50 unless given. */
  readonly maxRequestsPerSecond?: number | undefined;
  /** How long an answer may take, in milliseconds; 30,000 unless given. */
  readonly requestTimeoutMs?: number | undefined;
  /** How long to wait for a service that does not answer yet, in milliseconds; not at all unless given. */
  readonly waitForTargetMs?: number | undefined;
  /** How long everything may take, in milliseconds; 1,800,000 unless given. */
  readonly runTimeoutMs?: number | undefined;
  /** How long a write may take to show in reads of the task, in milliseconds; 2,000 unless given. */
  readonly readSettleMs?: number | undefined;
  /** How long a recorded event may take to appear in the export, in milliseconds; 30,000 unless given. */
  readonly auditTimeoutMs?: number | undefined;
  /** Address of a mailbox that shows the email of the service: Mailpit, MailDev or IMAP. */
  readonly mailboxUrl?: string | undefined;
  readonly mailboxUser?: string | undefined;
  readonly mailboxPassword?: string | undefined;
  readonly mailboxToken?: string | undefined;
  /** Addresses by the ids of users. */
  readonly userEmails?: Readonly<Record<string, string>> | undefined;
  /** Addresses of the members by the ids of teams. */
  readonly teamEmails?: Readonly<Record<string, readonly string[]>> | undefined;
  /** How long email may take to arrive, in milliseconds; 30,000 unless given. */
  readonly mailTimeoutMs?: number | undefined;
  /** An exported file larger than this is given up, in bytes. */
  readonly maxExportBytes?: number | undefined;
  /** Ids of clauses, beginnings of ids, or parts of names of scenarios that are left out; their tests are skipped. */
  readonly except?: readonly string[] | undefined;
  /** Of everything random; drawn unless given. */
  readonly seed?: number | undefined;
  /** Where the reports go (a page, `results.json` and more); none are written unless given. */
  readonly reportDir?: string | undefined;
  /** How many runs are kept beside the reports, to tell what changed. */
  readonly keepRuns?: number | undefined;
  /** Known violations, whose tests are skipped; `waivers.json` unless given, where there is one. */
  readonly waiversFile?: string | undefined;
  /** Whether a waiver of a clause that is upheld fails. */
  readonly staleWaiversFail?: boolean | undefined;
}

type OptionName<Name extends string> = Name extends `${infer Head}_${infer Rest}`
  ? `${Lowercase<Head>}${Capitalize<OptionName<Rest>>}`
  : Lowercase<Name>;

type ConfigurationOption = Exclude<keyof ContractOptions, 'name' | 'only'>;

type Within<Part extends Whole, Whole> = Part;

// Every variable is an option, and every option but two a variable: otherwise this does not compile.
const variableOf: Readonly<Record<Within<OptionName<Variable>, ConfigurationOption>, Variable>> =
  Object.fromEntries(variableNames.map((name) => [optionNameOf(name), name])) as Record<
    OptionName<Variable>,
    Variable
  >;

const optionNames = ['name', 'only', ...Object.keys(variableOf)];

/**
 * The options as variables of the environment, which one place parses.
 * @throws ConfigurationError where there is no such option
 */
export function variablesOf(options: ContractOptions): Partial<Record<Variable, string>> {
  const variables: Partial<Record<Variable, string>> = {};
  for (const [name, value] of Object.entries(options)) {
    if (name === 'name' || name === 'only' || value === undefined) continue;
    if (!isOption(name)) {
      const like = didYouMean(similar(name, optionNames, 1));
      throw new ConfigurationError(`There is no option ${name}. ${like}`);
    }
    variables[variableOf[name]] = textOf(value);
  }
  return variables;
}

/** The option that a variable is: `taskIds` for `TASK_IDS`. */
export function optionNameOf(variable: string): string {
  return variable.toLowerCase().replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

function isOption(name: string): name is ConfigurationOption {
  return Object.hasOwn(variableOf, name);
}

function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.join(',');
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
