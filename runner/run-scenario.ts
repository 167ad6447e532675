import type { Learning } from '../helpers/exports/learn.ts';
import type { Readings } from '../helpers/exports/readings.ts';
import { NoResponse } from '../helpers/http/no-response.ts';
import { Disturbance, Inconclusive, type ViolationFields } from '../helpers/outcomes.ts';
import type { ClauseId } from '../schemas/clauses.ts';
import type { StatusDifference } from '../schemas/difference.ts';
import {
  type Conclusion,
  type Conclusions,
  conclusionOfError,
  inconclusive,
} from './conclusions.ts';
import { type AnyScenario, ofEveryClause } from './scenario.ts';
import type { World } from './world.ts';

/** The world of one run of a scenario. */
export interface OpenedWorld {
  readonly world: World;
  /**
   * Why these answers do not convict the target: somebody else changed what they show; undefined where nobody did.
   * @param exchanges the numbers of the answers that a violation stands on
   */
  disturbance(exchanges: readonly number[]): Promise<Inconclusive | undefined>;
  /**
   * Reads the exports that the scenario was judged by once more; undefined where they have not changed.
   * @param knewEnough whether the knowledge of the exports sufficed; else it is learned anew from unchanged events
   */
  unsettled(knewEnough: boolean): Promise<Unsettled | undefined>;
  /** Gives back what the scenario took. */
  close(): Promise<void>;
}

/** That exports changed while a scenario was judged by them. */
export interface Unsettled {
  readonly why: Inconclusive;
  /**
   * What a further run of the same look starts from, without the events that changed; undefined where that run is to read
   * everything anew.
   */
  readonly settled?: { readonly learning: Learning; readonly readings: Readings };
}

/** Opens the world of one run. @param unsettled the exports of the run before, where they changed meanwhile */
type OpenWorld = (unsettled?: Unsettled) => OpenedWorld;

/**
 * Runs a scenario. Where the first look finds a violation or cannot decide, a second look reads everything anew; more
 * follow where no response comes or somebody else disturbs the scenario. A violation that shows in one look and not in
 * another is kept, and marked intermittent. Where the exports changed while they were judged, a violation that stands on
 * no event that stood still is no evidence: the same look goes on with the events that did not change.
 * @param inTurn does the further looks where exports changed, one at a time: in a short look less changes
 */
export async function runScenario(
  scenario: AnyScenario,
  open: OpenWorld,
  inTurn: (work: () => Promise<void>) => Promise<void> = (work) => work(),
): Promise<Conclusions> {
  const first = await lookAt(scenario, open);
  if (!has(first.conclusions, 'violated') && !has(first.conclusions, 'inconclusive'))
    return first.conclusions;
  const looks = [first];
  const lookAgain = async (): Promise<void> => {
    do looks.push(await lookAt(scenario, open, looks.at(-1)));
    while (isWorthAnother(looks));
  };
  await (first.changed === undefined ? lookAgain() : inTurn(lookAgain));
  return looks.map(({ conclusions }) => conclusions).reduce(merged);
}

/** How many looks at most where no response comes: an outage may end within these; a longer one is lasting. */
const maxLooks = 4;

/** How many looks at most where somebody disturbs them: whoever disturbs three will disturb the next. */
const maxDisturbedLooks = 3;

function isWorthAnother(looks: readonly Look[]): boolean {
  const last = looks.at(-1);
  if (last?.gotNoResponse) return looks.length < maxLooks;
  return last?.isDisturbed === true && looks.length < maxDisturbedLooks;
}

/** What came of one look: a run of a scenario that reads everything anew, and further runs on what did not change. */
interface Look {
  readonly conclusions: Conclusions;
  /** Whether the scenario broke off because the target gave no response. */
  readonly gotNoResponse: boolean;
  /** Whether something could not be decided because somebody else changed it. */
  readonly isDisturbed: boolean;
  /** That exports changed in this look or one before; undefined where they did not. */
  readonly changed: Inconclusive | undefined;
}

/** How many further runs of a look leave out what changed: exports that still change then will not settle. */
const maxSettledRuns = 4;

/** Looks at a scenario. @param before the look before this one; nothing that it read is used again */
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
  // No response came when the exports were to be read once more.
  const isCutOff = last.unsettled !== undefined && last.unsettled.settled === undefined;
  const gotNoResponse = last.gotNoResponse || isCutOff;
  return { conclusions, changed, gotNoResponse, isDisturbed: last.isDisturbed };
}

interface Run extends Omit<Look, 'changed'> {
  /** That exports changed, so that something could not be decided. */
  readonly unsettled?: Unsettled;
}

/** Runs a scenario once. @param isAgain false for the first run: what that cannot decide is looked at again anyhow */
async function runOnce(
  scenario: AnyScenario,
  open: OpenWorld,
  before: Unsettled | undefined,
  isAgain: boolean,
): Promise<Run> {
  const opened = open(before);
  try {
    const run = await play(scenario, opened.world);
    const disturbed = await disturbedIn(run.conclusions, opened);
    const isDisturbed = run.isDisturbed || disturbed.size > 0;
    const conclusions = new Map([...run.conclusions, ...disturbed]);
    const inDoubt = has(conclusions, 'violated') || (isAgain && has(conclusions, 'inconclusive'));
    const unsettled = inDoubt ? await opened.unsettled(has(conclusions, 'violated')) : undefined;
    const readings = unsettled?.settled?.readings;
    const hasMoved = (conclusion: Conclusion): boolean =>
      conclusion.kind === 'violated' &&
      readings?.standsStill(conclusion.violation.difference) !== true;
    const stable =
      unsettled === undefined
        ? conclusions
        : inconclusiveWhere(hasMoved, conclusions, unsettled.why);
    // A judge that finds nothing to judge by may lack the events that were left out because they changed.
    const decided = before?.settled ? inconclusiveWhere(lacksEvidence, stable, before.why) : stable;
    const isOpen = unsettled !== undefined && has(decided, 'inconclusive');
    return { ...run, isDisturbed, conclusions: decided, ...(isOpen && { unsettled }) };
  } finally {
    await opened.close();
  }
}

