import type { Assignee } from '../helpers/api.ts';
import type { Answer } from '../helpers/http/answer.ts';
import { taskOf } from '../helpers/tasks/task-answer.ts';
import type { World } from '../runner/world.ts';
import type { Task } from '../schemas/task.ts';
import { namesNobody } from './expectations.ts';

/** A right write: to whom, with what comment. */
export interface Move {
  /** null takes the assignment away. */
  readonly to: Assignee | null;
  /** undefined leaves the comment out. */
  readonly comment?: string | null | undefined;
}

/** A move that was made: what was there, what was answered, what is read afterwards. */
export interface Step extends Move {
  /** The task as the run saw it first. */
  readonly first: Task;
  readonly before: Task;
  /** To whom the step before this one went; undefined where there is none. */
  readonly from: Assignee | null | undefined;
  readonly by: string;
  readonly answer: Answer;
  readonly read: Answer;
}

/**
 * Makes one move after the other, each with the version just read. An unassign of a task that nobody is
 * assigned to is left out: what it does is open.
 */
export async function takeSteps(
  { api, tasks, actor: by }: World,
  task: Task,
  moves: readonly Move[],
): Promise<Step[]> {
  const first = tasks.firstSeen(task);
  const steps: Step[] = [];
  let before = task;
  for (const { to, comment } of moves) {
    if (to === null && namesNobody(before.assignment)) continue;
    const remark = comment === undefined ? { by } : { by, comment };
    const answer =
      to === null ? await api.unassign(before, remark) : await api.assign(before, to, remark);
    const read = await api.task(task.id);
    const from = steps.at(-1)?.to;
    steps.push({ first, before, from, to, comment, by, answer, read });
    before = taskOf(read);
  }
  return steps;
}

export const assigns = ({ to }: Step): boolean => to !== null;

export const unassigns = ({ to }: Step): boolean => to === null;

/** An assignment of a task that nobody, or somebody, was assigned to. */
export const assignsAnew = ({ to, before }: Step): boolean =>
  to !== null && namesNobody(before.assignment);

export const reassigns = ({ to, before }: Step): boolean =>
  to !== null && !namesNobody(before.assignment);
