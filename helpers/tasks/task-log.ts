import { isDeepStrictEqual } from 'node:util';
import { sameId } from '../../schemas/identifier.ts';
import { type Task, taskFields } from '../../schemas/task.ts';
import type { Answer } from '../http/answer.ts';
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

/** What a run notes of a task, in the order in which it happens. The fields are those of the lines on disk. */
export type Entry =
  /** Before the first write: what is to be put back. */
  | { readonly task: string; readonly before: TaskState }
  /**
   * A write is about to be sent, with this body, and this is the version that was last seen. Its number counts the writes
   * of the run.
   */
  | {
      readonly task: string;
      readonly asks: string;
      readonly number: number;
      readonly seen?: string;
    }
  /** That write was answered; with the version that it made, where it was carried out. */
  | { readonly task: string; readonly answered: number; readonly version: string | null }
  /** Somebody else has changed the task in the meantime: from now on this is to be put back. */
  | { readonly task: string; readonly found: TaskState };

/** In place of a write's number, where the run made a version and it is not known by which write. */
export const unknownWrite = 0;

interface Write {
  readonly number: number;
  readonly body: string;
  /** The version that was last seen when it was sent. */
  readonly seen: string | undefined;
  /** No response has said what became of it. */
  isPending: boolean;
}

/**
 * What is known of one task: what was there, what the run wrote, what is there now. Whoever restores after a run that was
 * killed knows what its entries add up to, and no more.
 */
export class TaskLog {
  /** As the target writes it, which may tell ids apart by case; requests name the task by it. */
  id: string;
  /** What was there before the run, once it is remembered. */
  original: TaskState = { version: '', assignment: null };
  isRemembered = false;
  /** As somebody else has left the task, in that order; or a write of the run, as may turn out later. */
  #found: readonly TaskState[] = [];
  readonly #writes: Write[] = [];
  /** Whose each version is that was seen: one is met when the run takes the task, or writes to it. */
  readonly #versions = new Map<string, 'made' | 'met' | 'of others'>();
  /** The version that was seen, or made, last. */
  #latest = '';
  /** The body of the last write that is known to have been carried out. */
  #carriedOut: string | undefined;
  /** The number of the write that was answered with a new version first; later than all others where there was none. */
  firstChange = Number.POSITIVE_INFINITY;

  // From here on, what this run alone knows: it is not kept on disk.

  /** As another run of the suite was seen to have left the task. */
  ofOtherRun: TaskState | undefined;
  /** As it was read first, by whomever. */
  firstRead: Task | undefined;
  /** As it was read first by a scenario that took it, or as somebody else left it; undefined where it was never taken. */
  first: Task | undefined;
  /** As the last new version showed it. */
  #fields: Readonly<Record<string, unknown>> = {};
  /** How many writes had been sent when it was last read. */
  #writesRead = 0;
  /** Of the last write. */
  ifMatch: string | null = null;
  /**
   * A write was carried out, and its answer gave no version, or the same as before: the next new one that is read is
   * of its making.
   */
  #open: 'no version' | 'same version' | undefined;
  /** The last read, which may still be under way, or the answer to a write since; and when it arrived, in milliseconds. */
  latestAnswer: { readonly answer: Promise<Answer>; at?: number } | undefined;

