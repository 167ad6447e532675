import { groupBy } from '../helpers/group-by.ts';
import { clauseIds, clauses } from '../schemas/clauses.ts';
import { canonical } from '../schemas/observations.ts';
import type { Profile } from '../schemas/profile.ts';
import type { ClauseResult, Results, ViolationResult } from '../schemas/results.ts';
import {
  filled,
  idsOf,
  type Line,
  listSection,
  type Report,
  type Section,
  type Span,
  targetLine,
} from './blocks.ts';
import { groupedFactsOf } from './facts.ts';
import { headlineOf, isSameWrong, knownBy } from './findings.ts';
import { isSelected, type ToldVerdict, toldVerdict, upheldInPart } from './grouping.ts';
import { andInMore, counted, instant } from './wording.ts';

/** One side of a comparison: a run, or a profile in the form of a run with observations and without a verdict. */
export type Compared = Pick<Results, 'startedAt' | 'target' | 'violations' | 'interruptedBy'> & {
  readonly verdict?: Results['verdict'];
  readonly clauses: readonly Pick<
    ClauseResult,
    'id' | 'verdict' | 'reasons' | 'observed' | 'scenarios'
  >[];
};

export type Comparison = Readonly<ReturnType<typeof compareResults>>;

/** Compares two runs, in the later one's order, without clauses that one of them was not to look at. */
export function compareResults(before: Compared, after: Compared) {
  const earlier = new Map(before.clauses.map((clause) => [clause.id, clause]));
  const later = new Map(after.clauses.map((clause) => [clause.id, clause]));
  const pairs = [...new Set([...later.keys(), ...earlier.keys()])]
    .map((id) => ({ id, was: earlier.get(id), now: later.get(id) }))
    .filter(({ was, now }) => [was, now].every((one) => one === undefined || isSelected(one)));
  const ids = new Set(pairs.map(({ id }) => id));
  /** The violations of one run that the other does not have. */
  const without = ({ violations }: Compared, other: Compared): ViolationResult[] =>
    violations.filter((one) => ids.has(one.clause) && !isAmong(one, other.violations));
  const notSeenAgain = without(before, after);
  const isGone = ({ clause, scenario }: ViolationResult): boolean =>
    looksAgain(later.get(clause), scenario);
  return {
    before,
    after,
    /** The clauses whose verdict changed; `none` where one of the runs does not have the clause. */
    verdicts: pairs
      .map(({ id, was, now }) => ({ id, before: verdictOf(was), after: verdictOf(now) }))
      .filter((change) => change.before !== change.after),
    /** Violations that the later run has and the earlier one has not, whichever requests showed them. */
    newViolations: without(after, before),
    /** Violations of the earlier run that the later one looked for and did not find. */
    goneViolations: notSeenAgain.filter(isGone),
    /** Violations of the earlier run that the later one did not look for, or could not decide. */
    unjudgedViolations: notSeenAgain.filter((violation) => !isGone(violation)),
    /** Open clauses of which the two runs observed different facts. */
    observations: pairs.flatMap(({ id, was, now }) => {
      // Where one of the runs did not observe the clause, its verdict has changed.
      if (was?.verdict !== 'observed' || now?.verdict !== 'observed') return [];
      const facts = besideEachOther(was.observed, now.observed);
      // An interrupted run has not seen everything: a fact that it lacks is not gone.
      const first = after.interruptedBy === null ? facts.first : [];
      return first.length + facts.second.length === 0 ? [] : [{ id, ...facts, first }];
    }),
  };
}

function verdictOf(clause: Compared['clauses'][number] | undefined): ToldVerdict | 'none' {
  return clause === undefined ? 'none' : toldVerdict(clause);
}

/**
 * Whether a run has judged a clause, by a scenario too that violated it before. A clause upheld in part may be violated
 * in the rest, and the scenario that found it may not have been played.
 */
export function looksAgain(
  clause: Compared['clauses'][number] | undefined,
  scenario: string,
): boolean {
  const isJudged = ['violated', 'upheld'].includes(verdictOf(clause));
  return isJudged && clause?.scenarios.includes(scenario) === true;
}

/** A profile in the form of a run, to be compared with that of another one. */
export function asRun({ target, date, observations, notObserved }: Profile): Compared {
  const clause = (id: string, verdict: 'observed' | 'not judged', observed: unknown[] = []) => {
    return { id, verdict, reasons: [], observed, scenarios: [] };
  };
  return {
    startedAt: date,
    target: { kind: 'remote', baseUrl: target },
    interruptedBy: null,
    violations: [],
    clauses: [
      ...Object.entries(observations).map(([id, facts]) => clause(id, 'observed', [...facts])),
      ...Object.keys(notObserved).map((id) => clause(id, 'not judged')),
    ],
  };
}

/** Which facts only one of two observations has, and which both have. */
export function besideEachOther(first: readonly unknown[], second: readonly unknown[]) {
  const [ofFirst, ofSecond] = [new Set(first.map(canonical)), new Set(second.map(canonical))];
  return {
    first: first.filter((fact) => !ofSecond.has(canonical(fact))),
    second: second.filter((fact) => !ofFirst.has(canonical(fact))),
    both: first.filter((fact) => ofSecond.has(canonical(fact))),
  };
}

