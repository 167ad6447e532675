import type { Caller } from '../helpers/api.ts';
import type { Answer } from '../helpers/http/answer.ts';
import { Inconclusive, other, Violation } from '../helpers/outcomes.ts';
import { type AnyScenario, scenario } from '../runner/scenario.ts';
import type { World } from '../runner/world.ts';
import type { JudgedClause, OpenClause } from '../schemas/clauses.ts';
import type { Observation, RefusalCause } from '../schemas/observations.ts';
import { judgesBy, keyIsAccepted, ofRefusal } from './answers.ts';
import { isRefused, judgeEach, requireTwin, unlikeStatus, type WithFacts } from './expectations.ts';
import { errorShapes } from './shapes.ts';

/*
 * Requests that must be refused, each wrong in one point, as rows (Authentication; Errors: 401, 404, 409): what a row
 * says, and judges of the answers. Those that need no write before them are sent by scenarios of their own (`refusals`),
 * the others between the writes of sequences (sequences.ts).
 */

/** How a request must be refused, and the clause that says so. */
export interface Refused {
  /** The document names the first; by others a service may refuse what it need not look at so closely. */
  readonly statuses: readonly number[];
  readonly clause: JudgedClause;
  /** Where the status is open too, what its fact says of the request. */
  readonly when?: Extract<Observation<'errors.further-statuses'>, { when: unknown }>['when'];
}

/** The open clause that an answer tells of, and what it tells. */
export interface Observed {
  readonly clause: OpenClause;
  readonly facts: (answer: Answer) => readonly Observation[];
}

/** A request that must be refused. */
export interface WrongRequest {
  /** As a noun. */
  readonly name: string;
  /** Why it is refused; left out where others look at what such a refusal says. */
  readonly cause?: RefusalCause;
  /** What all requests of its clause are: said where none of them is refused. */
  readonly common?: string;
  /** Whether a service that does not refuse it refuses no request of its clause: said of all then. */
  readonly isGeneral?: boolean;
  /** Whether its status alone is judged: to some services it is another request, whose answer is looked at already. */
  readonly isJudgedByStatus?: boolean;
  /** Left out, or undefined, where others judge that, or the document does not say how. */
  readonly refused?: Refused | undefined;
  readonly observes?: Observed;
}

/** A request that was sent, and the answer to the same without what is wrong; undefined where that was not sent. */
interface Answered {
  readonly sent: WrongRequest;
  readonly answer: Answer;
  readonly twin: Answer | undefined;
}

/** Statuses by which a service may refuse a form before it looks at what is asked for. */
export const invalidFormStatuses: readonly number[] = [400, 422];

export const isRefusedAsDue = ({ status }: Answer, refused?: Refused): boolean =>
  refused === undefined || refused.statuses.includes(status);

/** @throws Violation unless the request was refused as its row says, and without the record */
export function expectRefused({ sent, answer, twin }: Answered): void {
  const { name, cause, isGeneral, isJudgedByStatus, refused } = sent;
  if (!isRefusedAsDue(answer, refused)) {
    throw unlikeStatus(name, `${refused?.statuses[0]}`, answer, { isGeneral });
  }
  if (cause === 'no valid key' && !isJudgedByStatus && twin) expectNoRecord(answer, twin);
}

/** @throws Violation where a refusal shows several fields of the record that it refuses, as its twin shows them */
function expectNoRecord(refused: Answer, twin: Answer): void {
  const fields = Object.entries(twin.object ?? {});
  const shown = fields.filter(
    ([name, value]) =>
      typeof value === 'string' && value !== '' && refused.object?.[name] === value,
  );
  if (shown.length < minFieldsOfRecord) return;
  const actual = shown.map(([name]) => name).join(', ');
  throw new Violation(other('refuses with the record', { actual }), [refused, twin]);
}

/** Fewer fields are no record: an error message may hold an id or two. */
const minFieldsOfRecord = 4;

/**
 * Judges of requests, by the clauses that their rows name.
 * @param of the requests in the evidence
 * @param clauseOf the clause that a row names
 */
export function judgesByRows<One extends WithFacts & { readonly sent: WrongRequest }, Evidence>(
  clauses: readonly JudgedClause[],
  of: (evidence: Evidence) => readonly One[],
  judge: (one: One) => void,
  clauseOf = ({ refused }: One['sent']) => refused?.clause,
) {
  const judges = clauses.map((id) => [
    id,
    (evidence: Evidence) => {
      const ofClause = of(evidence).filter(({ sent }) => clauseOf(sent) === id);
      const [row, ...others] = new Set(ofClause.map(({ sent }) => sent));
      // “One version old, in quotes” tells no more than “one version old”.
      const isGeneral = others.some(({ name }) => row && !name.startsWith(row.name));
      return judgeEach(ofClause, judge, isGeneral ? row?.common : undefined);
    },
  ]);
  return Object.fromEntries(judges);
}

/** Where the valid request is refused too, its form may be the reason. */
export const isTwinAccepted = ({ twin }: Pick<Answered, 'twin'>): boolean =>
  twin !== undefined && !isRefused(twin);

