import { hostname } from 'node:os';
import { isOnThisMachine } from '../helpers/config/addresses.ts';
import type { Settings } from '../helpers/config/settings.ts';
import { Recorder } from '../helpers/http/recorder.ts';
import { Redactor } from '../helpers/http/redact.ts';
import type { Transport } from '../helpers/http/transport.ts';
import { Inconclusive } from '../helpers/outcomes.ts';
import { type EntryStore, Journal } from '../helpers/tasks/journal.ts';
import {
  discardJournal,
  type JournalFile,
  type JournalHeader,
  type StoredJournal,
} from '../helpers/tasks/journal-file.ts';
import { claimTasks, claimTasksInTurn } from '../helpers/tasks/other-runs.ts';
import type { PutBack } from '../helpers/tasks/put-back.ts';
import { printableLine } from '../reports/printable.ts';
import { restoreTasks, restoreTimeoutMs } from '../runner/restore.ts';

/** Tasks that an earlier run left changed could not be put back: to go on would take them for what was there. */
export class NotPutBack extends Error {
  override readonly name = 'NotPutBack';
}

/** The journal of a run, and where it is kept. */
export interface RunJournal {
  readonly journal: Journal;
  /** Missing where the target is thrown away after the run, or nothing is written. */
  readonly file?: JournalFile;
}

/** When a run that begins now has ended at the latest, in milliseconds from now. */
export function longestRunMs(settings: Settings): number {
  // A write that is under way is waited for, before tasks are put back.
  return settings.runTimeoutMs + settings.requestTimeoutMs + restoreTimeoutMs(settings);
}

/**
 * Begins the journal of a run, and puts back what runs have left behind that were killed.
 * @param tell is told what was put back, and what is waited for
 * @param waits whether to wait for another run on the same tasks to end
 * @throws OtherRun, NotPutBack
 */
export async function openJournal(
  settings: Settings,
  send: Transport,
  tell: (text: string) => void,
  waits = false,
): Promise<RunJournal> {
  if (settings.target.kind === 'embedded' || !settings.writes) return { journal: new Journal() };
  const header = (): JournalHeader => headerOf(settings, new Date(), longestRunMs(settings));
  const { file, leftBehind } = waits
    ? await claimTasksInTurn(settings.journalDir, header, () =>
        tell('Waiting for another run that uses the same tasks.\n'),
      )
    : await claimTasks(settings.journalDir, header());
  try {
    const done = await restoreAll(leftBehind, settings, send);
    if (done.length > 0) tell(describe(done));
    const isFailed = done.some(({ outcome }) => outcome === 'failed');
    if (isFailed && isOnThisMachine(settings.target.baseUrl)) {
      // A service on this machine comes and goes with its records: what it held before is of no use to anybody.
      await Promise.all(leftBehind.map(discardJournal));
    } else if (isFailed) {
      throw new NotPutBack(
        `An earlier run has left tasks changed, and they could not be put back; nothing was played.\n\n${describe(done)}`,
      );
    }
  } catch (error) {
    await file.discard();
    throw error;
  }
  return { journal: new Journal(withoutKey(file, settings.apiKey)), file };
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

/** What is said of this process in the journals that it begins. */
export function headerOf(settings: Settings, startedAt: Date, longestMs: number): JournalHeader {
  return {
    format: 1,
    baseUrl: settings.target.baseUrl,
    taskIds: settings.taskIds,
    host: hostname(),
    pid: process.pid,
    startedAt: startedAt.toISOString(),
    endsBy: new Date(startedAt.getTime() + longestMs).toISOString(),
  };
}

/** Puts back what is in journals, the newest first, and removes those of which nothing is left to do. */
export async function restoreAll(
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

/** What became of the tasks, a line each, but for those that were as before. Ends with a line feed. */
export function describe(done: readonly PutBack[]): string {
  const of = (outcome: PutBack['outcome']): readonly PutBack[] =>
    done.filter((one) => one.outcome === outcome);
  const [back, left, failed] = [of('put back'), of('left'), of('failed')];
  const count = done.length - left.length - failed.length;
  const detailed = [...back.filter(({ detail }) => detail !== ''), ...left, ...failed];
  return [
    `${count} of ${done.length} tasks that were written to are as they were before.`,
    ...detailed.map(({ taskId, outcome, before, detail }) =>
      printableLine(`  ${taskId}: ${wordOf[outcome]}: ${detail}. Before: ${before}.`),
    ),
    '',
  ].join('\n');
}

const wordOf: Readonly<Record<PutBack['outcome'], string>> = {
  'as before': 'as before',
  'put back': 'put back',
  left: 'left as it is',
  failed: 'NOT PUT BACK',
};
