import { countsOf, groupBy } from '../helpers/maps.ts';
import type { Known, Waiver } from '../schemas/files.ts';
import { canonical } from '../schemas/observations.ts';
import {
  type ClauseResult,
  type ClauseVerdict,
  clauseVerdicts,
  isUpheldInPart,
  type Lack,
  type Reason,
  type Results,
  type RunVerdict,
  type ViolationResult,
} from '../schemas/results.ts';
import { isSameWrong, knownBy } from './findings.ts';

/**
 * The verdicts that people read. `upheld in part`: a part was not judged, as configuration is missing; `waived`: violated,
 * but known; `left out`: not to be judged.
 */
export type ToldVerdict = ClauseVerdict | 'upheld in part' | 'waived' | 'left out';

/** The verdict that people read of a clause. @param waived ids of clauses whose violations do not count */
export function toldVerdict(
  clause: Pick<ClauseResult, 'id' | 'verdict' | 'reasons'>,
  waived: ReadonlySet<string> = new Set(),
): ToldVerdict {
  if (clause.verdict === 'violated' && waived.has(clause.id)) return 'waived';
  return isUpheldInPart(clause) ? 'upheld in part' : clause.verdict;
}

type Reasoned = Pick<ClauseResult, 'reasons'>;

/** Groups of clauses with the same reasons, the largest first. Exchanges are named where all the clauses name the same ones. */
export function byReasons<Clause extends Reasoned>(clauses: readonly Clause[]) {
  const groups = groupBy(clauses, ({ reasons }) => canonical(reasons.map(withoutExchanges)));
  return Array.from(groups.values(), (members) => {
    const [{ reasons }, ...others] = members;
    const isSame = others.every((one) => canonical(one.reasons) === canonical(reasons));
    return { reasons: isSame ? reasons : reasons.map(withoutExchanges), clauses: members };
  }).sort((a, b) => b.clauses.length - a.clauses.length);
}

export type ReasonGroup = ReturnType<typeof byReasons<ClauseResult>>[number];

function withoutExchanges(reason: Reason): Reason {
  return 'on' in reason ? { ...reason, on: [] } : reason;
}

/** Groups of clauses: by the variables that are missing, those that cost most first; then the others by their reasons. */
export function byLacks(clauses: readonly ClauseResult[]) {
  const namesOf = (clause: ClauseResult) => lacksOf(clause).map(({ variable }) => variable);
  const groups = groupBy(clauses, (clause) => namesOf(clause).sort().join('+'));
  const { '': others = [], ...lacking } = Object.fromEntries(groups);
  const byVariables = Object.values(lacking).map((members) => {
    const uses = groupBy(members.flatMap(lacksOf), ({ variable }) => variable);
    const lacks = Array.from(uses.values(), (all) => {
      return { ...all[0], what: [...new Set(all.map(({ what }) => what))].join('; ') };
    }).sort((a, b) => (a.variable < b.variable ? -1 : 1));
    return { lacks, reasons: [{ kind: 'not configured' as const, lacks }], clauses: members };
  });
  return [
    ...byVariables.sort((a, b) => b.clauses.length - a.clauses.length),
    ...byReasons(others).map((group) => ({ lacks: [], ...group })),
  ];
}

/** What the configuration lacks for a clause: what the least demanding scenario lacks; if upheld in part, what all lack. */
export function lacksOf(clause: Pick<ClauseResult, 'verdict' | 'reasons'>): readonly Lack[] {
  const all = clause.reasons.map((reason) =>
    reason.kind === 'not configured' ? reason.lacks : [],
  );
  if (!isUpheldInPart(clause)) return all.toSorted((a, b) => a.length - b.length)[0] ?? [];
  return [...groupBy(all.flat(), ({ variable }) => variable).values()].map(([lack]) => lack);
}

/** Whether the configuration lacks something of a kind for a clause. */
export function hasLack({ reasons }: ClauseResult, isSuch: (lack: Lack) => boolean): boolean {
  return reasons.some((reason) => reason.kind === 'not configured' && reason.lacks.some(isSuch));
}

export function hasReason({ reasons }: Reasoned, ...kinds: readonly Reason['kind'][]): boolean {
  return reasons.some(({ kind }) => kinds.includes(kind));
}

/** Whether the clause was to be judged or observed: it was chosen (`--only`), and is not left out (`--except`). */
export function isSelected(clause: Reasoned): boolean {
  return !hasReason(clause, 'not selected', 'left out');
}

