import { groupBy } from '../helpers/group-by.ts';
import { canonical } from '../schemas/observations.ts';
import type { ClauseResult, ClauseVerdict, Results, ViolationResult } from '../schemas/results.ts';
import { filled, type Line, type Report, type Section, type Span } from './blocks.ts';
import { factsOf } from './facts.ts';
import { isSelected } from './grouping.ts';
import { andInMore, instant, whatWasDone } from './wording.ts';

/** A clause whose verdict is not what it was; `none` where one of the runs does not have it. */
export interface VerdictChange {
  readonly clause: ClauseResult;
  readonly before: ClauseVerdict | 'none';
  readonly after: ClauseVerdict | 'none';
}

/** An open clause of which something else was observed. */
export interface ObservationChange {
  readonly before: ClauseResult;
  readonly after: ClauseResult;
}

/** What changed from one run to another. */
export interface Comparison {
  readonly before: Results;
  readonly after: Results;
  readonly verdicts: readonly VerdictChange[];
  /** Violations by clause and scenario that the later run has and the earlier one has not. */
  readonly newViolations: readonly ViolationResult[];
  readonly goneViolations: readonly ViolationResult[];
  readonly observations: readonly ObservationChange[];
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
    verdicts: all.flatMap((clause) => {
      const was = earlier.get(clause.id)?.verdict ?? 'none';
      const is = later.get(clause.id)?.verdict ?? 'none';
      return was === is || unselected.has(clause.id) ? [] : [{ clause, before: was, after: is }];
    }),
    newViolations: without(after.violations, before.violations).filter(compared),
    goneViolations: without(before.violations, after.violations).filter(compared),
    observations: after.clauses.flatMap((clause) => {
      const was = earlier.get(clause.id);
      // Where one of the runs did not observe the clause, its verdict has changed.
      if (was?.verdict !== 'observed' || clause.verdict !== 'observed') return [];
      const same = canonical(was.observed) === canonical(clause.observed);
      return same ? [] : [{ before: was, after: clause }];
    }),
  };
}

function without(
  violations: readonly ViolationResult[],
  others: readonly ViolationResult[],
): ViolationResult[] {
  const key = ({ clause, scenario }: ViolationResult): string => `${clause}\n${scenario}`;
  const known = new Set(others.map(key));
  return violations.filter((violation) => !known.has(key(violation)));
}

/** Whether two runs say the same. */
export function nothingChanged({
  verdicts,
  newViolations,
  goneViolations,
  observations,
}: Comparison): boolean {
  return [verdicts, newViolations, goneViolations, observations].every(
    ({ length }) => length === 0,
  );
}

/** Clauses whose verdict changed in the same way; a run that was cut short changes many in one way. */
export function alikeChanges(
  changes: readonly VerdictChange[],
): (Omit<VerdictChange, 'clause'> & { readonly ids: readonly string[] })[] {
  const groups = groupBy(changes, ({ before, after }) => `${before}\n${after}`);
  return Array.from(groups.values(), (alike) => {
    const [{ before, after }] = alike;
    return { before, after, ids: alike.map(({ clause }) => clause.id) };
  });
}

/** What changed, for people. */
export function comparisonReport(comparison: Comparison): Report {
  const { before, after } = comparison;
  return {
    kind: 'Two runs compared',
    title: nothingChanged(comparison) ? 'Nothing changed' : 'What changed',
    facts: [
      ['Before', aboutRun(before)],
      ['After', aboutRun(after)],
    ],
    sections: changeSections(comparison),
  };
}

/** When a run was, of what, and what came of it. */
export function aboutRun({ startedAt, target, verdict }: Results): Line {
  const address = { value: target.baseUrl };
  const name =
    target.kind === 'embedded' ? ['the embedded reference service (', address, ')'] : [address];
  return [`${instant(startedAt)}, `, ...name, `: ${verdict}`];
}

/** The sections that say what changed, the worst first. */
export function changeSections(comparison: Comparison): Section[] {
  const { newViolations, goneViolations, verdicts, observations } = comparison;
  const [added, gone] = [newViolations, goneViolations].map(violationLines);
  return filled([
    section('New violations', added ?? [], 'bad'),
    section('Violations no longer seen', gone ?? [], 'good'),
    {
      ...section(
        'Changed clauses',
        alikeChanges(verdicts).map(({ before: was, after: is, ids }) => [
          verdictSpan(was),
          ' → ',
          verdictSpan(is),
          ': ',
          { clauses: ids },
        ]),
      ),
      count: verdicts.length,
    },
    {
      title: 'Changed observations',
      count: observations.length,
      block: {
        kind: 'table',
        columns: ['Clause', 'Before', 'After'],
        rows: observations.map((change) => [
          [[{ clause: change.after.id }]],
          factLines(change.before),
          factLines(change.after),
        ]),
      },
    },
  ]);
}

function section(title: string, lines: readonly Line[], tone?: Section['tone']): Section {
  const items = lines.map((line) => [line]);
  return { title, count: items.length, block: { kind: 'list', items }, ...(tone && { tone }) };
}

function violationLines(violations: readonly ViolationResult[]): Line[] {
  return Array.from(
    groupBy(violations, ({ clause }) => clause),
    ([clause, [first, ...more]]) => [
      { clause },
      `: ${first.scenario}: `,
      { value: whatWasDone(first) },
      andInMore(more.length),
    ],
  );
}

/** What was observed of a clause, a line for each fact. */
export function factLines(clause: ClauseResult): Line[] {
  return factsOf(clause).map((value) => [{ value }]);
}

function verdictSpan(verdict: ClauseVerdict | 'none'): Span {
  return verdict === 'none' ? 'not in the catalogue' : { verdict };
}
