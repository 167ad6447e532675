import type { RawUpdate } from '../helpers/api.ts';
import type { Answer } from '../helpers/http/answer.ts';
import { type Disturbance, NothingSeen } from '../helpers/outcomes.ts';
import { taskOf } from '../helpers/tasks/task-answer.ts';
import type { World } from '../runner/world.ts';
import type { Task } from '../schemas/task.ts';
import { differences, expectOtherFieldsKept, expectUnchanged } from './comparing-tasks.ts';
import { isRefused, judgeEach } from './expectations.ts';

/*
 * Writes that must be refused, or whose outcome the document leaves open. versions.ts, refused-writes.ts and
 * open-writes.ts attempt them with `attemptInTurn`, and judge what each write left behind.
 */

/** A write to attempt; `make` is given the task as it was read last. */
export interface Attempt {
  /** Completes "a write …": "without If-Match". Does not say whether the write unassigns: its body does. */
  readonly how: string;
  readonly make: (task: Task) => RawUpdate;
}

export interface Attempted<A extends Attempt> {
  readonly attempt: A;
  readonly answer: Answer;
}

/** Writes to a task between two reads of it, `before` and `read`. All writes but the last were refused. */
export interface Batch<A extends Attempt> {
  /** The task as the run read it first, or as somebody else left it since. */
  readonly firstSeen: Task;
  readonly before: Task;
  readonly writes: readonly Attempted<A>[];
  readonly read: Answer;
  /** How the read shows that somebody else has changed the task. */
  readonly disturbance: Disturbance | undefined;
}

/**
 * Attempts writes in turn. Reads the task after each accepted write and at the end; each read ends a batch. Where the
 * last batch changed the task although all its writes were refused, attempts each of them alone, on the task as it was,
 * to find the one to blame. Where somebody else may have changed the task, repeats the batch often enough to tell.
 */
export async function attemptInTurn<A extends Attempt>(
  world: Pick<World, 'api' | 'tasks'>,
  task: Task,
  attempts: readonly A[],
): Promise<Batch<A>[]> {
  const { api, tasks } = world;
  const batches: Batch<A>[] = [];
  let before = task;
  let firstSeen = tasks.firstSeen(task);
  let writes: Attempted<A>[] = [];
  const closeBatch = async (): Promise<void> => {
    const { answer: read } = await tasks.look(task.id);
    batches.push({ firstSeen, before, writes, read, disturbance: tasks.disturbance([read]) });
    before = taskOf(read);
    firstSeen = tasks.firstSeen(before);
    writes = [];
  };
  for (const attempt of attempts) {
    const answer = await api.update(task.id, attempt.make(before));
    writes.push({ attempt, answer });
    if (!isRefused(answer)) await closeBatch();
  }
  if (writes.length > 0) await closeBatch();
  const last = batches.at(-1);
  if (last === undefined || !changedByRefused(last)) return batches;
  const isDoubtful = last.disturbance !== undefined;
  if (!isDoubtful && last.writes.length === 1) return batches;
  const earlier = batches.slice(0, -1);
  const refusedAttempts = last.writes.map(({ attempt }) => attempt);
  const bringBack = async () => await tasks.bringBack(await tasks.read(task.id), last.before);
  const oneByOne: Batch<A>[] = [];
  if (isDoubtful) {
    await bringBack();
    const together = await attemptCalmly(world, task, refusedAttempts);
    if (refusedAttempts.length === 1 || !changedByRefused(together)) return [...earlier, together];
  }
  for (const attempt of refusedAttempts) {
    await bringBack();
    oneByOne.push(await attemptCalmly(world, task, [attempt]));
  }
  // Where no write changes the task alone, the batch of all of them stays: any of them may be to blame.
  return oneByOne.some(changedByRefused) ? [...earlier, ...oneByOne] : [...batches, ...oneByOne];
}

/**
 * Attempts refused writes once more, as one batch; where somebody else may have changed the task meanwhile, several
 * times, each after the task has stood still for a while: then the last batch counts.
 */
async function attemptCalmly<A extends Attempt>(
  { api, tasks }: Pick<World, 'api' | 'tasks'>,
  { id }: Task,
  attempts: readonly A[],
): Promise<Batch<A>> {
  const attemptAll = async (before: Task): Promise<Batch<A>> => {
    const firstSeen = tasks.firstSeen(before);
    const writes: Attempted<A>[] = [];
    for (const attempt of attempts) {
      writes.push({ attempt, answer: await api.update(id, attempt.make(before)) });
    }
    const { answer: read } = await tasks.look(id);
    return { firstSeen, before, writes, read, disturbance: tasks.disturbance([read]) };
  };
  const last = await tasks.trial(await tasks.read(id), attemptAll, changedByRefused);
  return { ...last, disturbance: tasks.disturbance([last.read]) };
}

/** Whether the task has changed although all writes of the batch were refused. */
export function changedByRefused({ before, writes, read }: Batch<Attempt>): boolean {
  const refused = writes.every(({ answer }) => isRefused(answer));
  return refused && differences(before, taskOf(read)).length > 0;
}

/** The task as the last batch read it. */
export function latestTask(batches: readonly Batch<Attempt>[]): Task {
  const last = batches.at(-1);
  if (last === undefined) throw new Error('No write was attempted.');
  return taskOf(last.read);
}

/** How the writes were made, each way once: "without If-Match, with an empty If-Match". */
export function waysOf(writes: readonly Attempted<Attempt>[]): string {
  return [...new Set(writes.map(({ attempt }) => attempt.how))].join(', ');
}

/** The answers to the writes of all batches, in order. */
export function answersOf(batches: readonly Batch<Attempt>[]): Answer[] {
  return batches.flatMap(({ writes }) => writes.map(({ answer }) => answer));
}

/**
 * A judge that refused writes have changed nothing. A batch with an answer that is no refusal shows nothing of it.
 * @param refuses which answers count as refusals
 * @param how how the writes of a batch were made, as it completes "a write …"
 */
export const expectNoTrace =
  (refuses: (answer: Answer) => boolean, how: (writes: readonly Attempted<Attempt>[]) => string) =>
  ({ batches }: { batches: readonly Batch<Attempt>[] }): void =>
    judgeEach(batches, ({ before, writes, read }) => {
      const answers = writes.map(({ answer }) => answer);
      if (!answers.every(refuses)) throw new NothingSeen();
      expectUnchanged(before, taskOf(read), { how: how(writes), on: [...answers, read] });
    });

/** Judges that earlier writes of the run kept the fields that they do not mention; those here are to be refused. */
export const keepsTheOtherFields = {
  'update.keeps-the-other-fields': ({ batches }: { batches: readonly Batch<Attempt>[] }) => {
    for (const { firstSeen, before, read } of batches) {
      expectOtherFieldsKept(firstSeen, before, [read]);
    }
  },
};
