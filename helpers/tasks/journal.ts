import type { Task } from '../../schemas/resources.ts';
import type { Answer } from '../http/answer.ts';
import type { Disturbance } from '../outcomes.ts';
import { markOf, newRun, runsIn } from './marks.ts';
import { type AssignmentFields, assignmentFields, stateIn, type TaskState } from './task-answer.ts';
import { type Entry, TaskLog, unknownWrite } from './task-log.ts';

/** Where the entries of a journal are kept: on disk, in `contract/journal.ts`. */
export interface EntryStore {
  append(entry: Entry): void;
  /** Resolves when everything appended so far would survive the end of the machine. */
  flush(): Promise<void>;
}

/** An answer that showed a version of a task that somebody else made. */
interface Foreign {
  readonly log: TaskLog;
  readonly version: string;
  readonly disturbance: Disturbance;
}

/**
 * What a run remembers of the tasks that it writes to, so that it can put them back, and neither takes somebody else's
 * change for the target's fault nor overwrites it. `Api` reports every read and write to the journal.
 */
export class Journal {
  readonly #store: EntryStore | undefined;
  /** By id in small letters: the document leaves open in which case ids are written. */
  readonly #logs = new Map<string, TaskLog>();
  /** Versions that somebody else made, by the number of the exchange that showed them. */
  readonly #foreign = new Map<number, Foreign>();
  /** Bodies of writes to ids that do not exist: a wrong target may carry them out on another task. */
  readonly #misdirected: string[] = [];
  /** Versions in which tasks were found unassigned after a refused write that asked for it: perhaps the run's own. */
  readonly #unassigned: { readonly log: TaskLog; readonly version: string }[] = [];
  /** Whether it has turned out that the target unassigns tasks by writes that it refuses. */
  #carriesOutRefused = false;
  /** What has been shown to change tasks, though it must not: see `Tasks.trial`. */
  readonly causes = new Set<string>();
  /** How often in a row a change that was waited for did not come to show in reads: see `Tasks`. */
  waitedInVain = 0;
  #writes: number;
  readonly #run = newRun();
  #marks = 0;
  /** Called when another run of the suite is seen to have assigned a task that is to be put back. */
  onOtherRun: () => void = () => {};

  /**
   * @param store keeps entries when the process ends; left out where the tasks are thrown away after the run
   * @param entries of an earlier run, whose tasks this run puts back
   */
  constructor(store?: EntryStore, entries: readonly Entry[] = []) {
    this.#store = store;
    for (const entry of entries) this.of(entry.task).add(entry);
    this.#writes = Math.max(0, ...this.written.map(({ lastNumber }) => lastNumber));
  }

  /** What is known of a task, whatever the case of its id; an empty log where nothing is. */
  of(taskId: string): TaskLog {
    const key = taskId.toLowerCase();
    const log = this.#logs.get(key) ?? new TaskLog(taskId);
    this.#logs.set(key, log);
    return log;
  }

