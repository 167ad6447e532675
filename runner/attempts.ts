import type { Moved } from '../helpers/exports/exports.ts';
import { NoResponse } from '../helpers/http/no-response.ts';
import { groupBy } from '../helpers/maps.ts';
import {
  ChangedMeanwhile,
  Disturbance,
  Inconclusive,
  type ViolationFields,
} from '../helpers/outcomes.ts';
import type { StatusDifference } from '../schemas/difference.ts';
import { inCommon } from './in-common.ts';
import {
  type AnyScenario,
  type Conclusion,
  type Conclusions,
  conclusionOfError,
  conclusionsOn,
  inconclusive,
  ofEveryClause,
} from './scenario.ts';
import type { OpenedWorld, World } from './world.ts';

/*
 * How a scenario is judged while others use the target too: in one loop of attempts. Each acts, judges, and looks at
 * what interfered meanwhile. What stands on something that somebody else changed is inconclusive; what stands on what
 * stood still counts. Attempts go on while something is undecided or violated, and a further one is worth it.
 * What can interfere is decided in `attempt`, and nowhere else:
 *
 *   no response     the target did not answer the scenario, or when its exports were to be read once more
 *   others wrote    somebody else changed a task, or the target refuses whom a write names
 *   exports moved   two readings hold other events: the next attempt judges those that stood still
 */

/** How many attempts that read everything anew are worth it at most, by what interfered with the last one. */
const maxAnew = { usual: 2, othersWrote: 3, noResponse: 4 };

/** How many attempts in a row go on with what stood still: exports that change even then will not settle. */
const maxFurther = 4;

/** What came of an attempt; `moved` is set where exports changed, so that something could not be decided. */
interface Attempt {
  readonly conclusions: Conclusions;
  /** What `act` returned; undefined where it failed. */
  readonly evidence: unknown;
  readonly moved: Moved | undefined;
  readonly maxAnew: number;
  /** Whether something is wrong that may be so of its tasks alone, to which nobody else wrote. */
  readonly mayBeOfTasks: boolean;
}

/**
 * Runs a scenario. A violation that shows in one attempt and not in another is kept, and marked intermittent.
 * @param open opens the world of an attempt. `moved` are exports that changed before: with `stoodStill`, the attempt goes on
 *   with that; without, exports are read anew. `onSameTasks`: whether it takes the tasks of the attempt before
 */
export async function runScenario(
  scenario: AnyScenario,
  open: (moved?: Moved, onSameTasks?: boolean) => OpenedWorld | Promise<OpenedWorld>,
): Promise<Conclusions> {
  const attempts: Attempt[] = [];
  let moved: Moved | undefined;
  let [anew, further] = [1, 0];
  for (;;) {
    const before = attempts.at(-1);
    const last = await attempt(scenario, await open(moved, before?.mayBeOfTasks), moved, before);
    attempts.push(last);
    const agreed = agreedBy(attempts);
    if (!has(agreed, 'violated') && !has(agreed, 'inconclusive')) return agreed;
    if (last.moved?.stoodStill && further < maxFurther) {
      further += 1;
      moved = last.moved;
      continue;
    }
    if (anew >= last.maxAnew) return agreed;
    [anew, further] = [anew + 1, 0];
    const why = attempts.find((one) => one.moved)?.moved?.why;
    moved = why && { why };
  }
}

/** Acts once, judges, and leaves undecided what stands on something that somebody else changed meanwhile. */
async function attempt(
  scenario: AnyScenario,
  opened: OpenedWorld,
  movedBefore: Moved | undefined,
  before: Attempt | undefined,
): Promise<Attempt> {
  try {
    const { evidence, conclusions, errors } = await play(scenario, opened.world, before?.evidence);
    const byTarget = doubted(conclusions, (one) =>
      one.kind === 'violated' ? opened.othersIn(answersOf(one)) : undefined,
    );
    const differs =
      has(byTarget, 'violated') || errors.some((error) => error instanceof ChangedMeanwhile);
    // What the first attempt cannot decide is looked at again anyhow.
    const isInDoubt = differs || (before !== undefined && has(byTarget, 'inconclusive'));
    const standsOn = [...byTarget.values()].flatMap(answersOf);
    const moved = isInDoubt ? await opened.moved(standsOn, differs) : undefined;
    const decided = doubted(byTarget, (one) => {
      if (one.kind === 'violated') {
        return moved?.stoodStill?.isUntouched(one.violation) ? undefined : moved?.why;
      }
      // A judge that finds nothing to judge by may lack the events that were left out because they changed.
      const lacksEvidence = one.kind === 'not judged' && one.cannotUphold !== true;
      return movedBefore?.stoodStill && lacksEvidence ? movedBefore.why : undefined;
    });
    const hasMoved = moved !== undefined && has(decided, 'inconclusive');
    const isCutOff = hasMoved && moved.stoodStill === undefined;
    const isSilent = isCutOff || errors.some((error) => error instanceof NoResponse);
    const isDisturbed =
      byTarget !== conclusions || errors.some((error) => error instanceof Disturbance);
    return {
      evidence,
      conclusions: decided,
      moved: hasMoved ? moved : undefined,
      maxAnew: isSilent ? maxAnew.noResponse : isDisturbed ? maxAnew.othersWrote : maxAnew.usual,
      mayBeOfTasks: !isDisturbed && has(decided, 'violated'),
    };
  } finally {
    opened.close();
  }
}

