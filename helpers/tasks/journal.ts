import type { Task } from '../../schemas/task.ts';
import type { Answer } from '../http/answer.ts';
import { type Entry, Ledger, mayHaveMade } from './ledger.ts';
import {
  describeAssignment,
  fieldsOf,
  sameAssignment,
  stateIn,
  type TaskState,
} from './task-state.ts';

/** Where entries are kept. */
export interface EntryStore {
  append(entry: Entry): void;
  /** Resolves when everything appended so far would survive the end of the machine. */
  flush(): Promise<void>;
}

/** In place of a write's number, where a version is the run's work and nobody knows by which write. */
const noWrite = 0;

const inMemory: EntryStore = { append: () => {}, flush: async () => {} };

/** What the run last saw of a task. */
interface Sight {
  state: TaskState;
  readonly versions: Set<string>;
  /** Bodies of the writes sent since the task was last read. */
  sent: string[];
  /** Why the task cannot be trusted to be the run's own, once somebody else has been seen to change it. */
  disturbance?: string;
}

/**
 * Remembers what was there before the first write to a task, and what the run did to it, so that the task can be
 * put back and nobody else's change is taken for the target's fault, or overwritten.
 */
export class Journal {
  readonly #store: EntryStore;
  readonly #ledgers = new Map<string, Ledger>();
  readonly #sights = new Map<string, Sight>();
  /** Bodies of writes to ids that the target should not know: a wrong one may take them for another task's. */
  readonly #strays: string[] = [];
  #writes = 0;

  /** @param store where it survives the process; without one the tasks are thrown away after the run */
  constructor(store: EntryStore = inMemory) {
    this.#store = store;
  }

  /** What is known of each task that was remembered, by its id. */
  get ledgers(): ReadonlyMap<string, Ledger> {
    return this.#ledgers;
  }

  /** Keeps what there is before the first write; has reached the disk when the promise resolves. */
  async remember(taskId: string, { updated_at: version, assignment }: Task): Promise<void> {
    const task = keyOf(taskId);
    if (this.#ledgers.has(task)) return;
    const before = { version, assignment: fieldsOf(assignment) };
    this.#store.append({ task, before });
    await this.#store.flush();
    this.#ledgers.set(task, new Ledger(before));
    this.#sights.set(task, { state: before, versions: new Set([version]), sent: [] });
  }

  /** To be called before a write leaves. @returns the number of the write */
  asks(taskId: string, body: string): number {
    const task = keyOf(taskId);
    this.#writes += 1;
    this.#note({ task, asks: body, number: this.#writes });
    (this.#sights.get(task)?.sent ?? this.#strays).push(body);
    return this.#writes;
  }

  /** To be called when a write has been answered. */
  answered(taskId: string, number: number, answer: Answer): void {
    const task = keyOf(taskId);
    const state = stateIn(answer, taskId);
    // A success without a version leaves open which version it made.
    if (answer.succeeded && state === undefined) return;
    this.#note({ task, answered: number, version: state?.version ?? null });
    const sight = this.#sights.get(task);
    if (sight !== undefined && state !== undefined) see(sight, state);
  }

  /** To be called when a task has been read. */
  read(taskId: string, answer: Answer): void {
    const task = keyOf(taskId);
    const state = stateIn(answer, taskId);
    const ledger = this.#ledgers.get(task);
    const sight = this.#sights.get(task);
    if (state === undefined || ledger === undefined || sight === undefined) return;
    if (isNews(state, sight) && !ledger.hasWritten(state)) {
      const sent = [...sight.sent, ...this.#strays];
      if (sent.some((body) => explains(body, state))) {
        this.#note({ task, answered: noWrite, version: state.version });
      } else {
        this.#note({ task, found: state });
        sight.disturbance = disturbance(taskId, state, answer);
      }
    }
    see(sight, state);
    sight.sent = [];
  }

  /** Forgets who was seen to change a task: a new play begins. */
  settle(taskId: string): void {
    delete this.#sights.get(keyOf(taskId))?.disturbance;
  }

  /** How somebody else was seen to change a task since the play began; undefined where nobody was. */
  disturbanceOf(taskId: string): string | undefined {
    return this.#sights.get(keyOf(taskId))?.disturbance;
  }

  #note(entry: Entry): void {
    const ledger = this.#ledgers.get(entry.task);
    // A task that was never remembered is one that the target does not know.
    if (ledger === undefined) return;
    this.#store.append(entry);
    ledger.note(entry);
  }
}

/** In which case ids are written is open. */
function keyOf(taskId: string): string {
  return taskId.toLowerCase();
}

function see(sight: Sight, state: TaskState): void {
  sight.state = state;
  sight.versions.add(state.version);
}

/** Whether a task is in a state that the run has not seen yet, and that is not just a newer version. */
function isNews(state: TaskState, { state: last, versions }: Sight): boolean {
  // An older state may be read late, by a scenario that only reads.
  return !versions.has(state.version) && !sameAssignment(state.assignment, last.assignment);
}

/** Whether a write may be why a task is in a state. What is wrong on purpose, a wrong target makes anything of. */
function explains(body: string, { assignment }: TaskState): boolean {
  return !isRight(body) || mayHaveMade(body, assignment);
}

/** Whether a body is one that the document tells what becomes of. */
function isRight(body: string): boolean {
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

function disturbance(taskId: string, { assignment, version }: TaskState, answer: Answer): string {
  const now = describeAssignment(assignment);
  return `Somebody else changed task ${taskId} in the meantime: since ${version} it is assigned to ${now} (#${answer.exchange.number}).`;
}
