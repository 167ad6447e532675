import { type AssignmentFields, sameAssignment, type TaskState } from './task-state.ts';

/** What a run notes down of a task, in the order in which it happens. */
export type Entry =
  /** Before the first write: what is to be put back. */
  | { readonly task: string; readonly before: TaskState }
  /** A write is about to leave. Its number counts the writes of the run. */
  | { readonly task: string; readonly asks: string; readonly number: number }
  /** That write was answered; with the version that it made, where it was carried out. */
  | { readonly task: string; readonly answered: number; readonly version: string | null }
  /** Somebody else has changed the task in the meantime: from now on this is to be put back. */
  | { readonly task: string; readonly found: TaskState };

interface Asked {
  readonly number: number;
  /** The body of the write. */
  readonly text: string;
  /** No answer has told what became of it. */
  pending: boolean;
}

/** What is known of one task that a run writes to: what was there before, and which of its states the run made. */
export class Ledger {
  readonly #asked: Asked[] = [];
  readonly #versions = new Set<string>();
  #before: TaskState;
  #isChangedByOthers = false;

  constructor(before: TaskState) {
    this.#before = before;
  }

  /** What is to be put back. */
  get before(): TaskState {
    return this.#before;
  }

  /** Whether somebody else changed the task while the run was using it. */
  get isChangedByOthers(): boolean {
    return this.#isChangedByOthers;
  }

  /** Whether the run has sent a write to the task at all. */
  get isWritten(): boolean {
    return this.#asked.length > 0;
  }

  /** Whether a write may still be carried out, or may have been without anybody having heard. */
  get isUnsettled(): boolean {
    return this.#asked.some(({ pending }) => pending);
  }

  note(entry: Entry): void {
    if ('asks' in entry) {
      this.#asked.push({ number: entry.number, text: entry.asks, pending: true });
    } else if ('answered' in entry) {
      const asked = this.#asked.find(({ number }) => number === entry.answered);
      if (asked !== undefined) asked.pending = false;
      if (entry.version !== null) this.#versions.add(entry.version);
    } else if ('found' in entry) {
      this.#before = entry.found;
      this.#isChangedByOthers = true;
    }
  }

  /**
   * Whether the run made this state: an answer gave the version, or a write asked for just that. Without a
   * comment a write may look like somebody else's; then it counts only while nobody knows what became of it.
   */
  hasWritten({ version, assignment }: TaskState): boolean {
    if (this.#versions.has(version)) return true;
    const telling = assignment !== null && hasComment(assignment);
    return this.#asked.some(
      ({ text, pending }) => (pending || telling) && mayHaveMade(text, assignment),
    );
  }

  /** Whether the task is as it was before. */
  isAsBefore({ assignment }: TaskState): boolean {
    return sameAssignment(assignment, this.#before.assignment);
  }
}

function hasComment({ assignment_comment: comment }: AssignmentFields): boolean {
  return typeof comment === 'string' && comment !== '';
}

/**
 * Whether a write can have led to an assignment: it names the assignee and holds the comment. Looks at the
 * body as text, for scenarios send broken bodies too, and a wrong target may make something of them.
 */
export function mayHaveMade(body: string, assignment: AssignmentFields | null): boolean {
  if (assignment === null) return body.includes('unassign');
  const { assigned_to_id: id, assignment_comment: comment } = assignment;
  const said = typeof comment === 'string' ? JSON.stringify(comment).slice(1, -1) : '';
  return body.includes(String(id)) && body.includes(said);
}
