/*
 * What a run has done to a task, kept on disk: entries, and what they add up to. Whoever restores after a run that was
 * killed knows no more than this.
 */
import { isDeepStrictEqual } from 'node:util';
import { assignmentFields } from '../../schemas/assignment.ts';
import { runsIn } from './marks.ts';
import type { AssignmentFields, TaskState } from './task-answer.ts';

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
  /** No response has said what became of it. */
  isPending: boolean;
}

/** What is known of one task that a run writes to: what was there before, and which of its states the run made. */
export class Ledger {
  readonly #writes: Write[] = [];
  readonly #versions = new Set<string>();
  #firstChange: number | undefined;
  /** Those that the run has seen: before it, and before each of its writes. */
  readonly #seen = new Set<string>();
  /** The body of the last write that is known to have been carried out. */
  #carriedOut: string | undefined;
  readonly #first: TaskState;
  /** As somebody else has left the task, in that order; or a write of the run, as may turn out later. */
  readonly #found: TaskState[] = [];
  /** Versions that turned out to be of the run's making. */
  readonly #attributed = new Set<string>();
  /** The runs whose marks its writes held: more than one where a run goes on with what an earlier one left. */
  readonly #runs = new Set<string>();
  /** The version that was seen, or made, last. */
  #latest: string;

  constructor(before: TaskState) {
    this.#first = before;
    this.#latest = before.version;
    this.#seen.add(before.version);
  }

  /** What was there before the run. */
  get first(): TaskState {
    return this.#first;
  }

  /** What is to be put back: what was there first, or what somebody else made of it during the run. */
  get before(): TaskState {
    return this.#foundByOthers.at(-1) ?? this.#first;
  }

  /** Whether somebody else changed the task while the run was using it. */
  get isChangedByOthers(): boolean {
    return this.#foundByOthers.length > 0;
  }

  get #foundByOthers(): readonly TaskState[] {
    return this.#found.filter(({ version }) => !this.#attributed.has(version));
  }

  /** Whether somebody else left the task so, as far as is known. */
  isFound(version: string): boolean {
    return this.#foundByOthers.some((state) => state.version === version);
  }

  /** The number of the last write; 0 where there was none. */
  get lastNumber(): number {
    return Math.max(0, ...this.#writes.map(({ number }) => number));
  }

  /** The number of the write that was answered with a new version first; later than all others where there was none. */
  get firstChange(): number {
    return this.#firstChange ?? Number.POSITIVE_INFINITY;
  }

  /** Whether the run has sent a write to the task at all. */
  get isWritten(): boolean {
    return this.#writes.length > 0;
  }

  /** Whether a write may still be carried out, or may have been, without a response that tells. */
  get hasPendingWrite(): boolean {
    return this.pendingBodies.length > 0;
  }

  /** The bodies of these writes. */
  get pendingBodies(): string[] {
    return this.#writes.filter(({ isPending }) => isPending).map(({ body }) => body);
  }

  add(entry: Entry): void {
    if ('asks' in entry) {
      this.#writes.push({ number: entry.number, body: entry.asks, isPending: true });
      for (const run of runsIn(entry.asks)) this.#runs.add(run);
      if (entry.seen !== undefined) this.#see(entry.seen);
    } else if ('answered' in entry) {
      const write = this.#writes.find(({ number }) => number === entry.answered);
      if (write !== undefined) write.isPending = false;
      if (entry.version === null) return;
      this.#versions.add(entry.version);
      this.#latest = entry.version;
      this.#firstChange ??= entry.answered;
      if (entry.answered === unknownWrite) this.#attributed.add(entry.version);
      this.#carriedOut = write?.body ?? this.#carriedOut;
    } else if ('found' in entry) {
      this.#found.push(entry.found);
      this.#see(entry.found.version);
    }
  }

  #see(version: string): void {
    this.#seen.add(version);
    this.#latest = version;
  }

  /** Whether a mark of this run stands in a write to the task. */
  isOf(run: string): boolean {
    return this.#runs.has(run);
  }

  /** Whether a state is one that the task has left since: reads may lag behind writes. */
  isOld({ version }: TaskState): boolean {
    const isKnown = this.#seen.has(version) || this.#versions.has(version);
    return isKnown && version !== this.#latest;
  }

  /** Whether the run made this version of the task: an answer to a write gave it. */
  hasVersion({ version }: TaskState): boolean {
    return this.#versions.has(version);
  }

  /**
   * Whether the run made this assignment, though somebody else, or a workflow, may have changed other fields since:
   * an answer gave the version, or a write asked for just that. Without a comment a write may look like somebody
   * else's; then it counts only where it was the last one, or while it is not known what became of it.
   */
  hasMade(state: TaskState): boolean {
    const { assignment } = state;
    if (this.hasVersion(state) || this.hasLeaked(state)) return true;
    if (this.#carriedOut !== undefined && mayHaveMade(this.#carriedOut, assignment)) return true;
    return this.#writes.some(
      ({ body, isPending }) =>
        (isPending || isTelling(assignment)) && mayHaveMade(body, assignment),
    );
  }

  /** Whether a write to the task asked for just this assignment. */
  hasAskedFor(assignment: AssignmentFields | null): boolean {
    return this.#writes.some(({ body }) => mayHaveMade(body, assignment));
  }

  /**
   * Whether a write of the run, though it was refused, has changed the assignment without another version: nobody else
   * has made one since, and each value that is not as before is one that a write asked for.
   */
  hasLeaked({ version, assignment }: TaskState): boolean {
    if (!this.#seen.has(version) && !this.#versions.has(version)) return false;
    const bodies = this.#writes.map(({ body }) => body);
    if (assignment === null) return bodies.some((body) => body.includes('unassign'));
    const before = this.before.assignment ?? {};
    const isExplained = (field: keyof AssignmentFields): boolean => {
      const value = assignment[field] ?? null;
      if (isDeepStrictEqual(value, before[field] ?? null)) return true;
      // What a write does not name is gone, or as the target fills it in.
      if (value === null || value === '') return bodies.length > 0;
      return bodies.some((body) => body.includes(JSON.stringify(value)));
    };
    return assignmentFields.every(isExplained);
  }
}

/** Whether an assignment has a comment, which tells whose it is. */
export function isTelling(assignment: AssignmentFields | null): boolean {
  const comment = assignment?.assignment_comment;
  return typeof comment === 'string' && comment !== '';
}

/**
 * Whether a write can have led to an assignment: it names the assignee and holds the comment. Looks at the
 * body as text, for scenarios send broken bodies too, and a wrong target may make something of them.
 */
export function mayHaveMade(body: string, assignment: AssignmentFields | null): boolean {
  if (assignment === null) return body.includes('unassign');
  return body.includes(String(assignment.assigned_to_id)) && holdsComment(body, assignment);
}

/** Whether the body of a write holds the comment of an assignment; where it has none, any does. */
export function holdsComment(body: string, assignment: AssignmentFields | null): boolean {
  const comment = assignment?.assignment_comment;
  return body.includes(typeof comment === 'string' ? JSON.stringify(comment).slice(1, -1) : '');
}
