import type { Learning } from '../helpers/exports/learn.ts';
import type { Readings } from '../helpers/exports/readings.ts';
import { NoResponse } from '../helpers/http/no-response.ts';
import { Disturbance, Inconclusive, type ViolationFields } from '../helpers/outcomes.ts';
import type { ClauseId } from '../schemas/clauses.ts';
import type { StatusDifference } from '../schemas/difference.ts';
import {
  type Conclusion,
  type Conclusions,
  inconclusive,
  ofEveryClause,
  thrown,
} from './conclusions.ts';
import type { AnyScenario } from './scenario.ts';
import type { World } from './world.ts';

/** The world of one run of a scenario. */
export interface OpenedWorld {
  readonly world: World;
  /**
   * How somebody else has changed what these answers show; undefined where nobody has.
   * @param exchanges the numbers of the answers that a violation stands on
   */
  disturbance(exchanges: readonly number[]): Promise<Inconclusive | undefined>;
  /**
   * How the exports changed that the scenario was judged by; undefined where they stood still.
   * @param knewEnough whether what was learned was enough to judge by; else it is learned again, of what stood still
   */
  unsettled(knewEnough: boolean): Promise<Unsettled | undefined>;
  /** Gives back what the scenario took. */
  close(): Promise<void>;
}

/** Exports that changed while a scenario was judged by them. */
export interface Unsettled {
  readonly why: Inconclusive;
  /** What stood still of them, for a further run; undefined where that is to read everything anew. */
  readonly settled?: Settled;
}

export interface Settled {
  readonly learning: Learning;
  readonly readings: Readings;
}

/** @param unsettled what the run before it was judged by, where that changed */
export type OpenWorld = (scenario: AnyScenario, unsettled?: Unsettled) => OpenedWorld;

/** Works on one scenario after the other. */
export type InTurn = <T>(scenario: AnyScenario, work: () => Promise<T>) => Promise<T>;

/**
 * Runs a scenario. Where it finds a violation, or could not decide, it is looked at once more, on readings of its own (where
 * it breaks off for want of a response, or somebody else disturbs it, more than once): a violation that shows in one look and
 * not in the other is kept, and marked intermittent. One that was measured against what has changed since is no evidence:
 * the same look goes on, on what stood still of what it has read.
 *
 * @param inTurn looks once more at scenarios under which exports changed: the less time it takes, the less changes meanwhile
 */
export async function runScenario(
  scenario: AnyScenario,
  open: OpenWorld,
  inTurn: InTurn = (_, work) => work(),
): Promise<Conclusions> {
  const first = await lookAt(scenario, open);
  if (!has(first.conclusions, 'violated') && !has(first.conclusions, 'inconclusive'))
    return first.conclusions;
  const looks = [first];
  const lookAgain = async (): Promise<void> => {
    do looks.push(await lookAt(scenario, open, looks.at(-1)));
    while (isWorthAnother(looks));
  };
  await (first.changed === undefined ? lookAgain() : inTurn(scenario, lookAgain));
  return looks.map(({ conclusions }) => conclusions).reduce(merged);
}

/** What keeps responses away in two looks may be over in the next; what does so in four is lasting. */
const maxLooks = 4;

/** Who disturbs three looks, on other tasks where there are any, will disturb the next. */
const maxDisturbedLooks = 3;

function isWorthAnother(looks: readonly Look[]): boolean {
  const last = looks.at(-1);
  if (last?.gotNoResponse) return looks.length < maxLooks;
  return last?.isDisturbed === true && looks.length < maxDisturbedLooks;
}

/** A run of a scenario, and further ones on what stood still of what it has read. */
interface Look {
  readonly conclusions: Conclusions;
  /** The scenario broke off because the target gave no response. */
  readonly gotNoResponse: boolean;
  /** Something could not be decided because somebody else changed it. */
  readonly isDisturbed: boolean;
  /** That exports changed in it. */
  readonly changed: Inconclusive | undefined;
}

