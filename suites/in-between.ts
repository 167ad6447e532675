import type { Answer } from '../helpers/http/answer.ts';
import { jsonObject } from '../helpers/json-object.ts';
import { NothingSeen, other, Violation } from '../helpers/outcomes.ts';
import { taskOf } from '../helpers/tasks/task-answer.ts';
import { isObject } from '../helpers/validation.ts';
import type { JudgedClause } from '../schemas/clauses.ts';
import { sameId } from '../schemas/identifier.ts';
import type { Task } from '../schemas/task.ts';
import { expectNoRecord } from './authentication.ts';
import { expectUnchanged, mismatch } from './comparing-tasks.ts';
import { expectStatus, isRefused, judgeEach } from './expectations.ts';
import { judgeHistory, type WithFacts } from './history.ts';
import { aNumber } from './invalid-writes.ts';
import {
  asideUnassigned,
  type Between,
  type Refused,
  refusedRequests,
} from './refused-requests.ts';
import { errorShapes } from './shapes.ts';

/*
 * Judges of the requests that sequences send between their valid writes, by the rows of refused-requests.ts: each is refused
 * as its row says, and the task is as it was.
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

interface InBetween {
  readonly between: readonly Betweened[];
}

/** @throws Violation where the unassignment of another task is answered with any but that */
export function expectTaskAside({ sent, answer }: Betweened): void {
  const shown = answer.object?.id;
  if (sent !== asideUnassigned || !answer.succeeded || typeof shown !== 'string') return;
  const [, id = ''] = /\/tasks\/([^/]+)\//.exec(answer.exchange.request.url) ?? [];
  if (sameId(shown, id)) return;
  const values = { expected: id, actual: shown };
  throw new Violation(other('answers with another task', values), [answer]);
}

/** Judges of the requests between writes, by the clauses that their rows name. */
function judgesByRows(
  clauseOf: (one: Between) => JudgedClause | undefined,
  judge: (one: Betweened) => void,
) {
  const ids = new Set(refusedRequests.flatMap((one) => clauseOf(one) ?? []));
  const all = Array.from(ids, (id) => [
    id,
    ({ between }: InBetween): void => {
      const ofClause = between.filter(({ sent }) => clauseOf(sent) === id);
      const [one, ...others] = new Set(ofClause.map(({ sent }) => sent));
      judgeHistory(ofClause, judge, others.length > 0 ? one?.common : undefined);
      judgeEach(ofClause, judge);
    },
  ]);
  return Object.fromEntries(all);
}

const isRefusedAsDue = ({ status }: Answer, refused?: Refused): boolean =>
  refused === undefined || refused.statuses.includes(status);

/** Where the valid write is refused too, its form may be the reason. */
const isTwinAccepted = ({ twin }: Pick<Betweened, 'twin'>): boolean =>
  twin !== undefined && !isRefused(twin);

const refusals = judgesByRows(
  ({ refused }) => refused?.clause,
  ({ sent: { name, cause, refused }, answer, twin }) => {
    if (isRefused(answer) && !isTwinAccepted({ twin })) throw new NothingSeen();
    if (!isRefusedAsDue(answer, refused)) expectStatus(answer, refused?.statuses[0] ?? 0, name);
    if (cause === 'no valid key' && twin) expectNoRecord(answer, twin);
  },
);

const sentBy = ({ exchange }: Answer) => jsonObject(exchange.request.body) ?? {};

const effects = judgesByRows(
  ({ leaves }) => leaves,
  (one) => {
    const { sent, answer, around } = one;
    // An answer with another status breaks another clause. Of what is not carried out, the status is open.
    const isOther = !isRefusedAsDue(answer, sent.refused);
    const isOfUnassign = sent.kind === 'without an id' && !isObject(sentBy(answer).update);
    if (around === undefined || isOther || isOfUnassign) throw new NothingSeen();
    const { before, read } = around;
    const { how } = sent;
    if (how !== undefined && (!isTwinAccepted(one) || isReadAsText(answer, read)))
      throw new NothingSeen();
    const said = how === undefined ? { when: `after ${sent.name}` } : { how };
    expectUnchanged(before, taskOf(read), { on: how ? [answer, read] : [read, answer], ...said });
  },
);

/** Whether the service took the number in a write for the text “42”, which the document does not exclude. */
function isReadAsText(answer: Answer, read: Answer): boolean {
  const { update } = sentBy(answer);
  if (!answer.succeeded || !isObject(update) || !Object.values(update).includes(aNumber))
    return false;
  const asTexts = Object.entries(update).map(([field, value]) => [field, String(value)]);
  return mismatch(Object.fromEntries(asTexts), read.object?.assignment) === undefined;
}

export const judgesBetween = { ...refusals, ...effects };

/** What the requests in between tell of clauses that are open. */
export const observesBetween = {
  ...Object.fromEntries(
    [...new Set(refusedRequests.flatMap(({ observes }) => observes?.clause ?? []))].map((id) => [
      id,
      ({ between }: InBetween) =>
        between
          .filter(isTwinAccepted)
          .flatMap(({ sent: { observes }, answer }) =>
            observes?.clause === id ? observes.facts(answer) : [],
          ),
    ]),
  ),
  'errors.body-shape': ({ between }: InBetween) =>
    between.filter(isTwinAccepted).flatMap(({ sent: { cause, refused }, answer }) =>
      // A request that may be refused for its form tells of that.
      cause && (refused?.statuses.length ?? 1) === 1 ? errorShapes(cause, [answer]) : [],
    ),
  'errors.further-statuses': ({ between }: InBetween) =>
    between
      .filter(isTwinAccepted)
      .flatMap(({ sent: { refused }, answer: { status } }) =>
        refused?.when ? [{ when: refused.when, status }] : [],
      ),
};
