import { constants } from 'node:os';
import type { Exchange } from '../helpers/http/exchange.ts';
import { groupBy } from '../helpers/maps.ts';
import type { Case } from '../helpers/outcomes.ts';
import { suiteVersion } from '../helpers/version.ts';
import { type ClauseId, clauseIds, clauseOf, type OpenClause } from '../schemas/clauses.ts';
import { canonical, factSet, type Observation } from '../schemas/observations.ts';
import { operations } from '../schemas/operations.ts';
import {
  type ClauseResult,
  type ClauseVerdict,
  isUpheldInPart,
  type Pairs,
  type Reason,
  type Results,
  type RunVerdict,
  resultsSchema,
  type ViolationResult,
} from '../schemas/results.ts';
import { inCommon } from './in-common.ts';
import { clausesOfEveryAnswer } from './needs.ts';
import {
  type AnyScenario,
  type Conclusion,
  type Conclusions,
  clauseIdsOf,
  ofEveryClause,
  type Unjudged,
} from './scenario.ts';
import { sequenceOf } from './sequence.ts';

/** What a scenario found, or why it was not run. */
export interface ScenarioConclusions {
  readonly scenario: string;
  readonly conclusions: Conclusions;
}

/** What all scenarios together say of each clause, in the order of the catalogue. @param leftOut on purpose */
export function clauseResults(
  byScenario: readonly ScenarioConclusions[],
  leftOut: readonly ClauseId[] = [],
): ClauseResult[] {
  return clauseIds.map((id) => clauseResult(id, byScenario, leftOut.includes(id)));
}

/** Every violation, in the order of the catalogue. @param exchanges of the run so far, in order */
export function violationResults(
  byScenario: readonly ScenarioConclusions[],
  exchanges: readonly Exchange[] = [],
): ViolationResult[] {
  return clauseIds.flatMap((clause) => {
    const said = saidOf(clause, byScenario);
    const cases = said.flatMap(({ conclusion }) => casesOf(conclusion));
    return said.flatMap(({ scenario, conclusion }) => {
      if (conclusion.kind !== 'violated') return [];
      const { violation, intermittent } = conclusion;
      const difference = inCommon(violation, cases);
      const sequence = sequenceOf(violation, exchanges);
      const lists = { on: [...violation.on], ...(sequence.length > 0 && { sequence }) };
      return [{ clause, scenario, difference, ...lists, intermittent }];
    });
  });
}

function casesOf(conclusion: Conclusion): readonly Case[] {
  if (conclusion.kind === 'violated') return conclusion.violation.cases ?? [];
  return (conclusion.kind === 'upheld' && conclusion.cases) || [];
}

type Said = ReturnType<typeof saidOf>[number];

/** What each scenario says of a clause; nothing for a scenario that does not look at it. */
function saidOf(id: ClauseId, byScenario: readonly ScenarioConclusions[]) {
  return byScenario.flatMap(({ scenario, conclusions }) => {
    const conclusion = conclusions.get(id);
    return conclusion === undefined ? [] : [{ scenario, conclusion }];
  });
}

/** What scenarios together say of one clause. */
export function clauseResult(
  id: ClauseId,
  byScenario: readonly ScenarioConclusions[],
  isLeftOut = false,
): ClauseResult {
  const said = saidOf(id, byScenario);
  const { level, section, text, untestable } = clauseOf(id);
  const verdict = untestable === undefined ? verdictOf(said) : 'untestable';
  // The scenarios that decided are named; where none did, those that tried.
  const deciding = said.filter(({ conclusion }) =>
    ['violated', 'observed', 'upheld'].includes(conclusion.kind),
  );
  const looked = said.filter(({ conclusion }) => conclusion.kind !== 'not judged');
  const judging = deciding.length > 0 ? deciding : looked;
  return {
    id,
    level,
    section,
    text,
    verdict,
    reasons:
      untestable === undefined
        ? reasonsOf(id, verdict, said, isLeftOut)
        : [{ kind: 'untestable', why: untestable, on: [] }],
    scenarios: judging.map(({ scenario }) => scenario),
    observed: factSet(
      said.flatMap(({ conclusion }) => (conclusion.kind === 'observed' ? conclusion.facts : [])),
    ),
  };
}

/**
 * Kinds of conclusions: the first of them that any scenario came to is the verdict; without any the clause is not
 * judged. `observed` comes before `inconclusive`: what one scenario saw stands, though another could not see it.
 */
const fromGravest = ['violated', 'error', 'observed', 'inconclusive', 'upheld'] as const;

function verdictOf(said: readonly Said[]): ClauseVerdict {
  const gravest = fromGravest.find((kind) =>
    said.some(({ conclusion }) => conclusion.kind === kind),
  );
  // A scenario that did not come to its end might have found the clause violated.
  const isOutstanding =
    gravest === 'upheld' &&
    said.some(({ conclusion: one }) => 'reason' in one && one.reason.kind === 'not run');
  return gravest === undefined || isOutstanding ? 'not judged' : gravest;
}