/** Acts once; an error that `act` throws is the conclusion on every clause, and one of the `errors`. */
async function play(scenario: AnyScenario, world: World, before: unknown) {
  let evidence: unknown;
  try {
    evidence = await scenario.act(world, before);
  } catch (error) {
    const conclusions = ofEveryClause(scenario, conclusionOfError(error));
    return { evidence, conclusions, errors: [error] };
  }
  return { evidence, ...conclusionsOn(scenario, evidence) };
}

/** The numbers of the answers that a violation, or a doubt, stands on. */
function answersOf(conclusion: Conclusion): readonly number[] {
  if (conclusion.kind === 'violated')
    return conclusion.violation.on.map(({ exchange }) => exchange);
  if (conclusion.kind !== 'inconclusive') return [];
  const { reason } = conclusion;
  return 'on' in reason ? reason.on : [];
}

function has(conclusions: Conclusions, kind: Conclusion['kind']): boolean {
  return [...conclusions.values()].some((conclusion) => conclusion.kind === kind);
}

/** The conclusions, inconclusive where `whyDoubted` says why; the same map where it says nothing. */
function doubted(
  conclusions: Conclusions,
  whyDoubted: (conclusion: Conclusion) => Inconclusive | undefined,
): Conclusions {
  const doubts = [...conclusions].flatMap(([id, conclusion]) => {
    const why = whyDoubted(conclusion);
    return why === undefined ? [] : [[id, inconclusive(why)] as const];
  });
  return doubts.length === 0 ? conclusions : new Map([...conclusions, ...doubts]);
}

/** What attempts together say of each clause. */
function agreedBy(attempts: readonly Attempt[]): Conclusions {
  const said = attempts.flatMap(({ conclusions }) => [...conclusions]);
  const byClause = groupBy(said, ([id]) => id);
  return new Map(Array.from(byClause, ([id, group]) => [id, agreed(group.map(([, one]) => one))]));
}

/** What attempts together say of one clause: what one could not decide, another may have. */
function agreed(said: readonly Conclusion[]): Conclusion {
  const of = (...kinds: readonly Conclusion['kind'][]) =>
    said.find(({ kind }) => kinds.includes(kind));
  const isUpheld = of('upheld') !== undefined;
  const violated = said.filter((one) => one.kind === 'violated');
  // A server error that does not come again is no violation (Errors): `serverErrors` in verdicts.ts counts it.
  const [lasting] = violated.filter(({ violation }) => !isUpheld || !serverErrorOf(violation));
  const isOfNoRequest = failDifferently(violated.map(({ violation }) => violation));
  if (lasting && !isOfNoRequest) return { ...lasting, intermittent: isUpheld };
  const why = 'Server errors came, each time to another request: whether one lasts was not seen.';
  const undecided = isOfNoRequest ? inconclusive(new Inconclusive(why)) : said.at(-1);
  const conclusion = of('error') ?? of('upheld', 'observed') ?? of('not judged') ?? undecided;
  if (conclusion === undefined) throw new Error('A scenario lost a clause.');
  return conclusion;
}

function serverErrorOf({
  difference,
}: Pick<ViolationFields, 'difference'>): StatusDifference | undefined {
  return difference.kind === 'status' && difference.actual >= 500 ? difference : undefined;
}

/** Whether server errors came each time, and never twice to one request: then none is known to fail each time. */
function failDifferently(violations: readonly ViolationFields[]): boolean {
  const requests = violations.map((violation) => {
    const error = serverErrorOf({ difference: inCommon(violation, violation.cases) });
    // A general difference names what many requests have in common, and no single request.
    return error === undefined || error.isGeneral ? undefined : requestOf(violation, error);
  });
  const isKnown = requests.every((request) => request !== undefined);
  return isKnown && requests.length > 1 && new Set(requests).size === requests.length;
}

/** A text that is the same for the same request in two attempts. */
function requestOf(
  { on: [blamed], query }: ViolationFields,
  { when, expected }: StatusDifference,
): string {
  // A request with an odd value, which expects no 200, may have another range in each attempt: its query does not count.
  return JSON.stringify([blamed?.request, blamed?.sends, when, expected === '200' && query]);
}
