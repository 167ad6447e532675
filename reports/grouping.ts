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

export type ToldVerdict = ClauseVerdict | typeof upheldInPart;

/** The verdict that people read of a clause. */
export function toldVerdict(clause: Pick<ClauseResult, 'verdict' | 'reasons'>): ToldVerdict {
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
 * `lacking`: clauses that were not judged in full, by the variables that are missing for that, the variables that cost
 * most first. `others`: the other clauses by their reasons.
 */
export function byLacks(clauses: readonly ClauseResult[]) {
  const groups = groupBy(clauses, (clause) =>
    lacksOf(clause)
      .map(({ variable }) => variable)
      .sort()
      .join('+'),
  );
  const { '': others = [], ...lacking } = Object.fromEntries(groups);
  return {
    /** The missing variables in the order of the alphabet, also as a reason, and the clauses that they cost. */
    lacking: Object.values(lacking)
      .map((clauses) => {
        const lacks = withEveryUse(clauses.flatMap(lacksOf));
        return { lacks, reasons: [{ kind: 'not configured' as const, lacks }], clauses };
      })
      .sort((a, b) => b.clauses.length - a.clauses.length),
    others: byReasons(others),
  };
}

/** Each variable once, with everything that it is needed for. */
function withEveryUse(lacks: readonly Lack[]): Lack[] {
  return [...groupBy(lacks, ({ variable }) => variable).values()]
    .map((uses) => ({ ...uses[0], what: [...new Set(uses.map(({ what }) => what))].join('; ') }))
    .sort((a, b) => (a.variable < b.variable ? -1 : 1));
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
  const judged = clauses.filter(
    ({ level, verdict }) => level !== 'open' && verdict !== 'untestable',
  );
  const asked = judged.filter(isSelected);
  const violated = asked.filter(({ id, verdict }) => verdict === 'violated' && !waived.has(id));
  const inPart = asked.filter(isUpheldInPart).length;
  const found = countsOf(asked.map(({ verdict }) => verdict));
  // Object.fromEntries forgets that every verdict is there.
  const counts = Object.fromEntries(
    clauseVerdicts.map((verdict) => [verdict, found.get(verdict) ?? 0]),
  ) as Record<ClauseVerdict, number>;
  const having = (kind: Reason['kind']): number =>
    judged.filter((clause) => hasReason(clause, kind)).length;
  const open = clauses.filter(
    (clause) => clause.level === 'open' && clause.verdict !== 'untestable' && isSelected(clause),
  );
  return {
    /** All clauses that were to be judged: without those that are untestable, not selected, or left out. */
    all: asked.length,
    /** `upheld` counts clauses that are upheld in full, `violated` those that are not waived. */
    verdicts: { ...counts, upheld: counts.upheld - inPart, violated: violated.length },
    inPart,
    /** How many of the violated ones have this level. */
    stated: violated.filter(({ level }) => level === 'stated').length,
    implied: violated.filter(({ level }) => level === 'implied').length,
    /** How many are violated and waived. */
    waived: counts.violated - violated.length,
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
