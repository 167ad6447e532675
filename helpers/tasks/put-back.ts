import type { PutBack } from '../../schemas/results.ts';
import type { Api } from '../api.ts';
import type { Answer } from '../http/answer.ts';
import { pause } from '../http/waiting.ts';
import { Inconclusive } from '../outcomes.ts';
import type { Journal } from './journal.ts';
import { type AssignmentFields, sameAssignment, stateIn } from './task-answer.ts';
import type { TaskLog } from './task-log.ts';

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

/** Puts back one task in up to six attempts: each reads it, and writes where it shows what the run made of it. */
async function putBackTask(
  api: Api,
  log: TaskLog,
  journal: Journal,
  options: PutBackOptions,
): Promise<PutBack> {
  const { id: taskId } = log;
  const { actor, stop } = options;
  const result = (outcome: PutBack['outcome'], why?: PutBack['why']): PutBack => ({
    taskId,
    outcome,
    before: log.original.assignment,
    ...(why !== undefined && { why }),
  });
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
      const { version: since, assignment: now } = state;
      // What somebody else made of the task during the run is kept, unless another run of the suite may have made it.
      const { assignment: found } = log.before;
      const { assignment: first } = log.original;
      const before = journal.ofOtherRuns.size > 0 ? first : found;
      if (sameAssignment(now, before)) {
        const isOthers = log.isChangedByOthers;
        // Nothing was written, and the task differs from the one before the run: somebody else's change is left.
        if (writes === 0 && isOthers && !sameAssignment(now, first))
          return result('left', { kind: 'reassigned', since, now });
        const why = isOthers ? ({ kind: 'changed during the run' } as const) : undefined;
        return result(writes > 0 ? 'put back' : 'as before', why);
      }
      if (journal.isOfAnotherRun(now)) {
        // The other run may be about to put the task back, to the state that this run made.
        failure = { kind: 'another run', since, now };
        continue;
      }
      const isFound = sameAssignment(now, found) && !log.hasMade(since);
      if (isFound || !(journal.hasAskedFor(now) || log.mayHaveMade(state)))
        return result('left', { kind: 'reassigned', since, now });
      if (writes === maxWrites) break;
      writes += 1;
      // A target may keep fields of the present assignment: the second write unassigns, so that they go with it.
      const isToClear = writes === 2 && isAccepted && now !== null;
      const body = bodyThatMakes(isToClear ? null : before, actor);
      const { status, succeeded } = await api.update(taskId, { ifMatch: since, body });
      isAccepted = succeeded;
      failure = { kind: 'not carried out', status, now };
    } catch (error) {
      if (!(error instanceof Inconclusive)) throw error;
      // An earlier failure says more than that time is over.
      if (failure === undefined || !stop.aborted)
        failure = { kind: 'no answer', why: error.message, on: [...error.exchanges] };
    }
  }
  return result('failed', failure);
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
  if (!log.isOld(state.version) && !(log.hasPendingWrite && isAsBefore)) return answer;
  await pause(settleMs, stop);
  return await api.task(log.id);
}

function bodyThatMakes(assignment: AssignmentFields | null, actor: string) {
  return assignment === null
    ? { unassign: { assigned_by_id: actor } }
    : { update: { ...assignment, assigned_by_id: assignment.assigned_by_id ?? actor } };
}
