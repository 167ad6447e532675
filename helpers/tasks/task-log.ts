import { isDeepStrictEqual } from 'node:util';
import { sameId, type Task, taskFields } from '../../schemas/resources.ts';
import type { Answer } from '../http/answer.ts';
import { jsonObject } from '../json-object.ts';
import { Disturbance } from '../outcomes.ts';
import { runsIn } from './marks.ts';
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
  /** A write is about to be sent: its body, its number among the writes of the run, and the version last seen. */
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
export const unknownWrite = 0;

interface Write {
  readonly number: number;
  readonly body: string;
  /** The version that was last seen when it was sent. */
  readonly seen: string | undefined;
  /** Whether no response has said yet what became of it. */
  isPending: boolean;
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
  /** The state of the task before the run; counts only where `isRemembered`. */
  original: TaskState = { version: '', assignment: null };
  isRemembered = false;
  /** The states in which somebody else left the task, in order. One may later turn out to be the run's own, and go. */
  #found: readonly TaskState[] = [];
  readonly #writes: Write[] = [];
  readonly #makers = new Map<string, Maker>();
  /** The version that the run saw, or made, last. */
  #latest = '';
  /** The body of the last write that is known to have been carried out. */
  #carriedOut: string | undefined;

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
  ifMatch: string | null = null;
  /** Set by a write that was carried out and answered without a new version: the next new one is its own. */
  #open: 'no version' | 'same version' | undefined;
  /** The last read since the last write, perhaps under way; `at`: when it was sent, in milliseconds. */
  latestAnswer: { readonly answer: Promise<Answer>; readonly at: number } | undefined;

  constructor(id: string) {
    this.id = id;
  }

  /** Takes an entry into account: one that is being noted, or one of a journal on disk. */
  add(entry: Entry): void {
    if ('before' in entry) {
      this.original = entry.before;
      this.isRemembered = true;
      this.#meet(entry.before.version);
    } else if ('asks' in entry) {
      const { number, asks: body, seen } = entry;
      this.#writes.push({ number, body, seen, isPending: true });
      if (seen !== undefined) this.#meet(seen);
    } else if ('answered' in entry) {
      this.#addAnswer(entry.answered, entry.version);
    } else if ('found' in entry) {
      this.#found = [...this.#found, entry.found];
      this.#latest = entry.found.version;
      this.#makers.set(this.#latest, 'others');
    }
  }

  #addAnswer(number: number, version: string | null): void {
    const write = this.#writes.find((one) => one.number === number);
    if (write !== undefined) write.isPending = false;
    if (version === null) return;
    this.#carriedOut = write?.body ?? this.#carriedOut;
    if (number !== unknownWrite || !this.#makers.has(version)) this.#latest = version;
    if (number === unknownWrite) this.#found = this.#found.filter((one) => one.version !== version);
    this.own(version);
  }

  #meet(version: string): void {
    if (!this.#makers.has(version)) this.#makers.set(version, 'met');
    // A scenario that has taken the task knows a later version.
    if (this.first === undefined) this.#latest = version;
  }

  /** The state that is to be put back: the one before the run, or the last one that somebody else made since. */
  get before(): TaskState {
    return this.#found.at(-1) ?? this.original;
  }

  /** Whether somebody else changed the task while the run was using it. */
  get isChangedByOthers(): boolean {
    return this.#found.length > 0;
  }

  /** The number of the last write; 0 where there was none. */
  get lastNumber(): number {
    return this.#writes.at(-1)?.number ?? 0;
  }

  /** Whether the outcome of a write is unknown: it may still be carried out, or may have been. */
  get hasPendingWrite(): boolean {
    return this.#writes.some(({ isPending }) => isPending);
  }

