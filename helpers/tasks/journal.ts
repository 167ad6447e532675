import { isDeepStrictEqual } from 'node:util';
import type { Task } from '../../schemas/task.ts';
import type { Answer } from '../http/answer.ts';
import type { Disturbance } from '../outcomes.ts';
import { markOf, newRun, runsIn } from './marks.ts';
import { type AssignmentFields, assignmentFields, stateIn, type TaskState } from './task-answer.ts';
import { type Entry, TaskLog, unknownWrite } from './task-log.ts';

/** Where entries are kept. */
export interface EntryStore {
  append(entry: Entry): void;
  /** Resolves when everything appended so far would survive the end of the machine. */
  flush(): Promise<void>;
}

/** A version of a task that somebody else made, in an answer. */
interface Foreign {
  readonly log: TaskLog;
  readonly version: string;
  readonly disturbance: Disturbance;
}

/**
 * What a run remembers of the tasks that it writes to, so that they can be put back and nobody else's change is taken
 * for the target's fault, or overwritten. `Api` tells the journal of every read and write; it appends
 * entries, which `contract/journal.ts` keeps on disk.
 */
export class Journal {
  readonly #store: EntryStore | undefined;
  /** By id in small letters: in which case ids are written is open. */
  readonly #logs: Map<string, TaskLog>;
  /** By the number of the exchange that showed it. */
  readonly #foreign = new Map<number, Foreign>();
  /** Bodies of writes to ids that the target should not know: a wrong one may write them to another task. */
  readonly #misdirected: string[] = [];
  /** Writes that were answered with the task, and after which it was not read yet. */
  readonly #unread = new Map<TaskLog, { readonly kind: string; readonly answer: Answer }>();
  /** The kinds of writes of which a read has shown that the answer is the task as it is then. */
  readonly #telling = new Set<string>();
  /** Whether a read has shown something else than the answer to the write before it. */
  #areAnswersDoubtful = false;
  /** Versions in which tasks were found unassigned right after a write that was to do so and was refused. */
  readonly #unassigned: { readonly log: TaskLog; readonly version: string }[] = [];
  /** Whether it has turned out that the target carries out such writes. */
  #carriesOutRefused = false;
  #writes: number;
  readonly #run = newRun();
  #marks = 0;
  /** Called when another run of the suite is seen to have assigned a task that is to be put back. */
  onOtherRun: () => void = () => {};

  /**
   * @param store where entries survive the process; without one the tasks are thrown away after the run
   * @param logs of an earlier run, which this one goes on with
   */
  constructor(store?: EntryStore, logs: ReadonlyMap<string, TaskLog> = new Map()) {
    this.#store = store;
    this.#logs = new Map(Array.from(logs, ([id, log]) => [id.toLowerCase(), log]));
    this.#writes = Math.max(0, ...Array.from(logs.values(), ({ lastNumber }) => lastNumber));
  }

  /** What is known of a task. */
  of(taskId: string): TaskLog {
    const key = taskId.toLowerCase();
    const log = this.#logs.get(key) ?? new TaskLog(taskId);
    this.#logs.set(key, log);
    return log;
  }

