import { isDeepStrictEqual } from 'node:util';
import { sameId, type Task } from '../../schemas/resources.ts';
import {
  type Api,
  type Assignee,
  bodyThatAssigns,
  type Caller,
  type RawUpdate,
  type Remark,
} from '../api.ts';
import type { Answer } from '../http/answer.ts';
import { pause } from '../http/waiting.ts';
import { type Disturbance, Inconclusive } from '../outcomes.ts';
import type { Journal } from './journal.ts';
import { taskOf } from './task-answer.ts';
import type { Relation, TaskPool } from './task-pool.ts';

interface TasksOptions {
  /** The id of the user in whose name tasks are brought into a state. */
  readonly actor: string;
  /** How long a write may take to show in reads, in milliseconds. */
  readonly settleMs: number;
  /** Tasks that earlier attempts at the scenario used. Those of this attempt are added. */
  readonly used: Set<string>;
  /** Whether these are taken again, in their order; left out, others are preferred. */
  readonly onSameTasks?: boolean;
}

/** How often a write is sent again because the task has changed since it was read. */
const maxRetries = 5;

/** How often in a row a write that does not show in reads is waited for to the end. */
const maxVainWaits = 5;

/** How often a task is looked at that should stand still for a while. */
const maxCalmReads = 10;

/** How often a task is read to see the same version twice in a row. */
const maxReadings = 12;

/**
 * How old an answer may be, in milliseconds, that stands in for a new reading when a scenario takes a task. If somebody
 * has changed the task since, a write made from the answer is refused, and the task is read then.
 */
const recentlyMs = 15_000;

/** How often a change must follow the same request before it is taken for its effect. */
const trials = 5;

/** How often the task may change between these trials without the request being cleared. */
const maxUnrest = 1;

/** Before a trial the task must stand still for this many times the length of the last trial. */
const calmTrials = 2;

/** The tasks of one scenario: leased when it asks for them, in the state that it wants, and given back at its end. */
export class Tasks {
  readonly #pool: TaskPool;
  readonly #journal: Journal;
  readonly #api: Api;
  readonly #options: TasksOptions;
  readonly #leased: string[] = [];
  readonly #isFirst: boolean;
  /** Tasks that are taken once more, in this order: what is wrong may be so of them alone. */
  readonly #again: string[];
  /** Tasks that are taken only where there are no others. */
  readonly #avoided: readonly string[];

  constructor(pool: TaskPool, journal: Journal, api: Api, options: TasksOptions) {
    this.#pool = pool;
    this.#journal = journal;
    this.#api = api;
    this.#options = options;
    this.#isFirst = options.used.size === 0;
    const [again, avoided] = options.onSameTasks ? [options.used, []] : [[], options.used];
    this.#again = [...again];
    this.#avoided = [...avoided];
  }

  /** Leases a task, in whatever state it is. @returns the task as just read */
  async any(): Promise<Task> {
    return await this.#asLeased(await this.#takeOne());
  }

  /** Leases a task while no other scenario has any, until `share`: for effects of a write elsewhere, such as email. */
  async alone(): Promise<Task> {
    const [id] = await this.#hold(this.#pool.takeAll());
    return await this.#asLeased(id);
  }

  /** Gives back the tasks that were taken to be alone; from now on no scenario of the run needs to be alone. */
  share(): void {
    // The first is the one that the scenario writes to.
    this.#pool.giveBack(this.#leased.splice(1));
    this.#pool.share();
  }

