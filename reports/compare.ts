import { groupBy } from '../helpers/group-by.ts';
import { clauseIds, clauses } from '../schemas/clauses.ts';
import { canonical } from '../schemas/observations.ts';
import type { Profile } from '../schemas/profile.ts';
import type { ClauseResult, Results, ViolationResult } from '../schemas/results.ts';
import { filled, type Line, type Report, type Section, type Span } from './blocks.ts';
import { groupedFactsOf } from './facts.ts';
import { isSameWrong, knownBy } from './findings.ts';
import { isSelected, type ToldVerdict, toldVerdict, upheldInPart } from './grouping.ts';
import { headlineOf } from './headlines.ts';
import { andInMore, counted, instant } from './wording.ts';

/** A clause whose verdict is not what it was; `none` where one of the runs does not have it. */
export interface VerdictChange {
  readonly clause: ClauseResult;
  readonly before: ToldVerdict | 'none';
  readonly after: ToldVerdict | 'none';
}

/** An open clause of which something else was observed. */
export interface ObservationChange {
  readonly id: string;
  /** The facts that only the earlier one has. */
  readonly gone: readonly unknown[];
  /** The facts that only the later one has. */
  readonly added: readonly unknown[];
  /** How many both have. */
  readonly kept: number;
}

/** What changed from one run to another. */
export interface Comparison {
  readonly before: Results;
  readonly after: Results;
  readonly verdicts: readonly VerdictChange[];
  /** Violations that the later run has and the earlier one has not, whatever showed them. */
  readonly newViolations: readonly ViolationResult[];
  /** Those that only the earlier one has, of scenarios that judged the clause in the later one too. */
  readonly goneViolations: readonly ViolationResult[];
  /** The others of them: nobody looked, or nobody could decide. */
  readonly unjudgedViolations: readonly ViolationResult[];
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
  const gone = without(before.violations, after.violations).filter(compared);
  const isJudged = ({ clause, scenario }: ViolationResult): boolean => {
    const is = later.get(clause);
    // Of a clause that is violated elsewhere, a scenario may be outstanding.
    if (is?.verdict === 'violated') return is.scenarios.includes(scenario);
    // What is upheld in part may be violated in the rest.
    return is !== undefined && toldVerdict(is) === 'upheld';
  };
  return {
    before,
    after,
    verdicts: all.flatMap((clause) => {
      const verdictIn = (run: typeof earlier): VerdictChange['before'] => {
        const one = run.get(clause.id);
        return one === undefined ? 'none' : toldVerdict(one);
      };
      const [was, is] = [verdictIn(earlier), verdictIn(later)];
      return was === is || unselected.has(clause.id) ? [] : [{ clause, before: was, after: is }];
    }),
    newViolations: without(after.violations, before.violations).filter(compared),
    goneViolations: gone.filter(isJudged),
    unjudgedViolations: gone.filter((violation) => !isJudged(violation)),
    observations: after.clauses.flatMap((clause) => {
      const was = earlier.get(clause.id);
      // Where one of the runs did not observe the clause, its verdict has changed.
      if (was?.verdict !== 'observed' || clause.verdict !== 'observed') return [];
      // What a run that was cut short has not seen is not gone.
      const seen =
        after.interruptedBy === null ? was.observed : shared(was.observed, clause.observed);
      return observationChange(clause.id, seen, clause.observed);
    }),
  };
}

/** The facts that both have. */
function shared(facts: readonly unknown[], others: readonly unknown[]): readonly unknown[] {
  const known = new Set(others.map(canonical));
  return facts.filter((fact) => known.has(canonical(fact)));
}

/** What changed of an open clause; empty where nothing did. */
function observationChange(
  id: string,
  before: readonly unknown[],
  after: readonly unknown[],
): ObservationChange[] {
  const [was, is] = [before, after].map((facts) => new Set(facts.map(canonical)));
  const gone = before.filter((fact) => !is?.has(canonical(fact)));
  const added = after.filter((fact) => !was?.has(canonical(fact)));
  if (gone.length + added.length === 0) return [];
  return [{ id, gone, added, kept: after.length - added.length }];
}

/** The clauses that the later run finds violated, and the earlier one did not. */
export function newlyViolated({ verdicts }: Comparison): string[] {
  return verdicts.filter(({ after }) => after === 'violated').map(({ clause }) => clause.id);
}

/** The clauses that the earlier run decided, and the later one did not, or not whole. */
export function noLongerDecided({ verdicts }: Comparison): string[] {
  const isDecided = (verdict: VerdictChange['before']): boolean =>
    verdict === 'upheld' || verdict === 'violated';
  return verdicts
    .filter(
      ({ before, after }) => (isDecided(before) || before === upheldInPart) && !isDecided(after),
    )
    .map(({ clause }) => clause.id);
}

function without(
  violations: readonly ViolationResult[],
  others: readonly ViolationResult[],
): ViolationResult[] {
  const isKnown = (violation: ViolationResult): boolean =>
    others.some(
      (one) => one.clause === violation.clause && isSameWrong(knownBy(one), knownBy(violation)),
    );
  return violations.filter((violation) => !isKnown(violation));
}

