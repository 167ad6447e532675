import type { PutBack } from '../../schemas/results.ts';
import type { Api } from '../api.ts';
import type { Answer } from '../http/answer.ts';
import { pause } from '../http/waiting.ts';
import { Inconclusive } from '../outcomes.ts';
import type { Journal } from './journal.ts';
import { type AssignmentFields, sameAssignment, stateIn, type TaskState } from './task-answer.ts';
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

/** The target refuses to show a task: another request would not change that. */
class Unreadable extends Inconclusive {
  readonly status: number;

  constructor(answer: Answer) {
    super(unreadable(answer), [answer]);
    this.status = answer.status;
  }
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
  let isMoved = false;
  let isAccepted = false;
  for (const pauseMs of [0, ...pausesMs]) {
    try {
      if (pauseMs > 0) await pause(pauseMs, stop);
      const state = await settledState(api, log, options);
      // What others made of a task during the run stands, but not where they may have been another run.
      const { assignment: found } = log.before;
      const before = journal.ofOtherRuns.size > 0 ? log.original.assignment : found;
      if (sameAssignment(state.assignment, before)) {
        if (writes > 0) return result('put back', whyOf(log, isMoved));
        // What others did is known once the task has been read.
        return log.isChangedByOthers && !sameAssignment(state.assignment, log.original.assignment)
          ? result('left', othersChange(state))
          : result('as before', whyOf(log, isMoved));
      }
      const isFound = sameAssignment(state.assignment, found) && !log.hasMade(state.version);
      const isAskedFor = journal.hasAskedFor(state.assignment);
      if (isFound || !(isAskedFor || log.mayHaveMade(state))) {
        if (!journal.isOfAnotherRun(state.assignment)) return result('left', othersChange(state));
        // That run may be about to put it back, to what this one made of it.
        failure = { ...othersChange(state), kind: 'another run' };
        continue;
      }
      const isOurs =
        isAskedFor || log.isOfOwnVersion(state.version) || log.hasPendingWrite || writes > 0;
      isMoved ||= !isOurs;
      if (writes === maxWrites) break;
      writes += 1;
      // What the target keeps of the assignment before goes with that assignment.
      const isToClear = writes === 2 && isAccepted && state.assignment !== null;
      const wanted = isToClear ? null : before;
      const { status, succeeded } = await write(api, taskId, state, wanted, actor);
      isAccepted = succeeded;
      failure = { kind: 'not carried out', status, now: state.assignment };
    } catch (error) {
      if (!(error instanceof Inconclusive)) throw error;
      // That time is over says less than what went wrong before.
      if (failure === undefined || !stop.aborted) {
        const on = [...error.exchanges];
        failure =
          error instanceof Unreadable
            ? { kind: 'not readable', status: error.status, on }
            : { kind: 'no answer', why: error.message, on };
      }
      if (error instanceof Unreadable) break;
    }
  }
  return result('failed', failure);
}

/** The state of the task; where a write may be under way, or not show yet, that would change it, as it is after a while. */
async function settledState(
  api: Api,
  log: TaskLog,
  { settleMs, stop }: PutBackOptions,
): Promise<TaskState> {
  const state = await readState(api, log.id);
  const isAsBefore = sameAssignment(state.assignment, log.before.assignment);
  if (!log.isOld(state.version) && !(log.hasPendingWrite && isAsBefore)) return state;
  await pause(settleMs, stop);
  return await readState(api, log.id);
}

async function readState(api: Api, taskId: string): Promise<TaskState> {
  const answer = await api.task(taskId);
  const state = stateIn(answer, taskId);
  if (state !== undefined) return state;
  throw answer.status < 500
    ? new Unreadable(answer)
    : new Inconclusive(unreadable(answer), [answer]);
}

function unreadable({ request, status }: Answer): string {
  return `the task cannot be read: ${request} gave ${status}`;
}

async function write(
  api: Api,
  taskId: string,
  { version: ifMatch }: TaskState,
  before: AssignmentFields | null,
  actor: string,
) {
  const body =
    before === null
      ? { unassign: { assigned_by_id: actor } }
      : { update: { ...before, assigned_by_id: before.assigned_by_id ?? actor } };
  return await api.update(taskId, { ifMatch, body });
}

function othersChange({ assignment, version }: TaskState) {
  return { kind: 'reassigned', since: version, now: assignment } as const;
}

function whyOf(log: TaskLog, isMoved: boolean): PutBack['why'] {
  if (log.isChangedByOthers) return { kind: 'changed during the run' };
  return isMoved ? { kind: 'other fields changed' } : undefined;
}