  /** Leases two tasks, in whatever state they are; related if possible. @returns both as just read */
  async two(relation: Relation): Promise<[Task, Task]> {
    await this.#seeAll();
    const [first, second] = this.#again.splice(0, 2);
    const [one, other] = await this.#hold(
      first !== undefined && second !== undefined
        ? this.#pool.takeThese([first, second])
        : this.#pool.takeTwo(relation, this.#avoided),
    );
    return await Promise.all([this.#asLeased(one), this.#asLeased(other)]);
  }

  /**
   * Assigns a leased task, also where it is assigned as wanted; or unassigns it (null) where it is assigned.
   * @returns the task as read afterwards
   * @throws Disturbance or Inconclusive if it then shows something else
   */
  async bringTo(task: Task, to: Assignee | null, remark: Partial<Remark> = {}): Promise<Task> {
    if (to === null && task.assignment === null) return task;
    // Short: how long a comment may be is open.
    const comment = to && { comment: `Contract test ${this.#journal.newMark()}` };
    const by = this.#options.actor;
    const { answer } = await this.assign(task, to, { by, ...comment, ...remark });
    const read = await this.seen(task.id);
    const after = taskOf(read);
    const now = after.assignment;
    if (to === null ? now === null : sameId(now?.assigned_to_id, to.id)) return after;
    const wanted = to ? `assigned to a ${to.type.toLowerCase()}` : 'unassigned';
    const why = `The scenario needs a task that is ${wanted}, and ${answer.request} did not bring it into that state: it gave ${answer.status}.`;
    throw this.disturbance([read]) ?? new Inconclusive(why, [answer]);
  }

  /** Gives a leased task the assignment that it had in an earlier read. @returns the task as read afterwards */
  async bringBack({ id: taskId, assignment }: Task): Promise<Task> {
    const task = await this.read(taskId);
    if (isDeepStrictEqual(assignment, task.assignment)) return task;
    if (assignment === null) return await this.bringTo(task, null);
    const { assigned_to_id: id, assigned_to_type: type, assignment_comment: comment } = assignment;
    return await this.bringTo(task, { id, type }, { comment });
  }

  /**
   * Assigns a task to somebody, or to nobody (null). Refused with 409, or wrongly with 412, because somebody or a
   * workflow has changed the task since, the write is sent again with the version read then.
   * @returns the last answer, and the task that its write was made from
   * @throws Disturbance where somebody else changes the task before each of these writes
   */
  async assign(
    task: Task,
    to: Assignee | null,
    { by, comment, order, ...form }: Remark & Pick<RawUpdate, 'contentType'>,
    caller: Caller = {},
  ): Promise<{ readonly before: Task; readonly answer: Answer }> {
    const sent = { body: bodyThatAssigns(to, { by, comment, order }), ...form };
    let before = task;
    for (let retries = 0; ; retries += 1) {
      const update = { ifMatch: before.updated_at, ...sent };
      const answer = await this.#api.update(task.id, update, caller);
      if (answer.status !== 409 && answer.status !== 412) return { before, answer };
      const read = await this.readPast(before);
      if (versionOf(read) === before.updated_at || !read.succeeded) return { before, answer };
      const moved = this.#journal.disturbanceIn([read.exchange.number]);
      if (retries === maxRetries && moved !== undefined) throw moved;
      if (retries === maxRetries) return { before, answer };
      before = taskOf(read);
    }
  }

  /** A leased task, as `seen`. @throws Inconclusive where there is no task */
  async lately(id: string): Promise<Task> {
    return taskOf(await this.seen(id));
  }

  /**
   * An answer of the last seconds that shows a task as it is, or else a new one; for any task, leased by the scenario or
   * not. A further run of a scenario, which has a doubt to settle, always reads anew.
   */
  async seen(id: string): Promise<Answer> {
    const seen = this.#isFirst ? await this.#journal.of(id).latest(recentlyMs) : undefined;
    return seen ?? (await this.look(id)).answer;
  }

  /** The entity id of any task, leased or not, by the run's first read of it; a wrong target may give any value. */
  async entityOf(id: string): Promise<unknown> {
    return (this.#journal.of(id).firstRead ?? (await this.seen(id)).object)?.entity_id;
  }

  /** Reads a task, as `look` does. @throws Inconclusive where the answer holds no task */
  async read(id: string): Promise<Task> {
    return taskOf((await this.look(id)).answer);
  }

  /**
   * Reads a task until it shows what the run wrote, for as long as a write may take to show in reads.
   * @returns the last answer, and whether any answer was late: did not show what the run wrote
   */
  async look(
    id: string,
    caller: Caller = {},
  ): Promise<{ readonly answer: Answer; readonly isLate: boolean }> {
    let isLate = false;
    const isWanted = (one: Answer): boolean => {
      const isStale = this.#journal.of(id).isStale(one);
      isLate ||= isStale;
      return !isStale;
    };
    return { answer: await this.#readUntil(id, isWanted, caller), isLate };
  }

  /** Reads a task until it shows another version than the given one, for as long as a write may take to show. */
  async readPast({ id, updated_at: version }: Task): Promise<Answer> {
    return await this.#readUntil(id, (one) => versionOf(one) !== version);
  }

  /**
   * Takes a task that no other scenario writes to, and reads it until two readings in a row show the same version:
   * somebody else may change it between them. If no two do, reading itself makes versions: a fault.
   * @returns the two readings to compare: of the same version, or the first two where there are none
   */
  async readTwice(): Promise<{ first: Answer; second: Answer }> {
    const id = await this.#takeOne();
    const first = await this.seen(id);
    this.#journal.of(id).watch(taskOf(first));
    const readings: Answer[] = [];
    for (let last = first; readings.length < maxReadings; ) {
      const next = (await this.look(id)).answer;
      if (versionOf(last) === versionOf(next)) return { first: last, second: next };
      readings.push(next);
      last = next;
    }
    this.#journal.of(id).attribute(readings);
    return { first, second: readings[0] ?? first };
  }

  /**
   * Finds out whether a change to a task follows from what a scenario does, or is somebody else's. The attempt is made
   * several times, each time after the task has stood still for twice as long as the last attempt took, in time and in
   * requests of the run, and for as long as a write may take to show.
   * @param id of the task that may change
   * @param attempt does it once, on the task as it then is, and reads the task
   * @param earlier answers that show the run's own changes too, if the change follows from the attempt
   * @param cause what is wrong with the target then
   * @returns the first trial that did not change the task; else the last one: the change follows from the attempt
   */
  async tryAgain<Trial extends { readonly read: Answer }>(
    id: string,
    attempt: (task: Task) => Promise<Trial>,
    isChanged: (trial: Trial) => boolean,
    earlier: readonly Answer[] = [],
    cause?: string,
  ): Promise<Trial> {
    const reads: Answer[] = [];
    let lasted: Span = { milliseconds: 0, requests: 1 };
    let unrest = 0;
    for (;;) {
      const calm = await this.#calm(id, lasted);
      unrest += calm.unrest;
      const began = performance.now();
      const before = taskOf(calm.answer);
      this.#journal.of(id).watch(before);
      const trial = await attempt(before);
      lasted = {
        milliseconds: performance.now() - began,
        requests: trial.read.exchange.number - calm.answer.exchange.number,
      };
      // Either nothing changed, or the change is surely not somebody else's: no further trial is needed.
      if (!isChanged(trial) || this.disturbance([trial.read]) === undefined) return trial;
      reads.push(trial.read);
      if (reads.length < trials) continue;
      // A task that often changes without an attempt may change in each of five attempts by chance: no proof. Nor is there one
      // where it changes after as long without one, as by a job that runs every few seconds.
      const still = await this.#calm(id, lasted);
      const after = await this.#lookAfter(id, still.answer, lasted);
      unrest += still.unrest;
      if (unrest <= maxUnrest && versionOf(after) === versionOf(still.answer)) {
        this.#journal.of(id).attribute([...earlier, ...reads]);
        if (cause) this.#journal.causes.add(cause);
      }
      return trial;
    }
  }

  /**
   * Makes an attempt that should not change a task; goes on as `tryAgain` if somebody else may have changed it. Once trials
   * have shown that a cause has such an effect, a change after it is its effect too, but for another assignment, which a
   * person may have made.
   * @param cause as for `tryAgain`
   */
  async trial<Trial extends { readonly read: Answer }>(
    task: Task,
    attempt: (task: Task) => Promise<Trial>,
    isChanged: (trial: Trial) => boolean,
    cause?: string,
  ): Promise<Trial> {
    // The version counts as known, whoever made it: a change without a new version is not somebody else's doing.
    this.#journal.of(task.id).watch(task);
    const trial = await attempt(task);
    const isDoubtful = isChanged(trial) && this.disturbance([trial.read]) !== undefined;
    if (!isDoubtful) return trial;
    const isAssignedAsBefore = isDeepStrictEqual(trial.read.object?.assignment, task.assignment);
    if (cause && this.#journal.causes.has(cause) && isAssignedAsBefore) {
      this.#journal.of(task.id).attribute([trial.read]);
      return trial;
    }
    return await this.tryAgain(task.id, attempt, isChanged, [trial.read], cause);
  }

  /** How somebody else changed a task that the answers show, to be thrown; undefined where nobody else did. */
  disturbance(answers: readonly Answer[]): Disturbance | undefined {
    return this.#journal.disturbanceIn(answers.map(({ exchange }) => exchange.number));
  }

  /**
   * A leased task as the run saw it before its first write, or as somebody else left it since.
   * @throws Inconclusive where the given task is none that the run has leased: a read gave another task
   */
  firstSeen({ id }: Task): Task {
    const task = this.#journal.of(id).first;
    if (task === undefined)
      throw new Inconclusive('A read gave another task than the one that was asked for.');
    return task;
  }

  giveBack(): void {
    this.#pool.giveBack(this.#leased.splice(0));
  }

  /** Reads the tasks that the run has not read yet, so that the pool knows their entities and assessments. */
  async #seeAll(): Promise<void> {
    const unseen = this.#pool.ids.filter((id) => this.#journal.of(id).firstRead === undefined);
    await Promise.all(unseen.map((id) => this.seen(id)));
  }

  async #takeOne(): Promise<string> {
    const again = this.#again.shift();
    const [id] = await this.#hold(
      again === undefined ? this.#pool.take(this.#avoided) : this.#pool.takeThese([again]),
    );
    return id;
  }

