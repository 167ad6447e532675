import type { Answer } from '../helpers/http/answer.ts';
import { jsonObject } from '../helpers/json-object.ts';
import { NothingSeen } from '../helpers/outcomes.ts';
import { taskOf } from '../helpers/tasks/task-answer.ts';
import { isObject } from '../helpers/validation.ts';
import type { World } from '../runner/world.ts';
import type { Task } from '../schemas/task.ts';
import { aNumber } from './answers.ts';
import { expectUnchanged, isChanged, mismatch } from './comparing-tasks.ts';
import { isRefused } from './expectations.ts';
import type { WithFacts } from './history.ts';
import {
  expectRefused,
  isRefusedAsDue,
  isTwinAccepted,
  judgesByRows,
  observesRefusals,
} from './refusals.ts';
import { type Between, refusedRequests } from './refused-requests.ts';

/*
 * The requests that sequences send between their valid writes: how they are sent, and judges of them, by the rows of
 * refused-requests.ts: each is refused as its row says, and the task is as it was.
 */

/** A request that was sent between two writes. */
export interface Sent {
  readonly sent: Between;
  readonly answer: Answer;
  /** What the task was before and after it; left out of a read. */
  readonly around?: { readonly before: Task; readonly read: Answer };
}

export interface Betweened extends Sent, WithFacts {
  /** The answer to the valid write that follows, with a comment of the same form; undefined where none does. */
  readonly twin: Answer | undefined;
}

/** Makes a request in between for the task as it is; undefined where it cannot be made. */
export type Make = (one: Between, task: Task) => ReturnType<Between['make']>;

/** Sends a request, and reads the task where it must leave that as it is. @returns undefined where it cannot be made */
export async function sendAlone(
  tasks: World['tasks'],
  one: Between,
  task: Task,
  make: Make,
): Promise<Sent | undefined> {
  if (one.leaves !== undefined) return (await sendInARow(tasks, [one], task, make)).sent[0];
  const answer = await make(one, task)?.();
  return answer && { sent: one, answer };
}

/**
 * Sends requests that are to be refused one after the other, and reads the task once. Where one was not refused, or the task
 * has changed all the same, each is sent alone, to the task as it was before; where none does that alone, each right after
 * the one that came before it.
 * @param see is told of all that is read of the task
 * @returns what was sent, and the task after it
 */
export async function sendTogether(
  tasks: World['tasks'],
  ones: readonly Between[],
  task: Task,
  make: Make,
  see: (task: Task) => Task,
): Promise<[sent: readonly Sent[], after: Task]> {
  if (ones.length === 0) return [[], task];
  const isOne = ones.length === 1;
  const { sent, read } = await sendInARow(tasks, ones, task, make, isOne ? isDoubtful : isClear);
  let last = see(taskOf(read));
  // What one alone has changed need not change again.
  if (!sent.some(isWrong) || isOne) return [sent, last];
  const eachLastOf = async (rowOf: (index: number) => readonly Between[]): Promise<Sent[]> => {
    const all: Sent[] = [];
    for (const index of ones.keys()) {
      const before = see(await tasks.bringBack(last, task));
      const row = await sendInARow(tasks, rowOf(index), before, make);
      last = see(taskOf(row.read));
      all.push(...row.sent.slice(-1));
    }
    return all;
  };
  const alone = await eachLastOf((index) => ones.slice(index, index + 1));
  const found = alone.some(isWrong)
    ? alone
    : await eachLastOf((index) => ones.slice(Math.max(index - 1, 0), index + 1));
  return [found, see(await tasks.bringBack(last, task))];
}

/** Whether a request that is to be refused was not, or the task has changed around it. */
const isWrong = ({ answer, around }: Sent): boolean =>
  !isRefused(answer) || (around !== undefined && isChanged(around));

const isCarriedOut = ({ sent: { refused }, answer }: Sent): boolean =>
  refused !== undefined && !isRefused(answer);

/** What is carried out although it must be refused changes the task, which needs no second trial. */
const isDoubtful = (trial: Trial): boolean => isChanged(trial) && !trial.sent.some(isCarriedOut);

/** Of several requests each is tried alone, where the task has changed. */
const isClear = (): boolean => false;

interface Trial {
  readonly before: Task;
  readonly read: Answer;
  readonly sent: readonly Sent[];
}

/**
 * Sends requests one after the other until one is not refused, and reads the task after them.
 * @param isInDoubt whether it is to be tried again, as somebody else may have changed the task
 */
async function sendInARow(
  tasks: World['tasks'],
  ones: readonly Between[],
  task: Task,
  make: Make,
  isInDoubt: (trial: Trial) => boolean = isDoubtful,
): Promise<{ readonly sent: readonly Sent[]; readonly read: Answer }> {
  const attempt = async (before: Task): Promise<Trial> => {
    const sent: Sent[] = [];
    for (const one of ones) {
      const answer = await make(one, before)?.();
      if (answer) sent.push({ sent: one, answer });
      if (answer && !isRefused(answer)) break;
    }
    return { before, sent, read: (await tasks.look(before.id)).answer };
  };
  const around = await tasks.trial(task, attempt, isInDoubt, ones.at(-1)?.leaves);
  return { read: around.read, sent: around.sent.map((one) => ({ ...one, around })) };
}

interface InBetween {
  readonly between: readonly Betweened[];
}

/** The clauses that rows name. */
const namedBy = <Id>(clauseOf: (one: Between) => Id | undefined): Id[] => [
  ...new Set(refusedRequests.flatMap((one) => clauseOf(one) ?? [])),
];

const requests = ({ between }: InBetween) => between;

const judgesOfRefusals = judgesByRows(
  namedBy(({ refused }) => refused?.clause),
  requests,
  (one) => {
    if (isRefused(one.answer) && !isTwinAccepted(one)) throw new NothingSeen();
    expectRefused(one);
  },
);

const sentBy = ({ exchange }: Answer) => jsonObject(exchange.request.body) ?? {};

const effects = judgesByRows(
  namedBy(({ leaves }) => leaves),
  requests,
  (one) => {
    const { sent, answer, around } = one;
    // An answer with another status breaks another clause. Of what is not carried out, the status is open.
    const isOther = !isRefusedAsDue(answer, sent.refused);
    const isOfUnassign = sent.kind === 'without an id' && !isObject(sentBy(answer).update);
    const isNotMade = sent.kind === 'another task' && isRefused(answer);
    if (around === undefined || isOther || isOfUnassign || isNotMade) throw new NothingSeen();
    const { before, read } = around;
    const { how } = sent;
    if (how !== undefined && (!isTwinAccepted(one) || isReadAsText(answer, read)))
      throw new NothingSeen();
    const said = how === undefined ? { when: `after ${sent.name}` } : { how };
    expectUnchanged(before, taskOf(read), { on: how ? [answer, read] : [read, answer], ...said });
  },
  ({ leaves }) => leaves,
);

/** Whether the service took the number in a write for the text “42”, which the document does not exclude. */
function isReadAsText(answer: Answer, read: Answer): boolean {
  const { update } = sentBy(answer);
  if (!answer.succeeded || !isObject(update) || !Object.values(update).includes(aNumber))
    return false;
  const asTexts = Object.entries(update).map(([field, value]) => [field, String(value)]);
  return mismatch(Object.fromEntries(asTexts), read.object?.assignment) === undefined;
}

export const judgesBetween = { ...judgesOfRefusals, ...effects };

/** What the requests in between tell of clauses that are open. */
export const observesBetween = observesRefusals(
  namedBy(({ observes }) => observes?.clause),
  requests,
);
