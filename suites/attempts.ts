import type { RawUpdate } from '../helpers/api.ts';
import type { Answer } from '../helpers/http/answer.ts';
import { type Disturbance, NothingSeen } from '../helpers/outcomes.ts';
import { taskOf } from '../helpers/tasks/task-answer.ts';
import type { World } from '../runner/world.ts';
import type { Task } from '../schemas/task.ts';
import { differences, expectOtherFieldsKept, expectUnchanged } from './comparing-tasks.ts';
import { isRefused, judgeEach } from './expectations.ts';

/*
 * Writes that are to be refused, or of which the document does not say what becomes of them: versions.ts,
 * refused-writes.ts and open-writes.ts attempt them here, and judge what each left behind.
 */

/** A write to attempt, made from the task as it then is. */
export interface Attempt {
  /** Completes "a write …", without whether it unassigns: its body says that. */
  readonly how: string;
  readonly make: (task: Task) => RawUpdate;
}

export interface Attempted<A extends Attempt> {
  readonly attempt: A;
  readonly answer: Answer;
}

/** Writes between two reads of the task. Only the last one can have been accepted. */
export interface Batch<A extends Attempt> {
  /** The task as the run saw it first, or as somebody else left it since. */
  readonly first: Task;
  readonly before: Task;
  readonly writes: readonly Attempted<A>[];
  readonly read: Answer;
  /** How the read shows that somebody else has changed the task. */
  readonly disturbance: Disturbance | undefined;
}

/**
 * Attempts writes in turn and reads the task after each that was accepted, and at the end. Where the task changed
 * although all were refused, each is attempted once more on the task as it was, to find the one to blame; where
 * somebody else may have changed it, often enough to tell.
 */
export async function attemptInTurn<A extends Attempt>(
  world: Pick<World, 'api' | 'tasks'>,
  task: Task,
  attempts: readonly A[],
): Promise<Batch<A>[]> {
  const { api, tasks } = world;
  const batches: Batch<A>[] = [];
  let before = task;
  let first = tasks.firstSeen(task);
  let writes: Attempted<A>[] = [];
  const close = async (): Promise<void> => {
    const { answer: read } = await tasks.look(task.id);
    batches.push({ first, before, writes, read, disturbance: tasks.disturbance([read]) });
    before = taskOf(read);
    first = tasks.firstSeen(before);
    writes = [];
  };
  for (const attempt of attempts) {
    const answer = await api.update(task.id, attempt.make(before));
    writes.push({ attempt, answer });
    if (!isRefused(answer)) await close();
  }
  if (writes.length > 0) await close();
  const last = batches.at(-1);
  if (last === undefined || !changedByRefused(last)) return batches;
  const isDoubtful = last.disturbance !== undefined;
  if (!isDoubtful && last.writes.length === 1) return batches;
  const earlier = batches.slice(0, -1);
  const again = last.writes.map(({ attempt }) => attempt);
  const bringBack = async () => await tasks.bringBack(await tasks.read(task.id), last.before);
  const alone: Batch<A>[] = [];
  if (isDoubtful) {
    await bringBack();
    const together = await attemptCalmly(world, task, again);
    if (again.length === 1 || !changedByRefused(together)) return [...earlier, together];
  }
  for (const attempt of again) {
    await bringBack();
    alone.push(await attemptCalmly(world, task, [attempt]));
  }
  // Where none of them alone changes the task, any of them may have.
  return alone.some(changedByRefused) ? [...earlier, ...alone] : [...batches, ...alone];
}

/**
 * Attempts writes that were refused once more, and where somebody else may have changed the task, again and again on
 * one that stands still.
 * @returns what came of them the last time
 */
async function attemptCalmly<A extends Attempt>(
  { api, tasks }: Pick<World, 'api' | 'tasks'>,
  { id }: Task,
  attempts: readonly A[],
): Promise<Batch<A>> {
  const attemptAll = async (before: Task): Promise<Batch<A>> => {
    const first = tasks.firstSeen(before);
    const writes: Attempted<A>[] = [];
    for (const attempt of attempts) {
      writes.push({ attempt, answer: await api.update(id, attempt.make(before)) });
    }
    const { answer: read } = await tasks.look(id);
    return { first, before, writes, read, disturbance: tasks.disturbance([read]) };
  };
  const last = await tasks.trial(await tasks.read(id), attemptAll, changedByRefused);
  return { ...last, disturbance: tasks.disturbance([last.read]) };
}

/** Whether the task is another one after writes that were all refused. */
export function changedByRefused({ before, writes, read }: Batch<Attempt>): boolean {
  const refused = writes.every(({ answer }) => isRefused(answer));
  return refused && differences(before, taskOf(read)).length > 0;
}

/** The task as the last read of several batches shows it. */
export function latest(batches: readonly Batch<Attempt>[]): Task {
  const last = batches.at(-1);
  if (last === undefined) throw new Error('No write was attempted.');
  return taskOf(last.read);
}

/** How writes were made, each way once. */
export function waysOf(writes: readonly Attempted<Attempt>[]): string {
  return [...new Set(writes.map(({ attempt }) => attempt.how))].join(', ');
}

/** All answers, in order. */
export function answersOf(batches: readonly Batch<Attempt>[]): Answer[] {
  return batches.flatMap(({ writes }) => writes.map(({ answer }) => answer));
}

/**
 * Judges that writes which were refused have changed nothing.
 * @param isMeant which answers refuse: what was left behind by another one says nothing about what these leave behind
 * @param how how the writes were made
 */
export const expectNoTrace =
  (isMeant: (answer: Answer) => boolean, how: (writes: readonly Attempted<Attempt>[]) => string) =>
  ({ batches }: { batches: readonly Batch<Attempt>[] }): void =>
    judgeEach(batches, ({ before, writes, read }) => {
      const answers = writes.map(({ answer }) => answer);
      if (!answers.every(isMeant)) throw new NothingSeen();
      expectUnchanged(before, taskOf(read), { how: how(writes), on: [...answers, read] });
    });

/** What the writes of other scenarios have left of the task. Those of this one are to be refused. */
export const keepsTheOtherFields = {
  'update.keeps-the-other-fields': ({ batches }: { batches: readonly Batch<Attempt>[] }) => {
    for (const { first, before, read } of batches) {
      expectOtherFieldsKept(first, before, [read]);
    }
  },
};
