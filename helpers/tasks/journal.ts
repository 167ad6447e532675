/**
 * What a run remembers of the tasks that it writes to, so that they can be put back and nobody else's change is taken
 * for the target's fault, or overwritten. `Api` calls the journal for every read and write; it appends
 * entries, which `contract/journal.ts` keeps on disk. What they add up to is in `ledger.ts`.
 */
import { isDeepStrictEqual } from 'node:util';
import { sameId } from '../../schemas/identifier.ts';
import { type Task, taskFields } from '../../schemas/task.ts';
import type { Answer } from '../http/answer.ts';
import { Disturbance } from '../outcomes.ts';
import {
  type Entry,
  holdsComment,
  isTelling,
  Ledger,
  mayHaveMade,
  unknownWrite,
} from './ledger.ts';
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

/** Where entries are kept. */
export interface EntryStore {
  append(entry: Entry): void;
  /** Resolves when everything appended so far would survive the end of the machine. */
  flush(): Promise<void>;
}

const inMemory: EntryStore = { append: () => {}, flush: async () => {} };

/** What the run has seen of a task. */
interface Seen {
  /** As the target writes it; requests name the task by it. */
  readonly id: string;
  /** The task as the last new version showed it. */
  fields: Readonly<Record<string, unknown>>;
  state: TaskState;
  /** Versions that were there when it was leased, or that the run made. */
  readonly known: Set<string>;
  /** All versions that were seen, in the order in which they were. */
  readonly versions: Set<string>;
  /** Bodies of the writes sent since the task was last read. */
  sent: string[];
  /** The version that was the latest when the last write was sent. */
  base: string;
  /** Of that write. */
  ifMatch: string | null;
  /**
   * A write was carried out, and its answer gave no version, or the same as before: the next new one that is read is
   * of its making.
   */
  open: 'no version' | 'same version' | undefined;
  /** The task as it was read first, or as somebody else left it. */
  first: Task;
}

/** What the run knows of a task without asking again. */
interface Latest {
  /** May still be under way. */
  readonly answer: Promise<Answer>;
  /** When it arrived, in milliseconds, as `performance.now()`. */
  at: number | undefined;
}

/** A write that was answered with the task, and after which the task was not read yet. */
interface UnreadWrite {
  readonly kind: string;
  readonly answer: Answer;
}

/** A version of a task that the run did not make, in an answer. */
interface Foreign {
  readonly seen: Seen;
  readonly version: string;
  readonly disturbance: Disturbance;
}

export class Journal {
  readonly #store: EntryStore;
  readonly #ledgers: Map<string, Ledger>;
  readonly #seen = new Map<string, Seen>();
  /** By the number of the exchange that showed it. */
  readonly #foreign = new Map<number, Foreign>();
  /** Bodies of writes to ids that the target should not know: a wrong one may write them to another task. */
  readonly #misdirected: string[] = [];
  /** By task: the last read, or the answer to a write since. */
  readonly #latest = new Map<string, Latest>();
  readonly #unread = new Map<string, UnreadWrite>();
  /** The kinds of writes of which a read has shown that the answer is the task as it is then. */
  readonly #telling = new Set<string>();
  /** Versions in which tasks were found unassigned right after a write that was to do so and was refused. */
  readonly #unassigned: { readonly seen: Seen; readonly version: string }[] = [];
  /** Whether it has turned out that the target carries out such writes. */
  #carriesOutRefused = false;
  /** Whether a read has shown something else than the answer to the write before it. */
  #areAnswersDoubtful = false;
  #writes: number;
  readonly #run = newRun();
  #marks = 0;
  /** By task: as it was read first, before any scenario took it. */
  readonly #unleased = new Map<string, TaskState>();
  /** By task: as another run of the suite was seen to have left it. */
  readonly #ofOtherRuns = new Map<string, TaskState>();
  /** Called when another run of the suite is seen to have assigned a task that is to be put back. */
  onOtherRun: () => void = () => {};