/** Why a clause has its verdict where that is not a plain one, and what an upheld clause does not stand on. */
function reasonsOf(
  id: ClauseId,
  verdict: ClauseVerdict,
  said: readonly Said[],
  isLeftOut: boolean,
): Reason[] {
  if (said.length === 0) return [{ kind: isLeftOut ? 'left out' : 'not selected' }];
  // Why a part of an upheld clause could not be judged: the target holds nothing to see it by, or the configuration gives
  // nothing to judge it with. Any scenario upholds in full what every answer is held to.
  const ofPart = ['not applicable', ...(clausesOfEveryAnswer.has(id) ? [] : ['not configured'])];
  const reasons = said.flatMap(({ conclusion }) => {
    if (!('reason' in conclusion)) return [];
    const { kind, reason } = conclusion;
    const isTold = kind === verdict || (verdict === 'upheld' && ofPart.includes(reason.kind));
    return isTold ? [reason] : [];
  });
  // Where something is missing, or went wrong, that is why nothing was seen.
  const telling = reasons.filter(({ kind }) => kind !== 'nothing seen');
  // Reasons that differ only in their exchanges are listed once.
  const byContent = groupBy(telling.length > 0 ? telling : reasons, (reason) =>
    canonical({ ...reason, on: [] }),
  );
  return Array.from(byContent.values(), ([first]) => first);
}

/** The verdict of a run over the clauses that it was to judge. */
export function runVerdict(results: readonly ClauseResult[]): RunVerdict {
  const judged = results.filter(
    ({ level, verdict }) => level !== 'open' && verdict !== 'untestable',
  );
  const has = (verdict: ClauseVerdict): boolean => judged.some((one) => one.verdict === verdict);
  if (has('violated')) return 'violations';
  if (results.some(({ verdict }) => verdict === 'error')) return 'error';
  if (!has('upheld')) return 'not run';
  const isWhole = !has('inconclusive') && !has('not judged') && !judged.some(isUpheldInPart);
  return isWhole ? 'conformant' : 'incomplete';
}

/** The exit code of a process that a signal ended, as shells have it: 130 for Ctrl-C. @param signal as `SIGINT` */
export function interruptedExitCode(signal: string): number {
  // A signal that this system does not know counts as SIGINT.
  return 128 + (constants.signals[signal as NodeJS.Signals] ?? constants.signals.SIGINT);
}

/**
 * The exit code that a pipeline sees.
 * @param verdict of the run, waived violations left out
 * @param options whether 0 is allowed although something could not be decided, whether waivers fail the run, whether
 *   tasks were left changed, and the signal that ended the run
 */
export function exitCode(
  verdict: RunVerdict,
  {
    isIncompleteAllowed = false,
    waiversFail = false,
    tasksLeftChanged = false,
    interruptedBy = null as Results['interruptedBy'],
  } = {},
): number {
  // Violations count in a run that was cut short, too; any other verdict would be of a part of the run.
  if (interruptedBy !== null && verdict !== 'violations') return interruptedExitCode(interruptedBy);
  if (verdict === 'violations') return 1;
  if (verdict === 'error' || verdict === 'not run') return 2;
  if (waiversFail) return 1;
  const isEnough = verdict === 'conformant' || isIncompleteAllowed;
  return isEnough && !tasksLeftChanged ? 0 : 3;
}

/**
 * The observations that are made of all requests of a run, as that some were answered with 429.
 * @param givenUp the conclusion where no request was answered, because the run was given up
 */
export function conclusionsOfWholeRun(
  exchanges: readonly Exchange[],
  givenUp: Unjudged = { kind: 'not judged', reason: { kind: 'nothing seen' } },
): ScenarioConclusions[] {
  const statuses = exchanges.flatMap(({ response }) => response?.status ?? []);
  const conclusionOn = <Id extends OpenClause>(id: Id, fact: Observation<Id>) => {
    const conclusion: Conclusion =
      statuses.length === 0 ? givenUp : { kind: 'observed', facts: [fact] };
    return [id, conclusion] as const;
  };
  const hasPassed = serverErrors(exchanges).some(
    ({ operation, status, passed }) => operation === 'export' && status === 500 && passed,
  );
  const conclusions: Conclusions = new Map([
    conclusionOn('limits.rate', { tooManyRequests: statuses.includes(429) }),
    conclusionOn('errors.passing-failure-of-an-export', hasPassed ? 'some' : 'none'),
  ]);
  return [{ scenario: 'all requests of the run', conclusions }];
}

