import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  fdatasync,
  openSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isOnThisMachine, isSameAddress } from '../helpers/config/addresses.ts';
import type { Settings } from '../helpers/config/settings.ts';
import { UserError } from '../helpers/errors.ts';
import { Recorder } from '../helpers/http/recorder.ts';
import { Redactor } from '../helpers/http/redact.ts';
import { pause } from '../helpers/http/waiting.ts';
import { jsonObject } from '../helpers/json.ts';
import { Inconclusive } from '../helpers/outcomes.ts';
import { type Entry, Journal } from '../helpers/tasks/journal.ts';
import { restoreTasks, restoreTimeoutMs } from '../helpers/tasks/put-back.ts';
import { renderOtherRun, renderPutBack } from '../reports/writes.ts';
import type { PutBack } from '../schemas/results.ts';
import type { OpenTarget } from './target.ts';

// Journals on disk, one for each run that writes. The header shows other runs which tasks are in use and until when; the
// lines hold the state of each task before the run and what the run did. Where a run was killed, or the target was down, the
// tasks are put back from its journal: before the next run begins its own, and by the command `restore`.

/** The process that a run goes on in. */
export type RunningProcess = Readonly<ReturnType<typeof thisProcess>>;

/** This process. @param maxMs after how many milliseconds from now the run has ended at the latest */
export function thisProcess(maxMs: number) {
  const now = Date.now();
  return {
    host: hostname(),
    pid: process.pid,
    startedAt: new Date(now).toISOString(),
    endsBy: new Date(now + maxMs).toISOString(),
  };
}

/** The first line of a journal: which process writes it, until when at the latest, and which tasks it may change. */
interface JournalHeader extends RunningProcess {
  readonly format: 1;
  readonly baseUrl: string;
  readonly taskIds: readonly string[];
}

/** Whose tasks are put back, and how it is asked. */
type Target = Pick<OpenTarget, 'settings' | 'send'>;

const ending = '.journal.jsonl';

const lineOf = (content: object): string => `${JSON.stringify(content)}\n`;

/** A journal on disk, of this run or of an earlier one: its header, and then a line of JSON for each entry. */
export class JournalFile extends Journal {
  override readonly isKept = true;
  readonly path: string;
  readonly header: JournalHeader;
  readonly entries: Entry[] = [];
  /** Knows what no entry may hold: a comment with the API key must not be written down. */
  readonly redactor = new Redactor();
  /** Whether its run has ended in order and left it for `restore`; false while it goes on, or where it was killed. */
  isLeft = false;
  /** The open file, from the first entry to the last: nothing is lost where the folder is cleaned meanwhile. */
  #descriptor: number | undefined;

  constructor(path: string, header: JournalHeader, lines: readonly string[] = []) {
    super();
    this.path = path;
    this.header = header;
    for (const line of lines.map(jsonObject)) {
      // A line that the end of a process or machine cut short gives no object: its write was never sent.
      if (line === undefined) break;
      if ('left' in line) {
        this.isLeft = true;
        continue;
      }
      // The cast: only `append` and `leave` write lines to a file of this name.
      const entry = line as unknown as Entry;
      this.entries.push(entry);
      this.of(entry.task).add(entry);
    }
  }

