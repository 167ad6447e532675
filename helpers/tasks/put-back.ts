import type { Api } from '../api.ts';
import { pause } from '../http/waiting.ts';
import { Inconclusive } from '../outcomes.ts';
import type { Ledger } from './ledger.ts';
import {
  type AssignmentFields,
  describeAssignment,
  stateIn,
  type TaskState,
} from './task-state.ts';

/** What became of a task that a run wrote to. */
export interface PutBack {
  readonly taskId: string;
  /** `as before`: nothing was to be done. `left`: somebody else has changed it since, and that stands. */
  readonly outcome: 'as before' | 'put back' | 'left' | 'failed';
  /** What the task was assigned to before, for people. */
  readonly before: string;
  /** Why, in words; empty where the outcome says everything. */
  readonly detail: string;
}

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

/** So often a write that puts a task back is answered and shows no effect before it is given up. */
const mostWrites = 2;

/** Puts tasks back as they were. Overwrites only what the run itself wrote. Throws nothing that a target can cause. */
export async function putBack(
  api: Api,
  ledgers: ReadonlyMap<string, Ledger>,
  options: PutBackOptions,
): Promise<PutBack[]> {
  const written = [...ledgers].filter(([, ledger]) => ledger.isWritten);
  return await Promise.all(
    written.map(([taskId, ledger]) => putBackTask(api, taskId, ledger, options)),
  );
}

/** The target refuses to show a task: to ask again would not change that. */
class Unreadable extends Inconclusive {}

async function putBackTask(
  api: Api,
  taskId: string,
  ledger: Ledger,
  { actor, settleMs, stop }: PutBackOptions,
): Promise<PutBack> {
  const before = describeAssignment(ledger.before.assignment);
  const as = (outcome: PutBack['outcome'], detail = ''): PutBack => ({
    taskId,
    outcome,
    before,
    detail,
  });
  let wrote = 0;
  let trouble = '';
  for (const pauseMs of [0, ...pausesMs]) {
    try {
      if (pauseMs > 0) await pause(pauseMs, stop);
      const state = await settledState(api, taskId, ledger, settleMs, stop);
      if (ledger.isAsBefore(state)) {
        const untouched = ledger.isChangedByOthers ? 'left' : 'as before';
        return as(wrote > 0 ? 'put back' : untouched, noteOf(ledger));
      }
      if (!ledger.hasWritten(state)) return as('left', whoseChange(state));
      // The target answers, and does not do it: to ask for it a third time would not change that.
      if (wrote === mostWrites) break;
      wrote += 1;
      const { status } = await write(api, taskId, state, ledger.before.assignment, actor);
      trouble = `the write that puts it back was answered ${status}, and the task is assigned to ${describeAssignment(state.assignment)}`;
    } catch (error) {
      if (!(error instanceof Inconclusive)) throw error;
      trouble = error.message;
      if (error instanceof Unreadable) break;
    }
  }
  return as('failed', trouble);
}

/** The state of the task; where a write may be under way that would change it, as it is after a while. */
async function settledState(
  api: Api,
  taskId: string,
  ledger: Ledger,
  settleMs: number,
  stop: AbortSignal,
): Promise<TaskState> {
  const state = await readState(api, taskId);
  if (!ledger.isUnsettled || !ledger.isAsBefore(state)) return state;
  await pause(settleMs, stop);
  return await readState(api, taskId);
}

async function readState(api: Api, taskId: string): Promise<TaskState> {
  const answer = await api.task(taskId);
  const state = stateIn(answer, taskId);
  if (state !== undefined) return state;
  const what = `the task cannot be read: ${answer.request} gave ${answer.status} (#${answer.exchange.number})`;
  throw answer.status < 500 ? new Unreadable(what) : new Inconclusive(what);
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

function whoseChange({ assignment, version }: TaskState): string {
  return `since ${version} it is assigned to ${describeAssignment(assignment)}, which this run did not write`;
}

function noteOf(ledger: Ledger): string {
  return ledger.isChangedByOthers
    ? 'somebody else has changed it during the run, and that is what it is now'
    : '';
}
