import { sameId } from '../../schemas/identifier.ts';
import type { Task } from '../../schemas/task.ts';
import type { Api, Assignee, Remark } from '../api.ts';
import type { Answer } from '../http/answer.ts';
import { Inconclusive } from '../outcomes.ts';
import type { Journal } from './journal.ts';
import { taskOf } from './task-answer.ts';
import type { TaskPool } from './task-pool.ts';

/** The tasks of one scenario: leased when asked for, in the state that it wants, given back at its end. */
export class Tasks {
  readonly #pool: TaskPool;
  readonly #journal: Journal;
  readonly #api: Api;
  readonly #actor: string;
  readonly #leased: string[] = [];
  /** Kept from other scenarios, and not touched. */
  readonly #reserved: string[] = [];

  constructor(pool: TaskPool, journal: Journal, api: Api, actor: string) {
    this.#pool = pool;
    this.#journal = journal;
    this.#api = api;
    this.#actor = actor;
  }

  /** The id of a task of its own, for reading it undisturbed. */
  async reserve(): Promise<string> {
    return first(await this.#hold(this.#pool.take(1)));
  }

  /** A task of its own, in whatever state it is, as just read. */
  async any(): Promise<Task> {
    return first(await this.#lease(this.#pool.take(1)));
  }

  /**
   * A task of its own, as just read, while no other scenario of the run has any: for what a write does to others
   * than the task.
   */
  async alone(): Promise<Task> {
    const ids = await this.#pool.takeAll();
    this.#reserved.push(...ids.slice(1));
    return first(await this.#lease(Promise.resolve(ids.slice(0, 1))));
  }

  /** Two tasks of its own, in whatever state they are, as just read. */
  async two(): Promise<[Task, Task]> {
    return pair(await this.#lease(this.#pool.take(2)));
  }

  /** Two tasks of its own, of the same entity where the configured ones hold such a pair. */
  async twoRelated(): Promise<[Task, Task]> {
    return pair(await this.#lease(this.#pool.takeRelated()));
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
    throw notReached('unassigned', answer);
  }

  /** Assigns a leased task, also where it is assigned as wanted. @returns the task as read afterwards */
  async bringTo(task: Task, assignee: Assignee, remark: Partial<Remark> = {}): Promise<Task> {
    const answer = await this.#api.assign(task, assignee, { by: this.#actor, ...remark });
    const after = await this.read(task.id);
    if (sameId(after.assignment?.assigned_to_id, assignee.id)) return after;
    throw notReached(`assigned to a ${assignee.type.toLowerCase()}`, answer);
  }

  /** Gives a leased task the assignment that it had. @returns the task as read afterwards */
  async bringBack(task: Task, { assignment }: Task): Promise<Task> {
    if (assignment === null) return await this.bringToUnassigned(task);
    const { assigned_to_id: id, assigned_to_type: type, assignment_comment: comment } = assignment;
    return await this.bringTo(task, { id, type }, { comment });
  }

  /** Reads a task. @throws Inconclusive where the answer carries none */
  async read(id: string): Promise<Task> {
    return taskOf(await this.#api.task(id));
  }

  /**
   * Reads the tasks of the scenario once more, to see whether somebody else has changed one of them since it
   * was leased.
   * @returns how; undefined where nobody has
   */
  async disturbance(): Promise<Inconclusive | undefined> {
    // A task that cannot be read does not show that anybody changed it.
    await Promise.allSettled(this.#leased.map((id) => this.#api.task(id)));
    const found = this.#leased.flatMap((id) => this.#journal.disturbanceOf(id) ?? []);
    if (found.length === 0) return undefined;
    const why = found.map(({ message }) => message).join(' ');
    const numbers = found.flatMap(({ exchanges }) => exchanges);
    return new Inconclusive(
      why,
      numbers.map((number) => ({ exchange: { number } })),
    );
  }

  /**
   * A leased task as the run saw it first, before it wrote to it.
   * @throws Inconclusive where a read was answered with a task that was never asked for
   */
  firstSeen({ id }: Task): Task {
    const task = this.#pool.firstSeen(id);
    if (task === undefined)
      throw new Inconclusive('A read gave another task than the one that was requested.');
    return task;
  }

  giveBack(): void {
    this.#pool.giveBack([...this.#leased.splice(0), ...this.#reserved.splice(0)]);
  }

  async #hold(taken: Promise<readonly string[]>): Promise<readonly string[]> {
    const ids = await taken;
    this.#leased.push(...ids);
    return ids;
  }

  async #lease(taken: Promise<readonly string[]>): Promise<Task[]> {
    const ids = await this.#hold(taken);
    return await Promise.all(
      ids.map(async (id) => {
        const task = await this.read(id);
        this.#pool.see(task);
        await this.#journal.remember(id, task);
        this.#journal.forgetDisturbance(id);
        return task;
      }),
    );
  }
}

function first<Item>([one]: readonly Item[]): Item {
  if (one === undefined) throw new Error('The pool gave no task.');
  return one;
}

function pair([one, other]: readonly Task[]): [Task, Task] {
  if (one === undefined || other === undefined) throw new Error('The pool gave no two tasks.');
  return [one, other];
}

function notReached(state: string, answer: Answer): Inconclusive {
  const { request, status } = answer;
  return new Inconclusive(
    `The scenario needs a task that is ${state}, and ${request} did not bring it into that state: it gave ${status}.`,
    [answer],
  );
}
