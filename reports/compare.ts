import { canonical } from '../schemas/observations.ts';
import type { ClauseResult, ClauseVerdict, Results, ViolationResult } from '../schemas/results.ts';
import { groupedBy, isSelected } from './grouping.ts';

/** A clause whose verdict is not what it was; `none` where one of the runs does not have it. */
export interface Turn {
  readonly clause: ClauseResult;
  readonly before: ClauseVerdict | 'none';
  readonly after: ClauseVerdict | 'none';
}

/** Clauses that turned in the same way. */
export interface TurnGroup extends Pick<Turn, 'before' | 'after'> {
  readonly clauses: readonly ClauseResult[];
}

/** An open clause of which something else was observed. */
export interface Move {
  readonly clause: ClauseResult;
  /** The facts. */
  readonly before: readonly unknown[];
  readonly after: readonly unknown[];
}

/** What changed from one run to another. */
export interface Comparison {
  readonly before: Results;
  readonly after: Results;
  readonly turned: readonly Turn[];
  /** Violations by clause and scenario that the later run has and the earlier one has not. */
  readonly newViolations: readonly ViolationResult[];
  readonly goneViolations: readonly ViolationResult[];
  readonly moved: readonly Move[];
}

/**
 * Compares two runs, in the order of the later one's catalogue. Of a clause that one of them was not to look at
 * nothing can be said.
 */
export function compareResults(before: Results, after: Results): Comparison {
  const earlier = new Map(before.clauses.map((clause) => [clause.id, clause]));
  const later = new Map(after.clauses.map((clause) => [clause.id, clause]));
  const unselected = new Set(
    [...before.clauses, ...after.clauses]
      .filter((clause) => !isSelected(clause))
      .map(({ id }) => id),
  );
  const all = [...after.clauses, ...before.clauses.filter(({ id }) => !later.has(id))];
  const compared = ({ clause }: ViolationResult): boolean => !unselected.has(clause);
  return {
    before,
    after,
    turned: all.flatMap((clause) => {
      const was = earlier.get(clause.id)?.verdict ?? 'none';
      const is = later.get(clause.id)?.verdict ?? 'none';
      return was === is || unselected.has(clause.id) ? [] : [{ clause, before: was, after: is }];
    }),
    newViolations: without(after.violations, before.violations).filter(compared),
    goneViolations: without(before.violations, after.violations).filter(compared),
    moved: after.clauses.flatMap((clause) => {
      const was = earlier.get(clause.id);
      // A clause that one of the runs did not observe has turned; it has not moved.
      if (was?.verdict !== 'observed' || clause.verdict !== 'observed') return [];
      const same = canonical(was.observed) === canonical(clause.observed);
      return same ? [] : [{ clause, before: was.observed, after: clause.observed }];
    }),
  };
}

/** Whether two runs say the same. */
export function nothingMoved({
  turned,
  newViolations,
  goneViolations,
  moved,
}: Comparison): boolean {
  return turned.length + newViolations.length + goneViolations.length + moved.length === 0;
}

/** The clauses that turned, by what they turned from and to; a run that was cut short turns many in one way. */
export function turnGroups(turned: readonly Turn[]): TurnGroup[] {
  const groups = groupedBy(turned, ({ before, after }) => `${before}\n${after}`);
  return Array.from(groups.values(), (turns) => {
    const [{ before, after }] = turns;
    return { before, after, clauses: turns.map(({ clause }) => clause) };
  });
}

function without(
  violations: readonly ViolationResult[],
  others: readonly ViolationResult[],
): ViolationResult[] {
  const key = ({ clause, scenario }: ViolationResult): string => `${clause}\n${scenario}`;
  const known = new Set(others.map(key));
  return violations.filter((violation) => !known.has(key(violation)));
}
