import { groupBy } from '../helpers/group-by.ts';
import type { Known, Waiver } from '../schemas/files.ts';
import type { Results, RunVerdict, ViolationResult } from '../schemas/results.ts';
import { isSameWrong, knownBy } from './findings.ts';
import { toldVerdict, undecidedClauses } from './grouping.ts';

/** The waivers by what became of their clauses in a run. */
export type WaiverReview = Readonly<ReturnType<typeof reviewWaivers>>;

/** Whether a waiver still holds: to the end of its last day in UTC. @param at an instant in ISO 8601 */
function holds({ expires }: Waiver, at: string): boolean {
  return expires >= at.slice(0, 10);
}

/** The waiver that covers a violation, where there is one that holds. @param at the instant of the run, in ISO 8601 */
export function waiverOf(
  violation: KnownViolation,
  waivers: readonly Waiver[],
  at: string,
): Waiver | undefined {
  return waivers.find((waiver) => covers(waiver, violation) && holds(waiver, at));
}

/** What decides whether a waiver covers a violation. */
type KnownViolation = Pick<ViolationResult, 'clause' | 'on' | 'difference'>;

/** Whether a waiver is for a violation: for its clause and, where it lists findings, for what is wrong. */
function covers({ clause, findings }: Waiver, violation: KnownViolation): boolean {
  if (clause !== violation.clause) return false;
  return findings?.some((known) => isSameWrong(known, knownBy(violation))) ?? true;
}

/**
 * The waivers that cover every violation of the runs: those that are known, and new ones for the rest.
 * @param stub what a new waiver has besides the violations that it is for
 */
export function extendWaivers(
  runs: readonly Results[],
  known: readonly Waiver[],
  stub: Omit<Waiver, 'clause' | 'findings'>,
) {
  const all = runs.flatMap(({ violations }) => violations);
  const missing = all.filter((one) => !known.some((waiver) => covers(waiver, one)));
  const missingOf = groupBy(missing, ({ clause }) => clause);
  const ids = new Set(runs.flatMap(({ clauses }) => clauses.map(({ id }) => id)));
  const extended = known.map((waiver): Waiver => {
    const more = all.filter((one) => one.clause === waiver.clause && !covers(waiver, one));
    if (more.length === 0 || waiver.findings === undefined) return waiver;
    return { ...waiver, findings: [...waiver.findings, ...findingsIn(more)] };
  });
  const added = [...ids].flatMap((clause) => {
    const violations = missingOf.get(clause);
    const isNew = violations !== undefined && known.every((waiver) => waiver.clause !== clause);
    return isNew ? { clause, ...stub, findings: findingsIn(violations) } : [];
  });
  return {
    /** The known waivers in their order, then the new ones in the order of the catalogue. */
    waivers: [...extended, ...added],
    /** The violations that had no waiver. */
    violations: new Set(missing),
  };
}

/** How the violations are recognized in later runs; the same wrong is listed once. */
function findingsIn(violations: readonly ViolationResult[]): Known[] {
  return [...new Map(violations.map(knownBy).map((one) => [JSON.stringify(one), one])).values()];
}

/**
 * Sorts the waivers by what became of their clauses in a run, as they hold when it began.
 * @param staleFail whether a stale waiver fails the run
 */
export function reviewWaivers(
  { clauses, violations, startedAt }: Pick<Results, 'clauses' | 'violations' | 'startedAt'>,
  waivers: readonly Waiver[],
  staleFail = false,
) {
  // A clause that is upheld in part may be violated in the rest.
  const upheld = clauses.filter((one) => toldVerdict(one) === 'upheld');
  const seen = waivers.filter((waiver) => violations.some((one) => covers(waiver, one)));
  const stale = waivers.filter(({ clause }) => upheld.some(({ id }) => id === clause));
  const covered = new Map(
    violations.flatMap((violation) => {
      const waiver = waiverOf(violation, waivers, startedAt);
      return waiver === undefined ? [] : [[violation, waiver] as const];
    }),
  );
  const uncovered = violations.filter((one) => !covered.has(one));
  const violated = new Set(violations.map(({ clause }) => clause));
  return {
    /** The clause is violated, and the run does not fail for what the waiver covers of it. */
    waived: seen.filter((waiver) => holds(waiver, startedAt)),
    /** The covered violations, each with its waiver. */
    covered,
    /** Ids of violated clauses whose violations are all covered. */
    waivedClauses: new Set(
      [...violated].filter((id) => !uncovered.some((one) => one.clause === id)),
    ),
    /** The clause is violated, and the waiver has expired: the run fails. */
    expired: seen.filter((waiver) => !holds(waiver, startedAt)),
    /** The clause is upheld: the waiver is not needed any more. */
    stale,
    /** The clause was not decided, or is violated in another way. */
    undecided: waivers.filter((waiver) => !seen.includes(waiver) && !stale.includes(waiver)),
    staleFail,
  };
}

export const noWaivers = reviewWaivers({ clauses: [], violations: [], startedAt: '' }, []);

/** Whether the run fails for its waivers alone. */
export function waiversFail({ stale, staleFail }: WaiverReview): boolean {
  return staleFail && stale.length > 0;
}

/** A violated clause that a waiver covers, in words. */
export function waivedUntil({ reason, owner, issue, expires }: Waiver): string {
  return `violated, and waived until ${expires}: ${reason} (${owner}, ${issue})`;
}

/** The verdict of a run when violations that a waiver covers do not count. */
export function verdictUnder({ covered }: WaiverReview, results: Results): RunVerdict {
  if (results.verdict !== 'violations' || covered.size === 0) return results.verdict;
  if (results.violations.some((violation) => !covered.has(violation))) return 'violations';
  if (results.clauses.some(({ verdict }) => verdict === 'error')) return 'error';
  return undecidedClauses(results).length > 0 ? 'incomplete' : 'conformant';
}
