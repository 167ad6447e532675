/**
 * What a run remembers of the tasks that it writes to, so that they can be put back and nobody else's change is taken
 * for the target's fault, or overwritten. `Api` calls the journal for every read and write; it appends
 * entries, which `journal-file.ts` keeps on disk; the ledger of a task is what its entries add up to, in the run
 * that writes them and in the one that restores.
 */
import type { Task } from '../../schemas/task.ts';
import type { Answer } from '../http/answer.ts';
import { Inconclusive } from '../outcomes.ts';
import {
  type AssignmentFields,
  assignmentFields,
  describeAssignment,
  sameAssignment,
  stateIn,
  type TaskState,
} from './task-answer.ts';

/** What a run notes of a task, in the order in which it happens. The fields are those of the lines on disk. */
export type Entry =
  /** Before the first write: what is to be put back. */
  | { readonly task: string; readonly before: TaskState }
  /** A write is about to be sent, with this body. Its number counts the writes of the run. */
  | { readonly task: string; readonly asks: string; readonly number: number }
  /** That write was answered; with the version that it made, where it was carried out. */
  | { readonly task: string; readonly answered: number; readonly version: string | null }
  /** Somebody else has changed the task in the meantime: from now on this is to be put back. */
  | { readonly task: string; readonly found: TaskState };

/** In place of a write's number, where the run made a version and it is not known by which write. */
const unknownWrite = 0;

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
    return this.#writes.length > 0;
  }

  /** Whether a write may still be carried out, or may have been, without a response that tells. */
  get hasPendingWrite(): boolean {
    return this.#writes.some(({ isPending }) => isPending);
  }

  add(entry: Entry): void {
    if ('asks' in entry) {
      this.#writes.push({ number: entry.number, body: entry.asks, isPending: true });
    } else if ('answered' in entry) {
      const write = this.#writes.find(({ number }) => number === entry.answered);
      if (write !== undefined) write.isPending = false;
      if (entry.version !== null) this.#versions.add(entry.version);
    } else if ('found' in entry) {
      this.#before = entry.found;
      this.#isChangedByOthers = true;
    }
  }

  /**
   * Whether the run made this state: an answer gave the version, or a write asked for just that. Without a
   * comment a write may look like somebody else's; then it counts only while it is not known what became of it.
   */
  hasMade({ version, assignment }: TaskState): boolean {
    if (this.#versions.has(version)) return true;
    const comment = assignment?.assignment_comment;
    const isTelling = typeof comment === 'string' && comment !== '';
    return this.#writes.some(
      ({ body, isPending }) => (isPending || isTelling) && mayHaveMade(body, assignment),
    );
  }

  /** Whether the task is as it was before. */
  isAsBefore({ assignment }: TaskState): boolean {
    return sameAssignment(assignment, this.#before.assignment);
  }
}

/** Where entries are kept. */
export interface EntryStore {
  append(entry: Entry): void;
  /** Resolves when everything appended so far would survive the end of the machine. */
  flush(): Promise<void>;
}

const inMemory: EntryStore = { append: () => {}, flush: async () => {} };

/** What the run last saw of a task. */
interface LastSeen {
  state: TaskState;
  readonly versions: Set<string>;
  /** Bodies of the writes sent since the task was last read. */
  sent: string[];
  /** How somebody else was seen to change the task. */
  disturbance?: Inconclusive;
}

export class Journal {
  readonly #store: EntryStore;
  readonly #ledgers = new Map<string, Ledger>();
  readonly #lastSeen = new Map<string, LastSeen>();
  /** Bodies of writes to ids that the target should not know: a wrong one may write them to another task. */
  readonly #misdirected: string[] = [];
  #writes = 0;

  /** @param store where entries survive the process; without one the tasks are thrown away after the run */
  constructor(store: EntryStore = inMemory) {
    this.#store = store;
  }

  /** What is known of each task that was remembered, by its id in lower case. */
  get ledgers(): ReadonlyMap<string, Ledger> {
    return this.#ledgers;
  }

