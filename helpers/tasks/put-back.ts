import { setMaxListeners } from 'node:events';
import type { PutBack } from '../../schemas/results.ts';
import { Api } from '../api.ts';
import type { Settings } from '../config/settings.ts';
import type { Answer } from '../http/answer.ts';
import { Client } from '../http/client.ts';
import { nameOfPuttingBack } from '../http/exchange.ts';
import { createPacing } from '../http/pacing.ts';
import { Recorder } from '../http/recorder.ts';
import type { Redactor } from '../http/redact.ts';
import type { Transport } from '../http/transport.ts';
import { pause } from '../http/waiting.ts';
import { Inconclusive } from '../outcomes.ts';
import { Journal, type TaskLog } from './journal.ts';
import { runsIn } from './marks.ts';
import { type AssignmentFields, sameAssignment, stateIn, type TaskState } from './task-answer.ts';

/** How long a write that was under way is waited for at most, in milliseconds. */
const longestSettlingMs = 2000;

/** How long putting back may take at most, in milliseconds. */
export function restoreTimeoutMs({ requestTimeoutMs }: Pick<Settings, 'requestTimeoutMs'>): number {
  return 60_000 + 2 * requestTimeoutMs;
}

/**
 * Puts tasks back as they were before a run, through a client of its own, which only `restoreTimeoutMs` stops.
 * @param parts `journal`: how tasks were before the run wrote to them; it notes the writes that put back, too
 * @param unassign tasks of which no journal is left, nor what they were before: those that show a comment of a run of
 *   the suite are unassigned
 * @returns what became of each task that a run had changed
 */
export async function restoreTasks(
  {
    settings,
    send,
    recorder = new Recorder(settings.secrets),
    journal = new Journal(),
  }: {
    readonly settings: Settings;
    readonly send: Transport;
    readonly recorder?: Recorder;
    readonly journal?: Journal;
  },
  unassign: readonly string[] = [],
): Promise<PutBack[]> {
  const { maxConcurrency, maxRequestsPerSecond, requestTimeoutMs, readSettleMs } = settings;
  const timeUp = new AbortController();
  const stop = timeUp.signal;
  setMaxListeners(0, stop);
  const limit = restoreTimeoutMs(settings);
  const late = new Inconclusive(`it was not done within ${limit / 1000} s`);
  const timer = setTimeout(() => timeUp.abort(late), limit);
  const pacing = createPacing(maxConcurrency, maxRequestsPerSecond, stop);
  const client = new Client(send, recorder, pacing, { ...settings, writes: true, stop });
  const [actor = ''] = settings.assignedByIds;
  const api = new Api(client, settings, nameOfPuttingBack, journal);
  try {
    const settleMs = Math.max(readSettleMs, Math.min(requestTimeoutMs, longestSettlingMs));
    for (const task of unassign) {
      const state = stateIn(await api.task(task), task);
      if (runsIn(`${state?.assignment?.assignment_comment}`).length === 0) continue;
      // What the lost journal would have held, with no assignment as the state from before.
      const log = journal.of(task);
      log.add({ task, before: { version: '', assignment: null } });
      log.add({ task, asks: JSON.stringify({ update: state?.assignment }), number: 1 });
      log.add({ task, answered: 1, version: state?.version ?? null });
    }
    const tasks = await putBack(api, journal, { actor, settleMs, stop });
    return tasks.map((one) => redactedPutBack(one, recorder.redactor));
  } finally {
    clearTimeout(timer);
  }
}

/** The outcome without secrets: whoever assigned the task may have written one into the comment. */
function redactedPutBack({ before, why, ...task }: PutBack, redactor: Redactor): PutBack {
  const safe = why !== undefined && 'now' in why ? { ...why, now: redactor.json(why.now) } : why;
  return { ...task, before: redactor.json(before), ...(safe && { why: safe }) };
}

interface PutBackOptions {
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
