import { isDeepStrictEqual } from 'node:util';
import { sameId } from '../../schemas/identifier.ts';
import type { Task } from '../../schemas/task.ts';
import {
  type Api,
  type Assignee,
  type RawUpdate,
  type Remark,
  unassignBody,
  updateBody,
} from '../api.ts';
import type { Answer } from '../http/answer.ts';
import { pause } from '../http/waiting.ts';
import { type Disturbance, Inconclusive } from '../outcomes.ts';
import type { Journal } from './journal.ts';
import { taskOf } from './task-answer.ts';
import type { TaskPool } from './task-pool.ts';

export interface TasksOptions {
  /** In whose name tasks are brought into a state. */
  readonly actor: string;
  /** How long a write may take to show in reads, in milliseconds. */
  readonly settleMs: number;
  /** Tasks that earlier runs of the scenario used, of which others are taken first; those of this one are added. */
  readonly used: Set<string>;
}

/** A write that was sent, and the task as it was when it was sent. */
export interface Written {
  readonly before: Task;
  readonly answer: Answer;
}

/** So often a write is sent again because the task has moved on since it was read. */
const maxRetries = 5;

/** So often a task is read that is to stand still for a while. */
const maxCalmReads = 10;

/** So many readings of a task are made to see two of the same version. */
const maxReadings = 12;

/**
 * What was seen no longer ago than this, in milliseconds, need not be read again when a task changes hands: where somebody
 * else has changed it since, a write made from it is refused, and the task is read then.
 */
const recentlyMs = 15_000;

/** So often something must follow from the same request before it is taken for its effect. */
const trials = 5;

/** So often the task may change between them by itself. */
const maxUnrest = 1;

/** For so many times as long as a trial takes, the task stands still before it. */
const calmTrials = 2;

/** The tasks of one scenario: leased when asked for, in the state that it wants, given back at its end. */
export class Tasks {
  readonly #pool: TaskPool;
  readonly #journal: Journal;
  readonly #api: Api;
  readonly #options: TasksOptions;
  readonly #leased: string[] = [];
  /** Kept from other scenarios, and not touched. */
  readonly #reserved: string[] = [];
  /** Those that earlier runs of the scenario used. */
  readonly #used: readonly string[];

  constructor(pool: TaskPool, journal: Journal, api: Api, options: TasksOptions) {
    this.#pool = pool;
    this.#journal = journal;
    this.#api = api;
    this.#options = options;
    this.#used = [...options.used];
  }

