import type { RawUpdate } from '../helpers/api.ts';
import type { Answer } from '../helpers/http/answer.ts';
import { type Disturbance, NothingSeen } from '../helpers/outcomes.ts';
import { taskOf } from '../helpers/tasks/task-answer.ts';
import type { World } from '../runner/world.ts';
import type { JudgedClause, OpenClause } from '../schemas/clauses.ts';
import type { Observation } from '../schemas/observations.ts';
import type { Task } from '../schemas/task.ts';
import { expectOtherFieldsKept, expectUnchanged, isChanged } from './comparing-tasks.ts';
import { isRefused, judgeEach } from './expectations.ts';

/*
 * Writes whose status or outcome the document leaves open: refused-writes.ts attempts them in turn, and judges what each
 * left behind.
 */

/** A write to attempt. */
export interface Attempt {
  /** Completes "a write …": "without If-Match". Does not say whether the write unassigns: its body does. */
  readonly how: string;
  /** The write, for the task as it was read last. */
  readonly make: (task: Task) => RawUpdate;
  /** The clause that it breaks if it is carried out, where attempts of one scenario break several. */
  readonly clause?: JudgedClause;
  readonly observes?: ObservedAttempt;
}

/** The open clause that the outcome of an attempt tells of, and what it tells. */
export interface ObservedAttempt {
  readonly clause: OpenClause;
  readonly facts: (answer: Answer, batch: Batch) => readonly Observation[];
}

export interface Attempted {
  readonly attempt: Attempt;
  readonly answer: Answer;
}

/** Writes to a task between two reads of it, `before` and `read`. All writes but the last were refused. */
export interface Batch {
  /** The task as the run read it first, or as somebody else left it since. */
  readonly firstSeen: Task;
  readonly before: Task;
  readonly writes: readonly Attempted[];
  readonly read: Answer;
  /** How the read shows that somebody else has changed the task. */
  readonly disturbance: Disturbance | undefined;
}

type AttemptWorld = Pick<World, 'api' | 'tasks'>;

/**
 * Attempts writes in turn. Reads the task after each accepted write and at the end; each read ends a batch. Where the
 * last batch changed the task although all its writes were refused, finds the write to blame.
 */
export async function attemptInTurn(
  world: AttemptWorld,
  task: Task,
  attempts: readonly Attempt[],
): Promise<Batch[]> {
  const batches: Batch[] = [];
  for (let before = task, left = attempts; left.length > 0; ) {
    const batch = await attemptUntilAccepted(world, before, left);
    batches.push(batch);
    before = taskOf(batch.read);
    left = left.slice(batch.writes.length);
  }
  const last = batches.pop();
  if (last === undefined) return [];
  return [...batches, ...(changedByRefused(last) ? await findBlamed(world, last) : [last])];
}

/** Attempts writes until one is accepted, and reads the task. */
async function attemptUntilAccepted(
  { api, tasks }: AttemptWorld,
  before: Task,
  attempts: readonly Attempt[],
): Promise<Batch> {
  const firstSeen = tasks.firstSeen(before);
  const writes: Attempted[] = [];
  for (const attempt of attempts) {
    const answer = await api.update(before.id, attempt.make(before));
    writes.push({ attempt, answer });
    if (!isRefused(answer)) break;
  }
  const { answer: read } = await tasks.look(before.id);
  return { firstSeen, before, writes, read, disturbance: tasks.disturbance([read]) };
}

/**
 * Attempts the writes of a batch that changed the task once more: all of them, where somebody else may have changed it,
 * and then each of them alone, on the task as it was.
 * @returns the batches that stand in for this one
 */
async function findBlamed(world: AttemptWorld, batch: Batch): Promise<Batch[]> {
  const { tasks } = world;
  const attempts = batch.writes.map(({ attempt }) => attempt);
  const isDoubtful = batch.disturbance !== undefined;
  if (!isDoubtful && attempts.length === 1) return [batch];
  // Where somebody else may have changed the task, the last of several trials counts.
  const attemptAgain = async (some: readonly Attempt[]): Promise<Batch> => {
    const before = await tasks.bringBack(batch.before);
    const again = await tasks.trial(
      before,
      (task) => attemptUntilAccepted(world, task, some),
      changedByRefused,
    );
    return { ...again, disturbance: tasks.disturbance([again.read]) };
  };
  if (isDoubtful) {
    const together = await attemptAgain(attempts);
    if (attempts.length === 1 || !changedByRefused(together)) return [together];
  }
  const alone: Batch[] = [];
  for (const attempt of attempts) alone.push(await attemptAgain([attempt]));
  // Where no write changes the task alone, the batch of all of them stays: any of them may be to blame.
  return alone.some(changedByRefused) ? alone : [batch, ...alone];
}

/** Whether the task has changed although all writes of the batch were refused. */
function changedByRefused(batch: Batch): boolean {
  return batch.writes.every(({ answer }) => isRefused(answer)) && isChanged(batch);
}

/** The task as the last batch read it. */
export function latestTask(batches: readonly Batch[]): Task {
  const last = batches.at(-1);
  if (last === undefined) throw new Error('No write was attempted.');
  return taskOf(last.read);
}

/** How the writes were made, each way once: "without If-Match, with an empty If-Match". */
export function waysOf(writes: readonly Attempted[]): string {
  return [...new Set(writes.map(({ attempt }) => attempt.how))].join(', ');
}

/** The answers to the writes of all batches, in order. */
export function answersOf(batches: readonly Batch[]): Answer[] {
  return batches.flatMap(({ writes }) => writes.map(({ answer }) => answer));
}

/**
 * A judge that refused writes have changed nothing. A batch with an answer that is no refusal shows nothing of it.
 * @param refuses which answers count as refusals
 * @param how how the writes of a batch were made, as it completes "a write …"
 */
export const expectNoTrace =
  (refuses: (answer: Answer) => boolean, how: (writes: readonly Attempted[]) => string) =>
  ({ batches }: { batches: readonly Batch[] }): void =>
    judgeEach(batches, ({ before, writes, read }) => {
      const answers = writes.map(({ answer }) => answer);
      if (!answers.every(refuses)) throw new NothingSeen();
      expectUnchanged(before, taskOf(read), { how: how(writes), on: [...answers, read] });
    });

/** Judges that earlier writes of the run kept the fields that they do not mention; those here are to be refused. */
export const keepsTheOtherFields = {
  'update.keeps-the-other-fields': ({ batches }: { batches: readonly Batch[] }) => {
    for (const { firstSeen, before, read } of batches) {
      expectOtherFieldsKept(firstSeen, before, [read]);
    }
  },
};

/** Observations of attempts, by the open clauses that their outcomes tell of. */
export function observesAttempts(attempts: readonly Pick<Attempt, 'observes'>[]) {
  const ids = new Set(attempts.flatMap(({ observes }) => observes?.clause ?? []));
  const factsOf = (id: OpenClause, batch: Batch): readonly Observation[] =>
    batch.writes.flatMap(({ attempt: { observes }, answer }) =>
      observes?.clause === id ? observes.facts(answer, batch) : [],
    );
  return Object.fromEntries(
    Array.from(ids, (id) => [
      id,
      ({ batches }: { batches: readonly Batch[] }) => batches.flatMap((one) => factsOf(id, one)),
    ]),
  );
}
