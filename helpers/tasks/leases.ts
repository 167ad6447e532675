import type { Task } from '../../schemas/task.ts';
import type { Api, Assignee, Remark } from '../api.ts';
import type { Answer } from '../http/answer.ts';
import { Inconclusive } from '../outcomes.ts';
import type { Journal } from './journal.ts';
import { taskOf } from './task-answer.ts';

/** Gives out the configured tasks, so that two scenarios never share one. */
export class TaskPool {
  readonly #free: string[];
  readonly #waiting: { count: number; take: (ids: string[]) => void }[] = [];

  constructor(taskIds: readonly string[]) {
    this.#free = [...taskIds];
  }

  /** Takes so many tasks at once: one after the other, two scenarios could wait for each other for ever. */
  async take(count: number): Promise<string[]> {
    return await new Promise((resolve) => {
      this.#waiting.push({ count, take: resolve });
      this.#serve();
    });
  }

  giveBack(ids: readonly string[]): void {
    this.#free.push(...ids);
    this.#serve();
  }

  /** First come, first served: a scenario that needs two is not passed over for ever. */
  #serve(): void {
    for (;;) {
      const [next] = this.#waiting;
      if (next === undefined || next.count > this.#free.length) return;
      this.#waiting.shift();
      next.take(this.#free.splice(0, next.count));
    }
  }
}

/** The tasks of one scenario: leased when asked for, in the state that it wants, given back at its end. */
export class Tasks {
  readonly #pool: TaskPool;
  readonly #journal: Journal;
  readonly #api: Api;
  readonly #actor: string;
  readonly #leased: string[] = [];

  constructor(pool: TaskPool, journal: Journal, api: Api, actor: string) {
    this.#pool = pool;
    this.#journal = journal;
    this.#api = api;
    this.#actor = actor;
  }

  /** The id of a task of its own, for reading it undisturbed. */
  async reserve(): Promise<string> {
    const [id] = await this.#take(1);
    if (id === undefined) throw new Error('The pool gave no task.');
    return id;
  }

  /** A task of its own, in whatever state it is, as just read. */
  async any(): Promise<Task> {
    const [task] = await this.#lease(1);
    if (task === undefined) throw new Error('The pool gave no task.');
    return task;
  }

  /** Two tasks of its own, in whatever state they are, as just read. */
  async two(): Promise<[Task, Task]> {
    const [one, other] = await this.#lease(2);
    if (one === undefined || other === undefined) throw new Error('The pool gave no two tasks.');
    return [one, other];
  }

  /** A task of its own that nobody is assigned to. */
  async unassigned(): Promise<Task> {
    return await this.bringToUnassigned(await this.any());
  }

  /** A task of its own that the user or team is assigned to. */
  async assignedTo(assignee: Assignee, remark?: Partial<Remark>): Promise<Task> {
    return await this.bringTo(await this.any(), assignee, remark);
  }

  /** A task of its own that somebody is assigned to: whoever was, or else this one. */
  async assigned(otherwise: Assignee): Promise<Task> {
    const task = await this.any();
    return task.assignment === null ? await this.bringTo(task, otherwise) : task;
  }

  /** Unassigns a leased task where it is assigned. @returns the task as read afterwards */
  async bringToUnassigned(task: Task): Promise<Task> {
    if (task.assignment === null) return task;
    const answer = await this.#api.unassign(task, { by: this.#actor });
    const after = await this.read(task.id);
    if (after.assignment === null) return after;
    throw notBrought('be unassigned', answer);
  }

  /** Assigns a leased task, also where it is assigned as wanted. @returns the task as read afterwards */
  async bringTo(task: Task, assignee: Assignee, remark: Partial<Remark> = {}): Promise<Task> {
    const answer = await this.#api.assign(task, assignee, { by: this.#actor, ...remark });
    const after = await this.read(task.id);
    if (after.assignment?.assigned_to_id === assignee.id) return after;
    throw notBrought(`be assigned to a ${assignee.type.toLowerCase()}`, answer);
  }

  /** Reads a task. @throws Inconclusive where the answer carries none */
  async read(id: string): Promise<Task> {
    return taskOf(await this.#api.task(id));
  }

  /**
   * Reads the tasks of the scenario once more, to see whether somebody else has changed one of them since it
   * was leased.
   * @returns who and how, as sentences; undefined where nobody has
   */
  async disturbance(): Promise<string | undefined> {
    // A task that cannot be read says nothing of anybody else.
    await Promise.allSettled(this.#leased.map((id) => this.#api.task(id)));
    const found = this.#leased.flatMap((id) => this.#journal.disturbanceOf(id) ?? []);
    return found.length === 0 ? undefined : found.join(' ');
  }

  giveBack(): void {
    this.#pool.giveBack(this.#leased.splice(0));
  }

  async #take(count: number): Promise<string[]> {
    const ids = await this.#pool.take(count);
    this.#leased.push(...ids);
    return ids;
  }

  async #lease(count: number): Promise<Task[]> {
    const ids = await this.#take(count);
    return await Promise.all(
      ids.map(async (id) => {
        const task = await this.read(id);
        await this.#journal.remember(id, task);
        this.#journal.settle(id);
        return task;
      }),
    );
  }
}

function notBrought(state: string, answer: Answer): Inconclusive {
  const { request, status, exchange } = answer;
  return new Inconclusive(
    `The scenario needs a task to ${state} first, and ${request} did not get it there: ${status} (#${exchange.number})`,
  );
}
