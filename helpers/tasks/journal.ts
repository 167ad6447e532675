import { isDeepStrictEqual } from 'node:util';
import { sameId, type Task, taskFields } from '../../schemas/resources.ts';
import type { Answer } from '../http/answer.ts';
import { jsonObject } from '../json.ts';
import { remembered } from '../maps.ts';
import { Disturbance } from '../outcomes.ts';
import { markOf, newRun, runsIn } from './marks.ts';
import {
  type AssignmentFields,
  assignmentFields,
  describeAssignment,
  sameAssignment,
  stateIn,
  type TaskState,
} from './task-answer.ts';
import { instantOf } from './versions.ts';

/** What a run notes of a task, in the order in which it happens. The fields are those of the lines on disk (JSON). */
export type Entry =
  /** Noted before the first write: the state that is to be put back. */
  | { readonly task: string; readonly before: TaskState }
  /** A write is about to be sent: its body, its number among the writes to the task, and the version last seen. */
  | {
      readonly task: string;
      readonly asks: string;
      readonly number: number;
      readonly seen?: string;
    }
  /** The write of this number was answered; with the version that it made, or null where it was not carried out. */
  | { readonly task: string; readonly answered: number; readonly version: string | null }
  /** Somebody else was found to have changed the task: from now on this state is to be put back. */
  | { readonly task: string; readonly found: TaskState };

/** Stands for a write's number where the run made a version, and it is not known by which write. */
const unknownWrite = 0;

/**
 * What a run remembers of the tasks that it writes to, so that it can put them back, and neither takes somebody else's
 * change for the target's fault nor overwrites it. `Api` reports every read and write to the log of the task. Where tasks
 * are thrown away after the run it is kept in memory alone; otherwise on disk (`JournalFile`).
 */
export class Journal {
  readonly isKept: boolean = false;
  /** By id in small letters: the document leaves open in which case ids are written. */
  readonly #logs = new Map<string, TaskLog>();
  /** By the number of an exchange that showed a version which somebody else made: that, unless it was the run after all. */
  readonly foreign = new Map<number, () => Disturbance | undefined>();
  /** Bodies of writes to ids that do not exist: a wrong target may carry them out on another task. */
  readonly misdirected: string[] = [];
  /** Whether it has turned out that the target unassigns tasks by writes that it refuses. */
  #carriesOutRefused = false;
  /** What has been shown to change tasks, though it must not: see `Tasks.trial`. */
  readonly causes = new Set<string>();
  /** How often in a row a change that was waited for did not come to show in reads: see `Tasks`. */
  waitedInVain = 0;
  readonly #run = newRun();
  #marks = 0;
  /** Called when another run of the suite is seen to have assigned a task that is to be put back. */
  onOtherRun: () => void = () => {};

  /** Keeps an entry for when the process has ended. */
  append(_: Entry): void {}

  /** Resolves when everything appended so far would survive the end of the machine. */
  async flush(): Promise<void> {}