/** How many requests a run sent, of each operation, and how many were repeated, lost, throttled or failed. */
export function requestCounts(exchanges: readonly Exchange[]): Results['requests'] {
  const count = (isMeant: (one: Exchange) => boolean): number => exchanges.filter(isMeant).length;
  const byOperation = Object.fromEntries(
    operations.map((name) => [name, count(({ operation }) => operation === name)]),
  );
  return {
    total: exchanges.length,
    repeated: count(({ repeats }) => repeats !== undefined),
    lost: count(({ failure }) => failure !== undefined),
    throttled: count(({ response }) => response?.status === 429),
    failed: failedRequests(exchanges),
    serverErrors: serverErrors(exchanges),
    // Object.fromEntries forgets that every operation is there.
    byOperation: byOperation as Results['requests']['byOperation'],
  };
}

/** How many requests were lost, answered with 429, or sent again, by operation and cause, in order of occurrence. */
function failedRequests(exchanges: readonly Exchange[]): Results['requests']['failed'] {
  const sentAgain = new Set(exchanges.flatMap(({ repeats }) => repeats ?? []));
  const failed = exchanges.flatMap(({ number, operation, response, failure }) => {
    const isRepeated = sentAgain.has(number);
    const cause = failure?.loss ?? response?.status;
    const counts = failure !== undefined || cause === 429 || isRepeated;
    return cause === undefined || !counts ? [] : [{ operation, cause, isRepeated }];
  });
  const groups = groupBy(failed, ({ operation, cause }) => `${operation} ${cause}`);
  return Array.from(groups.values(), (group) => {
    const [{ operation, cause }] = group;
    const repeated = group.filter(({ isRepeated }) => isRepeated).length;
    return { operation, cause, count: group.length, repeated };
  });
}

/** The 5xx answers by operation, status, and whether the last answer to the same request was no 5xx (`passed`). */
function serverErrors(exchanges: readonly Exchange[]): Results['requests']['serverErrors'] {
  const requestOf = ({ request: { method, url, body, headers } }: Exchange): string =>
    canonical([method, url, body ?? '', headers]);
  const isFailed = ({ response }: Exchange): boolean => (response?.status ?? 0) >= 500;
  if (!exchanges.some(isFailed)) return [];
  const last = new Map(
    exchanges.flatMap((one) => (one.response ? [[requestOf(one), one.response.status]] : [])),
  );
  const failed = exchanges.filter(isFailed).map((one) => {
    const { number, operation, response: { status } = { status: 0 } } = one;
    return { number, operation, status, passed: (last.get(requestOf(one)) ?? status) < 500 };
  });
  const groups = groupBy(failed, ({ number: _, ...same }) => canonical(same));
  return Array.from(groups.values(), (group) => {
    const [{ number: _, ...same }] = group;
    return { ...same, on: group.map(({ number }) => number) };
  });
}

/** What is said of a run besides what its scenarios found. */
interface RunFacts
  extends Pick<Results, 'target' | 'seed'>,
    Partial<Pick<Results, 'durationMs' | 'interruptedBy' | 'leftChanged' | 'unusable'>> {
  readonly startedAt: Date;
  readonly scenarios: readonly AnyScenario[];
  readonly leftOut?: readonly ClauseId[] | undefined;
  readonly exchanges?: readonly Exchange[];
  readonly givenUp?: Unjudged | undefined;
  /** By scenario. */
  readonly pairs?: readonly Pairs[];
}

/** The results of a run. @param found what its scenarios have found so far */
export function resultsOf(found: readonly ScenarioConclusions[], run: RunFacts): Results {
  const { exchanges = [], pairs = [], leftChanged = [], unusable } = run;
  const ofWholeRun = conclusionsOfWholeRun(exchanges, run.givenUp);
  const clauses = clauseResults([...found, ...ofWholeRun], run.leftOut);
  const selected = new Set<string>(run.scenarios.flatMap(clauseIdsOf));
  const sum = (of: keyof Pairs): number => pairs.reduce((total, one) => total + one[of], 0);
  return {
    $schema: resultsSchema.$id,
    format: 3,
    suite: suiteVersion,
    // A run of chosen scenarios is measured by what they look at.
    verdict: runVerdict(clauses.filter(({ id }) => selected.has(id))),
    target: { ...run.target },
    seed: run.seed,
    startedAt: run.startedAt.toISOString(),
    durationMs: run.durationMs ?? 0,
    interruptedBy: run.interruptedBy ?? null,
    requests: requestCounts(exchanges),
    ...(pairs.length > 0 && { pairs: { covered: sum('covered'), possible: sum('possible') } }),
    leftChanged,
    ...(unusable && { unusable }),
    clauses,
    violations: violationResults(found, exchanges),
  };
}

/** The results of a run that could not start: nothing was sent, and every clause says why it was not judged. */
export function resultsNotRun(conclusion: Unjudged, run: RunFacts): Results {
  const found = run.scenarios.map((one) => ({
    scenario: one.name,
    conclusions: ofEveryClause(one, conclusion),
  }));
  return resultsOf(found, { ...run, givenUp: conclusion });
}