  /** A task of its own, for reading it undisturbed: its id, and the first reading. */
  async reserve(): Promise<{ readonly id: string; readonly answer: Answer }> {
    const id = first(await this.#hold(this.#pool.take(1, this.#used)));
    const answer = await this.#asSeenRecently(id);
    this.#journal.watch(id, taskOf(answer));
    return { id, answer };
  }

  /** A task of its own, in whatever state it is, as just read. */
  async any(): Promise<Task> {
    return first(await this.#lease(this.#pool.take(1, this.#used)));
  }

  /**
   * A task of its own, as just read, while no other scenario of the run has any, until they may share: for what a
   * write does to others than the task.
   */
  async alone(): Promise<Task> {
    const ids = await this.#pool.takeAll();
    this.#reserved.push(...ids.slice(1));
    return first(await this.#lease(Promise.resolve(ids.slice(0, 1))));
  }

  /** Lets other scenarios have the tasks that were taken to be alone; from now on none of the run needs to be. */
  share(): void {
    this.#pool.giveBack(this.#reserved.splice(0));
    this.#pool.share();
  }

  /** Two tasks of its own, in whatever state they are, as just read. */
  async two(): Promise<[Task, Task]> {
    return pair(await this.#lease(this.#pool.take(2, this.#used)));
  }

  /** Two tasks of its own, of the same entity where the configured ones hold such a pair. */
  async twoRelated(): Promise<[Task, Task]> {
    await this.#seeAll();
    return pair(await this.#lease(this.#pool.takeRelated()));
  }

  /**
   * A task of its own, in whatever state, for what is recorded of it. Where there is one, a task next to another that was
   * changed before: of the same assessment, and of another entity.
   */
  async recorded(): Promise<Task> {
    await this.#seeAll();
    const changedFirst = (one: string, other: string): boolean =>
      this.#journal.of(one).firstChange < this.#journal.of(other).firstChange;
    return first(await this.#lease(this.#pool.takeRecorded(changedFirst, this.#used)));
  }

  /** A task of its own that nobody is assigned to. */
  async unassigned(): Promise<Task> {
    return await this.bringToUnassigned(await this.any());
  }

  /** A task of its own that somebody is assigned to: whoever was, or else this one. */
  async assigned(otherwise: Assignee): Promise<Task> {
    const task = await this.any();
    return task.assignment === null ? await this.bringTo(task, otherwise) : task;
  }

  /** Unassigns a leased task where it is assigned. @returns the task as read afterwards */
  async bringToUnassigned(task: Task): Promise<Task> {
    if (task.assignment === null) return task;
    return await this.#bring(task, null, { by: this.#options.actor });
  }

  /** Assigns a leased task, also where it is assigned as wanted. @returns the task as read afterwards */
  async bringTo(task: Task, assignee: Assignee, remark: Partial<Remark> = {}): Promise<Task> {
    // Short: how long a comment may be is open.
    const comment = `Contract test ${this.#journal.newMark()}`;
    return await this.#bring(task, assignee, { by: this.#options.actor, comment, ...remark });
  }

  async #bring(task: Task, to: Assignee | null, remark: Remark): Promise<Task> {
    const { answer } = await (to ? this.assign(task, to, remark) : this.unassign(task, remark));
    const read = await this.#asSeenRecently(task.id);
    const after = taskOf(read);
    const now = after.assignment;
    if (to === null ? now === null : sameId(now?.assigned_to_id, to.id)) return after;
    const wanted = to ? `assigned to a ${to.type.toLowerCase()}` : 'unassigned';
    const why = `The scenario needs a task that is ${wanted}, and ${answer.request} did not bring it into that state: it gave ${answer.status}.`;
    throw this.disturbance([read]) ?? new Inconclusive(why, [answer]);
  }

  /** Gives a leased task the assignment that it had. @returns the task as read afterwards */
  async bringBack(task: Task, { assignment }: Task): Promise<Task> {
    if (isDeepStrictEqual(assignment, task.assignment)) return task;
    if (assignment === null) return await this.bringToUnassigned(task);
    const { assigned_to_id: id, assigned_to_type: type, assignment_comment: comment } = assignment;
    return await this.bringTo(task, { id, type }, { comment });
  }

  /** Assigns a task as `write` does. */
  async assign(task: Task, assignee: Assignee, remark: Remark): Promise<Written> {
    const body = updateBody(assignee, remark);
    return await this.write(task, ({ updated_at: ifMatch }) => ({ ifMatch, body }));
  }

  /** Unassigns a task as `write` does. */
  async unassign(task: Task, remark: Remark): Promise<Written> {
    const body = unassignBody(remark);
    return await this.write(task, ({ updated_at: ifMatch }) => ({ ifMatch, body }));
  }

  /**
   * Sends a write that is to be accepted, made of the task as it was read. Where it is refused with 409, or wrongly with
   * 412, because the task has changed since, by somebody else or by a workflow, it is made and sent again.
   * @throws Disturbance where the task changes faster than that
   */
  async write(task: Task, make: (task: Task) => RawUpdate): Promise<Written> {
    let before = task;
    for (let retries = 0; ; retries += 1) {
      const answer = await this.#api.update(task.id, make(before));
      if (answer.status !== 409 && answer.status !== 412) return { before, answer };
      const read = await this.readPast(before);
      if (versionOf(read) === before.updated_at || !read.succeeded) return { before, answer };
      const moved = this.#journal.disturbanceIn([read.exchange.number]);
      if (retries === maxRetries && moved !== undefined) throw moved;
      if (retries === maxRetries) return { before, answer };
      before = taskOf(read);
    }
  }

  /** A leased task: as the run has seen it recently, or else read. @throws Inconclusive where the answer carries none */
  async lately(id: string): Promise<Task> {
    return taskOf(await this.#asSeenRecently(id));
  }

  /** Any task, leased by the scenario or not, with the valid key: the last answer that shows it as it is, or else a new one. */
  async seen(id: string): Promise<Answer> {
    return (await this.#journal.of(id).latest()) ?? (await this.#api.task(id));
  }

  /** The id of the entity of any task, leased by the scenario or not: as the run has read it first. */
  async entityOf(id: string): Promise<unknown> {
    return (this.#journal.of(id).firstRead ?? (await this.seen(id)).object)?.entity_id;
  }

  /** Reads a task. @throws Inconclusive where the answer carries none */
  async read(id: string): Promise<Task> {
    return taskOf((await this.look(id)).answer);
  }

  /**
   * Reads a task, again and again while it does not show what the run wrote, for as long as that may take.
   * @returns the last answer, and whether an earlier one did not show what the run wrote
   */
  async look(id: string): Promise<{ readonly answer: Answer; readonly isLate: boolean }> {
    let isLate = false;
    const answer = await this.#readUntil(id, (one) => {
      const isStale = this.#journal.of(id).isStale(one);
      isLate ||= isStale;
      return !isStale;
    });
    return { answer, isLate };
  }

  /** Reads a task until it shows another version than this, for as long as a change may take to show. */
  async readPast({ id, updated_at: version }: Task): Promise<Answer> {
    return await this.#readUntil(id, (one) => versionOf(one) !== version);
  }

  /**
   * Reads a task that nothing is written to meanwhile twice, and more often where the two differ in their version
   * because somebody else has changed the task between them. Where each of many readings shows another version, it
   * is reading that makes them.
   * @param first an earlier reading
   * @returns the two that are to be compared
   */
  async readTwice(id: string, first: Answer): Promise<{ first: Answer; second: Answer }> {
    const readings: Answer[] = [];
    for (let last = first; readings.length < maxReadings; ) {
      const next = (await this.look(id)).answer;
      if (versionOf(last) === versionOf(next)) return { first: last, second: next };
      readings.push(next);
      last = next;
    }
    this.#journal.attribute(id, readings);
    return { first, second: readings[0] ?? first };
  }

  /**
   * Finds out whether a change follows from what a scenario does: tries that several times, each time after the task
   * has stood still for twice as long as the attempt takes, measured in time and in requests of the run, and for as
   * long as a write may take to show.
   * @param id of the task that may change
   * @param attempt carries it out, on the task as it then is
   * @param earlier what is the run's own doing too, where the change follows from the attempt
   * @returns the first trial that did not change the task, or else the last: then the change follows from the attempt
   */
  async tryAgain<Trial extends { readonly read: Answer }>(
    id: string,
    attempt: (task: Task) => Promise<Trial>,
    isChanged: (trial: Trial) => boolean,
    earlier: readonly Answer[] = [],
  ): Promise<Trial> {
    const reads: Answer[] = [];
    let lasted: Span = { milliseconds: 0, requests: 1 };
    let unrest = 0;
    for (;;) {
      const calm = await this.#calm(id, lasted);
      unrest += calm.unrest;
      const began = performance.now();
      const before = taskOf(calm.answer);
      this.#journal.watch(id, before);
      const trial = await attempt(before);
      lasted = {
        milliseconds: performance.now() - began,
        requests: trial.read.exchange.number - calm.answer.exchange.number,
      };
      // What somebody else cannot have done needs no second look.
      if (!isChanged(trial) || this.disturbance([trial.read]) === undefined) return trial;
      reads.push(trial.read);
      if (reads.length < trials) continue;
      // A task that does not stand still for twice as long by itself may well change in each of five attempts.
      if (unrest <= maxUnrest) this.#journal.attribute(id, [...earlier, ...reads]);
      return trial;
    }
  }

  /**
   * Tries what is to leave a task as it is; where somebody else may have changed the task meanwhile, as often as
   * `tryAgain` does.
   */
  async trial<Trial extends { readonly read: Answer }>(
    task: Task,
    attempt: (task: Task) => Promise<Trial>,
    isChanged: (trial: Trial) => boolean,
  ): Promise<Trial> {
    // Whoever made its version: what changes without another one is not somebody else's doing.
    this.#journal.watch(task.id, task);
    const trial = await attempt(task);
    const isDoubtful = isChanged(trial) && this.disturbance([trial.read]) !== undefined;
    return isDoubtful ? await this.tryAgain(task.id, attempt, isChanged, [trial.read]) : trial;
  }

  /** How somebody else changed the tasks that answers show; undefined where they show nothing of the kind. */
  disturbance(answers: readonly Answer[]): Disturbance | undefined {
    return this.#journal.disturbanceIn(answers.map(({ exchange }) => exchange.number));
  }

  /**
   * A leased task as the run saw it first, before it wrote to it, or as somebody else left it since.
   * @throws Inconclusive where a read was answered with a task that was never asked for
   */
  firstSeen({ id }: Task): Task {
    const task = this.#journal.of(id).first;
    if (task === undefined)
      throw new Inconclusive('A read gave another task than the one that was asked for.');
    return task;
  }

  giveBack(): void {
    this.#pool.giveBack([...this.#leased.splice(0), ...this.#reserved.splice(0)]);
  }

  /** Reads the tasks that nobody has read yet: the pool asks what they belong to. */
  async #seeAll(): Promise<void> {
    const unseen = this.#pool.ids.filter((id) => this.#journal.of(id).firstRead === undefined);
    await Promise.all(unseen.map((id) => this.seen(id)));
  }

  async #hold(taken: Promise<readonly string[]>): Promise<readonly string[]> {
    const ids = await taken;
    this.#leased.push(...ids);
    for (const id of ids) this.#options.used.add(id);
    return ids;
  }

  async #lease(taken: Promise<readonly string[]>): Promise<Task[]> {
    const ids = await this.#hold(taken);
    return await Promise.all(
      ids.map(async (id) => {
        const task = await this.lately(id);
        await this.#journal.remember(id, task);
        return task;
      }),
    );
  }

  /**
   * The task as the run has seen it last, where that was recently and nothing was written to it since; else read. A further
   * run of a scenario, which is to settle a doubt, reads for itself.
   */
  async #asSeenRecently(id: string): Promise<Answer> {
    const seen =
      this.#used.length === 0 ? await this.#journal.of(id).latest(recentlyMs) : undefined;
    return seen ?? (await this.look(id)).answer;
  }

  /** The last of several readings, with pauses between them that grow: that which is wanted, or the last in time. */
  async #readUntil(id: string, isWanted: (answer: Answer) => boolean): Promise<Answer> {
    const { settleMs } = this.#options;
    const began = performance.now();
    let wait = settleMs / 40;
    // The last look begins when the time is over.
    for (let lookedAt = 0; ; ) {
      const answer = await this.#api.task(id);
      if (isWanted(answer) || lookedAt >= settleMs) return answer;
      const leftMs = Math.max(0, settleMs - (performance.now() - began));
      await pause(Math.min(wait, leftMs));
      wait *= 2;
      lookedAt = performance.now() - began;
    }
  }

  /**
   * The task once it has stood still for longer than this.
   * @throws Disturbance where it does not
   */
  async #calm(id: string, { milliseconds, requests }: Span): Promise<Calm> {
    let last = (await this.look(id)).answer;
    let since = last;
    for (let reads = 1; reads < maxCalmReads; reads += 1) {
      await pause(Math.max(this.#options.settleMs, calmTrials * milliseconds));
      do {
        last = (await this.look(id)).answer;
      } while (
        versionOf(last) === versionOf(since) &&
        last.exchange.number - since.exchange.number < calmTrials * requests
      );
      if (versionOf(last) === versionOf(since)) return { answer: last, unrest: reads - 1 };
      since = last;
    }
    throw (
      this.disturbance([last]) ??
      new Inconclusive('The task changes from one read to the next.', [last])
    );
  }
}

/** How long something took. */
interface Span {
  readonly milliseconds: number;
  /** Of the whole run. */
  readonly requests: number;
}

/** A task that has stood still. */
interface Calm {
  readonly answer: Answer;
  /** How often it changed before. */
  readonly unrest: number;
}

function versionOf({ object }: Answer): unknown {
  return object?.updated_at;
}

function first<Item>([one]: readonly Item[]): Item {
  if (one === undefined) throw new Error('The pool gave no task.');
  return one;
}

function pair([one, other]: readonly Task[]): [Task, Task] {
  if (one === undefined || other === undefined) throw new Error('The pool gave no two tasks.');
  return [one, other];
}