  /**
   * @param store where entries survive the process; without one the tasks are thrown away after the run
   * @param ledgers of an earlier run, which this one goes on with
   */
  constructor(store: EntryStore = inMemory, ledgers: ReadonlyMap<string, Ledger> = new Map()) {
    this.#store = store;
    this.#ledgers = new Map(ledgers);
    this.#writes = Math.max(0, ...Array.from(ledgers.values(), ({ lastNumber }) => lastNumber));
  }

  /** What is known of each task that was remembered, by its id as the target writes it. */
  get ledgers(): ReadonlyMap<string, Ledger> {
    return this.#ledgers;
  }

  /** A mark for a comment, unlike any other. */
  newMark(): string {
    this.#marks += 1;
    return markOf(this.#run, this.#marks);
  }

  /** The tasks that were seen with a comment of another run of the suite, and how they were then, by id. */
  get ofOtherRuns(): ReadonlyMap<string, TaskState> {
    return this.#ofOtherRuns;
  }

  /** A task showed another run's comment in a read that lagged behind. */
  forgetOtherRun(taskId: string): void {
    this.#ofOtherRuns.delete(taskId);
    this.#unleased.delete(keyOf(taskId));
    this.#latest.delete(keyOf(taskId));
  }

  /** Whether another run of the suite made an assignment: its mark is neither of this run nor of one that this goes on with. */
  isOfAnotherRun(assignment: AssignmentFields | null): boolean {
    const runs = runsIn(`${assignment?.assignment_comment}`);
    const isKnown = (run: string): boolean =>
      run === this.#run || [...this.#ledgers.values()].some((ledger) => ledger.isOf(run));
    return runs.length > 0 && !runs.some(isKnown);
  }

  /**
   * Whether the run asked for an assignment with a mark, for whatever task: a wrong target may carry out on one what was
   * written to another, or have one assignment for all.
   */
  hasAskedFor(assignment: AssignmentFields | null): boolean {
    return (
      runsIn(`${assignment?.assignment_comment}`).length > 0 &&
      [...this.#ledgers.values()].some((ledger) => ledger.hasAskedFor(assignment))
    );
  }

  /** Notes a state that the run did not make, where another run did. */
  #lookForOthers(taskId: string, state: TaskState): void {
    // Tasks that are thrown away after the run are nobody else's.
    if (this.#store === inMemory || !this.isOfAnotherRun(state.assignment)) return;
    this.#ofOtherRuns.set(taskId, state);
    this.onOtherRun();
  }

  /**
   * To be called when a scenario takes a task, with the task as just read: its version is nobody's doing while the
   * scenario has it.
   */
  watch(taskId: string, task: Task): void {
    const { updated_at: version, assignment } = task;
    const key = keyOf(taskId);
    const state = { version, assignment: assignmentFields(assignment) };
    const seen = this.#seen.get(key) ?? {
      id: sameId(task.id, taskId) ? task.id : taskId,
      fields: task,
      state,
      known: new Set<string>(),
      versions: new Set<string>(),
      sent: [],
      base: version,
      ifMatch: null,
      open: undefined,
      first: task,
    };
    if (!seen.known.has(version)) this.#lookForOthers(seen.id, state);
    seen.known.add(version);
    seen.versions.add(version);
    this.#seen.set(key, seen);
  }

  /** Keeps what there is before the first write; has reached the disk when the promise resolves. */
  async remember(taskId: string, task: Task): Promise<void> {
    this.watch(taskId, task);
    const id = this.#idOf(taskId);
    if (this.#ledgers.has(id)) return;
    const { updated_at: version, assignment } = task;
    const now = { version, assignment: assignmentFields(assignment) };
    // What the run itself has made of it, through another task, was not there before.
    const isOwn = this.hasAskedFor(now.assignment);
    const before = (isOwn ? this.#unleased.get(keyOf(id)) : undefined) ?? now;
    this.#store.append({ task: id, before });
    await this.#store.flush();
    this.#ledgers.set(id, new Ledger(before));
  }

  /** To be called before a write is sent. @returns the number of the write */
  beforeWrite(taskId: string, body: string, ifMatch: string | null = null): number {
    this.#writes += 1;
    this.#latest.delete(keyOf(taskId));
    this.#unread.delete(keyOf(taskId));
    const seen = this.#seen.get(keyOf(taskId));
    const last = seen === undefined ? {} : { seen: seen.state.version };
    this.#append({ task: this.#idOf(taskId), asks: body, number: this.#writes, ...last });
    (seen?.sent ?? this.#misdirected).push(body);
    if (seen !== undefined) Object.assign(seen, { base: seen.state.version, ifMatch });
    return this.#writes;
  }

  /**
   * To be called when a write has been answered.
   * @param body of the write; left out of one of several that were sent in the same moment
   */
  afterWrite(taskId: string, number: number, answer: Answer, body?: string): void {
    const state = stateIn(answer, taskId);
    const seen = this.#seen.get(keyOf(taskId));
    this.#latest.delete(keyOf(taskId));
    const isNew = state !== undefined && seen !== undefined && state.version !== seen.base;
    if (isNew && body !== undefined) {
      this.#keepAnswer(taskId, { kind: kindOfWrite(body), answer });
    }
    if (seen !== undefined && answer.succeeded) {
      seen.open = 'no version';
      if (state !== undefined) seen.open = state.version === seen.base ? 'same version' : undefined;
    }
    if (seen !== undefined && state !== undefined) {
      seen.known.add(state.version);
      see(seen, state, answer);
    }
    // A success without a version leaves open which version it made; a failure, whether it made one.
    if (state === undefined && (answer.succeeded || answer.status >= 500)) return;
    this.#append({
      task: this.#idOf(taskId),
      answered: number,
      version: state?.version ?? null,
    });
  }

  /** To be called when a task is read with the usual headers: until it is written to, the answer may stand in for another read. */
  beforeRead(taskId: string, answer: Promise<Answer>): void {
    const latest: Latest = { answer, at: undefined };
    this.#latest.set(keyOf(taskId), latest);
    const arrive = (): void => {
      latest.at = performance.now();
    };
    answer.then(arrive, arrive);
  }

  /** To be called when a task has been read. */
  afterRead(taskId: string, answer: Answer): void {
    const state = stateIn(answer, taskId);
    const seen = this.#seen.get(keyOf(taskId));
    if (state === undefined) return;
    if (seen === undefined) {
      if (!this.#unleased.has(keyOf(taskId))) this.#unleased.set(keyOf(taskId), state);
      this.#lookForOthers(taskId, state);
      return;
    }
    this.#compareWithWrite(taskId, answer);
    // An older version may be read late: by a scenario that only reads, or where reads lag behind writes.
    const isNew = !seen.versions.has(state.version);
    const isOurs =
      seen.open !== undefined || isOfLastWrite(seen, state) || this.#isExplained(seen, state);
    if (isNew && isOurs) this.#attribute(seen, state);
    if (!seen.known.has(state.version)) {
      this.#lookForOthers(seen.id, state);
      const disturbance = disturbed(seen, state, answer);
      this.#foreign.set(answer.exchange.number, { seen, version: state.version, disturbance });
      const isReassigned = !sameAssignment(state.assignment, seen.state.assignment);
      const ledger = this.#ledgers.get(seen.id);
      const isOfARun = this.isOfAnotherRun(state.assignment) || this.hasAskedFor(state.assignment);
      const isToStand = !isOfARun && !ledger?.hasMade(state);
      if (isNew && isReassigned && isToStand) {
        this.#append({ task: seen.id, found: state });
        if (state.assignment === null && seen.sent.some((body) => body.includes('unassign'))) {
          this.#unassigned.push({ seen, version: state.version });
          if (this.#carriesOutRefused) this.#attributeUnassigned();
        }
      }
      // The cast: judges look at the fields through the schema.
      if (isNew) seen.first = answer.object as unknown as Task;
    }
    if (!isNew && state.version !== seen.state.version) return;
    if (isNew) see(seen, state, answer);
    if (isNew || seen.open === 'same version') seen.open = undefined;
    seen.sent = [];
  }

  /**
   * The task as the run has seen it last, also in a read that is under way: in a read, or in the answer to a write
   * since, where reads have shown that such answers tell what is read then.
   * @param maxAgeMs in milliseconds; any age where left out
   * @returns undefined where that does not show the task as it is
   */
  async latest(taskId: string, maxAgeMs = Number.POSITIVE_INFINITY): Promise<Answer | undefined> {
    const latest = this.#latest.get(keyOf(taskId));
    if (latest === undefined) return undefined;
    if (latest.at !== undefined && performance.now() - latest.at > maxAgeMs) return undefined;
    const answer = await latest.answer.catch(() => undefined);
    if (answer === undefined || stateIn(answer, taskId) === undefined) return undefined;
    const isWritten = !this.#latest.has(keyOf(taskId));
    return !isWritten && !this.isStale(taskId, answer) ? answer : undefined;
  }

  /** A task as the run read it first, or as somebody else left it; undefined where it was never taken. */
  firstOf(taskId: string): Task | undefined {
    return this.#seen.get(keyOf(taskId))?.first;
  }

  /** Whether the run changed the one task before it changed the other, if it has changed that at all. */
  hasChangedFirst(one: string, other: string): boolean {
    const firstChange = (id: string): number =>
      this.#ledgers.get(this.#idOf(id))?.firstChange ?? Number.POSITIVE_INFINITY;
    return firstChange(one) < firstChange(other);
  }

  /** Whether an answer shows a task in an older version than the latest one that was seen, or as before a write. */
  isStale(taskId: string, answer: Answer): boolean {
    const state = stateIn(answer, taskId);
    const seen = this.#seen.get(keyOf(taskId));
    if (state === undefined || seen === undefined) return false;
    const isLatest = state.version === seen.state.version;
    return isLatest ? seen.open === 'no version' : seen.versions.has(state.version);
  }

  /**
   * Says that the run made the versions which answers show, whatever became of its writes: it was tried, and each
   * time they followed from a request of its own.
   */
  attribute(taskId: string, answers: readonly Answer[]): void {
    const seen = this.#seen.get(keyOf(taskId));
    for (const answer of answers) {
      const state = stateIn(answer, taskId);
      if (seen !== undefined && state !== undefined) this.#attribute(seen, state);
    }
    const shown = answers.map((answer) => stateIn(answer, taskId)?.version);
    if (this.#unassigned.some((one) => one.seen === seen && shown.includes(one.version))) {
      this.#carriesOutRefused = true;
      this.#attributeUnassigned();
    }
  }

  /** What was tried on one task tells what became of the others. */
  #attributeUnassigned(): void {
    for (const { seen, version } of this.#unassigned.splice(0)) {
      this.#attribute(seen, { version, assignment: null });
    }
  }

  /**
   * How somebody else changed the tasks that answers show; undefined where they show only versions that were there
   * when the tasks were leased, or that the run made.
   * @param exchanges the numbers of the answers
   */
  disturbanceIn(exchanges: readonly number[]): Disturbance | undefined {
    const found = exchanges.flatMap((number) => {
      const foreign = this.#foreign.get(number);
      return foreign === undefined || foreign.seen.known.has(foreign.version) ? [] : [foreign];
    });
    return found[0]?.disturbance;
  }

  #keepAnswer(taskId: string, write: UnreadWrite): void {
    this.#unread.set(keyOf(taskId), write);
    if (this.#areAnswersDoubtful || !this.#telling.has(write.kind)) return;
    this.#latest.set(keyOf(taskId), {
      answer: Promise.resolve(write.answer),
      at: performance.now(),
    });
  }

  #compareWithWrite(taskId: string, { object }: Answer): void {
    const write = this.#unread.get(keyOf(taskId));
    if (write === undefined) return;
    this.#unread.delete(keyOf(taskId));
    if (isDeepStrictEqual(write.answer.object, object)) this.#telling.add(write.kind);
    else this.#areAnswersDoubtful = true;
  }