/** With each run on what stood still, less of it is new; exports that still change are not going to settle. */
const maxSettledRuns = 4;

/** @param before the look before this one, which reads everything anew */
async function lookAt(scenario: AnyScenario, open: OpenWorld, before?: Look): Promise<Look> {
  const unsettled = before?.changed && { why: before.changed };
  let last = await runOnce(scenario, open, unsettled, before !== undefined);
  const runs = [last];
  while (last.unsettled?.settled && runs.length <= maxSettledRuns) {
    last = await runOnce(scenario, open, last.unsettled, true);
    runs.push(last);
  }
  const conclusions = runs.map((run) => run.conclusions).reduce(merged);
  const changed = before?.changed ?? runs.find((run) => run.unsettled)?.unsettled?.why;
  const isCutOff = last.unsettled !== undefined && last.unsettled.settled === undefined;
  const gotNoResponse = last.gotNoResponse || isCutOff;
  return { conclusions, changed, gotNoResponse, isDisturbed: last.isDisturbed };
}

interface Run extends Omit<Look, 'changed'> {
  /** The exports that something could not be decided by. */
  readonly unsettled?: Unsettled;
}

/** @param isAgain whether what it cannot decide is not looked at once more anyhow */
async function runOnce(
  scenario: AnyScenario,
  open: OpenWorld,
  before: Unsettled | undefined,
  isAgain: boolean,
): Promise<Run> {
  const opened = open(scenario, before);
  try {
    const run = await play(scenario, opened.world);
    const disturbed = await withoutDisturbed(run.conclusions, opened);
    const isDisturbed = run.isDisturbed || disturbed.size > 0;
    const conclusions = new Map([...run.conclusions, ...disturbed]);
    const isOpen = has(conclusions, 'violated') || (isAgain && has(conclusions, 'inconclusive'));
    const unsettled = isOpen ? await opened.unsettled(has(conclusions, 'violated')) : undefined;
    const accused =
      unsettled === undefined
        ? conclusions
        : inconclusiveWhere(isViolated, conclusions, unsettled.why);
    // Where too little stood still, nothing is decided.
    const decided = before?.settled ? inconclusiveWhere(isLacking, accused, before.why) : accused;
    return { ...run, isDisturbed, conclusions: decided, ...(unsettled && { unsettled }) };
  } finally {
    await opened.close();
  }
}

function has(conclusions: Conclusions, kind: Conclusion['kind']): boolean {
  return [...conclusions.values()].some((conclusion) => conclusion.kind === kind);
}

function isViolated({ kind }: Conclusion): boolean {
  return kind === 'violated';
}

/** Not judged for want of something to judge by. */
function isLacking(conclusion: Conclusion): boolean {
  return conclusion.kind === 'not judged' && conclusion.cannotUphold !== true;
}

/** What others did meanwhile is neither the target's fault nor a want of configuration. */
function inconclusiveWhere(
  applies: (conclusion: Conclusion) => boolean,
  found: Conclusions,
  why: Inconclusive,
): Conclusions {
  const undecided = inconclusive(why);
  return new Map(
    [...found].map(([id, conclusion]) => [id, applies(conclusion) ? undecided : conclusion]),
  );
}

/** What somebody else did is not the target's fault: the violations that stand on it, as undecided. */
async function withoutDisturbed(found: Conclusions, opened: OpenedWorld): Promise<Conclusions> {
  const disturbed = new Map<ClauseId, Conclusion>();
  for (const [id, conclusion] of found) {
    if (conclusion.kind !== 'violated') continue;
    const disturbance = await opened.disturbance(
      conclusion.violation.on.map(({ exchange }) => exchange),
    );
    if (disturbance !== undefined) disturbed.set(id, inconclusive(disturbance));
  }
  return disturbed;
}

