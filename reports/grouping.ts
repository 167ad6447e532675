import type { ClauseResult, ClauseVerdict, Results, ViolationResult } from '../schemas/results.ts';

/** A violated clause with everything that showed it. */
export interface ViolatedClause {
  readonly clause: ClauseResult;
  readonly violations: readonly ViolationResult[];
}

/** Clauses that share a verdict and the reason for it. */
export interface ReasonGroup {
  readonly reason: string;
  readonly clauses: readonly ClauseResult[];
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

/** The clauses of a verdict by reason, whatever exchanges it names; reasons that hold for most clauses first. */
export function byReason({ clauses }: Results, verdict: ClauseVerdict): ReasonGroup[] {
  const groups = new Map<string, ClauseResult[]>();
  for (const clause of clauses) {
    if (clause.verdict !== verdict) continue;
    const reason = withoutExchanges(clause.reason);
    groups.set(reason, [...(groups.get(reason) ?? []), clause]);
  }
  const named = Array.from(groups, ([reason, members]) => {
    const [first] = members;
    const isOne = members.every((member) => member.reason === first?.reason);
    return { reason: isOne ? (first?.reason ?? reason) : reason, clauses: members };
  });
  return named.sort((a, b) => b.clauses.length - a.clauses.length);
}

/** A reason without the numbers of the exchanges that it names, which differ though the reason is the same. */
export function withoutExchanges(reason: string): string {
  return reason.replaceAll(/ ?\(#\d+(?:, #\d+)*\)/g, '');
}

/** The sections in the document's order, each with its clauses. A heading that comes back keeps its first place. */
export function bySection(
  clauses: readonly ClauseResult[],
): ReadonlyMap<string, readonly ClauseResult[]> {
  const sections = new Map<string, ClauseResult[]>();
  for (const clause of clauses) {
    sections.set(clause.section, [...(sections.get(clause.section) ?? []), clause]);
  }
  return sections;
}

/** How many clauses got each verdict. */
export function countByVerdict(clauses: readonly ClauseResult[]): Record<ClauseVerdict, number> {
  const counts = {
    upheld: 0,
    violated: 0,
    inconclusive: 0,
    'not judged': 0,
    observed: 0,
    untestable: 0,
  };
  for (const { verdict } of clauses) counts[verdict] += 1;
  return counts;
}

/**
 * What most violations got, where that is one and the same for several clauses: often the cause of all of them.
 */
export function commonActual({
  violations,
}: Results): { actual: string; times: number } | undefined {
  const byActual = new Map<string, ViolationResult[]>();
  for (const violation of violations) {
    byActual.set(violation.actual, [...(byActual.get(violation.actual) ?? []), violation]);
  }
  const [most] = [...byActual].sort(([, a], [, b]) => b.length - a.length);
  if (most === undefined) return undefined;
  const [actual, same] = most;
  const clauses = new Set(same.map(({ clause }) => clause));
  const tells = clauses.size >= 3 && same.length > violations.length / 2;
  return tells ? { actual, times: same.length } : undefined;
}

/** Violations by clause, in the order in which the clauses first appear. */
export function byClause(
  violations: readonly ViolationResult[],
): ReadonlyMap<string, readonly [ViolationResult, ...ViolationResult[]]> {
  const groups = new Map<string, [ViolationResult, ...ViolationResult[]]>();
  for (const violation of violations) {
    const known = groups.get(violation.clause);
    if (known === undefined) groups.set(violation.clause, [violation]);
    else known.push(violation);
  }
  return groups;
}