  #attribute(seen: Seen, { version }: TaskState): void {
    if (seen.known.has(version) && !this.#ledgers.get(seen.id)?.isFound(version)) return;
    seen.known.add(version);
    this.#append({ task: seen.id, answered: unknownWrite, version });
  }

  /** Whether the assignment is what a write asked for, though it was refused, or meant for another task. */
  #isExplained(seen: Seen, state: TaskState): boolean {
    const { assignment } = state;
    if (sameAssignment(assignment, seen.state.assignment)) return false;
    const pending = this.#ledgers.get(seen.id)?.pendingBodies ?? [];
    if (seen.sent.some((body) => pending.includes(body) && mayHaveMade(body, assignment)))
      return true;
    const sent = [...seen.sent, ...this.#misdirected];
    return isTelling(assignment) && sent.some((body) => holdsComment(body, assignment));
  }

  /** The id of a task as the target writes it: some tell ids apart by case. */
  #idOf(taskId: string): string {
    return this.#seen.get(keyOf(taskId))?.id ?? taskId;
  }

  #append(entry: Entry): void {
    const ledger = this.#ledgers.get(entry.task);
    // A task that was never remembered is one that the target does not know.
    if (ledger === undefined) return;
    this.#store.append(entry);
    ledger.add(entry);
  }
}

