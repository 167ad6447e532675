import { longAgo } from '../helpers/exports/window.ts';
import { Answer } from '../helpers/http/answer.ts';
import {
  type Exchange,
  headerOf,
  nameOfLearning,
  nameOfPreflight,
  nameOfPuttingBack,
} from '../helpers/http/exchange.ts';
import { shortJson } from '../helpers/json.ts';
import { groupBy } from '../helpers/maps.ts';
import { Inconclusive, NothingSeen, Violation } from '../helpers/outcomes.ts';
import { marksIn } from '../helpers/tasks/marks.ts';
import { carriesTask, taskOf } from '../helpers/tasks/task-answer.ts';
import { scenario } from '../runner/scenario.ts';
import type { SoFar, World } from '../runner/world.ts';
import { sameId } from '../schemas/resources.ts';
import {
  hasNoFilter,
  isLong,
  isValidAssignment,
  isValidRead,
  judgesBy,
  ofAssessment,
  ofAssigned,
  ofCsv,
  ofRead,
  ofRefusal,
  ofTask,
  parametersOf,
  queryOf,
  validWriteIn,
} from './answers.ts';
import { fieldDifference } from './comparing-tasks.ts';
import { unlikeStatus } from './expectations.ts';

/*
 * Judges the answers that no scenario asked for (to learning, set-up and putting back) by the rules of answers.ts.
 * Also judges whether server errors last, by all requests of the run.
 */

interface AnswersOfTheRun {
  /** Requests that are answered 5xx to the end: valid reads, also when sent again then, and assignments of a task. */
  readonly failing: readonly Failing[];
  /** Whether anything but 5xx was answered while the reads were sent again: else the target may just be down. */
  readonly isUp: boolean;
  /** The answers to valid requests that no scenario has sent: scenarios judge the answers to theirs. */
  readonly answers: readonly Answer[];
  /** The first answer with a task that shows the comment of a write to another one, and the answer to that. */
  readonly misplaced: readonly Answer[];
}

type Answers = readonly [Answer, ...Answer[]];

interface Failing {
  readonly answers: Answers;
  /** Of a read, whether it failed each time that it was sent again; of a write, whether others succeed in between. */
  readonly isLasting: boolean;
}

/** How many failing reads are sent again; further ones show nothing new. */
const maxAgain = 40;

/** How often a failing read is sent again: on a target that fails one time in ten, none fails each time. */
const rounds = 3;

/** How many further failing requests a violation names, each by one answer. */
const maxOthers = 5;

/** Whether a request was sent with a key: set-up tries without one whether a route answers. */
function hasKey({ exchange }: Pick<Answer, 'exchange'>): boolean {
  return headerOf(exchange.request, 'apikey') !== undefined;
}

/** All rules, but that an export answers 200: learning asks for more than some services export. */
const { 'export.answers-200': _, ...rules } = {
  ...ofCsv,
  ...ofRefusal,
  ...ofAssessment,
  ...ofTask,
  ...ofAssigned,
  ...ofRead,
};

const everyAnswerOfTheRun = scenario({
  name: 'every answer of the run, whoever asked',
  async act(world): Promise<AnswersOfTheRun> {
    const before = await whenAllIsSent(world);
    if (before.exchanges.length === 0) throw new NothingSeen();
    const reads = failingReadsIn(before).slice(0, maxAgain);
    const writes = failingWritesIn(before);
    const { failing, isUp } = await sendAgain(world, reads);
    const soFar = world.soFar();
    const misplaced = misplacedIn(soFar);
    return { failing: [...failing, ...writes], isUp, answers: answersIn(soFar), misplaced };
  },
  afterPuttingBack(soFar) {
    const ofPuttingBack = soFar.exchanges.filter((one) => one.scenario === nameOfPuttingBack);
    const failing = failingReadsIn({ ...soFar, exchanges: ofPuttingBack })
      .filter((answers) => answers.length > 1)
      .map((answers) => ({ answers, isLasting: true }));
    const isUp = ofPuttingBack.some((one) => one.response && !isServerError(one));
    const answers = answersIn({ ...soFar, exchanges: ofPuttingBack });
    return { failing, isUp, answers, misplaced: [] };
  },
  judges: {
    ...judgesBy(rules, ({ answers }: AnswersOfTheRun) => answers.filter(hasKey)),
    'get-task.needs-the-apikey': ({ answers }) => {
      const shown = answers.find(
        (one) => !hasKey(one) && one.succeeded && one.object?.id !== undefined,
      );
      // Here nothing is upheld: a refusal without the key counts only beside a success with it.
      if (shown === undefined) throw new NothingSeen();
      throw unlikeStatus('a request without the apikey header', '401', shown);
    },
    'update.keeps-other-tasks': ({ misplaced }) => {
      const [shown] = misplaced;
      // Tasks that show nothing of another one may differ from what they were all the same.
      if (shown === undefined) throw new NothingSeen();
      const { assignment } = taskOf(shown);
      const difference = fieldDifference('assignment', 'its own', shortJson(assignment));
      throw new Violation({ ...difference, when: 'after a write to another task' }, misplaced);
    },
    'errors.server-error-does-not-last': ({ failing, isUp }) => {
      const all = failing.map(({ answers: [first] }) => first);
      const [lasting, ...others] = failing.filter(({ isLasting }) => isLasting);
      if (failing.length > 0 && !isUp) {
        throw new Inconclusive('In the end the target answered nothing but server errors.', all);
      }
      if (lasting !== undefined) {
        const [answer, ...same] = lasting.answers;
        throw unlikeStatus('a valid request, each time it is sent', '2xx or 4xx', answer, {
          on: [...same.slice(-1), ...others.slice(0, maxOthers).map(({ answers: [one] }) => one)],
          asked: answer.exchange.operation === 'export' ? parametersOf(answer.exchange) : [],
        });
      }
      if (failing.length > 0)
        throw new Inconclusive(
          'Whether a server error lasts was not seen: there was no response when it was looked for once more, or no other write was carried out meanwhile.',
          all,
        );
    },
  },
});