async function play(scenario: AnyScenario, world: World): Promise<Run> {
  let evidence: unknown;
  try {
    evidence = await scenario.act(world);
  } catch (error) {
    const conclusions = ofEveryClause(scenario, thrown(error));
    const gotNoResponse = error instanceof NoResponse;
    return { conclusions, gotNoResponse, isDisturbed: error instanceof Disturbance };
  }
  const { conclusions, errors } = conclusionsOn(scenario, evidence);
  const isDisturbed = errors.some((error) => error instanceof Disturbance);
  return { conclusions, gotNoResponse: false, isDisturbed };
}

/** What a scenario says of its evidence, with what its judges and observations threw. */
export function conclusionsOn({ judges, observes = {} }: AnyScenario, evidence: unknown) {
  const conclusions = new Map<ClauseId, Conclusion>();
  const errors: unknown[] = [];
  const conclude = (says: object, look: (say: Say) => Conclusion): void => {
    // The type of a scenario allows no other keys and values.
    for (const [id, say] of Object.entries(says) as [ClauseId, Say][]) {
      try {
        conclusions.set(id, look(say));
      } catch (error) {
        errors.push(error);
        conclusions.set(id, thrown(error));
      }
    }
  };
  conclude(judges, (judge) => {
    judge(evidence);
    return { kind: 'upheld' };
  });
  conclude(observes, (observe) => {
    // The type of a scenario says so.
    const facts = observe(evidence) as readonly unknown[];
    return facts.length === 0
      ? { kind: 'not judged', reason: { kind: 'nothing seen' } }
      : { kind: 'observed', facts };
  });
  return { conclusions, errors };
}

/** A judge or an observation. */
type Say = (evidence: unknown) => unknown;

function merged(one: Conclusions, other: Conclusions): Conclusions {
  return new Map([...one].map(([id, conclusion]) => [id, merge(conclusion, other.get(id))]));
}

function serverErrorOf({ difference }: ViolationFields): StatusDifference | undefined {
  return difference.kind === 'status' && difference.actual >= 500 ? difference : undefined;
}

/** Whether two looks were answered with a server error, each time to another request: none of them is seen to last. */
function areOfOthers(first: Conclusion, second: Conclusion): boolean {
  if (first.kind !== 'violated' || second.kind !== 'violated') return false;
  const [one, other] = [serverErrorOf(first.violation), serverErrorOf(second.violation)];
  // That all requests of a kind get it is said of what they have in common.
  if (one === undefined || other === undefined || one.isGeneral || other.isGeneral) return false;
  return requestOf(first.violation, one) !== requestOf(second.violation, other);
}

function requestOf(
  { on: [blamed], query }: ViolationFields,
  { when, expected }: StatusDifference,
): string {
  // Odd values are asked for in whatever range is known by then.
  return JSON.stringify([blamed?.request, blamed?.sends, when, expected === '200' && query]);
}

function merge(first: Conclusion, second: Conclusion | undefined): Conclusion {
  if (second === undefined) throw new Error('A run of a scenario lost a clause.');
  if (areOfOthers(first, second)) {
    const why = 'Server errors came, each time to another request: whether one lasts was not seen.';
    return inconclusive(new Inconclusive(why));
  }
  const both = [first, second];
  const shown = both.find(({ kind }) => kind === 'violated');
  const upheld = both.find(({ kind }) => kind === 'upheld');
  if (shown?.kind === 'violated') {
    // A server error that passes is unexpected and no more (Errors): how many there were is counted (verdicts.ts).
    const isPassing = upheld !== undefined && serverErrorOf(shown.violation) !== undefined;
    return isPassing ? upheld : { ...shown, intermittent: upheld !== undefined };
  }
  const failure = both.find(({ kind }) => kind === 'error');
  if (failure !== undefined) return failure;
  // What the one run could not see, the other one may have.
  const isSeen = second.kind === 'upheld' || second.kind === 'observed';
  return first.kind === 'inconclusive' || (first.kind === 'not judged' && isSeen) ? second : first;
}
