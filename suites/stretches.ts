import type { RawUpdate } from '../helpers/api.ts';
import type { Answer } from '../helpers/http/answer.ts';
import { taskOf } from '../helpers/tasks/task-answer.ts';
import type { World } from '../runner/world.ts';
import type { Task } from '../schemas/task.ts';
import { differences, expectOtherFieldsKept } from './comparing-tasks.ts';

/** A write to try, made from the task as it then is. */
export interface Trial {
  readonly what: string;
  readonly make: (task: Task) => RawUpdate;
}

export interface Tried<T extends Trial> {
  readonly trial: T;
  readonly answer: Answer;
}

/** Writes between two readings of the task. Only the last one can have been accepted. */
export interface Stretch<T extends Trial> {
  /** The task as the run saw it first. */
  readonly first: Task;
  readonly before: Task;
  readonly writes: readonly Tried<T>[];
  readonly read: Answer;
}

/**
 * Tries writes in turn and reads the task after each that was accepted, and at the end. Where the task changed
 * although all were refused, each is tried once more on the task as it was, to find the one to blame.
 */
export async function tryInTurn<T extends Trial>(
  world: Pick<World, 'api' | 'tasks'>,
  task: Task,
  trials: readonly T[],
): Promise<Stretch<T>[]> {
  const { api, tasks } = world;
  const first = tasks.firstSeen(task);
  const stretches: Stretch<T>[] = [];
  let before = task;
  let writes: Tried<T>[] = [];
  const close = async (): Promise<void> => {
    const stretch = { first, before, writes, read: await api.task(task.id) };
    stretches.push(stretch);
    before = taskOf(stretch.read);
    writes = [];
  };
  for (const trial of trials) {
    const answer = await api.update(task.id, trial.make(before));
    writes.push({ trial, answer });
    if (!isRefused(answer)) await close();
  }
  if (writes.length > 0) await close();
  const last = stretches.at(-1);
  if (last === undefined || last.writes.length < 2 || !changedByRefused(last)) return stretches;
  const alone: Stretch<T>[] = [];
  for (const { trial } of last.writes) {
    const restored = await tasks.bringBack(taskOf(await api.task(task.id)), last.before);
    alone.push(...(await tryInTurn(world, restored, [trial])));
  }
  // Where none of them alone changes the task, any of them may have.
  const found = alone.some(changedByRefused) ? stretches.slice(0, -1) : stretches;
  return [...found, ...alone];
}

/** What the writes of other scenarios have left of the task. Those of this one are to be refused. */
export const keepsTheOtherFields = {
  'update.keeps-the-other-fields': ({ stretches }: { stretches: readonly Stretch<Trial>[] }) => {
    for (const { first, before, read } of stretches) {
      expectOtherFieldsKept('the task as it was first read', first, before, [read]);
    }
  },
};

/** Whether an answer says that the write was not carried out. */
export function isRefused({ status }: Answer): boolean {
  return status >= 400;
}

function changedByRefused<T extends Trial>({ before, writes, read }: Stretch<T>): boolean {
  const refused = writes.every(({ answer }) => isRefused(answer));
  return refused && differences(before, taskOf(read)).length > 0;
}

/** The task as the last reading of several stretches shows it. */
export function latest(stretches: readonly Stretch<Trial>[]): Task {
  const last = stretches.at(-1);
  if (last === undefined) throw new Error('Nothing was tried.');
  return taskOf(last.read);
}

/** All answers, in order. */
export function answersOf(stretches: readonly Stretch<Trial>[]): Answer[] {
  return stretches.flatMap(({ writes }) => writes.map(({ answer }) => answer));
}
