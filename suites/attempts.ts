import type { RawUpdate } from '../helpers/api.ts';
import type { Answer } from '../helpers/http/answer.ts';
import { taskOf } from '../helpers/tasks/task-answer.ts';
import type { World } from '../runner/world.ts';
import type { Task } from '../schemas/task.ts';
import { differences, expectOtherFieldsKept } from './comparing-tasks.ts';
import { isRefused } from './expectations.ts';

/*
 * Writes that are to be refused, or of which the document does not say what becomes of them: versions.ts,
 * refused-writes.ts and open-writes.ts attempt them here, and judge what each left behind.
 */

/** A write to attempt, made from the task as it then is. */
export interface Attempt {
  /** Completes "a write …". */
  readonly what: string;
  readonly make: (task: Task) => RawUpdate;
}

export interface Attempted<A extends Attempt> {
  readonly attempt: A;
  readonly answer: Answer;
}

/** Writes between two reads of the task. Only the last one can have been accepted. */
export interface Batch<A extends Attempt> {
  /** The task as the run saw it first. */
  readonly first: Task;
  readonly before: Task;
  readonly writes: readonly Attempted<A>[];
  readonly read: Answer;
}

/**
 * Attempts writes in turn and reads the task after each that was accepted, and at the end. Where the task changed
 * although all were refused, each is attempted once more on the task as it was, to find the one to blame.
 */
export async function attemptInTurn<A extends Attempt>(
  world: Pick<World, 'api' | 'tasks'>,
  task: Task,
  attempts: readonly A[],
): Promise<Batch<A>[]> {
  const { api, tasks } = world;
  const first = tasks.firstSeen(task);
  const batches: Batch<A>[] = [];
  let before = task;
  let writes: Attempted<A>[] = [];
  const close = async (): Promise<void> => {
    const batch = { first, before, writes, read: await api.task(task.id) };
    batches.push(batch);
    before = taskOf(batch.read);
    writes = [];
  };
  for (const attempt of attempts) {
    const answer = await api.update(task.id, attempt.make(before));
    writes.push({ attempt, answer });
    if (!isRefused(answer)) await close();
  }
  if (writes.length > 0) await close();
  const last = batches.at(-1);
  if (last === undefined || last.writes.length < 2 || !changedByRefused(last)) return batches;
  const alone: Batch<A>[] = [];
  for (const { attempt } of last.writes) {
    const restored = await tasks.bringBack(taskOf(await api.task(task.id)), last.before);
    alone.push(...(await attemptInTurn(world, restored, [attempt])));
  }
  // Where none of them alone changes the task, any of them may have.
  const found = alone.some(changedByRefused) ? batches.slice(0, -1) : batches;
  return [...found, ...alone];
}

function changedByRefused({ before, writes, read }: Batch<Attempt>): boolean {
  const refused = writes.every(({ answer }) => isRefused(answer));
  return refused && differences(before, taskOf(read)).length > 0;
}

/** The task as the last read of several batches shows it. */
export function latest(batches: readonly Batch<Attempt>[]): Task {
  const last = batches.at(-1);
  if (last === undefined) throw new Error('No write was attempted.');
  return taskOf(last.read);
}

/** All answers, in order. */
export function answersOf(batches: readonly Batch<Attempt>[]): Answer[] {
  return batches.flatMap(({ writes }) => writes.map(({ answer }) => answer));
}

/** What the writes of other scenarios have left of the task. Those of this one are to be refused. */
export const keepsTheOtherFields = {
  'update.keeps-the-other-fields': ({ batches }: { batches: readonly Batch<Attempt>[] }) => {
    for (const { first, before, read } of batches) {
      expectOtherFieldsKept('the task as it was first read', first, before, [read]);
    }
  },
};
