import { randomUUID } from 'node:crypto';
import { appendFileSync, closeSync, fdatasync, openSync, readFileSync, writeSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pause } from '../helpers/http/waiting.ts';
import type { EntryStore } from '../helpers/tasks/journal.ts';
import { type Entry, Ledger } from '../helpers/tasks/ledger.ts';
import { renderOtherRun } from '../reports/writes.ts';
import { OtherRun } from './errors.ts';

// Journals on disk. Each run that writes has one: its header shows other runs which tasks are in use and until when,
// its lines hold what each task was before and what the run did to it. A journal whose run has ended without removing
// it is what `restore` works from.

/** The process that a run goes on in. */
export interface RunningProcess {
  readonly host: string;
  readonly pid: number;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** When the run has ended at the latest. ISO 8601, UTC. */
  readonly endsBy: string;
}

/** Who writes a journal, for how long, and about what. */
export interface JournalHeader extends RunningProcess {
  readonly format: 1;
  readonly baseUrl: string;
  /** The tasks that the run may write to. */
  readonly taskIds: readonly string[];
}

/** A journal found on disk. */
export interface StoredJournal {
  readonly path: string;
  readonly header: JournalHeader;
  /** What was known of each task when the journal ended. */
  readonly ledgers: ReadonlyMap<string, Ledger>;
  /** What that was made of, and what was noted since. */
  readonly entries: Entry[];
  /** Whether its run has ended, and said so. */
  readonly isLeft: boolean;
}

const ending = '.journal.jsonl';

const lineOf = (content: object): string => `${JSON.stringify(content)}\n`;

/** The last line of a journal whose run could not put everything back. */
const lastLine = { left: true };

/** A journal while it is written: a line of JSON for each entry. */
export interface JournalFile extends EntryStore {
  readonly path: string;
  /** Ends the journal and leaves it for `restore`. */
  leave(): void;
  /** Removes the file: everything is put back. */
  discard(): Promise<void>;
}

/**
 * Begins a journal. Only this user may read it: it holds comments.
 * @param directory made where it is missing
 */
async function createJournalFile(directory: string, header: JournalHeader): Promise<JournalFile> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  // A process may begin several runs in one millisecond.
  const name = `${header.startedAt.replaceAll(/[:.]/g, '-')}-${header.pid}-${randomUUID().slice(0, 8)}`;
  const path = join(directory, `${name}${ending}`);
  const draft = join(directory, `${name}.draft`);
  let descriptor: number | undefined = openSync(draft, 'wx', 0o600);
  const append = (line: object): void => {
    if (descriptor === undefined) throw new Error(`${path} is closed.`);
    writeSync(descriptor, lineOf(line));
  };
  const flush = async (): Promise<void> => {
    if (descriptor !== undefined) await promisify(fdatasync)(descriptor);
  };
  const close = (): void => {
    if (descriptor !== undefined) closeSync(descriptor);
    descriptor = undefined;
  };
  append(header);
  await flush();
  // Whoever sees a journal sees its header.
  await rename(draft, path);
  await flushFolder(directory);
  return {
    path,
    append,
    flush,
    leave: () => {
      append(lastLine);
      close();
    },
    discard: async () => {
      close();
      await discardJournal({ path });
    },
  };
}

/** The journals in a folder, by name; none where there is no such folder. Files that are no journals are skipped. */
export async function readJournals(directory: string): Promise<StoredJournal[]> {
  const names = await readdir(directory).catch(() => []);
  const paths = names.filter((name) => name.endsWith(ending)).sort();
  const read = await Promise.all(paths.map((name) => readJournal(join(directory, name))));
  return read.filter((journal) => journal !== undefined);
}

async function readJournal(path: string): Promise<StoredJournal | undefined> {
  // Another run may have ended, and taken its journal away, since the folder was listed.
  const text = await readFile(path, 'utf8').catch(() => '');
  const [first, ...lines] = text.split('\n').map(parsed);
  if (first === undefined) return undefined;
  const ledgers = new Map<string, Ledger>();
  const entries: Entry[] = [];
  let isLeft = false;
  for (const line of lines) {
    if (line === undefined) break;
    if ('left' in line) {
      isLeft = true;
      continue;
    }
    // Under this name only `append` writes.
    const entry = line as Entry;
    entries.push(entry);
    if ('before' in entry) ledgers.set(entry.task, new Ledger(entry.before));
    else ledgers.get(entry.task)?.add(entry);
  }
  return { path, header: first as JournalHeader, ledgers, entries, isLeft };
}

/** A line's object; undefined where the end of a process or machine cut it short: its write was never sent. */
function parsed(line: string): object | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** So that the file's name survives the end of the machine, not only its content. */
async function flushFolder(directory: string): Promise<void> {
  const folder = await open(directory, 'r').catch(() => undefined);
  // Some systems cannot do that with a folder.
  await folder?.sync().catch(() => {});
  await folder?.close();
}