  /** @throws Inconclusive where the entry holds a secret */
  override append(entry: Entry): void {
    // Only values are looked at: the API key may be a word that is also a field name of ours.
    const withoutSecrets = (_: string, value: unknown): unknown =>
      typeof value === 'string' ? this.redactor.text(value) : value;
    if (JSON.stringify(entry, withoutSecrets) !== JSON.stringify(entry)) {
      throw new Inconclusive(
        `The assignment of task ${entry.task} holds the API key. It is not written down, and the task not changed.`,
      );
    }
    writeSync(this.#openDescriptor(), lineOf(entry));
    this.entries.push(entry);
  }

  override async flush(): Promise<void> {
    await promisify(fdatasync)(this.#openDescriptor());
  }

  /** Ends the journal and keeps the file for `restore`. */
  leave(): void {
    writeSync(this.#openDescriptor(), lineOf({ left: true }));
    this.isLeft = true;
    this.#close();
  }

  /** Removes the file: to be called when everything is put back. */
  async discard(): Promise<void> {
    this.#close();
    await rm(this.path, { force: true });
  }

  #openDescriptor(): number {
    // Without O_CREAT: an entry that comes after `discard` is an error, and makes no new file.
    this.#descriptor ??= openSync(this.path, constants.O_APPEND | constants.O_WRONLY);
    return this.#descriptor;
  }

  #close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}

/**
 * Begins a journal that only this user may read, as it holds comments. Without a whole header it does not count.
 * @param directory where it is kept; made where it is missing
 */
async function createJournal(directory: string, header: JournalHeader): Promise<JournalFile> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  // A process may begin several runs in one millisecond.
  const name = `${header.startedAt.replaceAll(/[:.]/g, '-')}-${header.pid}-${randomUUID().slice(0, 8)}`;
  const path = join(directory, `${name}${ending}`);
  writeFileSync(path, lineOf(header), { flag: 'wx', mode: 0o600 });
  const journal = new JournalFile(path, header);
  await journal.flush();
  // The name of the new file, too, must survive a crash of the machine. Some systems cannot open or flush a folder.
  const folder = await open(directory, 'r').catch(() => undefined);
  await folder?.sync().catch(() => {});
  await folder?.close();
  return journal;
}

/** The journals of a target, by name; none where there is no folder of them. Files that are no journals are skipped. */
export async function readJournals({
  journalDir,
  target,
}: Pick<Settings, 'journalDir' | 'target'>): Promise<JournalFile[]> {
  const files = await readRunFiles<JournalHeader>(journalDir, ending);
  return files
    .filter(({ header }) => isSameAddress(header.baseUrl, target.baseUrl))
    .map(({ path, header, lines }) => new JournalFile(path, header, lines));
}

/**
 * The files that runs keep in a folder as long as they go on, by name: the first line of each is a header in JSON, with
 * the process of the run. None where there is no such folder; files without a whole header are skipped.
 */
export async function readRunFiles<Header extends RunningProcess>(folder: string, suffix: string) {
  const names = await readdir(folder).catch(() => []);
  const paths = names.filter((name) => name.endsWith(suffix)).sort();
  const files = await Promise.all(
    paths.map(async (name) => {
      const path = join(folder, name);
      // It may be gone: another run may have ended, and removed its file, since the folder was listed.
      const [first, ...lines] = (await readFile(path, 'utf8').catch(() => '')).split('\n');
      const header = jsonObject(first);
      // The cast: a run of the suite wrote the first line.
      return header === undefined ? [] : [{ path, header: header as unknown as Header, lines }];
    }),
  );
  return files.flat();
}

/** The pause between two attempts to claim tasks, in milliseconds; partly random, so that runs do not collide again. */
const retryDelayMs = { min: 50, random: 150 };

/**
 * Begins a journal, whose header shows other runs that its tasks are in use.
 * @param maxMs after how many milliseconds the run has ended at the latest
 * @param options `onWait` is called once, before waiting for other runs on the same tasks to end; without it, such a run
 *   is an error. `takesOver`: runs of other machines, of which it cannot be seen whether they are going on, count as ended
 * @returns the journal, and those of runs that ended without putting everything back
 * @throws UserError where one of the tasks is in use and nothing is waited for
 */
export async function claimTasks(
  settings: Pick<Settings, 'journalDir' | 'target' | 'taskIds'>,
  maxMs: number,
  { onWait, takesOver = false }: { onWait?: (() => void) | undefined; takesOver?: boolean } = {},
): Promise<{ readonly file: JournalFile; readonly leftBehind: readonly JournalFile[] }> {
  const { target, taskIds } = settings;
  // Ids in another case may name the same task.
  const ids = new Set(taskIds.map((id) => id.toLowerCase()));
  for (let isFirst = true; ; isFirst = false) {
    const own = { format: 1, baseUrl: target.baseUrl, taskIds, ...thisProcess(maxMs) } as const;
    const file = await createJournal(settings.journalDir, own);
    // Other journals are read after the own one is written: of two runs that begin together, at least one gives way.
    const others = (await readJournals(settings)).filter(({ path }) => path !== file.path);
    const goingOn = others.filter((one) => !one.isLeft && isRunning(one.header, own, takesOver));
    const running = goingOn.find(({ header }) =>
      header.taskIds.some((id) => ids.has(id.toLowerCase())),
    );
    if (running === undefined) {
      return { file, leftBehind: others.filter((one) => !goingOn.includes(one)) };
    }
    await file.discard();
    if (onWait === undefined) {
      const { header, path: journal } = running;
      const isElsewhere = header.host !== own.host;
      throw new UserError(renderOtherRun({ ...header, target, journal, isElsewhere }));
    }
    if (isFirst) onWait();
    await pause(retryDelayMs.min + Math.random() * retryDelayMs.random);
  }
}

/**
 * Whether the run of a journal may still be going on; `own`: the process that asks.
 * @param takesOver whether runs of other machines count as ended
 */
export function isRunning(
  { pid, host, startedAt, endsBy }: RunningProcess,
  own: Pick<RunningProcess, 'pid' | 'host' | 'startedAt'> = thisProcess(0),
  takesOver = false,
): boolean {
  // Every run ends in time: after that another process has the id, or none.
  if (Date.parse(endsBy) < Date.parse(own.startedAt)) return false;
  if (host !== own.host) return !takesOver;
  // In containers process ids recur: an earlier process may have had the id that this process has.
  if (pid === own.pid) return Date.parse(startedAt) >= Date.now() - process.uptime() * 1000;
  return isProcess(pid);
}

/**
 * Whether a process goes on. A zombie has ended and can still be signalled: usual in containers, whose first process
 * often does not care for orphans.
 */
function isProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process is there and belongs to somebody else.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  try {
    // "4711 (name of the program) Z …": the name may hold anything, brackets too (proc_pid_stat(5)).
    return !/\) [ZXx][^)]*$/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    // Other systems have no such file.
    return true;
  }
}

