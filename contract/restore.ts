import { isOnThisMachine, isSameAddress } from '../helpers/config/addresses.ts';
import type { Settings } from '../helpers/config/settings.ts';
import { UserError } from '../helpers/errors.ts';
import { Recorder } from '../helpers/http/recorder.ts';
import type { Transport } from '../helpers/http/transport.ts';
import { Journal } from '../helpers/tasks/journal.ts';
import { restoreTasks, restoreTimeoutMs } from '../helpers/tasks/put-back.ts';
import { renderPutBack } from '../reports/writes.ts';
import type { PutBack } from '../schemas/results.ts';
import { claimTasks, type JournalFile, readJournals } from './journal.ts';

// Tasks that earlier runs left changed, because they were killed or the target was down, are put back from the journals
// of those runs: before the next run begins its own journal, and by the command `restore`.

/** How long a run can take at the most, in milliseconds. */
export function maxRunMs(settings: Settings): number {
  // When time is over, a request under way is waited for before tasks are put back.
  return settings.runTimeoutMs + settings.requestTimeoutMs + restoreTimeoutMs(settings);
}

/**
 * Begins the journal of a run, and puts back what earlier runs have left changed.
 * @param print is given the text for users about what was put back, and about waiting
 * @param waits whether to wait for another run on the same tasks to end, and not to throw
 * @returns the journal, and its file; none where the target is thrown away after the run, or the run writes nothing
 * @throws UserError where another run is using the tasks, or a task that an earlier run left changed could not be put
 *   back: the new run would record the changed state as the original one
 */
export async function openJournal(
  settings: Settings,
  send: Transport,
  print: (text: string) => void,
  waits = false,
): Promise<{ readonly journal: Journal; readonly file?: JournalFile }> {
  if (settings.target.kind === 'embedded' || !settings.writes) return { journal: new Journal() };
  const onWait = (): void => print('Waiting for another run that uses the same tasks.\n');
  const { file, leftBehind } = await claimTasks(settings, maxRunMs(settings), {
    onWait: waits ? onWait : undefined,
  });
  try {
    const tasks = await restoreFrom(leftBehind, settings, send);
    const failed = tasks.filter(({ outcome }) => outcome === 'failed');
    // A service on this machine is under development: where a task cannot be put back any more, a run may still begin.
    const isOwn = isOnThisMachine(settings.target.baseUrl);
    if (failed.length > 0 && !(isOwn && failed.every(letsARunBegin))) {
      throw new UserError(
        `An earlier run has left tasks changed, and they could not be put back; no scenario was run. What they were stays in ${settings.journalDir}.\n\n${renderPutBack(tasks)}`,
      );
    }
    if (tasks.length > 0) print(renderPutBack(tasks));
    const kept = failed.filter((task) => !isGone(task)).map(({ taskId }) => taskId);
    await carryOver(leftBehind, kept, file);
    file.redactor.keepSecret(settings.apiKey);
    return { journal: new Journal(file, file.entries), file };
  } catch (error) {
    await file.discard();
    throw error;
  }
}

/** Whether a task could not be put back because it no longer exists. */
function isGone({ why }: PutBack): boolean {
  return why?.kind === 'not readable' && (why.status === 404 || why.status === 410);
}

/** Whether a run may begin all the same: the task is gone, or the target takes writes and does not carry them out. */
function letsARunBegin(task: PutBack): boolean {
  return isGone(task) || task.why?.kind === 'not carried out';
}

/**
 * Copies the entries of tasks that are not put back yet into a new journal, for each task from the oldest journal that
 * names it, and then removes the journals of the earlier runs.
 * @param taskIds the tasks that are not put back yet
 * @param file the new journal
 */
async function carryOver(
  journals: readonly JournalFile[],
  taskIds: readonly string[],
  file: JournalFile,
): Promise<void> {
  for (const id of taskIds) {
    const ofTask = journals.map(({ entries }) => entries.filter(({ task }) => task === id));
    for (const entry of ofTask.find(({ length }) => length > 0) ?? []) file.append(entry);
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
  settings: Settings,
  send: Transport,
  takesOver = false,
): Promise<PutBack[] | undefined> {
  const { journalDir, target } = settings;
  const journals = (await readJournals(journalDir)).filter(({ header }) =>
    isSameAddress(header.baseUrl, target.baseUrl),
  );
  if (journals.length === 0) return undefined;
  const taskIds = [...new Set(journals.flatMap(({ header }) => header.taskIds))];
  const maxMs = restoreTimeoutMs(settings);
  const { file, leftBehind } = await claimTasks({ ...settings, taskIds }, maxMs, { takesOver });
  try {
    return await restoreFrom(leftBehind, settings, send);
  } finally {
    await file.discard();
  }
}

/** Puts back the tasks of journals, the newest journal first, and removes each journal of which no task failed. */
async function restoreFrom(
  journals: readonly JournalFile[],
  settings: Settings,
  send: Transport,
): Promise<PutBack[]> {
  const recorder = new Recorder(settings.secrets);
  const done: PutBack[] = [];
  for (const stored of journals.toReversed()) {
    const journal = new Journal(stored, stored.entries);
    const outcomes = await restoreTasks({ settings, send, recorder, journal });
    if (outcomes.every(({ outcome }) => outcome !== 'failed')) await stored.discard();
    done.push(...outcomes);
  }
  return done;
}