/** A journal of one's own, and those of runs that ended without putting everything back. */
export interface Claim {
  readonly file: JournalFile;
  readonly leftBehind: readonly StoredJournal[];
}

/** Between two attempts, in milliseconds; partly random, so that waiting runs do not collide again. */
const retryDelayMs = { min: 50, random: 150 };

export interface ClaimOptions {
  /**
   * Called once, before waiting until other runs on the same tasks have ended; without it nothing is waited for.
   */
  readonly onWait?: (() => void) | undefined;
  /** Whether runs of other machines, which cannot be asked whether they are still going on, count as ended. */
  readonly takesOver?: boolean | undefined;
  /** The file of variables that names the target, for the command that is told. */
  readonly envFile?: string | undefined;
}

/**
 * Begins a journal, which shows other runs that these tasks are in use.
 * @param header of a journal that is begun now
 * @throws OtherRun where one of the tasks is in use and nothing is waited for
 */
export async function claimTasks(
  directory: string,
  header: () => JournalHeader,
  { onWait, takesOver = false, envFile }: ClaimOptions = {},
): Promise<Claim> {
  for (let isFirst = true; ; isFirst = false) {
    const { running, ...claim } = await tryToClaim(directory, header(), takesOver);
    if (running === undefined) return claim;
    await claim.file.discard();
    if (onWait === undefined) {
      const { header: other, path: journal } = running;
      const isElsewhere = other.host !== hostname();
      const named = envFile === undefined ? {} : { envFile };
      const target = { kind: 'remote', baseUrl: other.baseUrl, ...named } as const;
      throw new OtherRun(renderOtherRun({ ...other, target, journal, isElsewhere }));
    }
    if (isFirst) onWait();
    await pause(retryDelayMs.min + Math.random() * retryDelayMs.random);
  }
}

async function tryToClaim(
  directory: string,
  header: JournalHeader,
  takesOver: boolean,
): Promise<Claim & { readonly running: StoredJournal | undefined }> {
  const file = await createJournalFile(directory, header);
  // Looked at after the own journal is there: of two runs that begin together, at least one gives way.
  const others = (await readJournals(directory)).filter(
    (one) => one.path !== file.path && one.header.baseUrl === header.baseUrl,
  );
  const isGoingOn = (one: StoredJournal): boolean =>
    !one.isLeft && isRunning(one.header, header, takesOver);
  return {
    file,
    leftBehind: others.filter((one) => !isGoingOn(one)),
    running: others.find((one) => isGoingOn(one) && shares(one.header, header)),
  };
}

/** Notes in the journal of an earlier run what is done to put its tasks back. */
export function storeAt({ path, entries }: Pick<StoredJournal, 'path' | 'entries'>): EntryStore {
  return {
    append(entry) {
      entries.push(entry);
      appendFileSync(path, lineOf(entry));
    },
    flush: async () => {},
  };
}

/** Removes a journal whose tasks are put back. */
export async function discardJournal({ path }: Pick<StoredJournal, 'path'>): Promise<void> {
  await rm(path, { force: true });
}

/**
 * Whether a run may still be going on.
 * @param takesOver whether runs of other machines count as ended
 */
export function isRunning(
  { pid, host, startedAt, endsBy }: RunningProcess,
  own: Pick<JournalHeader, 'pid' | 'host' | 'startedAt'>,
  takesOver = false,
): boolean {
  // Every run ends in time: after that another process has the id, or none.
  if (Date.parse(endsBy) < Date.parse(own.startedAt)) return false;
  if (host !== own.host) return !takesOver;
  // In containers process ids return: before this process began, another one had its id.
  if (pid === own.pid) return Date.parse(startedAt) >= Date.now() - process.uptime() * 1000;
  return isProcess(pid);
}

function isProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // A process of somebody else's may not be signalled; it is there all the same.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  return !isDefunct(pid);
}

/**
 * Whether a process has ended and nobody has taken note of it yet: usual in containers, whose first process is often
 * one that does not care for its children's children. It can be signalled, and does nothing any more.
 */
function isDefunct(pid: number): boolean {
  try {
    // "4711 (name of the program) Z …": the name may hold anything, brackets too (proc_pid_stat(5)).
    const [, state = ''] =
      /\) ([A-Za-z])[^)]*$/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return 'ZXx'.includes(state) && state !== '';
  } catch {
    // Other systems have no such file.
    return false;
  }
}

function shares(one: JournalHeader, other: JournalHeader): boolean {
  const ids = new Set(one.taskIds.map((id) => id.toLowerCase()));
  return other.taskIds.some((id) => ids.has(id.toLowerCase()));
}