/** Whether another run has found the same wrong, whichever requests show it. @param others what that run has found */
export function isAmong(violation: ViolationResult, others: readonly ViolationResult[]): boolean {
  const own = knownBy(violation);
  return others.some((one) => one.clause === violation.clause && isSameWrong(knownBy(one), own));
}

/** The clauses that the later run finds violated, and the earlier one did not. */
export function newlyViolated({ verdicts }: Comparison): string[] {
  return verdicts.filter(({ after }) => after === 'violated').map(({ id }) => id);
}

/** The clauses that the earlier run decided, and the later one did not, or not in full. */
export function noLongerDecided({ verdicts }: Comparison): string[] {
  const decided: readonly string[] = ['upheld', 'violated'];
  return verdicts
    .filter(({ before }) => before === upheldInPart || decided.includes(before))
    .filter(({ after }) => !decided.includes(after))
    .map(({ id }) => id);
}

/** The report of a comparison. */
export function comparisonReport(comparison: Comparison): Report {
  const { before, after } = comparison;
  const changes = changeSections(comparison);
  return {
    kind: `Two ${after.verdict === undefined ? 'profiles' : 'runs'} compared`,
    title: changes.length === 0 ? 'Nothing changed' : 'What changed',
    facts: [
      ['Before', aboutRun(before)],
      ['After', aboutRun(after)],
    ],
    sections: [...changes, ...filled([unchangedSection(comparison)])],
  };
}

/** “2026-11-23 08:45:24 UTC, https://…/v5: violations”: when a run was, its target, and its verdict. */
function aboutRun({ startedAt, target, verdict }: Compared): Line {
  return [
    `${instant(startedAt)}, `,
    ...targetLine(target),
    verdict === undefined ? '' : `: ${verdict}`,
  ];
}

/** The sections that say what changed, the worst first. */
export function changeSections(comparison: Comparison): Section[] {
  const { newViolations, goneViolations, unjudgedViolations } = comparison;
  return filled([
    violationsSection('New violations', newViolations, { tone: 'bad' }),
    violationsSection('Violations no longer seen', goneViolations, { tone: 'good' }),
    violationsSection('Violations no longer judged', unjudgedViolations),
    ...changedClauses(comparison),
  ]);
}

/** The sections that say which clauses have another verdict, and which open points were observed otherwise. */
export function changedClauses({ verdicts, observations }: Comparison): Section[] {
  const alike = groupBy(verdicts, ({ before, after }) => `${before}\n${after}`);
  const items = Array.from(alike.values(), (changes) => {
    const [{ before, after }] = changes;
    return [[verdictSpan(before), ' → ', verdictSpan(after), ': ', idsOf(changes)]];
  });
  return filled([
    listSection('Changed clauses', items, { count: verdicts.length }),
    factsSection('Changed observations', ['No longer', 'Now'], observations),
  ]);
}

function unchangedSection({ before, after, verdicts, observations }: Comparison): Section {
  const changed = new Set([...verdicts, ...observations].map(({ id }) => id));
  const known = new Set(before.clauses.map(({ id }) => id));
  const same = after.clauses.filter(({ id }) => known.has(id) && !changed.has(id));
  const items = Array.from(groupBy(same, toldVerdict), ([verdict, members]) => [
    [{ verdict }, ': ', idsOf(members)],
  ]);
  return listSection('The same in both', items, { count: same.length, isAppendix: true });
}

function violationsSection(
  title: string,
  violations: readonly ViolationResult[],
  rest?: Partial<Section>,
): Section {
  const byClause = groupBy(violations, ({ clause }) => clause);
  const items = Array.from(byClause, ([clause, found]) => {
    const headline = headlineOf({ violations: found });
    return [[{ clauses: [clause] }, ': ', { value: headline }, andInMore(found.length - 1)]];
  });
  return listSection(title, items, rest);
}

/** A table of open points, with a column for the facts that only the first side shows, and one for the second. */
export function factsSection(
  title: string,
  sides: readonly [first: string, second: string],
  points: readonly (ReturnType<typeof besideEachOther> & {
    readonly id: string;
    readonly text?: string;
  })[],
): Section {
  return {
    title,
    count: points.length,
    block: {
      kind: 'table',
      columns: ['Open point', ...sides],
      rows: points.map(({ id, text = textOf(id), first, second, both }) => {
        const nothing = both.length === 0 ? 'nothing' : 'nothing else';
        const cell = (facts: readonly unknown[]): Line[] =>
          facts.length === 0 ? [[nothing]] : groupedFactsOf(id, facts).map((value) => [{ value }]);
        const alike = both.length === 0 ? [] : [[`${counted(both.length, 'observation')} alike`]];
        return [
          [[{ clauses: [id] }], ...(text === undefined ? [] : [[text]]), ...alike],
          cell(first),
          cell(second),
        ];
      }),
    },
  };
}

/** The text of a clause; undefined where only another version of the suite knows the id. */
function textOf(id: string): string | undefined {
  const known = clauseIds.find((one) => one === id);
  return known && clauses[known].text;
}

function verdictSpan(verdict: ToldVerdict | 'none'): Span {
  return verdict === 'none' ? 'not in the catalogue' : { verdict };
}
