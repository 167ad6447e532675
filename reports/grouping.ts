import { countsOf, groupBy } from '../helpers/group-by.ts';
import { canonical } from '../schemas/observations.ts';
import {
  type ClauseResult,
  type ClauseVerdict,
  clauseVerdicts,
  isUpheldInPart,
  type Lack,
  type Reason,
  type Results,
} from '../schemas/results.ts';

/** The verdict that people read of an upheld clause of which a part was not judged, as configuration is missing. */
export const upheldInPart = 'upheld in part' as const;

/** The verdicts that people read: `waived` is violated, but known, and `left out` not to be judged. */
export type ToldVerdict = ClauseVerdict | typeof upheldInPart | 'waived' | 'left out';

/** The verdict that people read of a clause. @param waived ids of clauses whose violations do not count */
export function toldVerdict(
  clause: Pick<ClauseResult, 'id' | 'verdict' | 'reasons'>,
  waived: ReadonlySet<string> = new Set(),
): ToldVerdict {
  if (clause.verdict === 'violated' && waived.has(clause.id)) return 'waived';
  return isUpheldInPart(clause) ? upheldInPart : clause.verdict;
}

type Reasoned = Pick<ClauseResult, 'reasons'>;

/**
 * Groups of clauses that have the same reasons, whatever exchanges these name; the largest group first. The reasons are
 * without their exchanges, unless all the clauses name the same ones.
 */
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

/**
 * Groups of clauses: by the variables that are missing to judge them in full, those that cost most first; then the others
 * by their reasons, with no `lacks`. The variables of a group stand in the order of the alphabet, each once, with
 * everything that it is needed for.
 */
export function byLacks(clauses: readonly ClauseResult[]) {
  const namesIn = (lacks: readonly Lack[]): string[] => lacks.map(({ variable }) => variable);
  const groups = groupBy(clauses, (clause) => namesIn(lacksOf(clause)).sort().join('+'));
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

/**
 * What the configuration lacks for a clause. Where several scenarios could have judged the clause, what the least
 * demanding one lacks; for a clause that is upheld in part, what all of them lack.
 */
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

/**
 * Counts of the clauses that requests can decide, by verdict; open clauses are counted apart.
 * @param waived ids of clauses whose violations do not count
 */
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
    inPart: count(upheldInPart),
    /** How many of the violated ones have this level. */
    stated: violated.get('stated') ?? 0,
    implied: violated.get('implied') ?? 0,
    /** How many are violated and waived. */
    waived: count('waived'),
    leftOut: having('left out'),
    notSelected: having('not selected'),
    open: {
      all: open.length,
      observed: open.filter(({ verdict }) => verdict === 'observed').length,
    },
  };
}

export type Tally = Readonly<ReturnType<typeof tallyOf>>;

/** The clauses that were to be judged and could not be decided, or not in full. */
export function undecidedClauses({ clauses }: Results): ClauseResult[] {
  return clauses.filter((clause) => clause.level !== 'open' && isUndecided(clause));
}

/** Whether a clause was to be judged or observed, and could not be, or not in full. */
export function isUndecided(clause: ClauseResult): boolean {
  const told: readonly ToldVerdict[] = ['inconclusive', 'not judged', upheldInPart];
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