function has(conclusions: Conclusions, kind: Conclusion['kind']): boolean {
  return [...conclusions.values()].some((conclusion) => conclusion.kind === kind);
}

/** Whether a clause was not judged because there was nothing to judge it by. */
function lacksEvidence(conclusion: Conclusion): boolean {
  return conclusion.kind === 'not judged' && conclusion.cannotUphold !== true;
}

/** The conclusions, with `inconclusive` in place of those to which `applies` is true. */
function inconclusiveWhere(
  applies: (conclusion: Conclusion) => boolean,
  conclusions: Conclusions,
  why: Inconclusive,
): Conclusions {
  const undecided = inconclusive(why);
  return new Map(
    [...conclusions].map(([id, conclusion]) => [id, applies(conclusion) ? undecided : conclusion]),
  );
}

/** The violations that stand on what somebody else changed, as inconclusive: the target is not at fault. */
async function disturbedIn(conclusions: Conclusions, opened: OpenedWorld): Promise<Conclusions> {
  const disturbed = new Map<ClauseId, Conclusion>();
  for (const [id, conclusion] of conclusions) {
    if (conclusion.kind !== 'violated') continue;
    const disturbance = await opened.disturbance(
      conclusion.violation.on.map(({ exchange }) => exchange),
    );
    if (disturbance !== undefined) disturbed.set(id, inconclusive(disturbance));
  }
  return disturbed;
}

/** Acts once and concludes; an error that `act` throws is the conclusion on every clause. */
async function play(scenario: AnyScenario, world: World): Promise<Run> {
  let evidence: unknown;
  try {
    evidence = await scenario.act(world);
  } catch (error) {
    const conclusions = ofEveryClause(scenario, conclusionOfError(error));
    const gotNoResponse = error instanceof NoResponse;
    return { conclusions, gotNoResponse, isDisturbed: error instanceof Disturbance };
  }
  const { conclusions, errors } = conclusionsOn(scenario, evidence);
  const isDisturbed = errors.some((error) => error instanceof Disturbance);
  return { conclusions, gotNoResponse: false, isDisturbed };
}

/** What judges and observations conclude from the evidence, by clause; `errors` are those that they threw. */
export function conclusionsOn({ judges, observes = {} }: AnyScenario, evidence: unknown) {
  const conclusions = new Map<ClauseId, Conclusion>();
  const errors: unknown[] = [];
  const conclude = (readers: object, conclusionOf: (read: ReadEvidence) => Conclusion): void => {
    // The type of a scenario allows no other keys and values.
    for (const [id, read] of Object.entries(readers) as [ClauseId, ReadEvidence][]) {
      try {
        conclusions.set(id, conclusionOf(read));
      } catch (error) {
        errors.push(error);
        conclusions.set(id, conclusionOfError(error));
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

/** A judge or an observation: both read the evidence alone. */
type ReadEvidence = (evidence: unknown) => unknown;

function merged(first: Conclusions, second: Conclusions): Conclusions {
  return new Map([...first].map(([id, conclusion]) => [id, merge(conclusion, second.get(id))]));
}

function serverErrorOf({ difference }: ViolationFields): StatusDifference | undefined {
  return difference.kind === 'status' && difference.actual >= 500 ? difference : undefined;
}

/** Whether both looks got a server error, but to different requests: then no request is known to fail each time. */
function failDifferently(first: Conclusion, second: Conclusion): boolean {
  if (first.kind !== 'violated' || second.kind !== 'violated') return false;
  const [early, late] = [serverErrorOf(first.violation), serverErrorOf(second.violation)];
  // A general difference names what many requests have in common, and no single request.
  if (early === undefined || late === undefined || early.isGeneral || late.isGeneral) return false;
  return requestOf(first.violation, early) !== requestOf(second.violation, late);
}

/** A text that is the same for the same request in two looks. */
function requestOf(
  { on: [blamed], query }: ViolationFields,
  { when, expected }: StatusDifference,
): string {
  // A request with an odd value, which expects no 200, may have another range in each look: its query does not count.
  return JSON.stringify([blamed?.request, blamed?.sends, when, expected === '200' && query]);
}

/** What two looks together say of a clause. */
function merge(first: Conclusion, second: Conclusion | undefined): Conclusion {
  if (second === undefined) throw new Error('A run of a scenario lost a clause.');
  if (failDifferently(first, second)) {
    const why = 'Server errors came, each time to another request: whether one lasts was not seen.';
    return inconclusive(new Inconclusive(why));
  }
  const both = [first, second];
  const violated = both.find(({ kind }) => kind === 'violated');
  const upheld = both.find(({ kind }) => kind === 'upheld');
  if (violated?.kind === 'violated') {
    // A server error that does not come again is no violation (Errors): `serverErrors` in verdicts.ts counts it.
    const isPassing = upheld !== undefined && serverErrorOf(violated.violation) !== undefined;
    return isPassing ? upheld : { ...violated, intermittent: upheld !== undefined };
  }
  const failure = both.find(({ kind }) => kind === 'error');
  if (failure !== undefined) return failure;
  // What one look could not decide, the other may have.
  const isSeen = second.kind === 'upheld' || second.kind === 'observed';
  return first.kind === 'inconclusive' || (first.kind === 'not judged' && isSeen) ? second : first;
}
