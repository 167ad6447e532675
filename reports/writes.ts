import type { Settings } from '../helpers/config/settings.ts';
import type { Exchange } from '../helpers/http/exchange.ts';
import { countsOf } from '../helpers/maps.ts';
import { describeAssignment } from '../helpers/tasks/task-answer.ts';
import type { PutBack, Results, UnusableValue } from '../schemas/results.ts';
import { invocation, optionsFor } from './commands.ts';
import { printableLine } from './printable.ts';
import { counted, inBrackets, present, unusableLines } from './wording.ts';

// What people read about the tasks that a run writes to: before the first write, while another run uses them, and
// when they are put back.

/** How many writes a scenario that writes sends on average, where it does not say; counted over all of them. */
const writesByScenario = 6;

/**
 * What a run is about to do to a target that other people use. Ends with an empty line.
 * @param run what the first reads have shown
 * @param leftOut how many clauses are left out on purpose
 */
export function renderAnnouncement(
  settings: Settings,
  run: { readonly unusable: readonly UnusableValue[]; readonly exchanges: readonly Exchange[] },
  leftOut: number,
  writing: readonly { readonly writes?: number }[],
): string {
  const { target, taskIds, assessmentIds, userIds, teamIds, runTimeoutMs } = settings;
  const read = run.exchanges.filter(({ response }) => response?.status === 200);
  // How many of the ids were read: some may not exist, and some reads were not answered.
  const countRead = (ids: readonly string[]): number =>
    ids.filter((id) =>
      read.some(({ request }) => request.url.endsWith(`/${encodeURIComponent(id)}`)),
    ).length;
  const found = present(
    taskIds.length > 0 && `${countRead(taskIds)} of ${counted(taskIds.length, 'task')}`,
    assessmentIds.length > 0 &&
      `${countRead(assessmentIds)} of ${counted(assessmentIds.length, 'assessment')}`,
  );
  const tasks = countRead(taskIds);
  const isWriting = writing.length > 0 && tasks > 0;
  const writes = writing.reduce((sum, one) => sum + (one.writes ?? writesByScenario), tasks);
  const minutes = counted(Math.ceil(runTimeoutMs / 60_000), 'minute');
  return present(
    `${target.baseUrl} answers, and accepts the key.${found.length === 0 ? '' : ` Found: ${found.join(', ')}.`}`,
    ...unusableLines(run.unusable),
    leftOut > 0 && `Left out on purpose: ${counted(leftOut, 'clause')}.`,
    ...(isWriting
      ? [
          `About ${writes} writes to ${counted(tasks, 'task')}; everything is put back at the end.`,
          `Email goes to ${counted(userIds.length, 'user')} and ${counted(teamIds.length, 'team')}, and to whoever the tasks are assigned to now.`,
          'No operation looks up users and teams: a wrong id of theirs shows only where the target refuses it.',
        ]
      : ['Nothing is written.']),
    `Ctrl-C ends the run at any time${isWriting ? ', and puts the tasks back' : ''}; by itself it ends after ${minutes} at the latest (RUN_TIMEOUT_MS).`,
    '',
    '',
  ).join('\n');
}

/**
 * What is done before an interrupted run ends, and what another interrupt would do. Ends with a line feed.
 * @param writes how many writes have no response yet
 * @param tasks how many tasks were written to; 0 where they are thrown away after the run
 * @param maxMs how long both may take
 */
export function renderInterrupt(writes: number, tasks: number, maxMs: number): string {
  const steps = present(
    writes > 0 && `waiting for ${counted(writes, 'write')} under way`,
    tasks > 0 && `${counted(tasks, 'task')} ${tasks === 1 ? 'is' : 'are'} put back`,
  ).join(', then ');
  if (steps === '') return 'Interrupted: writing the reports. Again: stop now.\n';
  const changed = tasks > 0 ? `, and leave ${tasks === 1 ? 'it' : 'them'} changed` : '';
  return `Interrupted: ${steps} (${Math.ceil(maxMs / 1000)} s at the most). Again: stop now${changed}.\n`;
}

/**
 * Which other run is using tasks that this one needs, for how long (times are ISO 8601, UTC), and what to do.
 * @param other `journal`: the path of its journal; `isElsewhere`: this machine, or container, cannot see whether it runs
 */
export function renderOtherRun(other: {
  readonly target: Results['target'];
  readonly pid: number;
  readonly host: string;
  readonly startedAt: string;
  readonly endsBy: string;
  readonly journal: string;
  readonly isElsewhere: boolean;
}): string {
  return present(
    `Another run is using tasks of ${other.target.baseUrl}: process ${other.pid} on ${other.host}, since ${other.startedAt}.`,
    `It ends by ${other.endsBy} at the latest. Wait for it, or set other TASK_IDS.`,
    `Its journal is ${other.journal}.`,
    other.isElsewhere &&
      `Where you know that it has ended, in a container that is gone for example: ${restoreCommand(other.target)} --take-over`,
  ).join('\n');
}