/** Sends failing reads again, in rounds, beside a valid read of each operation: a target that is down answers none. */
async function sendAgain(
  { api, exports, taskIds: [taskId], assessmentIds: [assessmentId], soFar }: World,
  failed: readonly Answers[],
): Promise<Pick<AnswersOfTheRun, 'failing' | 'isUp'>> {
  if (failed.length === 0) return { failing: [], isUp: true };
  const lastBefore = soFar().exchanges.at(-1)?.number ?? 0;
  const isLater = ({ number }: Exchange): boolean => number > lastBefore;
  const others = [
    exports.file(longAgo),
    ...(taskId === undefined ? [] : [api.task(taskId)]),
    ...(assessmentId === undefined ? [] : [api.assessment(assessmentId)]),
  ].map((answer) => answer.catch(unlessInconclusive));
  let stillFailing = failed;
  for (let round = 0; round < rounds && stillFailing.length > 0; round += 1) {
    await Promise.all(
      stillFailing.map(([{ exchange }]) => api.again(exchange).catch(unlessInconclusive)),
    );
    const sentAgain = new Set(stillFailing.map(([{ exchange }]) => urlOf(exchange)));
    stillFailing = failingReadsIn(soFar()).filter(([one]) => sentAgain.has(urlOf(one.exchange)));
  }
  await Promise.all(others);
  const failing = stillFailing.map((answers) => ({
    answers,
    isLasting: answers.filter(({ exchange }) => isLater(exchange)).length >= rounds,
  }));
  const isUp = soFar().exchanges.some((one) => isLater(one) && one.response && !isServerError(one));
  return { failing, isUp };
}

/** The run so far, when every other scenario is done; some wait for that too and then send more: hence the loop. */
async function whenAllIsSent({ soFar, othersAreDone }: World): Promise<SoFar> {
  // One that waits goes on at a time: whoever is the first comes round once more, when the others have sent theirs.
  await othersAreDone();
  for (;;) {
    const { length } = soFar().exchanges;
    await othersAreDone();
    const now = soFar();
    if (now.exchanges.length === length) return now;
  }
}

const notScenarios = [nameOfPreflight, nameOfLearning, nameOfPuttingBack];

/** The answers to valid requests of set-up, learning and putting back. */
function answersIn({ exchanges, baseUrl }: SoFar): Answer[] {
  const valid = exchanges.filter(
    ({ response, failure, ...one }) =>
      notScenarios.includes(one.scenario) &&
      response !== undefined &&
      failure === undefined &&
      // Of a long body only the beginning is kept, which is all that the rules need of an exported file.
      (one.operation === 'export' || response.body.length === response.size) &&
      // 410 may mean that the record is gone, not that the path is not served.
      (one.operation === 'export' || response.status !== 410) &&
      (!hasKey({ exchange: one }) || isValidRead(one, baseUrl) || isValidAssignment(one, baseUrl)),
  );
  return valid.map(answerOf);
}

/**
 * The first answer with a task that shows the comment of a write to another one, and the answer to that; [] where none does.
 * Comments of this run have marks: whatever somebody else does, what shows one was written by it.
 */
function misplacedIn({ exchanges, baseUrl }: SoFar): Answer[] {
  const writes = new Map<string, Answer>();
  for (const exchange of answeredIn({ exchanges })) {
    const answer = answerOf(exchange);
    if (!carriesTask(answer)) continue;
    const { id, assignment } = taskOf(answer);
    const [mark] = marksIn(assignment?.assignment_comment ?? '');
    if (mark === undefined) continue;
    const write = writes.get(mark);
    if (write && !sameId(taskOf(write).id, id)) return [answer, write];
    const { assignment_comment: sent } = validWriteIn(exchange, baseUrl)?.fields ?? {};
    // What reaches a task by another id than its own is no write to that task.
    if (`${sent}`.includes(mark) && exchange.request.url.includes(`/${id}/`))
      writes.set(mark, answer);
  }
  return [];
}