/** How long a run can take at the most, in milliseconds. */
export function maxRunMs(settings: Settings): number {
  // When time is over, a request under way is waited for before tasks are put back.
  return settings.runTimeoutMs + settings.requestTimeoutMs + restoreTimeoutMs(settings);
}

/**
 * Begins the journal of a run, and puts back what earlier runs have left changed.
 * @param print is given the text for users about what was put back, and about waiting
 * @param waits whether to wait for another run on the same tasks to end, and not to throw
 * @returns the journal, in memory where the target is thrown away after the run, or the run writes nothing
 * @throws UserError where another run is using the tasks, or a task that an earlier run left changed could not be put
 *   back: the new run would record the changed state as the original one
 */
export async function openJournal(
  target: Target,
  print: (text: string) => void,
  waits = false,
): Promise<Journal> {
  const { settings } = target;
  if (settings.target.kind === 'embedded' || !settings.writes) return new Journal();
  const onWait = (): void => print('Waiting for another run that uses the same tasks.\n');
  const { file, leftBehind } = await claimTasks(settings, maxRunMs(settings), {
    onWait: waits ? onWait : undefined,
  });
  try {
    const tasks = await restoreFrom(leftBehind, target);
    const failed = tasks.filter(({ outcome }) => outcome === 'failed');
    // A service on this machine is under development: a run may begin where tasks are gone, or writes are not carried out.
    const mayBegin =
      isOnThisMachine(settings.target.baseUrl) &&
      failed.every((task) => isGone(task) || task.why?.kind === 'not carried out');
    if (failed.length > 0 && !mayBegin) {
      throw new UserError(
        `An earlier run has left tasks changed, and they could not be put back; no scenario was run. What they were stays in ${settings.journalDir}.\n\n${renderPutBack(tasks)}`,
      );
    }
    if (tasks.length > 0) print(renderPutBack(tasks));
    const kept = failed.filter((task) => !isGone(task)).map(({ taskId }) => taskId);
    await carryOver(leftBehind, kept, file);
    file.redactor.keepSecret(settings.apiKey);
    return file;
  } catch (error) {
    await file.discard();
    throw error;
  }
}

/** Whether a task could not be put back because it no longer exists. */
function isGone({ why }: PutBack): boolean {
  return why?.kind === 'not readable' && (why.status === 404 || why.status === 410);
}

/**
 * Copies the entries of tasks that are not put back yet into a new journal, for each task from the oldest journal that
 * names it, and then removes the journals of the earlier runs.
 */
async function carryOver(
  journals: readonly JournalFile[],
  taskIds: readonly string[],
  file: JournalFile,
): Promise<void> {
  for (const id of taskIds) {
    const ofTask = journals.map(({ entries }) => entries.filter(({ task }) => task === id));
    for (const entry of ofTask.find(({ length }) => length > 0) ?? []) {
      file.append(entry);
      file.of(id).add(entry);
    }
  }
  await file.flush();
  await Promise.all(journals.map((one) => one.discard()));
}

/**
 * Puts back the tasks that earlier runs on a target left changed, whatever tasks are configured now.
 * @param takesOver whether runs of other machines count as ended
 * @returns what became of each task; undefined where there is no journal of the target
 * @throws UserError where another run is using the tasks
 */
export async function restoreLeftBehind(
  target: Target,
  takesOver = false,
): Promise<PutBack[] | undefined> {
  const { settings } = target;
  const journals = await readJournals(settings);
  if (journals.length === 0) return undefined;
  const taskIds = [...new Set(journals.flatMap(({ header }) => header.taskIds))];
  const maxMs = restoreTimeoutMs(settings);
  const { file, leftBehind } = await claimTasks({ ...settings, taskIds }, maxMs, { takesOver });
  try {
    return await restoreFrom(leftBehind, target);
  } finally {
    await file.discard();
  }
}

/** Puts back the tasks of journals, the newest journal first, and removes each journal of which no task failed. */
async function restoreFrom(journals: readonly JournalFile[], target: Target): Promise<PutBack[]> {
  const recorder = new Recorder(target.settings.secrets);
  const done: PutBack[] = [];
  for (const journal of journals.toReversed()) {
    const outcomes = await restoreTasks({ ...target, recorder, journal });
    if (outcomes.every(({ outcome }) => outcome !== 'failed')) await journal.discard();
    done.push(...outcomes);
  }
  return done;
}