/** Whether two runs say the same. */
export function nothingChanged({
  verdicts,
  newViolations,
  goneViolations,
  unjudgedViolations,
  observations,
}: Comparison): boolean {
  return [verdicts, newViolations, goneViolations, unjudgedViolations, observations].every(
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
    sections: [...changeSections(comparison), ...filled([unchangedSection(comparison)])],
  };
}

/** The clauses with the same verdict, and the same observations, in both runs. */
function unchangedSection({ before, after, verdicts, observations }: Comparison): Section {
  const changed = new Set([
    ...verdicts.map(({ clause }) => clause.id),
    ...observations.map(({ id }) => id),
  ]);
  const known = new Set(before.clauses.map(({ id }) => id));
  const same = after.clauses.filter(({ id }) => known.has(id) && !changed.has(id));
  return {
    title: 'The same in both',
    count: same.length,
    block: {
      kind: 'list',
      items: Array.from(groupBy(same, toldVerdict), ([verdict, clauses]) => [
        [{ verdict }, ': ', { clauses: clauses.map(({ id }) => id) }],
      ]),
    },
    isAppendix: true,
  };
}

/** What changed from one profile to another. */
export interface ProfileComparison {
  readonly before: Profile;
  readonly after: Profile;
  readonly observations: readonly ObservationChange[];
  /** Ids of the clauses that only one of them has observed. */
  readonly gone: readonly string[];
  readonly added: readonly string[];
  /** Ids of the clauses that are the same in both. */
  readonly same: readonly string[];
}

/** Compares what two profiles say on each open clause. */
export function compareProfiles(before: Profile, after: Profile): ProfileComparison {
  const [was, is] = [before, after].map(
    ({ observations }) => new Map<string, readonly unknown[]>(Object.entries(observations)),
  );
  const both = [...(is?.keys() ?? [])].filter((id) => was?.has(id));
  const observations = both.flatMap((id) =>
    observationChange(id, was?.get(id) ?? [], is?.get(id) ?? []),
  );
  return {
    before,
    after,
    observations,
    gone: [...(was?.keys() ?? [])].filter((id) => !is?.has(id)),
    added: [...(is?.keys() ?? [])].filter((id) => !was?.has(id)),
    same: both.filter((id) => observations.every((change) => change.id !== id)),
  };
}

/** What changed in a profile, for people. */
export function profileComparisonReport(comparison: ProfileComparison): Report {
  const { before, after, observations, gone, added, same } = comparison;
  const ids = (title: string, clauses: readonly string[]): Section => ({
    title,
    count: clauses.length,
    block: { kind: 'paragraph', line: [{ clauses }] },
  });
  const about = ({ target, date }: Profile): Line => [`${date}, `, { value: target }];
  const count = observations.length + gone.length + added.length;
  return {
    kind: 'Two profiles compared',
    title: count === 0 ? 'Nothing changed' : 'What changed',
    facts: [
      ['Before', about(before)],
      ['After', about(after)],
    ],
    sections: filled([
      observationsSection(observations),
      ids('No longer observed', gone),
      ids('Newly observed', added),
      { ...ids('The same in both', same), isAppendix: true },
    ]),
  };
}

/** When a run was, of what, and what came of it. */
function aboutRun({ startedAt, target, verdict }: Results): Line {
  const address = { value: target.baseUrl };
  const name =
    target.kind === 'embedded' ? ['the embedded reference service (', address, ')'] : [address];
  return [`${instant(startedAt)}, `, ...name, `: ${verdict}`];
}

/** The sections that say what changed, the worst first. */
export function changeSections(comparison: Comparison): Section[] {
  const { newViolations, goneViolations, unjudgedViolations, verdicts, observations } = comparison;
  const [added, gone, unjudged] = [newViolations, goneViolations, unjudgedViolations].map(
    violationLines,
  );
  return filled([
    section('New violations', added ?? [], 'bad'),
    section('Violations no longer seen', gone ?? [], 'good'),
    section('Violations no longer judged', unjudged ?? []),
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
    observationsSection(observations),
  ]);
}

/** What changed of each open clause: what is no longer so, and what is so now. */
function observationsSection(observations: readonly ObservationChange[]): Section {
  const facts = (id: string, some: readonly unknown[]): Line[] =>
    some.length === 0 ? [['nothing']] : groupedFactsOf(id, some).map((value) => [{ value }]);
  return {
    title: 'Changed observations',
    count: observations.length,
    block: {
      kind: 'table',
      columns: ['Open point', 'No longer', 'Now'],
      rows: observations.map(({ id, gone, added, kept }) => [
        [
          [{ clause: id }],
          ...textOf(id),
          ...(kept === 0 ? [] : [[`${counted(kept, 'observation')} as before`]]),
        ],
        facts(id, gone),
        facts(id, added),
      ]),
    },
  };
}

/** The text of a clause; another version of the suite may know other ones. */
function textOf(id: string): Line[] {
  const known = clauseIds.find((one) => one === id);
  return known === undefined ? [] : [[clauses[known].text]];
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
      ': ',
      { value: headlineOf({ violation: first, violations: [first, ...more] }) },
      andInMore(more.length),
    ],
  );
}

function verdictSpan(verdict: ToldVerdict | 'none'): Span {
  return verdict === 'none' ? 'not in the catalogue' : { verdict };
}