  /** The logs of the tasks to which a write was sent. */
  get written(): TaskLog[] {
    return [...this.#logs.values()].filter(({ lastNumber }) => lastNumber > 0);
  }

  /** A mark for a comment, unlike any other. */
  newMark(): string {
    this.#marks += 1;
    return markOf(this.#run, this.#marks);
  }

  /** By task id, the states that showed a comment with a mark of another run of the suite. */
  get ofOtherRuns(): ReadonlyMap<string, TaskState> {
    const seen = [...this.#logs.values()].map(({ id, ofOtherRun }) => [id, ofOtherRun] as const);
    return new Map(seen.flatMap(([id, state]) => (state === undefined ? [] : [[id, state]])));
  }

  /** Forgets that a task showed another run's comment: that was a late read. */
  forgetOtherRun(taskId: string): void {
    const unknown = { ofOtherRun: undefined, firstRead: undefined, latestAnswer: undefined };
    Object.assign(this.of(taskId), unknown);
  }

  /** Whether another run of the suite made an assignment: its mark is of no run whose writes this journal knows. */
  isOfAnotherRun(assignment: AssignmentFields | null): boolean {
    const runs = runsIn(`${assignment?.assignment_comment}`);
    const isKnown = (run: string): boolean =>
      run === this.#run || this.written.some((log) => log.isOf(run));
    return runs.length > 0 && !runs.some(isKnown);
  }

  /**
   * Whether the run asked for this assignment, which has a mark, for any of its tasks: a wrong target may carry out a
   * write on another task, or keep one assignment for all tasks.
   */
  hasAskedFor(assignment: AssignmentFields | null): boolean {
    return (
      runsIn(`${assignment?.assignment_comment}`).length > 0 &&
      this.written.some((log) => log.hasAskedFor(assignment))
    );
  }

  /** Notes a state as another run's where its comment has a mark of that run, and calls `onOtherRun`. */
  #lookForOthers(log: TaskLog, state: TaskState): void {
    // Tasks that are thrown away after the run are nobody else's.
    if (this.#store === undefined || !this.isOfAnotherRun(state.assignment)) return;
    log.ofOtherRun = state;
    this.onOtherRun();
  }

  /** To be called when a scenario takes a task, as just read: its version is then nobody else's change. */
  watch(taskId: string, task: Task): void {
    const log = this.of(taskId);
    const isMet = log.first !== undefined && log.isKnown(task.updated_at);
    log.watch(task);
    if (!isMet) this.#lookForOthers(log, stateOf(task));
  }

  /** Notes the state of a task before its first write; it has reached the disk when the promise resolves. */
  async remember(taskId: string, task: Task): Promise<void> {
    this.watch(taskId, task);
    const log = this.of(taskId);
    if (log.isRemembered) return;
    // A wrong target may have carried out on this task what the run wrote to another: then its first read counts.
    const isOwn = this.hasAskedFor(stateOf(task).assignment);
    const entry = { task: log.id, before: stateOf((isOwn && log.firstRead) || task) };
    this.#store?.append(entry);
    await this.#store?.flush();
    log.add(entry);
  }

  /** To be called before a write is sent. @returns the number of the write */
  beforeWrite(taskId: string, body: string, ifMatch: string | null = null): number {
    this.#writes += 1;
    const log = this.of(taskId);
    log.latestAnswer = undefined;
    log.ifMatch = ifMatch;
    const seen = log.latestVersion;
    const entry = { task: log.id, asks: body, number: this.#writes };
    this.#append(log, seen === undefined ? entry : { ...entry, seen });
    if (!log.isRemembered) this.#misdirected.push(body);
    return this.#writes;
  }

  /** To be called when a write has been answered. */
  afterWrite(taskId: string, number: number, answer: Answer): void {
    const log = this.of(taskId);
    log.latestAnswer = undefined;
    log.keepAnswer(number, answer);
    const { version = null } = stateIn(answer, taskId) ?? {};
    // A success without a version leaves open which version it made; a failure, whether it made one.
    if (version === null && (answer.succeeded || answer.status >= 500)) return;
    this.#append(log, { task: log.id, answered: number, version });
  }

  /** To be called before a read with the usual headers: its answer may stand in for others until the next write. */
  beforeRead(taskId: string, answer: Promise<Answer>): void {
    this.of(taskId).latestAnswer = { answer, at: performance.now() };
  }

  /** To be called when a task has been read: learns its version, and whether the run or somebody else made it. */
  afterRead(taskId: string, answer: Answer): void {
    const state = stateIn(answer, taskId);
    if (state === undefined) return;
    const { version } = state;
    const log = this.of(taskId);
    // The cast: judges look at the fields through the schema.
    const task = answer.object as unknown as Task;
    log.firstRead ??= task;
    if (log.first === undefined) {
      this.#lookForOthers(log, state);
      return;
    }
    // A version that was seen before may show late, as where reads lag behind writes: it is not new.
    const isNew = log.makerOf(version) === undefined;
    if (isNew && log.isOwn(state, this.#misdirected)) this.#attribute(log, version);
    if (!log.isKnown(version)) {
      this.#lookForOthers(log, state);
      const disturbance = log.disturbance(state, answer);
      this.#foreign.set(answer.exchange.number, { log, version, disturbance });
      if (isNew) this.#noteFound(log, state);
      if (isNew) log.first = task;
    }
    log.keepRead(version, answer, isNew);
  }

  /** Notes a new state as somebody else's, which is to be put back, unless a run of the suite may have made it. */
  #noteFound(log: TaskLog, state: TaskState): void {
    const { version, assignment } = state;
    const isOfARun = this.isOfAnotherRun(assignment) || this.hasAskedFor(assignment);
    if (!log.isReassigned(state) || isOfARun || log.mayHaveMade(state)) return;
    this.#append(log, { task: log.id, found: state });
    if (assignment !== null || !log.isToBeUnassigned) return;
    this.#unassigned.push({ log, version });
    if (this.#carriesOutRefused) this.#attributeUnassigned();
  }

  /**
   * Notes that the run made the versions which these answers show, whatever became of its writes: trials have shown
   * that they follow from its own requests (`Tasks.tryAgain`).
   */
  attribute(taskId: string, answers: readonly Answer[]): void {
    const log = this.of(taskId);
    const versions = answers.flatMap((answer) => stateIn(answer, taskId)?.version ?? []);
    for (const version of versions) this.#attribute(log, version);
    if (this.#unassigned.some((one) => one.log === log && versions.includes(one.version))) {
      this.#carriesOutRefused = true;
      this.#attributeUnassigned();
    }
  }

  /** Attributes to the run every task found unassigned after a refused write, since one task has shown the fault. */
  #attributeUnassigned(): void {
    for (const { log, version } of this.#unassigned.splice(0)) this.#attribute(log, version);
  }

  #attribute(log: TaskLog, version: string): void {
    if (log.isKnown(version) && !log.isFound(version)) return;
    this.#append(log, { task: log.id, answered: unknownWrite, version });
    log.own(version);
  }

  /**
   * The first change by somebody else that answers show; undefined where they show only versions that the run made, or
   * that were there when it took the tasks.
   * @param exchanges the numbers of the exchanges of these answers
   */
  disturbanceIn(exchanges: readonly number[]): Disturbance | undefined {
    const foreign = exchanges.flatMap((number) => this.#foreign.get(number) ?? []);
    return foreign.find(({ log, version }) => !log.isKnown(version))?.disturbance;
  }

  #append(log: TaskLog, entry: Entry): void {
    // A write to a task that was never remembered has an id that does not exist: there is nothing to put back.
    if (!log.isRemembered) return;
    this.#store?.append(entry);
    log.add(entry);
  }
}

function stateOf({ updated_at: version, assignment }: Task): TaskState {
  return { version, assignment: assignmentFields(assignment) };
}
