import { hostname } from 'node:os';
import { isOnThisMachine } from '../helpers/config/addresses.ts';
import type { Settings } from '../helpers/config/settings.ts';
import { Recorder } from '../helpers/http/recorder.ts';
import { Redactor } from '../helpers/http/redact.ts';
import type { Transport } from '../helpers/http/transport.ts';
import { Inconclusive } from '../helpers/outcomes.ts';
import { type EntryStore, Journal } from '../helpers/tasks/journal.ts';
import { renderPutBack } from '../reports/writes.ts';
import { restoreTasks, restoreTimeoutMs } from '../runner/restore.ts';
import type { PutBack } from '../schemas/results.ts';
import { NotPutBack } from './errors.ts';
import {
  claimTasks,
  discardJournal,
  type JournalFile,
  type JournalHeader,
  readJournals,
  type StoredJournal,
} from './journal.ts';

// What earlier runs have left changed, because they were killed or the target was down, is put back from their
// journals: before the next run begins its own, and by the command `restore`.

/** The journal of a run, and where it is kept. */
export interface RunJournal {
  readonly journal: Journal;
  /** Missing where the target is thrown away after the run, or nothing is written. */
  readonly file?: JournalFile;
}

/** When a run that begins now has ended at the latest, in milliseconds from now. */
export function maxRunMs(settings: Settings): number {
  // A write that is under way is waited for, before tasks are put back.
  return settings.runTimeoutMs + settings.requestTimeoutMs + restoreTimeoutMs(settings);
}

/**
 * Begins the journal of a run, and puts back what earlier runs have left changed.
 * @param print is given the text about what was put back, and what is waited for
 * @param waits whether to wait for another run on the same tasks to end
 * @throws OtherRun, NotPutBack
 */
export async function openJournal(
  settings: Settings,
  send: Transport,
  print: (text: string) => void,
  waits = false,
): Promise<RunJournal> {
  if (settings.target.kind === 'embedded' || !settings.writes) return { journal: new Journal() };
  const header = (): JournalHeader => headerOf(settings, maxRunMs(settings));
  const onWait = (): void => print('Waiting for another run that uses the same tasks.\n');
  const { file, leftBehind } = await claimTasks(settings.journalDir, header, {
    onWait: waits ? onWait : undefined,
    envFile: settings.target.envFile,
  });
  try {
    const tasks = await restoreFrom(leftBehind, settings, send);
    if (tasks.length > 0) print(renderPutBack(tasks));
    const isFailed = tasks.some(({ outcome }) => outcome === 'failed');
    if (isFailed && isOnThisMachine(settings.target.baseUrl)) {
      // A service on this machine comes and goes with its records: what it held before is of no use to anybody.
      await Promise.all(leftBehind.map(discardJournal));
    } else if (isFailed) {
      throw new NotPutBack(
        `An earlier run has left tasks changed, and they could not be put back; no scenario was run.\n\n${renderPutBack(tasks)}`,
      );
    }
  } catch (error) {
    await file.discard();
    throw error;
  }
  return { journal: new Journal(withoutKey(file, settings.apiKey)), file };
}

/**
 * Puts back what earlier runs on a target have left changed, whatever tasks are configured now.
 * @param takesOver whether runs of other machines count as ended
 * @returns undefined where no journal of the target is there
 * @throws OtherRun
 */
export async function restoreLeftBehind(
  settings: Settings,
  send: Transport,
  takesOver = false,
): Promise<PutBack[] | undefined> {
  const { journalDir, target } = settings;
  const journals = (await readJournals(journalDir)).filter(
    ({ header }) => header.baseUrl === target.baseUrl,
  );
  if (journals.length === 0) return undefined;
  const taskIds = [...new Set(journals.flatMap(({ header }) => header.taskIds))];
  const { file, leftBehind } = await claimTasks(
    journalDir,
    () => headerOf({ ...settings, taskIds }, restoreTimeoutMs(settings)),
    { takesOver, envFile: settings.target.envFile },
  );
  try {
    return await restoreFrom(leftBehind, { ...settings, writes: true }, send);
  } finally {
    await file.discard();
  }
}

/** A store that takes no key: a comment that holds it could not be put back without writing it down. */
function withoutKey(store: EntryStore, key: string): EntryStore {
  const redactor = new Redactor();
  redactor.keepSecret(key);
  // Names of fields are ours: a key may be a word like them.
  const holdsKey = (value: unknown): boolean =>
    typeof value === 'string'
      ? redactor.text(value) !== value
      : Object.values(value ?? {}).some(holdsKey);
  return {
    flush: () => store.flush(),
    append(entry) {
      if (holdsKey(entry)) {
        throw new Inconclusive(
          `The assignment of task ${entry.task} holds the API key. It is not written down, and the task not changed.`,
        );
      }
      store.append(entry);
    },
  };
}

/** The header of a journal that this process begins now. */
function headerOf(settings: Settings, maxMs: number): JournalHeader {
  const now = Date.now();
  return {
    format: 1,
    baseUrl: settings.target.baseUrl,
    taskIds: settings.taskIds,
    host: hostname(),
    pid: process.pid,
    startedAt: new Date(now).toISOString(),
    endsBy: new Date(now + maxMs).toISOString(),
  };
}

/** Puts back what is in journals, the newest first, and removes those of which nothing is left to do. */
async function restoreFrom(
  journals: readonly StoredJournal[],
  settings: Settings,
  send: Transport,
): Promise<PutBack[]> {
  const recorder = new Recorder(settings.secrets);
  const done: PutBack[] = [];
  for (const stored of journals.toReversed()) {
    const { ledgers } = stored;
    const parts = { settings, send, recorder, journal: new Journal(), ledgers };
    const outcomes = await restoreTasks(parts);
    if (outcomes.every(({ outcome }) => outcome !== 'failed')) await discardJournal(stored);
    done.push(...outcomes);
  }
  return done;
}
