import { pause } from '../http/waiting.ts';
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

/** The run's own journal, and those of runs that ended without putting everything back. */
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
  // Read after the own journal is there: of two runs that begin together, at least one gives way.
  const others = (await readJournals(directory)).filter(
    (one) => one.path !== file.path && one.header.baseUrl === header.baseUrl,
  );
  const isGoingOn = (one: StoredJournal): boolean => !one.isLeft && isRunning(one.header, header);
  const running = others.find((one) => isGoingOn(one) && shares(one.header, header));
  if (running !== undefined) {
    await file.discard();
    throw new OtherRun(describeRun(running));
  }
  return { file, leftBehind: others.filter((one) => !isGoingOn(one)) };
}

/** Between two attempts, in milliseconds; partly random, so that waiting runs do not collide again. */
const retryDelayMs = { min: 50, random: 150 };

/**
 * As `claimTasks`, but waits until other runs on the same tasks have ended.
 * @param header of a journal that is begun now
 * @param onWait called once, with the run that is waited for
 */
export async function claimTasksInTurn(
  directory: string,
  header: () => JournalHeader,
  onWait: (error: OtherRun) => void,
): Promise<Claim> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await claimTasks(directory, header());
    } catch (error) {
      if (!(error instanceof OtherRun)) throw error;
      if (isFirst) onWait(error);
      await pause(retryDelayMs.min + Math.random() * retryDelayMs.random);
    }
  }
}

/** Whether the run that writes a journal may still be going on. */
export function isRunning(
  { pid, host, startedAt, endsBy }: JournalHeader,
  own: Pick<JournalHeader, 'pid' | 'host' | 'startedAt'>,
): boolean {
  // Every run ends in time: after that another process has the id, or none.
  if (Date.parse(endsBy) < Date.parse(own.startedAt)) return false;
  if (host !== own.host) return true;
  // In containers process ids return: before this process began, another one had its id.
  if (pid === own.pid) return Date.parse(startedAt) >= Date.now() - process.uptime() * 1000;
  return isProcess(pid);
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

function describeRun({ path, header }: StoredJournal): string {
  const { pid, host, startedAt, endsBy, baseUrl } = header;
  return [
    `Another run is using tasks of ${baseUrl}: process ${pid} on ${host}, since ${startedAt}.`,
    `It ends by ${endsBy} at the latest. Wait for it, or set other TASK_IDS.`,
    `Its journal is ${path}.`,
  ].join('\n');
}
