import type { Variable } from '../../schemas/configuration.ts';
import type { ListEncoding, ListFilter, MetadataKey } from '../../schemas/operations.ts';

/** Values known to occur, by filter of the export. */
export type FilterValues = {
  readonly [Filter in ListFilter]?: readonly string[];
} & { readonly metadata?: { readonly [Key in MetadataKey]?: readonly string[] } };

/** A mailbox that shows the email of the target. */
export interface MailboxSettings {
  /** Without a name and a password in it. */
  readonly url: string;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly token: string | undefined;
}

/** How a variable is called where the configuration was given: the options of `contractSuite` have other names. */
export type NameOf = (variable: Variable) => string;

/** The configuration of a run, parsed. Instants are milliseconds since 1970, times milliseconds. */
export interface Settings {
  readonly target: {
    readonly kind: 'embedded' | 'remote';
    readonly baseUrl: string;
    /** The file of variables that was given by name. */
    readonly envFile?: string;
  };
  readonly apiKey: string;
  readonly taskIds: readonly string[];
  readonly assessmentIds: readonly string[];
  /** The users in whose name assignments are made; the first is the usual one. */
  readonly assignedByIds: readonly string[];
  readonly userIds: readonly string[];
  readonly teamIds: readonly string[];
  /** Whether tasks may be assigned at all. */
  readonly writes: boolean;
  readonly wrongRegionUrl: string | undefined;
  readonly blockedLocalAddress: string | undefined;
  readonly blockedProxyUrl: string | undefined;
  readonly caFile: string | undefined;
  readonly clientCertFile: string | undefined;
  readonly clientKeyFile: string | undefined;
  readonly httpsProxy: string | undefined;
  readonly httpProxy: string | undefined;
  readonly noProxy: string | undefined;
  readonly exportWindow: { readonly start: number | undefined; readonly end: number | undefined };
  readonly filterValues: FilterValues;
  readonly arrayEncoding: ListEncoding | 'auto';
  readonly maxConcurrency: number;
  /** 0: no limit. */
  readonly maxRequestsPerSecond: number;
  readonly requestTimeoutMs: number;
  /** How long a write may take to show in reads. */
  readonly readSettleMs: number;
  readonly auditTimeoutMs: number;
  readonly mailbox: MailboxSettings | undefined;
  /** Addresses by the ids of users, as they are configured. */
  readonly userEmails: Readonly<Record<string, string>>;
  /** Addresses of the members by the ids of teams. */
  readonly teamEmails: Readonly<Record<string, readonly string[]>>;
  readonly mailTimeoutMs: number;
  readonly runTimeoutMs: number;
  readonly waitForTargetMs: number;
  readonly journalDir: string;
  readonly maxExportBytes: number;
  /** Ids of clauses, beginnings of ids, or parts of names of scenarios that are left out. */
  readonly except: readonly string[];
  readonly seed: number;
  readonly reportDir: string;
  /** How many runs of a target are kept. */
  readonly keepRuns: number;
  readonly waiversFile: string | undefined;
  readonly staleWaiversFail: boolean;
  /** What must not appear in any record: keys, and passwords in each form in which they may come back. */
  readonly secrets: readonly string[];
  /** For messages that say what to configure. */
  readonly nameOf: NameOf;
}
