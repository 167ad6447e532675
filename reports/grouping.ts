import { canonical } from '../schemas/observations.ts';
import {
  type ClauseResult,
  type ClauseVerdict,
  clauseVerdicts,
  type Reason,
  type Results,
  type ViolationResult,
} from '../schemas/results.ts';

/** Items by a key that they share, in the order in which keys first appear. */
export function groupedBy<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): Map<string, [Item, ...Item[]]> {
  const groups = new Map<string, [Item, ...Item[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [item]);
    else known.push(item);
  }
  return groups;
}

/** A violated clause with everything that showed it. */
export interface ViolatedClause {
  readonly clause: ClauseResult;
  readonly violations: readonly ViolationResult[];
}

/** The violated clauses in the catalogue's order. */
export function violatedClauses({ clauses, violations }: Results): ViolatedClause[] {
  return clauses
    .filter((clause) => clause.verdict === 'violated')
    .map((clause) => ({
      clause,
      violations: violations.filter((violation) => violation.clause === clause.id),
    }));
}

/** Clauses that share the reasons why their verdict is not a plain one. */
export interface ReasonGroup<Clause = ClauseResult> {
  /** They name an exchange only where it is the same one for all. */
  readonly reasons: readonly Reason[];
  readonly clauses: readonly [Clause, ...Clause[]];
}

/** Clauses by their reasons, whatever exchanges these name; reasons that most clauses share first. */
export function byReasons<Clause extends { readonly reasons: readonly Reason[] }>(
  clauses: readonly Clause[],
): ReasonGroup<Clause>[] {
  const groups = groupedBy(clauses, ({ reasons }) => canonical(reasons.map(withoutExchanges)));
  return Array.from(groups.values(), (members) => {
    const [{ reasons }, ...others] = members;
    const isSame = others.every((one) => canonical(one.reasons) === canonical(reasons));
    return { reasons: isSame ? reasons : reasons.map(withoutExchanges), clauses: members };
  }).sort((a, b) => b.clauses.length - a.clauses.length);
}

function withoutExchanges(reason: Reason): Reason {
  return 'on' in reason ? { ...reason, on: [] } : reason;
}

/** The clauses of a verdict by their reasons. */
export function reasonsOfVerdict({ clauses }: Results, verdict: ClauseVerdict): ReasonGroup[] {
  return byReasons(clauses.filter((clause) => clause.verdict === verdict));
}

/** Whether a scenario that looks at the clause was selected. */
export function isSelected({ reasons }: ClauseResult): boolean {
  return reasons.every(({ kind }) => kind !== 'not selected');
}

/** The clauses that were to be judged and could not be decided. */
export function undecidedClauses({ clauses }: Results): ClauseResult[] {
  return clauses.filter(
    (clause) =>
      clause.level !== 'open' &&
      (clause.verdict === 'inconclusive' || clause.verdict === 'not judged') &&
      isSelected(clause),
  );
}

/** The sections in the document's order, each with its clauses. A heading that comes back keeps its first place. */
export function bySection(
  clauses: readonly ClauseResult[],
): ReadonlyMap<string, readonly ClauseResult[]> {
  return groupedBy(clauses, ({ section }) => section);
}

/** How many clauses got each verdict. */
export function countByVerdict(clauses: readonly ClauseResult[]): Record<ClauseVerdict, number> {
  const counts = clauseVerdicts.map((verdict) => [
    verdict,
    clauses.filter((clause) => clause.verdict === verdict).length,
  ]);
  // Object.fromEntries forgets that every verdict is there.
  return Object.fromEntries(counts) as Record<ClauseVerdict, number>;
}

/**
 * What most violations got, where that is one and the same for several clauses: often the cause of all of them.
 */
export function commonActual({
  violations,
}: Results): { actual: string; times: number } | undefined {
  const byActual = groupedBy(violations, ({ actual }) => actual);
  const [largest] = [...byActual].sort(([, a], [, b]) => b.length - a.length);
  if (largest === undefined) return undefined;
  const [actual, same] = largest;
  const clauses = new Set(same.map(({ clause }) => clause));
  const tells = clauses.size >= 3 && same.length > violations.length / 2;
  return tells ? { actual, times: same.length } : undefined;
}

/** Violations by clause, in the order in which the clauses first appear. */
export function byClause(
  violations: readonly ViolationResult[],
): ReadonlyMap<string, readonly [ViolationResult, ...ViolationResult[]]> {
  return groupedBy(violations, ({ clause }) => clause);
}