/** What refusals tell of clauses that are open: of the bodies and statuses of errors, and of these, which rows name. */
export function observesRefusals<Evidence>(
  ids: readonly OpenClause[],
  of: (evidence: Evidence) => readonly Answered[],
) {
  const observe = (facts: (one: Answered) => readonly Observation[]) => (evidence: Evidence) =>
    of(evidence).filter(isTwinAccepted).flatMap(facts);
  const byRows = ids.map((id) => [
    id,
    observe(({ sent: { observes }, answer }) =>
      observes?.clause === id ? observes.facts(answer) : [],
    ),
  ]);
  return {
    ...Object.fromEntries(byRows),
    'errors.body-shape': observe(({ sent: { cause, refused }, answer }) =>
      // A request that may be refused for its form tells of that.
      cause && (refused?.statuses.length ?? 1) === 1 ? errorShapes(cause, answer) : [],
    ),
    'errors.further-statuses': observe(({ sent: { refused }, answer }) =>
      refused?.when ? [{ when: refused.when, status: answer.status }] : [],
    ),
  };
}

/** An id that differs from a known one in its last group alone: whoever compares less than that finds the record. */
export const startingLike = (known: string, fresh: string): string =>
  known.slice(0, -12) + fresh.slice(-12);

/** An id that differs from a known one in its first group alone. */
export const endingLike = (known: string, fresh: string): string =>
  fresh.slice(0, 8) + known.slice(8);

/** An id that differs from a known one in its last character; another record may have it. */
export const nearTo = (known: string): string =>
  known.slice(0, -1) + (known.endsWith('0') ? '1' : '0');

export type Ask = (caller: Caller) => Promise<Answer>;

/** A request that must be refused, and how it is sent. */
export interface Request extends WrongRequest {
  readonly ask: Ask;
  readonly caller?: Caller;
  /** The caller without what this one presents: where no refusal comes, it shows whether that is because of that. */
  readonly without?: Caller;
  /** Requests that are sent in its place where it is not refused: it is wrong in all that they are wrong in. */
  readonly each?: readonly Request[];
}

interface Sent extends Omit<Answered, 'twin'> {
  /** The answer to the same operation as the caller `without`; sent only where the request was not refused. */
  readonly control?: Answer | undefined;
}

/** Sends requests at once, and a control for each operation of which one is not refused as it is due. */
async function sendAtOnce(requests: readonly Request[]): Promise<Sent[]> {
  const controls = new Map<Ask, Promise<Answer>>();
  const send = async (sent: Request): Promise<Sent[]> => {
    const { ask, caller = {}, without, each } = sent;
    const answer = await ask(caller);
    if (isRefusedAsDue(answer, sent.refused)) return [{ sent, answer }];
    const instead = (await Promise.all((each ?? []).map(send))).flat();
    const isShown = instead.some((one) => !isRefusedAsDue(one.answer, one.sent.refused));
    // What is given out for all that together is given out, also where each of it alone is refused.
    if (each && (isShown || !answer.succeeded)) return instead;
    if (without && !controls.has(ask)) controls.set(ask, ask(without));
    return [{ sent, answer, control: await controls.get(ask) }];
  };
  return (await Promise.all(requests.map(send))).flat();
}

interface Refusals extends Pick<AnyScenario, 'name' | 'needs'> {
  /** Those that rows name; of the first, with 401, is a row that names none. */
  readonly clauses: readonly [JudgedClause, ...JudgedClause[]];
  /** What the rows that do not say so themselves have in common, and why they are refused. */
  readonly common?: string;
  readonly cause?: RefusalCause;
  readonly observes?: readonly OpenClause[];
  /** A valid request; where it is left out, a read of a task. */
  readonly twin?: (world: World) => Promise<Answer>;
  readonly requests: (world: World) => Promise<readonly Request[]> | readonly Request[];
  /** Whether they are sent one after the other, and not at once. */
  readonly inTurn?: true;
}

type Evidence = readonly (Sent & WithFacts & { readonly twin: Answer })[];

/**
 * A scenario of requests that must be refused. Where they are sent in turn, the twin comes after the first, so that a
 * service that gives out what it remembers is found out.
 */
export function refusals({
  clauses,
  common,
  cause,
  observes = [],
  twin = ({ tasks, taskIds }) => tasks.seen(taskIds[0] ?? ''),
  requests,
  inTurn,
  ...named
}: Refusals): AnyScenario {
  const whole = (one: Request): Request => ({
    ...(common && { common }),
    ...(cause && { cause }),
    refused: { statuses: [401], clause: clauses[0] },
    ...one,
    ...(one.each && { each: one.each.map(whole) }),
  });
  const judge = (one: Evidence[number]): void => {
    const { control, sent, twin } = one;
    requireTwin(twin, 'the valid request beside it');
    if (control && !isRefusedAsDue(control, sent.refused)) {
      const why = `${control.request} is not refused without all that either (${control.status}), which other clauses are about.`;
      throw new Inconclusive(why, [control]);
    }
    expectRefused(one);
  };
  return scenario({
    ...named,
    async act(world): Promise<Evidence> {
      const all = (await requests(world)).map(whole);
      const sent = await sendAtOnce(inTurn ? all.slice(0, 1) : all);
      const valid = await twin(world);
      for (const one of inTurn ? all.slice(1) : []) sent.push(...(await sendAtOnce([one])));
      return sent.map((one) => ({ ...one, twin: valid, facts: [one.sent.name] }));
    },
    judges: {
      // Where no cause is named, a gateway may refuse them, and answer what it likes.
      ...(cause && judgesBy(ofRefusal, (all: Evidence) => all.map(({ answer }) => answer))),
      ...judgesBy({ 'auth.valid-key-is-accepted': keyIsAccepted }, (all: Evidence) =>
        all.slice(0, 1).map((one) => one.twin),
      ),
      ...judgesByRows(clauses, (all: Evidence) => all, judge),
    },
    observes: observesRefusals(observes, (all: Evidence) => all),
  });
}
