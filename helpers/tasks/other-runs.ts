import { rm } from 'node:fs/promises';
import {
  createJournalFile,
  type JournalFile,
  type JournalHeader,
  readJournals,
  type StoredJournal,
} from './journal-file.ts';

/** Another run is using the same tasks. */
export class OtherRun extends Error {
  override readonly name = 'OtherRun';
}

/** A journal of one's own, and those that runs have left behind that ended without putting everything back. */
export interface Claim {
  readonly file: JournalFile;
  readonly leftBehind: readonly StoredJournal[];
}

/**
 * Begins a journal, which tells other runs that these tasks are in use.
 * @throws OtherRun where one of the tasks is in use already
 */
export async function claimTasks(directory: string, header: JournalHeader): Promise<Claim> {
  const file = await createJournalFile(directory, header);
  // Looked at after the own journal is there: of two runs that begin together, at least one gives way.
  const others = (await readJournals(directory)).filter(
    (one) => one.path !== file.path && one.header.baseUrl === header.baseUrl,
  );
  const running = others.find((one) => isRunning(one.header, header) && shares(one.header, header));
  if (running !== undefined) {
    await file.discard();
    throw new OtherRun(whoRuns(running));
  }
  return { file, leftBehind: others.filter((one) => !isRunning(one.header, header)) };
}

/** Removes a journal whose tasks are put back. */
export async function discardJournal({ path }: StoredJournal): Promise<void> {
  await rm(path, { force: true });
}

/** Whether the run that writes a journal may still be going on. */
export function isRunning(
  { pid, host, endsBy }: JournalHeader,
  own: Pick<JournalHeader, 'pid' | 'host' | 'startedAt'>,
): boolean {
  // Every run ends in time: after that the number belongs to another process, or to none.
  if (Date.parse(endsBy) < Date.parse(own.startedAt)) return false;
  if (host !== own.host) return true;
  // In containers numbers return: the own one was another run's before.
  return pid !== own.pid && isProcess(pid);
}

function isProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of somebody else's may not be signalled; it is there all the same.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function shares(one: JournalHeader, other: JournalHeader): boolean {
  const ids = new Set(one.taskIds.map((id) => id.toLowerCase()));
  return other.taskIds.some((id) => ids.has(id.toLowerCase()));
}

function whoRuns({ path, header }: StoredJournal): string {
  const { pid, host, startedAt, endsBy, baseUrl } = header;
  return [
    `Another run is using tasks of ${baseUrl}: process ${pid} on ${host}, since ${startedAt}.`,
    `It ends by ${endsBy} at the latest. Wait for it, or give other TASK_IDS.`,
    `Its journal is ${path}.`,
  ].join('\n');
}