/** Counts of the clauses that requests can decide. @param waived ids of clauses whose violations do not count */
export function tallyOf(
  { clauses }: { readonly clauses: readonly ClauseResult[] },
  waived: ReadonlySet<string> = new Set(),
) {
  const testable = clauses.filter(({ verdict }) => verdict !== 'untestable');
  const judged = testable.filter(({ level }) => level !== 'open');
  const open = testable.filter((clause) => clause.level === 'open' && isSelected(clause));
  const asked = judged.filter(isSelected);
  const told = groupBy(asked, (clause) => toldVerdict(clause, waived));
  const count = (verdict: ToldVerdict): number => told.get(verdict)?.length ?? 0;
  const violated = countsOf(told.get('violated')?.map(({ level }) => level) ?? []);
  const having = (kind: Reason['kind']): number =>
    judged.filter((clause) => hasReason(clause, kind)).length;
  return {
    /** All clauses that were to be judged: without those that are untestable, not selected, or left out. */
    all: asked.length,
    /** `upheld` counts clauses that are upheld in full, `violated` those that are not waived. */
    verdicts: Object.fromEntries(
      clauseVerdicts.map((verdict) => [verdict, count(verdict)]),
      // Object.fromEntries forgets that every verdict is there.
    ) as Record<ClauseVerdict, number>,
    inPart: count('upheld in part'),
    /** How many of the violated ones have this level. */
    stated: violated.get('stated') ?? 0,
    implied: violated.get('implied') ?? 0,
    waived: count('waived'),
    leftOut: having('left out'),
    notSelected: having('not selected'),
    open: {
      all: open.length,
      observed: open.filter(({ verdict }) => verdict === 'observed').length,
    },
  };
}

/** The clauses that were to be judged and could not be decided, or not in full. */
export function undecidedClauses({ clauses }: Results): ClauseResult[] {
  return clauses.filter((clause) => clause.level !== 'open' && isUndecided(clause));
}

/** Whether a clause was to be judged or observed, and could not be, or not in full. */
export function isUndecided(clause: ClauseResult): boolean {
  const told: readonly ToldVerdict[] = ['inconclusive', 'not judged', 'upheld in part'];
  return told.includes(toldVerdict(clause)) && isSelected(clause);
}

/**
 * The undecided clauses for which a run fails. A configured value that cannot be used is a mistake, and no choice; an
 * interrupted run is not complete, whatever is allowed.
 * @param allowed the verdicts that do not make a run fail
 */
export function unallowedClauses(
  results: Results,
  allowed: ReadonlySet<ClauseVerdict>,
): ClauseResult[] {
  return undecidedClauses(results).filter(
    (clause) =>
      results.interruptedBy !== null ||
      !allowed.has(isUpheldInPart(clause) ? 'not judged' : clause.verdict) ||
      hasLack(clause, ({ unusable }) => unusable !== undefined),
  );
}

/** The waivers by what became of their clauses in a run. */
export type WaiverReview = Readonly<ReturnType<typeof reviewWaivers>>;

/** Whether a waiver still holds: to the end of its last day in UTC. @param at an instant in ISO 8601 */
function holds({ expires }: Waiver, at: string): boolean {
  return expires >= at.slice(0, 10);
}

/** The waiver that covers a violation, where there is one that holds. @param at the instant of the run, in ISO 8601 */
export function waiverOf(violation: ViolationResult, waivers: readonly Waiver[], at: string) {
  return waivers.find((waiver) => covers(waiver, violation) && holds(waiver, at));
}

/** Whether a waiver is for a violation: for its clause and, where it lists findings, for what is wrong. */
function covers({ clause, findings }: Waiver, violation: ViolationResult): boolean {
  if (clause !== violation.clause) return false;
  return findings?.some((known) => isSameWrong(known, knownBy(violation))) ?? true;
}

/** The waivers that cover every violation of the runs. @param stub what a new one has besides the violations that it is for */
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

/** The waivers by what became of their clauses, as they hold when the run begins. @param staleFail whether stale ones fail it */
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
  const violated = violations.map(({ clause }) => clause);
  const uncovered = violations.flatMap((one) => (covered.has(one) ? [] : one.clause));
  return {
    /** The clause is violated, and the run does not fail for what the waiver covers of it. */
    waived: seen.filter((waiver) => holds(waiver, startedAt)),
    /** The covered violations, each with its waiver. */
    covered,
    /** Ids of violated clauses whose violations are all covered. */
    waivedClauses: new Set(violated.filter((id) => !uncovered.includes(id))),
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
