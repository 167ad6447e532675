import type { ClauseVerdict, Results, RunVerdict } from '../schemas/results.ts';
import type { Waiver } from '../schemas/waivers.ts';
import { undecidedClauses } from './grouping.ts';

/** What the waivers come to in a run. */
export interface WaiverReview {
  /** The clause is violated, and the run does not fail for it. */
  readonly waived: readonly Waiver[];
  /** The clause is violated, and the waiver's last day is over: the run fails. */
  readonly expired: readonly Waiver[];
  /** The clause is upheld: the waiver can go. */
  readonly stale: readonly Waiver[];
  /** The clause was not decided. */
  readonly undecided: readonly Waiver[];
  /** Whether the run fails for a stale waiver. */
  readonly staleFail: boolean;
}

/** The states of waivers in the order in which reports show them, with words for people. */
export const waiverStates = [
  { state: 'expired', title: 'Waivers that have expired' },
  { state: 'waived', title: 'Waived' },
  { state: 'stale', title: 'Waivers of clauses that are upheld: they can go' },
  { state: 'undecided', title: 'Waivers of clauses that were not decided' },
] as const satisfies readonly { state: Exclude<keyof WaiverReview, 'staleFail'>; title: string }[];

export const noWaivers: WaiverReview = {
  waived: [],
  expired: [],
  stale: [],
  undecided: [],
  staleFail: false,
};

/** Whether a waiver still holds: to the end of its last day in UTC. @param now the instant of the run */
export function holds({ expires }: Waiver, now: Date): boolean {
  return expires >= now.toISOString().slice(0, 10);
}

/** The waiver that covers a clause, where there is one that holds. @param now the instant of the run */
export function waiverOf(
  clause: string,
  waivers: readonly Waiver[],
  now: Date,
): Waiver | undefined {
  return waivers.find((waiver) => waiver.clause === clause && holds(waiver, now));
}

/**
 * What the waivers come to in a run.
 * @param now the instant of the run
 * @param staleFail whether a stale waiver fails the run
 */
export function reviewWaivers(
  { clauses }: Results,
  waivers: readonly Waiver[],
  now: Date,
  staleFail = false,
): WaiverReview {
  const verdicts = new Map(clauses.map(({ id, verdict }) => [id, verdict]));
  const having = (verdict: ClauseVerdict) =>
    waivers.filter(({ clause }) => verdicts.get(clause) === verdict);
  const violated = having('violated');
  const stale = having('upheld');
  return {
    waived: violated.filter((waiver) => holds(waiver, now)),
    expired: violated.filter((waiver) => !holds(waiver, now)),
    stale,
    undecided: waivers.filter((waiver) => !violated.includes(waiver) && !stale.includes(waiver)),
    staleFail,
  };
}

/** Whether the run fails for its waivers alone. */
export function waiversFail({ stale, staleFail }: WaiverReview): boolean {
  return staleFail && stale.length > 0;
}

/** A violated clause that a waiver covers, in words. */
export function waivedUntil({ reason, owner, issue, expires }: Waiver): string {
  return `violated, and waived until ${expires}: ${reason} (${owner}, ${issue})`;
}

/** The verdict of a run when violations that a waiver covers do not count. */
export function verdictUnder({ waived }: WaiverReview, results: Results): RunVerdict {
  if (results.verdict !== 'violations' || waived.length === 0) return results.verdict;
  const ids = new Set(waived.map(({ clause }) => clause));
  if (results.violations.some(({ clause }) => !ids.has(clause))) return 'violations';
  if (results.clauses.some(({ verdict }) => verdict === 'error')) return 'error';
  return undecidedClauses(results).length > 0 ? 'incomplete' : 'conformant';
}