  /** Keeps what there is before the first write; has reached the disk when the promise resolves. */
  async remember(taskId: string, { updated_at: version, assignment }: Task): Promise<void> {
    const task = keyOf(taskId);
    if (this.#ledgers.has(task)) return;
    const before = { version, assignment: assignmentFields(assignment) };
    this.#store.append({ task, before });
    await this.#store.flush();
    this.#ledgers.set(task, new Ledger(before));
    this.#lastSeen.set(task, { state: before, versions: new Set([version]), sent: [] });
  }

  /** To be called before a write is sent. @returns the number of the write */
  beforeWrite(taskId: string, body: string): number {
    const task = keyOf(taskId);
    this.#writes += 1;
    this.#append({ task, asks: body, number: this.#writes });
    (this.#lastSeen.get(task)?.sent ?? this.#misdirected).push(body);
    return this.#writes;
  }

  /** To be called when a write has been answered. */
  afterWrite(taskId: string, number: number, answer: Answer): void {
    const task = keyOf(taskId);
    const state = stateIn(answer, taskId);
    // A success without a version leaves open which version it made.
    if (answer.succeeded && state === undefined) return;
    this.#append({ task, answered: number, version: state?.version ?? null });
    const last = this.#lastSeen.get(task);
    if (last !== undefined && state !== undefined) see(last, state);
  }

  /** To be called when a task has been read. */
  afterRead(taskId: string, answer: Answer): void {
    const task = keyOf(taskId);
    const state = stateIn(answer, taskId);
    const ledger = this.#ledgers.get(task);
    const last = this.#lastSeen.get(task);
    if (state === undefined || ledger === undefined || last === undefined) return;
    if (isReassigned(state, last) && !ledger.hasMade(state)) {
      const sent = [...last.sent, ...this.#misdirected];
      if (sent.some((body) => explains(body, state))) {
        this.#append({ task, answered: unknownWrite, version: state.version });
      } else {
        this.#append({ task, found: state });
        last.disturbance = disturbance(taskId, state, answer);
      }
    }
    see(last, state);
    last.sent = [];
  }

  /** Forgets who was seen to change a task: a new scenario uses it. */
  forgetDisturbance(taskId: string): void {
    delete this.#lastSeen.get(keyOf(taskId))?.disturbance;
  }

  /** How somebody else was seen to change a task since that was forgotten; undefined where nobody was. */
  disturbanceOf(taskId: string): Inconclusive | undefined {
    return this.#lastSeen.get(keyOf(taskId))?.disturbance;
  }

  #append(entry: Entry): void {
    const ledger = this.#ledgers.get(entry.task);
    // A task that was never remembered is one that the target does not know.
    if (ledger === undefined) return;
    this.#store.append(entry);
    ledger.add(entry);
  }
}

/** In which case ids are written is open. */
function keyOf(taskId: string): string {
  return taskId.toLowerCase();
}

function see(last: LastSeen, state: TaskState): void {
  last.state = state;
  last.versions.add(state.version);
}

/** Whether a task is assigned otherwise, in a version that the run has not seen yet. */
function isReassigned(state: TaskState, { state: last, versions }: LastSeen): boolean {
  // An older state may be read late, by a scenario that only reads.
  return !versions.has(state.version) && !sameAssignment(state.assignment, last.assignment);
}

/** Whether a write may be why a task is in a state. What is wrong on purpose, a wrong target makes anything of. */
function explains(body: string, { assignment }: TaskState): boolean {
  return !isWellFormed(body) || mayHaveMade(body, assignment);
}

/** Whether the document says what a body does. */
function isWellFormed(body: string): boolean {
  try {
    const { update, unassign, ...rest } = JSON.parse(body);
    const { assigned_by_id, assigned_to_id, assigned_to_type } = update ?? {};
    const assigns = [assigned_by_id, assigned_to_id].every((id) => typeof id === 'string');
    const isUpdate = assigns && ['USER', 'TEAM'].includes(assigned_to_type);
    const isUnassign = typeof unassign?.assigned_by_id === 'string';
    return isUpdate !== isUnassign && Object.keys(rest).length === 0;
  } catch {
    return false;
  }
}

/**
 * Whether a write can have led to an assignment: it names the assignee and holds the comment. Looks at the
 * body as text, for scenarios send broken bodies too, and a wrong target may make something of them.
 */
function mayHaveMade(body: string, assignment: AssignmentFields | null): boolean {
  if (assignment === null) return body.includes('unassign');
  const { assigned_to_id: id, assignment_comment: comment } = assignment;
  const commentInJson = typeof comment === 'string' ? JSON.stringify(comment).slice(1, -1) : '';
  return body.includes(String(id)) && body.includes(commentInJson);
}

function disturbance(
  taskId: string,
  { assignment, version }: TaskState,
  answer: Answer,
): Inconclusive {
  const now = describeAssignment(assignment);
  return new Inconclusive(
    `Somebody else changed task ${taskId} in the meantime: since ${version} it is assigned to ${now}.`,
    [answer],
  );
}
