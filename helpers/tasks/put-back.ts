import type { PutBack } from '../../schemas/results.ts';
import type { Api } from '../api.ts';
import type { Answer } from '../http/answer.ts';
import { pause } from '../http/waiting.ts';
import { Inconclusive } from '../outcomes.ts';
import type { Journal, TaskLog } from './journal.ts';
import { type AssignmentFields, sameAssignment, stateIn, type TaskState } from './task-answer.ts';

export interface PutBackOptions {
  /** The user in whose name a task is unassigned, or assigned where the former assignment names no assigning user. */
  readonly actor: string;
  /** How long a write may take to be carried out and show in reads, in milliseconds. */
  readonly settleMs: number;
  /** Once it is aborted, tasks that are not put back yet are given up. */
  readonly stop: AbortSignal;
}

/** The pauses before further attempts on a task, in milliseconds. */
const pausesMs = [250, 1000, 3000, 6000, 10_000];

/** After how many writes that were answered, and did not put a task back, it is given up. */
const maxWrites = 3;

/**
 * Puts back the tasks that a run wrote to; overwrites only what that run wrote. Throws nothing that a target can cause.
 * @param journal of that run; where it has met another run of the suite, no outcome is certain
 * @returns what became of each task
 */
export async function putBack(
  api: Api,
  journal: Journal,
  options: PutBackOptions,
): Promise<PutBack[]> {
  const tasks = await Promise.all(
    journal.written.map((log) => putBackTask(api, log, journal, options)),
  );
  return journal.ofOtherRuns.size === 0 ? tasks : tasks.map(besideAnotherRun);
}

/** The outcome for a task where another run is at work: it may still write to the task, or have made what was left. */
function besideAnotherRun(task: PutBack): PutBack {
  const { outcome, why } = task;
  if (outcome === 'failed') return task;
  return outcome === 'left' && why?.kind === 'reassigned'
    ? { ...task, outcome: 'failed', why: { ...why, kind: 'another run' } }
    : { ...task, why: { kind: 'another run is there' } };
}

/** What is to be done about a task: nothing more, wait because of this, or give it this assignment. */
type Decision =
  | Pick<PutBack, 'outcome' | 'why'>
  | { readonly waitsFor: PutBack['why'] }
  | { readonly give: AssignmentFields | null };

/** Decides what is to be done about a task that shows this state. @param isWritten whether putting back has written to it */
function decide(state: TaskState, log: TaskLog, journal: Journal, isWritten: boolean): Decision {
  const { version: since, assignment: now } = state;
  const { assignment: found } = log.before;
  const { assignment: first } = log.original;
  const left: Decision = { outcome: 'left', why: { kind: 'reassigned', since, now } };
  // What somebody else made of the task during the run is kept, unless another run of the suite may have made it.
  const before = journal.ofOtherRuns.size > 0 ? first : found;
  if (sameAssignment(now, before)) {
    const outcome = isWritten ? 'put back' : 'as before';
    if (!log.isChangedByOthers) return { outcome };
    // Nothing was written, and the task differs from the one before the run: somebody else's change is left.
    if (!isWritten && !sameAssignment(now, first)) return left;
    return { outcome, why: { kind: 'changed during the run' } };
  }
  // The other run may be about to put the task back, to the state that this run made.
  if (journal.isOfAnotherRun(now)) return { waitsFor: { kind: 'another run', since, now } };
  const isFound = sameAssignment(now, found) && log.makerOf(since) !== 'run';
  const mayBeOwn = journal.hasAskedFor(now) || log.mayHaveMade(state);
  return isFound || !mayBeOwn ? left : { give: before };
}

/** Puts back one task in up to six attempts: each reads it, and writes where it shows what the run made of it. */
async function putBackTask(
  api: Api,
  log: TaskLog,
  journal: Journal,
  options: PutBackOptions,
): Promise<PutBack> {
  const { id: taskId } = log;
  const { actor, stop } = options;
  const { assignment: before } = log.original;
  let writes = 0;
  let failure: PutBack['why'];
  let isAccepted = false;
  for (const pauseMs of [0, ...pausesMs]) {
    try {
      if (pauseMs > 0) await pause(pauseMs, stop);
      const answer = await readSettled(api, log, options);
      const state = stateIn(answer, taskId);
      if (state === undefined) {
        const { status, exchange } = answer;
        failure = { kind: 'not readable', status, on: [exchange.number] };
        // A target that refuses to show the task (4xx) will refuse again.
        if (status < 500) break;
        continue;
      }
      const decision = decide(state, log, journal, writes > 0);
      if ('outcome' in decision) return { taskId, before, ...decision };
      if ('waitsFor' in decision) {
        failure = decision.waitsFor;
        continue;
      }
      if (writes === maxWrites) break;
      writes += 1;
      const { version: ifMatch, assignment: now } = state;
      // A target may keep fields of the present assignment: the second write unassigns, so that they go with it.
      const isToClear = writes === 2 && isAccepted && now !== null;
      const body = bodyThatMakes(isToClear ? null : decision.give, actor);
      const { status, succeeded } = await api.update(taskId, { ifMatch, body });
      isAccepted = succeeded;
      failure = { kind: 'not carried out', status, now };
    } catch (error) {
      if (!(error instanceof Inconclusive)) throw error;
      // An earlier failure says more than that time is over.
      if (failure === undefined || !stop.aborted)
        failure = { kind: 'no answer', why: error.message, on: [...error.exchanges] };
    }
  }
  return { taskId, outcome: 'failed', before, ...(failure !== undefined && { why: failure }) };
}

/** Reads the task; once more after `settleMs` where a write may still be under way, or not show in reads yet. */
async function readSettled(
  api: Api,
  log: TaskLog,
  { settleMs, stop }: PutBackOptions,
): Promise<Answer> {
  const answer = await api.task(log.id);
  const state = stateIn(answer, log.id);
  if (state === undefined) return answer;
  const isAsBefore = sameAssignment(state.assignment, log.before.assignment);
  if (!log.isStale(answer) && !(log.hasPendingWrite && isAsBefore)) return answer;
  await pause(settleMs, stop);
  return await api.task(log.id);
}

/** The body that makes an assignment; with texts alone, whatever a target shows in their place. */
function bodyThatMakes(assignment: AssignmentFields | null, actor: string) {
  if (assignment === null) return { unassign: { assigned_by_id: actor } };
  const given = Object.entries(assignment).map(([field, value]) => [
    field,
    value === null || value === undefined ? value : String(value),
  ]);
  const update = Object.fromEntries(given);
  return { update: { ...update, assigned_by_id: update.assigned_by_id ?? actor } };
}