/** What became of the tasks: a count, then a line for each task that needs explaining. Ends with a line feed. */
export function renderPutBack(tasks: readonly PutBack[]): string {
  if (tasks.length === 0) return 'No task had been written to: there is nothing to put back.\n';
  const changed = tasks.filter(({ outcome }) => outcome === 'left' || outcome === 'failed');
  const unchanged = tasks.filter((task) => !changed.includes(task));
  const explained = unchanged.filter(
    ({ outcome, why }) => why && (outcome === 'put back' || why.kind === 'another run is there'),
  );
  const isShared = tasks.some(
    ({ outcome, why }) =>
      why?.kind === 'another run is there' || (outcome === 'failed' && why?.kind === 'another run'),
  );
  const isRefused = changed.some(({ why }) => why?.kind === 'not readable' && why.status === 401);
  const count = `${unchanged.length} of ${counted(tasks.length, 'task')}`;
  const all = changed.length === 0 ? `All ${tasks.length} tasks` : count;
  const summary = isShared
    ? `Another run of this suite wrote to the same tasks. When they were last read, ${count} that this run wrote to stood as before; what the other run makes of them is not known.`
    : tasks.length === 1
      ? `${count} that was written to is as it was before.`
      : `${all} that were written to are as they were before.`;
  return present(
    summary,
    ...[...explained, ...changed].map((task) =>
      printableLine(`  ${task.taskId}: ${putBackText(task)}`),
    ),
    ...leftChangedTexts(changed),
    isRefused &&
      'The target answers 401: is API_KEY valid for it, and is this machine’s address allowed?',
    '',
  ).join('\n');
}

/** What became of tasks to be unassigned. Ends with a line feed. @param done those that a run of the suite had assigned */
export function renderUnassigned(ids: readonly string[], done: readonly PutBack[]): string {
  const lines = ids.map((id) => {
    const task = done.find(({ taskId }) => taskId === id);
    if (task === undefined) return `${id} is left: no comment of a run of this suite stands on it.`;
    const isDone = task.outcome === 'put back' || task.outcome === 'as before';
    return isDone ? `${id} is unassigned.` : `${id}: ${putBackText(task)}`;
  });
  return lines.map((line) => `${printableLine(line)}\n`).join('');
}

/** What became of a task, and why, in sentences. */
export function putBackText({ outcome, why, before }: PutBack): string {
  const reason = why === undefined ? '' : `: ${whyText(why)}`;
  const hasComment = (one: PutBack['before']): boolean => (one?.assignment_comment ?? '') !== '';
  const now = why !== undefined && 'now' in why ? why.now : null;
  const lost = before !== null && hasComment(now) && !hasComment(before);
  const words = { left: 'left as it is', failed: 'NOT PUT BACK' };
  const what = outcome === 'left' || outcome === 'failed' ? words[outcome] : outcome;
  return `${what}${reason}. Before: ${describeAssignment(before)}${lost ? ', without a comment' : ''}.`;
}

function whyText(why: NonNullable<PutBack['why']>): string {
  switch (why.kind) {
    case 'changed during the run':
      return 'somebody else has changed it during the run, and that is what it is now';
    case 'another run is there':
      return 'but another run of this suite wrote to the same tasks, and may do so still';
    case 'another run':
      return `since ${why.since} it is assigned to ${describeAssignment(why.now)}, by another run of this suite as it seems`;
    case 'reassigned':
      return `since ${why.since} it is assigned to ${describeAssignment(why.now)}, which this run did not write`;
    case 'not carried out':
      return `the write that was to put it back was answered ${why.status}, and the task is assigned to ${describeAssignment(why.now)}`;
    case 'not readable':
      return `the task cannot be read: GET /tasks/{id} gave ${why.status}${inBrackets(why.on)}`;
    case 'no answer':
      return `${why.why.replace(/\.$/, '')}${inBrackets(why.on)}`;
  }
}

/** How many tasks somebody else has changed, and how many could not be put back: a sentence for each of the two. */
export function leftChangedTexts(tasks: readonly PutBack[]): string[] {
  const outcomes = countsOf(tasks.map(({ outcome }) => outcome));
  const { left = 0, failed = 0 } = Object.fromEntries(outcomes);
  const [are, them] = left === 1 ? ['is', 'it'] : ['are', 'them'];
  return present(
    left > 0 && `${counted(left, 'task')} ${are} left as somebody else has changed ${them}.`,
    failed > 0 && `${counted(failed, 'task')} could NOT be put back.`,
  );
}

function restoreCommand(target: Results['target']): string {
  return [invocation, 'restore', ...optionsFor(target)].join(' ');
}

/** What to do about tasks that are not as before, and the command for it; undefined where there is nothing to do. */
export function howToRestore({ leftChanged, interruptedBy, requests, target }: Results) {
  const isKilled = interruptedBy === 'a kill' && target.kind === 'remote';
  const sentence = leftChanged.some(({ outcome }) => outcome === 'failed')
    ? 'This command tries again, and so does the next run on the same target, before it begins.'
    : isKilled && requests.byOperation['update-assignment'] > 0
      ? 'The run was killed before it could put its tasks back. The next run on the same target has done so, or does, before it begins; so does this command.'
      : undefined;
  return sentence === undefined ? undefined : { sentence, command: restoreCommand(target) };
}

/** Where the reports of a killed run are. Empty where there is none, or ends with a line feed. */
export function renderKilledRun(files: readonly string[]): string {
  const [page] = files;
  if (page === undefined) return '';
  return `A run was killed before it could report; what it had found by then: ${printableLine(page)}\n`;
}

/** What to type where tasks of a target may be left changed. Ends with a line feed. */
export function renderHowToRestore(journalDir: string, target: Results['target']): string {
  return `Tasks may be left changed; what they were before is in ${journalDir}. To put them back:\n\n  ${restoreCommand(target)}\n`;
}
