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

type AttemptWorld = Pick<World, 'api' | 'tasks'>;

/**
 * Attempts writes in turn. Reads the task after each accepted write and at the end; each read ends a batch. Where the
 * last batch changed the task although all its writes were refused, finds the write to blame.
 */
export async function attemptInTurn<A extends Attempt>(
  world: AttemptWorld,
  task: Task,
  attempts: readonly A[],
): Promise<Batch<A>[]> {
  const batches: Batch<A>[] = [];
  for (let before = task, left = attempts; left.length > 0; ) {
    const batch = await attemptUntilAccepted(world, before, left);
    batches.push(batch);
    before = taskOf(batch.read);
    left = left.slice(batch.writes.length);
  }
  const last = batches.pop();
  if (last === undefined) return [];
  return [...batches, ...(changedByRefused(last) ? await findBlamed(world, last) : [last])];
}

/** Attempts writes until one is accepted, and reads the task. */
async function attemptUntilAccepted<A extends Attempt>(
  { api, tasks }: AttemptWorld,
  before: Task,
  attempts: readonly A[],
): Promise<Batch<A>> {
  const firstSeen = tasks.firstSeen(before);
  const writes: Attempted<A>[] = [];
  for (const attempt of attempts) {
    const answer = await api.update(before.id, attempt.make(before));
    writes.push({ attempt, answer });
    if (!isRefused(answer)) break;
  }
  const { answer: read } = await tasks.look(before.id);
  return { firstSeen, before, writes, read, disturbance: tasks.disturbance([read]) };
}

/**
 * Attempts the writes of a batch that changed the task once more: all of them, where somebody else may have changed it,
 * and then each of them alone, on the task as it was.
 * @returns the batches that stand in for this one
 */
async function findBlamed<A extends Attempt>(
  world: AttemptWorld,
  batch: Batch<A>,
): Promise<Batch<A>[]> {
  const { tasks } = world;
  const attempts = batch.writes.map(({ attempt }) => attempt);
  const isDoubtful = batch.disturbance !== undefined;
  if (!isDoubtful && attempts.length === 1) return [batch];
  // Where somebody else may have changed the task, the last of several trials counts.
  const attemptAgain = async (some: readonly A[]): Promise<Batch<A>> => {
    const before = await tasks.bringBack(batch.before);
    const again = await tasks.trial(
      before,
      (task) => attemptUntilAccepted(world, task, some),
      changedByRefused,
    );
    return { ...again, disturbance: tasks.disturbance([again.read]) };
  };
  if (isDoubtful) {
    const together = await attemptAgain(attempts);
    if (attempts.length === 1 || !changedByRefused(together)) return [together];
  }
  const alone: Batch<A>[] = [];
  for (const attempt of attempts) alone.push(await attemptAgain([attempt]));
  // Where no write changes the task alone, the batch of all of them stays: any of them may be to blame.
  return alone.some(changedByRefused) ? alone : [batch, ...alone];
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
