import type { PutBack } from '../../schemas/results.ts';
import type { Api } from '../api.ts';
import type { Answer } from '../http/answer.ts';
import { pause } from '../http/waiting.ts';
import { Inconclusive } from '../outcomes.ts';
import type { Journal } from './journal.ts';
import { type AssignmentFields, sameAssignment, stateIn } from './task-answer.ts';
import type { TaskLog } from './task-log.ts';

export interface PutBackOptions {
  /** In whose name a task is unassigned, or assigned where the former assignment does not say. */
  readonly actor: string;
  /** How long a write whose answer was lost may take to be carried out, in milliseconds. */
  readonly settleMs: number;
  /** Once aborted, what is not put back by then is given up. */
  readonly stop: AbortSignal;
}

/** Before a task is tried again, in milliseconds. */
const pausesMs = [250, 1000, 3000, 6000, 10_000];

/** After so many writes that were answered and did not put it back, a task is given up. */
const maxWrites = 3;

/**
 * Puts tasks back as they were. Overwrites only what the run itself wrote. Throws nothing that a target can cause.
 * @param journal of that run; where it has met another run of the suite, nothing is vouched for
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

/** Where another run of the suite is at work, it may still write to what was put back, and what was left may be its doing. */
function besideAnotherRun(task: PutBack): PutBack {
  const { outcome, why } = task;
  if (outcome === 'failed') return task;
  return outcome === 'left' && why?.kind === 'reassigned'
    ? { ...task, outcome: 'failed', why: { ...why, kind: 'another run' } }
    : { ...task, why: { kind: 'another run is there' } };
}

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
        // That the target refuses to show it, another request would not change.
        if (status < 500) break;
        continue;
      }
      const { version: since, assignment: now } = state;
      // What others made of a task during the run stands, but not where they may have been another run.
      const { assignment: found } = log.before;
      const { assignment: first } = log.original;
      const before = journal.ofOtherRuns.size > 0 ? first : found;
      if (sameAssignment(now, before)) {
        const isOthers = log.isChangedByOthers;
        // What others did is known once the task has been read.
        if (writes === 0 && isOthers && !sameAssignment(now, first))
          return result('left', { kind: 'reassigned', since, now });
        const why = isOthers ? ({ kind: 'changed during the run' } as const) : undefined;
        return result(writes > 0 ? 'put back' : 'as before', why);
      }
      if (journal.isOfAnotherRun(now)) {
        // That run may be about to put it back, to what this one made of it.
        failure = { kind: 'another run', since, now };
        continue;
      }
      const isFound = sameAssignment(now, found) && !log.hasMade(since);
      if (isFound || !(journal.hasAskedFor(now) || log.mayHaveMade(state)))
        return result('left', { kind: 'reassigned', since, now });
      if (writes === maxWrites) break;
      writes += 1;
      // What the target keeps of the assignment before goes with that assignment.
      const isToClear = writes === 2 && isAccepted && now !== null;
      const body = bodyThatMakes(isToClear ? null : before, actor);
      const { status, succeeded } = await api.update(taskId, { ifMatch: since, body });
      isAccepted = succeeded;
      failure = { kind: 'not carried out', status, now };
    } catch (error) {
      if (!(error instanceof Inconclusive)) throw error;
      // That time is over says less than what went wrong before.
      if (failure === undefined || !stop.aborted)
        failure = { kind: 'no answer', why: error.message, on: [...error.exchanges] };
    }
  }
  return result('failed', failure);
}

/** Reads the task; where a write may be under way, or not show yet, that would change it, again after a while. */
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