  /** Whether a write to the task holds a mark of the given run (see marks.ts). */
  isOf(run: string): boolean {
    return this.#writes.some(({ body }) => runsIn(body).includes(run));
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
   * Whether the run may have made this assignment. Its version may say so: the run made that version, or sent a write
   * when it was the last, and a wrong target may carry out a refused write without a new version. Or the last write
   * that was carried out, or one of unknown outcome, asked for the assignment. Or another run of the suite put it back:
   * no mark tells the assignments without a comment, and where this run has made just such a one, it may be that.
   */
  mayHaveMade({ version, assignment }: TaskState): boolean {
    if (this.makerOf(version) === 'run' || this.original.version === version) return true;
    if (this.isFound(version)) return true;
    if (this.#carriedOut !== undefined && asksFor(this.#carriedOut, assignment)) return true;
    return this.#writes.some(
      ({ seen, isPending, body }) =>
        seen === version || (isPending && asksFor(body, assignment)) || isJust(body, assignment),
    );
  }

  /** Whether a write to the task asked for just this assignment. */
  hasAskedFor(assignment: AssignmentFields | null): boolean {
    return this.#writes.some(({ body }) => asksFor(body, assignment));
  }

  /** To be called when a scenario takes the task: its version then is not taken for a change by somebody else. */
  watch(task: Task): void {
    const { updated_at: version } = task;
    if (this.first === undefined) {
      if (!this.isRemembered && sameId(task.id, this.id)) this.id = task.id;
      this.first = task;
      this.#fields = task;
      this.#latest = version;
      this.#writesRead = this.#writes.length;
    }
    if (this.makerOf(version) !== 'run') this.#makers.set(version, 'met');
  }

  /** The version that was seen, or made, last; undefined until a scenario takes the task. */
  get latestVersion(): string | undefined {
    return this.first && this.#latest;
  }

  get #assignment(): AssignmentFields | null {
    return assignmentFields(this.#fields.assignment);
  }

  /** Whether somebody else left the task in this version, as far as is known. */
  isFound(version: string): boolean {
    return this.#found.some((state) => state.version === version);
  }

  /** Notes that the run made a version. */
  own(version: string): void {
    this.#makers.set(version, 'run');
  }

  /** Learns from the answer to a write of the run. */
  keepAnswer(number: number, answer: Answer): void {
    if (this.first === undefined) return;
    const version = stateIn(answer, this.id)?.version;
    const isNew =
      version !== undefined && version !== this.#writes.find((one) => one.number === number)?.seen;
    if (answer.succeeded && !isNew)
      this.#open = version === undefined ? 'no version' : 'same version';
    else if (isNew) this.#open = undefined;
    if (version === undefined) return;
    this.own(version);
    this.#see(version, answer);
  }

  /** Learns from a read that shows a new version, or the latest one; ignores one that shows an older version. */
  keepRead(version: string, answer: Answer, isNew: boolean): void {
    if (isNew) this.#see(version, answer);
    else if (version !== this.#latest) return;
    if (isNew || this.#open === 'same version') this.#open = undefined;
    this.#writesRead = this.#writes.length;
  }

  #see(version: string, { object }: Answer): void {
    this.#latest = version;
    this.#fields = object ?? this.#fields;
    if (!this.#makers.has(version)) this.#makers.set(version, 'others');
  }

  /** Whether an answer is late: it shows an older version than the latest, or the task as before a write of the run. */
  isStale(answer: Answer): boolean {
    const version = stateIn(answer, this.id)?.version;
    if (version === undefined) return false;
    return version === this.#latest ? this.#open === 'no version' : this.#makers.has(version);
  }

  /**
   * The answer to the last read, which may be under way, where it shows the task as it is.
   * @param maxAgeMs in milliseconds; any age where left out
   * @returns undefined where there is no such answer, or the task has been written to since
   */
  async latest(maxAgeMs = Number.POSITIVE_INFINITY): Promise<Answer | undefined> {
    const latest = this.latestAnswer;
    if (latest === undefined || performance.now() - latest.at > maxAgeMs) return undefined;
    const answer = await latest.answer.catch(() => undefined);
    if (answer === undefined || stateIn(answer, this.id) === undefined) return undefined;
    const isWritten = this.latestAnswer === undefined;
    return isWritten || this.isStale(answer) ? undefined : answer;
  }

  /**
   * Whether the run made a new version, though no answer gave it.
   * @param misdirected bodies of writes to ids that do not exist: a wrong target may carry them out on this task
   */
  isOwn(state: TaskState, misdirected: readonly string[]): boolean {
    return (
      this.#open !== undefined ||
      this.#isOfLastWrite(state) ||
      this.#isExplained(state, misdirected)
    );
  }

  /**
   * Whether the last write made a version, though its answer gave another one. Either it lies between the If-Match of
   * the write and the version of the answer: nobody else can have changed the task then. Or it lies within a
   * millisecond of the answer's version, with the same assignment: answers may be written more finely.
   */
  #isOfLastWrite({ version, assignment }: TaskState): boolean {
    if (this.ifMatch === null || !this.isKnown(this.#latest)) return false;
    const [base, at, answered] = [this.ifMatch, version, this.#latest].map(instantOf);
    if (base === undefined || at === undefined || answered === undefined || at <= base)
      return false;
    if (at < answered) return true;
    return at - answered < millisecond && sameAssignment(assignment, this.#assignment);
  }

  /**
   * Whether a changed assignment is from a write of the run: one since the last read that has no answer yet and asks
   * for it; or one since then, even if refused, or any to an id that the target should not know, that has its comment.
   */
  #isExplained(state: TaskState, misdirected: readonly string[]): boolean {
    if (!this.isReassigned(state)) return false;
    const { assignment } = state;
    const sent = this.#writes.slice(this.#writesRead);
    if (sent.some(({ isPending, body }) => isPending && asksFor(body, assignment))) return true;
    const bodies = [...sent.map(({ body }) => body), ...misdirected];
    const { assignment_comment: comment } = assignment ?? {};
    // Without a comment any body would match.
    const hasComment = typeof comment === 'string' && comment !== '';
    return hasComment && bodies.some((body) => holdsComment(body, assignment));
  }

  /** Whether the run has asked for the task to be unassigned since it was read. */
  get isToBeUnassigned(): boolean {
    return this.#writes.slice(this.#writesRead).some(({ body }) => asksFor(body, null));
  }

  /** Whether a state has another assignment than the last version that was seen. */
  isReassigned({ assignment }: TaskState): boolean {
    return !sameAssignment(assignment, this.#assignment);
  }

  /** The obstacle to throw where an answer shows that somebody else changed the task; its text says what changed. */
  disturbance(state: TaskState, answer: Answer): Disturbance {
    const others = taskFields.filter(
      (field) =>
        !['assignment', 'updated_at'].includes(field) &&
        !isDeepStrictEqual(this.#fields[field], answer.object?.[field]),
    );
    const changes = [
      this.isReassigned(state) && `it is assigned to ${describeAssignment(state.assignment)}`,
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
