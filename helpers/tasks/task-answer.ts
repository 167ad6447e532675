import type { Task } from '../../schemas/task.ts';
import type { Answer } from '../http/answer.ts';
import { Inconclusive } from '../outcomes.ts';
import { problemsOf } from '../validation.ts';

/**
 * The task that an answer carries, for going on with it: success, an object, with an id and a version.
 * Whether its other fields are right is for judges to say.
 * @throws Inconclusive where there is nothing to go on with
 */
export function taskOf(answer: Answer): Task {
  const task = answer.object;
  const usable =
    answer.succeeded && typeof task?.id === 'string' && typeof task.updated_at === 'string';
  if (!usable) {
    const lacks = answer.succeeded ? 'no task with an id and an updated_at' : `${answer.status}`;
    throw new Inconclusive(`The task could not be read: ${answer.request} gave ${lacks}.`, [
      answer,
    ]);
  }
  // Judges look at the fields through the schema; here only id and updated_at are relied on.
  return task as unknown as Task;
}

/** Whether the answer is a success that carries a valid Task. */
export function carriesTask(answer: Answer): boolean {
  return answer.succeeded && problemsOf('task', answer.json).length === 0;
}
