import { groupBy } from '../helpers/maps.ts';
import { clauseIds, clauses } from '../schemas/clauses.ts';
import type { Profile } from '../schemas/files.ts';
import { canonical } from '../schemas/observations.ts';
import type { ClauseResult, Results, ViolationResult } from '../schemas/results.ts';
import { filled, idsOf, listSection, type Report, type Section, targetLine } from './blocks.ts';
import { groupedFactsOf } from './facts.ts';
import { type Finding, findingsOf, headlineOf, isSameWrong, knownBy } from './findings.ts';
import { numeral } from './printable.ts';
import { isSelected, type ToldVerdict, toldVerdict } from './verdicts.ts';
import { andInMore, counted, instant, present } from './wording.ts';

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
  /** The violations of one run of which the other one says this. */
  const ofWhich = (run: Compared, other: Compared, ...said: readonly Seen[]): ViolationResult[] =>
    run.violations.filter((one) => ids.has(one.clause) && said.includes(seenIn(other, [one])));
  return {
    before,
    after,
    /** The clauses whose verdict changed; `none` where one of the runs does not have the clause. */
    verdicts: pairs
      .map(({ id, was, now }) => ({ id, before: verdictOf(was), after: verdictOf(now) }))
      .filter((change) => change.before !== change.after),
    /** Violations that the later run has and the earlier one has not, whichever requests showed them. */
    newViolations: ofWhich(after, before, 'upheld', 'not judged'),
    /** Violations of the earlier run that the later one looked for and did not find. */
    goneViolations: ofWhich(before, after, 'upheld'),
    /** Violations of the earlier run that the later one did not look for, or could not decide. */
    unjudgedViolations: ofWhich(before, after, 'not judged'),
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

/** What a run says of violations with one cause: it shows them, it has looked for them in vain, or it has not judged them. */
type Seen = 'violated' | 'upheld' | 'not judged';

function seenIn({ violations, clauses }: Compared, wanted: readonly ViolationResult[]): Seen {
  if (wanted.some((one) => isAmong(one, violations))) return 'violated';
  // A clause upheld in part may be violated in the rest, and the scenario that found it may not have been played.
  const isLookedFor = ({ clause, scenario }: ViolationResult): boolean =>
    clauses.some(
      (one) =>
        one.id === clause &&
        ['violated', 'upheld'].includes(toldVerdict(one)) &&
        one.scenarios.includes(scenario),
    );
  return wanted.every(isLookedFor) ? 'upheld' : 'not judged';
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

/** Whether another run has found the same wrong, whichever requests show it. */
function isAmong(violation: ViolationResult, others: readonly ViolationResult[]): boolean {
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
    .filter(({ before }) => before === 'upheld in part' || decided.includes(before))
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
function aboutRun({ startedAt, target, verdict }: Compared) {
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
function changedClauses({ verdicts, observations }: Comparison): Section[] {
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
      rows: points.map(({ id, first, second, both, ...point }) => {
        // Only another version of the suite may know the id.
        const known = clauseIds.find((one) => one === id);
        const text = point.text ?? (known && clauses[known].text);
        const nothing = both.length === 0 ? 'nothing' : 'nothing else';
        const cell = (facts: readonly unknown[]) =>
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

function verdictSpan(verdict: ToldVerdict | 'none') {
  return verdict === 'none' ? 'not in the catalogue' : { verdict };
}

// Findings over several runs of one target: which are new, which are still there, which are gone, which come and go.

/** What became of a finding, with its words. `back`: an earlier run shows it, and the one before this one does not. */
const fates = {
  new: 'new',
  back: 'back',
  'still there': 'still there',
  gone: 'gone (judged again, and not seen)',
  'not judged': 'not judged now',
} as const;

/** How a finding recurs; `seen` is what each run says of it. @param history earlier runs, the oldest first */
export function recurrenceOf(finding: Finding, results: Results, history: readonly Results[]) {
  const before = history.map((run) => seenIn(run, finding.violations));
  const now = seenIn(results, finding.violations);
  const isStillThere = before.findLast((one) => one !== 'not judged') === 'violated';
  const found = isStillThere ? 'still there' : before.includes('violated') ? 'back' : 'new';
  const became: keyof typeof fates = now === 'violated' ? found : now === 'upheld' ? 'gone' : now;
  return { finding, became, seen: [...before, now] };
}

type Recurrence = Readonly<ReturnType<typeof recurrenceOf>>;

/** The findings of all runs, those of this run first, each once. @param history earlier runs, the oldest first */
export function recurrences(results: Results, history: readonly Results[]): Recurrence[] {
  const selected = new Set(results.clauses.filter(isSelected).map(({ id }) => id));
  let known: ViolationResult[] = [];
  return [...history, results].toReversed().flatMap((run) =>
    findingsOf(run).flatMap((finding) => {
      const { violations, clauses } = finding;
      if (!clauses.some(({ id }) => selected.has(id))) return [];
      if (run !== results && violations.some((one) => isAmong(one, known))) return [];
      known = [...known, ...violations];
      return [recurrenceOf(finding, results, history)];
    }),
  );
}

/** “new”, “still there, 4 runs in a row”, “comes and goes: in 3 of 8 runs”, “gone”. */
export function recurrenceText({ finding, became, seen }: Recurrence): string {
  const judged = seen.filter((one) => one !== 'not judged');
  const turns = judged.filter((one, index) => index > 0 && one !== judged[index - 1]).length;
  const shown = judged.filter((one) => one === 'violated').length;
  const last = judged.lastIndexOf('upheld');
  // Absent at first, then there; or there at first, then gone: that is one turn.
  if (turns > 1) {
    return `${became === 'gone' ? 'not seen now, ' : ''}comes and goes: in ${shown} of ${counted(judged.length, 'run')}`;
  }
  if (became === 'still there') return `still there, ${judged.length - 1 - last} runs in a row`;
  const isSteady = finding.violations.some(({ intermittent }) => !intermittent);
  return became === 'gone' && !isSteady ? 'not seen, and was intermittent' : became;
}

/** What changed since the run before: clauses and observations for the page, findings for a last screen. */
export function sinceLastRun(results: Results, history: readonly Results[]): Section[] {
  const before = history.at(-1);
  if (before === undefined) return [];
  const { target, startedAt } = before;
  const comparison = compareResults(before, results);
  const changed = changedClauses(comparison).map(
    (one): Section => ({ ...one, title: `${one.title} since ${instant(startedAt)}`, on: ['page'] }),
  );
  if (results.verdict === 'not run') return changed;
  // What an earlier run lacks already is not gone since the last one.
  const all = recurrences(results, history).filter(({ seen }) =>
    seen.slice(-2).includes('violated'),
  );
  const having = (fate: string): Recurrence[] => all.filter(({ became }) => became === fate);
  const { verdicts, observations } = comparison;
  const others = verdicts.filter((one) => one.before !== 'violated' && one.after !== 'violated');
  const counts = Object.entries(fates).flatMap(([fate, words]) => {
    const { length } = having(fate);
    return length === 0 ? [] : `${numeral(length)} ${words}`;
  });
  const parts = present(
    counts.length > 0 && `findings: ${counts.join(', ')}`,
    others.length > 0 && `another verdict on ${counted(others.length, 'clause')}`,
    observations.length > 0 && `${counted(observations.length, 'open point')} observed otherwise`,
  );
  const items = [...having('gone'), ...having('not judged')].map((one) => [
    [`${recurrenceText(one)}: `, { value: headlineOf(one.finding) }],
  ]);
  // The port of a service on this machine is another one each time.
  const isElsewhere = target.kind === 'remote' && addressOf(target) !== addressOf(results.target);
  return [
    ...changed,
    {
      title: `Since the run of ${instant(startedAt)}`,
      intro: [
        ...(isElsewhere ? ['which was of ', { value: target.baseUrl }, ': '] : []),
        parts.length === 0 ? 'nothing changed' : parts.join('; '),
      ],
      ...(items.length > 0 && { block: { kind: 'list', items } }),
      isLast: true,
      on: ['terminal', 'markdown'],
    },
  ];
}

/** An address without its scheme and port: what stands for a service that listens on another port each time. */
function addressOf({ baseUrl }: Results['target']): string {
  return baseUrl.replace(/^https?:\/\//, '').replace(/:\d+(?=\/|$)/, '');
}

/** What the runs of a target are known by: the name of its file of variables, or its address without the port. */
export function nameOfTarget(target: Results['target']): string {
  if (target.kind === 'embedded') return target.kind;
  return (target.envFile?.split(/[\\/]/).at(-1) ?? addressOf(target)).replaceAll(/[^\w.-]+/g, '-');
}