/** In which case ids are written is open: under this key, within the run, a task is found again. */
function keyOf(taskId: string): string {
  return taskId.toLowerCase();
}

/** Writes of one kind are answered alike: to a user or a team, with a comment, with null in its place, or without. */
function kindOfWrite(body: string): string {
  const isOne = (text: string): boolean => body.includes(text);
  const to = ['unassign', 'TEAM', 'USER'].find((one) => isOne(`"${one}"`)) ?? '';
  const comment = ['":null', '":""', '":"'].find((one) => isOne(`"assignment_comment${one}`)) ?? '';
  return to + comment;
}

function see(seen: Seen, state: TaskState, { object }: Answer): void {
  seen.state = state;
  seen.fields = object ?? seen.fields;
  // Moved to the end: it is the latest one.
  seen.versions.delete(state.version);
  seen.versions.add(state.version);
}

const millisecond = 1_000_000n;

/**
 * Whether a version is of the run's last write, though its answer gave another: it lies between that from which the write
 * was made and that of the answer, where nobody else can have changed the task; or next to that of the answer, which is
 * written more finely than versions are kept.
 */
function isOfLastWrite(
  { ifMatch, state, known }: Seen,
  { version, assignment }: TaskState,
): boolean {
  if (ifMatch === null || !known.has(state.version)) return false;
  const [base, at, answered] = [ifMatch, version, state.version].map(instantOf);
  if (base === undefined || at === undefined || answered === undefined || at <= base) return false;
  if (at < answered) return true;
  return at - answered < millisecond && sameAssignment(assignment, state.assignment);
}

/** What an answer shows that somebody else has done to a task. */
function disturbed(seen: Seen, { version, assignment }: TaskState, answer: Answer): Disturbance {
  const { id, state, fields } = seen;
  const isReassigned = !sameAssignment(assignment, state.assignment);
  const others = taskFields.filter(
    (field) =>
      !['assignment', 'updated_at'].includes(field) &&
      !isDeepStrictEqual(fields[field], answer.object?.[field]),
  );
  const changes = [
    ...(isReassigned ? [`it is assigned to ${describeAssignment(assignment)}`] : []),
    ...(others.length > 0 ? [`it has another ${others.join(', ')}`] : []),
  ];
  const what =
    changes.length > 0 ? changes.join(', and ') : 'it has another version, and the same fields';
  return new Disturbance(
    `Somebody else changed task ${id} in the meantime: since ${version} ${what}. TASK_IDS should name tasks that nobody else uses meanwhile.`,
    [answer],
  );
}