  /** Notes the tasks that the pool gives as leased, and as used by the scenario. */
  async #hold<Ids extends readonly string[]>(taken: Promise<Ids>): Promise<Ids> {
    const ids = await taken;
    this.#leased.push(...ids);
    for (const id of ids) this.#options.used.add(id);
    return ids;
  }

  /** A task as read, when the journal remembers how it is before the first write. */
  async #asLeased(id: string): Promise<Task> {
    const task = await this.lately(id);
    await this.#journal.of(id).remember(task);
    return task;
  }

  /**
   * Reads a task, with growing pauses, until an answer is wanted or `settleMs` is over: much sooner where that was waited
   * for in vain again and again, as where writes are answered with 200 that are not carried out.
   * @returns the last answer
   */
  async #readUntil(
    id: string,
    isWanted: (answer: Answer) => boolean,
    caller: Caller = {},
  ): Promise<Answer> {
    const { settleMs } = this.#options;
    const { waitedInVain } = this.#journal;
    const patienceMs = waitedInVain < maxVainWaits ? settleMs : settleMs / 16;
    const began = performance.now();
    let wait = settleMs / 40;
    // The last read begins when the time is over: a change that shows at the very end is still seen.
    for (let lookedAt = 0; ; ) {
      const answer = await this.#api.task(id, caller);
      const isShown = isWanted(answer);
      if (isShown && lookedAt > 0) this.#journal.waitedInVain = 0;
      if (isShown) return answer;
      if (lookedAt >= patienceMs) {
        this.#journal.waitedInVain = waitedInVain + 1;
        return answer;
      }
      const leftMs = Math.max(0, patienceMs - (performance.now() - began));
      await pause(Math.min(wait, leftMs));
      wait *= 2;
      lookedAt = performance.now() - began;
    }
  }

  /**
   * Waits until a task has stood still for longer than a span, in time and in requests of the run.
   * @returns the last answer, and how often the task changed before it stood still
   * @throws Disturbance, or Inconclusive, where it does not in `maxCalmReads` looks
   */
  async #calm(id: string, { milliseconds, requests }: Span) {
    let last = (await this.look(id)).answer;
    for (let reads = 1; reads < maxCalmReads; reads += 1) {
      const since = last;
      last = await this.#lookAfter(id, since, {
        milliseconds: Math.max(this.#options.settleMs, calmTrials * milliseconds),
        requests: calmTrials * requests,
      });
      if (versionOf(last) === versionOf(since)) return { answer: last, unrest: reads - 1 };
    }
    throw (
      this.disturbance([last]) ??
      new Inconclusive('The task changes from one read to the next.', [last])
    );
  }

  /** Reads a task after a span, in time and in requests of the run; sooner where it has changed. */
  async #lookAfter(id: string, since: Answer, { milliseconds, requests }: Span): Promise<Answer> {
    await pause(milliseconds);
    for (;;) {
      const { answer } = await this.look(id);
      const sent = answer.exchange.number - since.exchange.number;
      if (versionOf(answer) !== versionOf(since) || sent >= requests) return answer;
    }
  }
}

interface Span {
  readonly milliseconds: number;
  /** How many requests the whole run sent meanwhile. */
  readonly requests: number;
}

function versionOf({ object }: Answer): unknown {
  return object?.updated_at;
}