  constructor(id: string) {
    this.id = id;
  }

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
      this.#versions.set(this.#latest, 'of others');
    }
  }

  #addAnswer(number: number, version: string | null): void {
    const write = this.#writes.find((one) => one.number === number);
    if (write !== undefined) write.isPending = false;
    if (version === null) return;
    this.#carriedOut = write?.body ?? this.#carriedOut;
    if (this.firstChange === Number.POSITIVE_INFINITY) this.firstChange = number;
    if (number !== unknownWrite || !this.#versions.has(version)) this.#latest = version;
    if (number === unknownWrite) this.#found = this.#found.filter((one) => one.version !== version);
    this.#versions.set(version, 'made');
  }

  #meet(version: string): void {
    if (!this.#versions.has(version)) this.#versions.set(version, 'met');
    // Whoever has taken the task knows a later one.
    if (this.first === undefined) this.#latest = version;
  }

  /** What is to be put back: what was there first, or what somebody else made of it during the run. */
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

  /** Whether a write may still be carried out, or may have been, without a response that tells. */
  get hasPendingWrite(): boolean {
    return this.#writes.some(({ isPending }) => isPending);
  }

  /** Whether a mark of this run stands in a write to the task. */
  isOf(run: string): boolean {
    return this.#writes.some(({ body }) => runsIn(body).includes(run));
  }

  /** Whether a version is one that the task has left since: reads may lag behind writes. */
  isOld(version: string): boolean {
    return this.#versions.has(version) && version !== this.#latest;
  }

  /** Whether the run made this version of the task: an answer to a write gave it. */
  hasMade(version: string): boolean {
    return this.#versions.get(version) === 'made';
  }

  /**
   * Whether the run may have made this assignment. The version says so: the run made it, or wrote to it, where a write that
   * was refused may have changed the task without another one. Or the last write that was carried out asked for it, or one
   * of which it is not known what became: somebody else, or a workflow, may have changed other fields since.
   */
  mayHaveMade({ version, assignment }: TaskState): boolean {
    if (this.hasMade(version) || this.original.version === version || this.isFound(version))
      return true;
    if (this.#carriedOut !== undefined && asksFor(this.#carriedOut, assignment)) return true;
    return this.#writes.some(
      ({ seen, isPending, body }) => seen === version || (isPending && asksFor(body, assignment)),
    );
  }

  /** Whether a write to the task asked for just this assignment. */
  hasAskedFor(assignment: AssignmentFields | null): boolean {
    return this.#writes.some(({ body }) => asksFor(body, assignment));
  }

  /** To be called when a scenario takes the task: its version is nobody's doing while the scenario has it. */
  watch(task: Task): void {
    const { updated_at: version } = task;
    if (this.first === undefined) {
      if (!this.isRemembered && sameId(task.id, this.id)) this.id = task.id;
      this.first = task;
      this.#fields = task;
      this.#latest = version;
      this.#writesRead = this.#writes.length;
    }
    if (!this.hasMade(version)) this.#versions.set(version, 'met');
  }

  /** The version that was seen, or made, last; undefined until a scenario takes the task. */
  get latestVersion(): string | undefined {
    return this.first && this.#latest;
  }

  get #assignment(): AssignmentFields | null {
    return assignmentFields(this.#fields.assignment);
  }

  hasSeen(version: string): boolean {
    return this.#versions.has(version);
  }

  /** Whether a version was there when the run took the task, or the run made it. */
  isKnown(version: string): boolean {
    return this.hasSeen(version) && this.#versions.get(version) !== 'of others';
  }

  /** Whether somebody else left the task in this version, as far as is known. */
  isFound(version: string): boolean {
    return this.#found.some((state) => state.version === version);
  }

  /** A version is of the run's making. */
  own(version: string): void {
    this.#versions.set(version, 'made');
  }

  /** Keeps the answer to a write of the run. @returns whether it gave another version than was there before */
  keepAnswer(number: number, answer: Answer): boolean {
    if (this.first === undefined) return false;
    const version = stateIn(answer, this.id)?.version;
    const isNew =
      version !== undefined && version !== this.#writes.find((one) => one.number === number)?.seen;
    if (answer.succeeded && !isNew)
      this.#open = version === undefined ? 'no version' : 'same version';
    else if (isNew) this.#open = undefined;
    if (version === undefined) return false;
    this.own(version);
    this.#see(version, answer);
    return isNew;
  }

  /** Keeps a read that shows a new version, or the latest one. */
  keepRead(version: string, answer: Answer, isNew: boolean): void {
    if (isNew) this.#see(version, answer);
    else if (version !== this.#latest) return;
    if (isNew || this.#open === 'same version') this.#open = undefined;
    this.#writesRead = this.#writes.length;
  }

  #see(version: string, { object }: Answer): void {
    this.#latest = version;
    this.#fields = object ?? this.#fields;
    if (!this.#versions.has(version)) this.#versions.set(version, 'of others');
  }

  /** Whether an answer shows the task in an older version than the latest one that was seen, or as before a write. */
  isStale(answer: Answer): boolean {
    const version = stateIn(answer, this.id)?.version;
    if (version === undefined || this.first === undefined) return false;
    return version === this.#latest ? this.#open === 'no version' : this.hasSeen(version);
  }

  /**
   * The task as the run has seen it last, also in a read that is under way: in a read, or in the answer to a write
   * since, where reads have shown that such answers tell what is read then.
   * @param maxAgeMs in milliseconds; any age where left out
   * @returns undefined where that does not show the task as it is
   */
  async latest(maxAgeMs = Number.POSITIVE_INFINITY): Promise<Answer | undefined> {
    const latest = this.latestAnswer;
    if (latest?.at !== undefined && performance.now() - latest.at > maxAgeMs) return undefined;
    const answer = await latest?.answer.catch(() => undefined);
    if (answer === undefined || stateIn(answer, this.id) === undefined) return undefined;
    const isWritten = this.latestAnswer === undefined;
    return isWritten || this.isStale(answer) ? undefined : answer;
  }

  /**
   * Whether a new version is of the run's making, though no answer gave it.
   * @param misdirected bodies of writes to ids that the target should not know
   */
  isOwn(state: TaskState, misdirected: readonly string[]): boolean {
    return (
      this.#open !== undefined ||
      this.#isOfLastWrite(state) ||
      this.#isExplained(state, misdirected)
    );
  }

  /**
   * Whether a version is of the run's last write, though its answer gave another: it lies between that from which the write
   * was made and that of the answer, where nobody else can have changed the task; or next to that of the answer, which is
   * written more finely than versions are kept.
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

  /** Whether a state has another assignment than the one that was seen last. */
  isReassigned({ assignment }: TaskState): boolean {
    return !sameAssignment(assignment, this.#assignment);
  }

  /** What an answer shows that somebody else has done to the task. */
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

/** What entries add up to, by the id of the task. */
export function logsOf(entries: readonly Entry[]): Map<string, TaskLog> {
  const logs = new Map<string, TaskLog>();
  for (const entry of entries) {
    if ('before' in entry) logs.set(entry.task, new TaskLog(entry.task));
    logs.get(entry.task)?.add(entry);
  }
  return logs;
}

const millisecond = 1_000_000n;

/**
 * Whether a write can have led to an assignment: it names the assignee and holds the comment. Looks at the
 * body as text, for scenarios send broken bodies too, and a wrong target may make something of them.
 */
function asksFor(body: string, assignment: AssignmentFields | null): boolean {
  if (assignment === null) return body.includes('unassign');
  return body.includes(String(assignment.assigned_to_id)) && holdsComment(body, assignment);
}

/** Whether the body of a write holds the comment of an assignment; where it has none, any does. */
function holdsComment(body: string, assignment: AssignmentFields | null): boolean {
  const comment = assignment?.assignment_comment;
  return body.includes(typeof comment === 'string' ? JSON.stringify(comment).slice(1, -1) : '');
}