  /** What is known of a task, whatever the case of its id; an empty log where nothing is. */
  of(taskId: string): TaskLog {
    return remembered(this.#logs, taskId.toLowerCase(), () => new TaskLog(taskId, this));
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

  /** Whether another run of the suite made an assignment: its mark is of no run whose writes this journal knows. */
  isOfAnotherRun(assignment: AssignmentFields | null): boolean {
    const runs = runsIn(`${assignment?.assignment_comment}`);
    if (runs.length === 0 || runs.includes(this.#run)) return false;
    return !this.#bodies.some((body) => runsIn(body).some((run) => runs.includes(run)));
  }

  /**
   * Whether the run asked for this assignment, which has a mark, for any of its tasks: a wrong target may carry out a
   * write on another task, or keep one assignment for all tasks.
   */
  hasAskedFor(assignment: AssignmentFields | null): boolean {
    return (
      runsIn(`${assignment?.assignment_comment}`).length > 0 &&
      this.#bodies.some((body) => asksFor(body, assignment))
    );
  }

  get #bodies(): string[] {
    return this.written.flatMap(({ bodies }) => bodies);
  }

  /**
   * Attributes to the run every task found unassigned after a refused write, once one task has shown the fault.
   * @param isShown whether it shows now
   */
  attributeUnassigned(isShown = false): void {
    this.#carriesOutRefused ||= isShown;
    if (!this.#carriesOutRefused) return;
    for (const log of this.#logs.values()) {
      for (const version of log.unassigned.splice(0)) log.own(version);
    }
  }

  /**
   * The first change by somebody else that answers show; undefined where they show only versions that the run made, or
   * that were there when it took the tasks.
   * @param exchanges the numbers of the exchanges of these answers
   */
  disturbanceIn(exchanges: readonly number[]): Disturbance | undefined {
    return exchanges.flatMap((number) => this.foreign.get(number)?.() ?? [])[0];
  }
}

/** Who made a version of a task: the run; others; or somebody before the run took the task, or wrote to it (`met`). */
type Maker = 'run' | 'others' | 'met';

/**
 * What is known of one task: its state before the run, what the run wrote, and its state now. After a run that was
 * killed, `restore` knows only what the entries on disk add up to.
 */
export class TaskLog {
  /** The id as the target writes it, for requests: a target may tell ids apart by case. */
  id: string;
  readonly #journal: Journal;
  /** The state of the task before the run, once it is noted. */
  #remembered: TaskState | undefined;
  readonly #writes: Extract<Entry, { asks: string }>[] = [];
  readonly #answers: Extract<Entry, { answered: number }>[] = [];
  readonly #found: TaskState[] = [];
  /** How many writes had been answered when somebody else's state was found last: none of these made what came after it. */
  #answeredBefore = 0;
  readonly #makers = new Map<string, Maker>();
  /** The versions that an entry names. */
  readonly #noted = new Set<string>();
  /** The version that the run saw, or made, last. */
  #latest = '';

  // What follows is known to this run only, and not kept on disk.

  /** The state in which another run of the suite left the task, where that was seen. */
  ofOtherRun: TaskState | undefined;
  /** The task as the run read it first, whether or not a scenario had taken it. */
  firstRead: Task | undefined;
  /** The task as a scenario that took it read it first, or as somebody else left it since; undefined before that. */
  first: Task | undefined;
  /** The fields of the task in the last new version. */
  #fields: Readonly<Record<string, unknown>> = {};
  /** How many writes had been sent to the task when it was last read. */
  #writesRead = 0;
  /** The If-Match of the last write; null where it had none. */
  #ifMatch: string | null = null;
  /** Set by a write that was carried out and answered without a new version: the next new one is its own. */
  #open: 'no version' | 'same version' | undefined;
  /** The last read since the last write, perhaps under way; `at`: when it was sent, in milliseconds. */
  #latestAnswer: { readonly answer: Promise<Answer>; readonly at: number } | undefined;
  /** Versions in which it was found unassigned after a refused write that asked for it: perhaps the run's own. */
  readonly unassigned: string[] = [];

  constructor(id: string, journal: Journal) {
    this.id = id;
    this.#journal = journal;
  }

  /** Takes an entry into account: one that is being noted, or one of a journal on disk. */
  add(entry: Entry): void {
    const meet = (version: string, maker: Maker): void => {
      const isNew = !this.#makers.has(version);
      if (isNew || maker === 'run') this.#makers.set(version, maker);
      this.#noted.add(version);
      // A scenario that has taken the task knows the latest version.
      if (isNew && this.first === undefined) this.#latest = version;
    };
    if ('before' in entry) {
      this.#remembered = entry.before;
      meet(entry.before.version, 'met');
    } else if ('asks' in entry) {
      this.#writes.push(entry);
      if (entry.seen !== undefined) meet(entry.seen, 'met');
    } else if ('answered' in entry) {
      this.#answers.push(entry);
      if (entry.version !== null) meet(entry.version, 'run');
    } else if ('found' in entry) {
      this.#found.push(entry.found);
      this.#answeredBefore = this.#answers.length;
      meet(entry.found.version, 'others');
    }
  }

  /** Keeps an entry on disk too. */
  #note(entry: Entry): void {
    // A write to a task that was never remembered has an id that does not exist: there is nothing to put back.
    if (this.#remembered === undefined) return;
    this.#journal.append(entry);
    this.add(entry);
  }

  /** The state of the task before the run; assigned to nobody where that was not remembered. */
  get original(): TaskState {
    return this.#remembered ?? { version: '', assignment: null };
  }

  /** The states in which somebody else left the task, in order, without those that turned out to be the run's own. */
  get #foundOfOthers(): TaskState[] {
    const own = this.#answers.filter(({ answered }) => answered === unknownWrite);
    return this.#found.filter((state) => !own.some(({ version }) => version === state.version));
  }

  /** The state that is to be put back: the one before the run, or the last one that somebody else made since. */
  get before(): TaskState {
    return this.#foundOfOthers.at(-1) ?? this.original;
  }

  /** Whether somebody else changed the task while the run was using it. */
  get isChangedByOthers(): boolean {
    return this.#foundOfOthers.length > 0;
  }

  #isPending({ number }: { readonly number: number }): boolean {
    return !this.#answers.some(({ answered }) => answered === number);
  }

  /** The number of the last write; 0 where there was none. */
  get lastNumber(): number {
    return this.#writes.at(-1)?.number ?? 0;
  }

  /** Whether the outcome of a write is unknown: it may still be carried out, or may have been. */
  get hasPendingWrite(): boolean {
    return this.#writes.some((write) => this.#isPending(write));
  }

  /** The bodies of the writes to the task. */
  get bodies(): string[] {
    return this.#writes.map(({ asks }) => asks);
  }

  /** Who made a version, as far as is known; undefined where no read, write or entry has shown it. */
  makerOf(version: string): Maker | undefined {
    return this.#makers.get(version);
  }

  /** Whether the run made a version, or met it when it took the task or wrote to it. */
  isKnown(version: string): boolean {
    return !['others', undefined].includes(this.makerOf(version));
  }

  /**
   * Whether the run may have made this assignment. Its version may say so where an entry names it: the run made that
   * version, or sent a write when it was the last, and a wrong target may carry out a refused write without a new
   * version. Or the last write that was carried out since somebody else changed the task, or one of unknown outcome,
   * asked for the assignment. Or another run of the suite put it back: no mark tells the assignments without a comment,
   * and where this run has made just such a one, it may be that.
   */
  mayHaveMade({ version, assignment }: TaskState): boolean {
    if (this.#noted.has(version)) return true;
    const answers = this.#answers.slice(this.#answeredBefore);
    const carriedOut = answers.filter((answer) => answer.version !== null);
    const last = this.#writes.findLast(({ number }) =>
      carriedOut.some(({ answered }) => answered === number),
    );
    return this.#writes.some(
      (write) =>
        ((write === last || this.#isPending(write)) && asksFor(write.asks, assignment)) ||
        isJust(write.asks, assignment),
    );
  }

  /** The version that was seen, or made, last; undefined until a scenario takes the task. */
  get latestVersion(): string | undefined {
    return this.first && this.#latest;
  }

  /** Forgets that the task showed another run's comment: that was a late read. */
  forgetOtherRun(): void {
    this.ofOtherRun = undefined;
    this.firstRead = undefined;
    this.#latestAnswer = undefined;
  }

  /** Notes a state as another run's where its comment has a mark of that run, and calls `onOtherRun`. */
  #lookForOthers(state: TaskState): void {
    const journal = this.#journal;
    // Tasks that are thrown away after the run are nobody else's.
    if (!journal.isKept || !journal.isOfAnotherRun(state.assignment)) return;
    this.ofOtherRun = state;
    journal.onOtherRun();
  }

  /** To be called when a scenario takes the task, as just read: its version is then nobody else's change. */
  watch(task: Task): void {
    const { updated_at: version } = task;
    const isMet = this.first !== undefined && this.isKnown(version);
    if (this.first === undefined) {
      if (this.#remembered === undefined && sameId(task.id, this.id)) this.id = task.id;
      this.first = task;
      this.#fields = task;
      this.#latest = version;
      this.#writesRead = this.#writes.length;
    }
    if (this.makerOf(version) !== 'run') this.#makers.set(version, 'met');
    if (!isMet) this.#lookForOthers(stateOf(task));
  }

  /** Notes the state of the task before its first write; it has reached the disk when the promise resolves. */
  async remember(task: Task): Promise<void> {
    this.watch(task);
    if (this.#remembered !== undefined) return;
    // A wrong target may have carried out on this task what the run wrote to another: then its first read counts.
    const isOwn = this.#journal.hasAskedFor(stateOf(task).assignment);
    const entry = { task: this.id, before: stateOf((isOwn && this.firstRead) || task) };
    this.#journal.append(entry);
    await this.#journal.flush();
    this.add(entry);
  }

  /** To be called before a write is sent. @returns the number of the write */
  beforeWrite(body: string, ifMatch: string | null = null): number {
    this.#latestAnswer = undefined;
    this.#ifMatch = ifMatch;
    const seen = this.latestVersion;
    const number = this.lastNumber + 1;
    const entry = { task: this.id, asks: body, number };
    this.#note(seen === undefined ? entry : { ...entry, seen });
    if (this.#remembered === undefined) this.#journal.misdirected.push(body);
    return number;
  }

  /** To be called when a write has been answered. */
  afterWrite(number: number, answer: Answer): void {
    this.#latestAnswer = undefined;
    const { version } = stateIn(answer, this.id) ?? {};
    if (this.first !== undefined) {
      const sent = this.#writes.find((write) => write.number === number);
      if (version !== undefined && version !== sent?.seen) this.#open = undefined;
      else if (answer.succeeded) this.#open = version === undefined ? 'no version' : 'same version';
      if (version !== undefined) this.#see(version, answer, 'run');
    }
    // A success without a version leaves open which version it made; a failure, whether it made one.
    if (version === undefined && (answer.succeeded || answer.status >= 500)) return;
    this.#note({ task: this.id, answered: number, version: version ?? null });
  }

  #see(version: string, { object }: Answer, maker: Maker): void {
    this.#latest = version;
    this.#fields = object ?? this.#fields;
    this.#makers.set(version, maker);
  }

  /** To be called before a read with the usual headers: its answer may stand in for others until the next write. */
  beforeRead(answer: Promise<Answer>): void {
    this.#latestAnswer = { answer, at: performance.now() };
  }

  /** To be called when the task has been read: learns its version, and whether the run or somebody else made it. */
  afterRead(answer: Answer): void {
    const state = stateIn(answer, this.id);
    if (state === undefined) return;
    const { version } = state;
    // The cast: judges look at the fields through the schema.
    const task = answer.object as unknown as Task;
    this.firstRead ??= task;
    if (this.first === undefined) {
      this.#lookForOthers(state);
      return;
    }
    // A version that was seen before may show late, as where reads lag behind writes: it is not new.
    const isNew = this.makerOf(version) === undefined;
    if (isNew && this.#isOwn(state, answer)) this.own(version);
    if (!this.isKnown(version)) {
      this.#lookForOthers(state);
      const disturbance = this.#disturbance(state, answer);
      const ifForeign = () => (this.isKnown(version) ? undefined : disturbance);
      this.#journal.foreign.set(answer.exchange.number, ifForeign);
      if (isNew) this.#noteFound(state);
      if (isNew) this.first = task;
    }
    if (isNew) this.#see(version, answer, this.makerOf(version) ?? 'others');
    else if (version !== this.#latest) return;
    if (isNew || this.#open === 'same version') this.#open = undefined;
    this.#writesRead = this.#writes.length;
  }

  /** Notes a new state as somebody else's, which is to be put back, unless a run of the suite may have made it. */
  #noteFound(state: TaskState): void {
    const { version, assignment } = state;
    const journal = this.#journal;
    const isOfARun = journal.isOfAnotherRun(assignment) || journal.hasAskedFor(assignment);
    if (!this.#isReassigned(state) || isOfARun || this.mayHaveMade(state)) return;
    this.#note({ task: this.id, found: state });
    if (assignment !== null || !this.#sent.some(({ asks }) => asksFor(asks, null))) return;
    this.unassigned.push(version);
    journal.attributeUnassigned();
  }

  /**
   * Notes that the run made the versions which these answers show, whatever became of its writes: trials have shown
   * that they follow from its own requests (`Tasks.tryAgain`).
   */
  attribute(answers: readonly Answer[]): void {
    const versions = answers.flatMap((answer) => stateIn(answer, this.id)?.version ?? []);
    for (const version of versions) this.own(version);
    if (versions.some((version) => this.unassigned.includes(version)))
      this.#journal.attributeUnassigned(true);
  }

  /** Notes that the run made a version, unless that is known, or it was met. */
  own(version: string): void {
    if (this.isKnown(version) && !this.#foundOfOthers.some((state) => state.version === version))
      return;
    this.#note({ task: this.id, answered: unknownWrite, version });
    this.#makers.set(version, 'run');
  }

  /** Whether an answer is late: it shows an older version than the latest, or the task as before a write of the run. */
  isStale(answer: Answer): boolean {
    const version = stateIn(answer, this.id)?.version;
    if (version === undefined) return false;
    return version === this.#latest ? this.#open === 'no version' : this.#makers.has(version);
  }

  /**
   * The answer to the last read, which may be under way, where it shows the task as it is.
   * @param maxAgeMs in milliseconds
   * @returns undefined where there is no such answer, or the task has been written to since
   */
  async latest(maxAgeMs: number): Promise<Answer | undefined> {
    const latest = this.#latestAnswer;
    if (latest === undefined || performance.now() - latest.at > maxAgeMs) return undefined;
    const answer = await latest.answer.catch(() => undefined);
    if (answer === undefined || stateIn(answer, this.id) === undefined) return undefined;
    const isWritten = this.#latestAnswer === undefined;
    return isWritten || this.isStale(answer) ? undefined : answer;
  }

  /** The writes since the last read. */
  get #sent() {
    return this.#writes.slice(this.#writesRead);
  }

  /**
   * Whether the run made a new version, though no answer gave it: the last write left open which one it made; or made
   * two; or a changed assignment is from a write of the run. That is one since the last read that has no answer yet and
   * asks for it; or one since then, even if refused, or any to an id that the target should not know, that has its
   * comment.
   */
  #isOwn(state: TaskState, answer: Answer): boolean {
    if (this.#open !== undefined || this.#isOfLastWrite(state, answer)) return true;
    if (!this.#isReassigned(state)) return false;
    const { assignment } = state;
    const isAskedFor = this.#sent.some(
      (write) => this.#isPending(write) && asksFor(write.asks, assignment),
    );
    const { assignment_comment: comment } = assignment ?? {};
    // Without a comment any body would match.
    const hasComment = typeof comment === 'string' && comment !== '';
    const bodies = [...this.#sent.map(({ asks }) => asks), ...this.#journal.misdirected];
    return isAskedFor || (hasComment && bodies.some((body) => holdsComment(body, assignment)));
  }

  /**
   * Whether the last write made a version, though its answer gave another one. Either it lies between the If-Match of
   * the write and the version of the answer, and no other field has changed: hardly anybody else has changed the task
   * then, unless clocks disagree. Or it lies within a millisecond of the answer's version, with the same assignment:
   * answers may be written more finely.
   */
  #isOfLastWrite(state: TaskState, answer: Answer): boolean {
    if (this.#ifMatch === null || !this.isKnown(this.#latest)) return false;
    const [base, at, answered] = [this.#ifMatch, state.version, this.#latest].map(instantOf);
    if (base === undefined || at === undefined || answered === undefined || at <= base)
      return false;
    if (at < answered) return this.#otherFieldsIn(answer).length === 0;
    return at - answered < millisecond && !this.#isReassigned(state);
  }

  /** Whether a state has another assignment than the last version that was seen. */
  #isReassigned({ assignment }: TaskState): boolean {
    return !sameAssignment(assignment, assignmentFields(this.#fields.assignment));
  }

  /** The fields beside assignment and version in which an answer differs from the last version that was seen. */
  #otherFieldsIn({ object }: Answer): string[] {
    return taskFields.filter(
      (field) =>
        !['assignment', 'updated_at'].includes(field) &&
        !isDeepStrictEqual(this.#fields[field], object?.[field]),
    );
  }

  /** The obstacle to throw where an answer shows that somebody else changed the task; its text says what changed. */
  #disturbance(state: TaskState, answer: Answer): Disturbance {
    const others = this.#otherFieldsIn(answer);
    const changes = [
      this.#isReassigned(state) && `it is assigned to ${describeAssignment(state.assignment)}`,
      others.length > 0 && `it has another ${others.join(', ')}`,
    ].filter((change) => change !== false);
    const what = changes.join(', and ') || 'it has another version, and the same fields';
    return new Disturbance(
      `Somebody else changed task ${this.id} in the meantime: since ${state.version} ${what}. TASK_IDS should name tasks that nobody else uses meanwhile.`,
      [answer],
    );
  }
}

const millisecond = 1_000_000n;

function stateOf({ updated_at: version, assignment }: Task): TaskState {
  return { version, assignment: assignmentFields(assignment) };
}

/**
 * Whether a write can have led to an assignment: its body names the assignee and holds the comment. The body is looked
 * at as text: scenarios send broken bodies too, of which a wrong target may make something.
 * @param assignment null: an assignment was taken away, so that its write says “unassign”
 */
function asksFor(body: string, assignment: AssignmentFields | null): boolean {
  if (assignment === null) return body.includes('unassign');
  return body.includes(String(assignment.assigned_to_id)) && holdsComment(body, assignment);
}

/** Whether the body of a write asks for this assignment, field by field. */
function isJust(body: string, assignment: AssignmentFields | null): boolean {
  return (
    assignment !== null && sameAssignment(assignmentFields(jsonObject(body)?.update), assignment)
  );
}

/** Whether the body of a write holds the comment of an assignment; true for every body where it has no comment. */
function holdsComment(body: string, assignment: AssignmentFields | null): boolean {
  const comment = assignment?.assignment_comment;
  return body.includes(typeof comment === 'string' ? JSON.stringify(comment).slice(1, -1) : '');
}