  /** The tasks that the run may have changed. */
  get written(): TaskLog[] {
    return [...this.#logs.values()].filter(({ lastNumber }) => lastNumber > 0);
  }

  /** A mark for a comment, unlike any other. */
  newMark(): string {
    this.#marks += 1;
    return markOf(this.#run, this.#marks);
  }

  /** The tasks that were seen with a comment of another run of the suite, and how they were then, by id. */
  get ofOtherRuns(): ReadonlyMap<string, TaskState> {
    const seen = [...this.#logs.values()].map(({ id, ofOtherRun }) => [id, ofOtherRun] as const);
    return new Map(seen.flatMap(([id, state]) => (state === undefined ? [] : [[id, state]])));
  }

  /** A task showed another run's comment in a read that lagged behind. */
  forgetOtherRun(taskId: string): void {
    const unknown = { ofOtherRun: undefined, firstRead: undefined, latestAnswer: undefined };
    Object.assign(this.of(taskId), unknown);
  }

  /** Whether another run of the suite made an assignment: its mark is neither of this run nor of one that this goes on with. */
  isOfAnotherRun(assignment: AssignmentFields | null): boolean {
    const runs = runsIn(`${assignment?.assignment_comment}`);
    const isKnown = (run: string): boolean =>
      run === this.#run || this.written.some((log) => log.isOf(run));
    return runs.length > 0 && !runs.some(isKnown);
  }

  /**
   * Whether the run asked for an assignment with a mark, for whatever task: a wrong target may carry out on one what was
   * written to another, or have one assignment for all.
   */
  hasAskedFor(assignment: AssignmentFields | null): boolean {
    return (
      runsIn(`${assignment?.assignment_comment}`).length > 0 &&
      this.written.some((log) => log.hasAskedFor(assignment))
    );
  }

  /** Notes a state that the run did not make, where another run did. */
  #lookForOthers(log: TaskLog, state: TaskState): void {
    // Tasks that are thrown away after the run are nobody else's.
    if (this.#store === undefined || !this.isOfAnotherRun(state.assignment)) return;
    log.ofOtherRun = state;
    this.onOtherRun();
  }

  /**
   * To be called when a scenario takes a task, with the task as just read: its version is nobody's doing while the
   * scenario has it.
   */
  watch(taskId: string, task: Task): void {
    const log = this.of(taskId);
    const isMet = log.first !== undefined && log.isKnown(task.updated_at);
    log.watch(task);
    if (!isMet) this.#lookForOthers(log, stateOf(task));
  }

  /** Keeps what there is before the first write; has reached the disk when the promise resolves. */
  async remember(taskId: string, task: Task): Promise<void> {
    this.watch(taskId, task);
    const log = this.of(taskId);
    if (log.isRemembered) return;
    // What the run itself has made of it, through another task, was not there before.
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
    this.#unread.delete(log);
    log.latestAnswer = undefined;
    log.ifMatch = ifMatch;
    const seen = log.latestVersion;
    const entry = { task: log.id, asks: body, number: this.#writes };
    this.#append(log, seen === undefined ? entry : { ...entry, seen });
    if (!log.isRemembered) this.#misdirected.push(body);
    return this.#writes;
  }

  /**
   * To be called when a write has been answered.
   * @param body of the write; left out of one of several that were sent in the same moment
   */
  afterWrite(taskId: string, number: number, answer: Answer, body?: string): void {
    const log = this.of(taskId);
    log.latestAnswer = undefined;
    if (log.keepAnswer(number, answer) && body !== undefined) {
      const kind = kindOfWrite(body);
      this.#unread.set(log, { kind, answer });
      if (!this.#areAnswersDoubtful && this.#telling.has(kind))
        log.latestAnswer = { answer: Promise.resolve(answer), at: performance.now() };
    }
    const { version = null } = stateIn(answer, taskId) ?? {};
    // A success without a version leaves open which version it made; a failure, whether it made one.
    if (version === null && (answer.succeeded || answer.status >= 500)) return;
    this.#append(log, { task: log.id, answered: number, version });
  }

  /** To be called when a task is read with the usual headers: until it is written to, the answer may stand in for another read. */
  beforeRead(taskId: string, answer: Promise<Answer>): void {
    const latest: TaskLog['latestAnswer'] = { answer };
    this.of(taskId).latestAnswer = latest;
    const arrive = (): void => {
      latest.at = performance.now();
    };
    answer.then(arrive, arrive);
  }

  /** To be called when a task has been read. */
  afterRead(taskId: string, answer: Answer): void {
    const state = stateIn(answer, taskId);
    if (state === undefined) return;
    const { version, assignment } = state;
    const log = this.of(taskId);
    // The cast: judges look at the fields through the schema.
    const task = answer.object as unknown as Task;
    log.firstRead ??= task;
    if (log.first === undefined) {
      this.#lookForOthers(log, state);
      return;
    }
    this.#compareWithWrite(log, answer);
    // An older version may be read late: by a scenario that only reads, or where reads lag behind writes.
    const isNew = !log.hasSeen(version);
    if (isNew && log.isOwn(state, this.#misdirected)) this.#attribute(log, version);
    if (!log.isKnown(version)) {
      this.#lookForOthers(log, state);
      const disturbance = log.disturbance(state, answer);
      this.#foreign.set(answer.exchange.number, { log, version, disturbance });
      const isOfARun = this.isOfAnotherRun(assignment) || this.hasAskedFor(assignment);
      if (isNew && log.isReassigned(state) && !isOfARun && !log.mayHaveMade(state)) {
        this.#append(log, { task: log.id, found: state });
        if (assignment === null && log.isToBeUnassigned) {
          this.#unassigned.push({ log, version });
          if (this.#carriesOutRefused) this.#attributeUnassigned();
        }
      }
      if (isNew) log.first = task;
    }
    log.keepRead(version, answer, isNew);
  }

  /**
   * Says that the run made the versions which answers show, whatever became of its writes: it was tried, and each
   * time they followed from a request of its own.
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

  /** What was tried on one task tells what became of the others. */
  #attributeUnassigned(): void {
    for (const { log, version } of this.#unassigned.splice(0)) this.#attribute(log, version);
  }

  #attribute(log: TaskLog, version: string): void {
    if (log.isKnown(version) && !log.isFound(version)) return;
    this.#append(log, { task: log.id, answered: unknownWrite, version });
    log.own(version);
  }

  /**
   * How somebody else changed the tasks that answers show; undefined where they show only versions that were there
   * when the tasks were leased, or that the run made.
   * @param exchanges the numbers of the answers
   */
  disturbanceIn(exchanges: readonly number[]): Disturbance | undefined {
    const found = exchanges.flatMap((number) => this.#foreign.get(number) ?? []);
    return found.find(({ log, version }) => !log.isKnown(version))?.disturbance;
  }

  #compareWithWrite(log: TaskLog, { object }: Answer): void {
    const write = this.#unread.get(log);
    if (write === undefined) return;
    this.#unread.delete(log);
    if (isDeepStrictEqual(write.answer.object, object)) this.#telling.add(write.kind);
    else this.#areAnswersDoubtful = true;
  }

  #append(log: TaskLog, entry: Entry): void {
    // A task that was never remembered is one that the target does not know.
    if (!log.isRemembered) return;
    this.#store?.append(entry);
    log.add(entry);
  }
}

/** Writes of one kind are answered alike: to a user or a team, with a comment, with null in its place, or without. */
function kindOfWrite(body: string): string {
  const isOne = (text: string): boolean => body.includes(text);
  const to = ['unassign', 'TEAM', 'USER'].find((one) => isOne(`"${one}"`)) ?? '';
  const comment = ['":null', '":""', '":"'].find((one) => isOne(`"assignment_comment${one}`)) ?? '';
  return to + comment;
}

function stateOf({ updated_at: version, assignment }: Task): TaskState {
  return { version, assignment: assignmentFields(assignment) };
}