/** Ignores that no usable response came, which the run has recorded. @throws any other error */
function unlessInconclusive(error: unknown): void {
  if (!(error instanceof Inconclusive)) throw error;
}

/** The valid reads whose last answer is 5xx, each with its answers of 5xx; without those that a violation explains. */
function failingReadsIn(soFar: SoFar): Answers[] {
  const valid = answeredIn(soFar).filter((one) => isValidRead(one, soFar.baseUrl));
  const failed = Array.from(groupBy(valid, urlOf).values()).filter(
    (same) => isServerError(same.at(-1)) && !isOfOpenSize(same[0], valid),
  );
  return unexplained(failed, soFar);
}

/**
 * The tasks whose last assignments, at least two, are answered 5xx, and those with long comments where all are, at least three:
 * how long one may be is open, so that nobody else judges it. Each has its answers; without those that a violation explains.
 * No write is sent again: the error lasts where other assignments succeed in between.
 */
function failingWritesIn(soFar: SoFar): Failing[] {
  const { baseUrl } = soFar;
  const writes = answeredIn(soFar).filter((one) => isValidAssignment(one, baseUrl));
  const ofTasks = Array.from(groupBy(writes, urlOf).values(), (same) =>
    same.slice(same.findLastIndex((one) => !isServerError(one)) + 1),
  );
  const withLongComments = writes.filter((one) =>
    isLong(validWriteIn(one, baseUrl)?.fields.assignment_comment),
  );
  const isEach = withLongComments.length > 2 && withLongComments.every(isServerError);
  const failed = [...ofTasks, ...(isEach ? [withLongComments] : [])].filter(
    ({ length }) => length > 1,
  );
  return unexplained(failed, soFar).map((answers) => {
    const [first = 0, last = 0] = [answers[0], answers.at(-1)].map((one) => one?.exchange.number);
    const isLasting = writes.some(
      ({ number, response }) => number > first && number < last && (response?.status ?? 500) < 300,
    );
    return { answers, isLasting };
  });
}

function answeredIn({ exchanges }: Pick<SoFar, 'exchanges'>): Exchange[] {
  return exchanges.filter(({ response }) => response !== undefined);
}

/** The requests, as groups of exchanges, that no violation explains; each as its answers of 5xx. */
function unexplained(
  failed: readonly (readonly Exchange[])[],
  { violations, exchanges }: SoFar,
): Answers[] {
  const numbers = new Set(violations.flatMap(({ on }) => on.map(({ exchange }) => exchange)));
  const blamed = exchanges.filter((one) => numbers.has(one.number) && isServerError(one));
  return failed.flatMap((same) => {
    if (same.some((one) => blamed.some((other) => isExplainedBy(one, other)))) return [];
    const [first, ...others] = same.filter(isServerError).map(answerOf);
    return first === undefined ? [] : [[first, ...others] as const];
  });
}

/** An exchange that has a response, as an answer; of a long body only the beginning. */
export function answerOf(exchange: Exchange): Answer {
  const { status = 0, headers = [], body = new Uint8Array() } = exchange.response ?? {};
  return new Answer(exchange, status, headers, body);
}

function urlOf({ request: { url } }: Exchange): string {
  return url;
}

function isServerError(exchange: Exchange | undefined): boolean {
  return (exchange?.response?.status ?? 0) >= 500;
}

/**
 * Whether a violation about the blamed exchange explains this one too: both are of one operation. Of two exports,
 * besides, one scenario other than learning sent both, or this one has every parameter of the blamed one.
 */
function isExplainedBy(one: Exchange, blamed: Exchange): boolean {
  if (one.operation !== blamed.operation) return false;
  if (one.operation !== 'export') return true;
  if (one.scenario === blamed.scenario && one.scenario !== nameOfLearning) return true;
  const asked = queryOf(one);
  return [...queryOf(blamed).keys()].every((name) => asked.has(name));
}

/**
 * Whether a 5xx, other than 500, may come from the size of a CSV: no export over its whole range succeeded. How large a
 * CSV may be is not shown, and a gateway ends what takes long.
 */
function isOfOpenSize(exchange: Exchange, valid: readonly Exchange[]): boolean {
  if (exchange.operation !== 'export' || exchange.response?.status === 500) return false;
  if (queryOf(exchange).get('file_type') === 'pdf') return false;
  const [start, end] = rangeOf(exchange);
  return !valid.some((one) => {
    if (one.operation !== 'export' || one.response?.status !== 200) return false;
    const [from, to] = rangeOf(one);
    return from <= start && to >= end && hasNoFilter(queryOf(one));
  });
}

/** The range of an export, in milliseconds since 1970; infinite at an end without a bound. */
function rangeOf(exchange: Exchange): readonly [number, number] {
  const query = queryOf(exchange);
  const [start, end] = [query.get('range_start'), query.get('range_end')];
  return [
    start === null ? Number.NEGATIVE_INFINITY : Date.parse(start),
    end === null ? Number.POSITIVE_INFINITY : Date.parse(end),
  ];
}

export const everyAnswer = [everyAnswerOfTheRun];
