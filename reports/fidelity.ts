import { groupBy } from '../helpers/group-by.ts';
import type { Difference, Fidelity } from '../schemas/fidelity.ts';
import { canonical } from '../schemas/observations.ts';
import type { Profile } from '../schemas/profile.ts';
import type { ClauseResult, Reason, Results, ViolationResult } from '../schemas/results.ts';
import { filled, type Line, type Report, type Section, type Tone } from './blocks.ts';
import { groupedFactsOf } from './facts.ts';
import { byReasons, toldVerdict, upheldInPart, violatedClauses } from './grouping.ts';
import { jsonText } from './printable.ts';
import { profileOf } from './profile.ts';
import { andInMore, counted, kindsText, reasonsText, textsOf } from './wording.ts';

/** How faithful a mock may fail to be, in clauses. */
export interface Tolerance {
  readonly maxViolations: number;
  readonly maxDifferences: number;
}

export type FidelityVerdict = 'faithful' | 'not faithful' | 'error' | 'incomplete' | 'not compared';

/**
 * Holds what a run found of a mock against the profile of the service that it stands for.
 * @param mock the results of a run on the mock
 */
export function fidelityOf(reference: Profile, mock: Results): Fidelity {
  const own = profileOf(mock);
  const open = mock.clauses.filter(
    ({ level, verdict }) => level === 'open' && verdict !== 'untestable',
  );
  const compared = open.flatMap((clause) => {
    const [expected, actual] = [observedIn(reference, clause), observedIn(own, clause)];
    return expected && actual ? [compare(clause, expected, actual)] : [];
  });
  const isDifferent = ({ reference, mock }: Difference): boolean =>
    reference.length + mock.length > 0;
  const differing = compared.filter(isDifferent);
  const alike = compared.filter((one) => !isDifferent(one)).map(({ id }) => id);
  const uncompared = open
    .filter(({ id }) => compared.every((one) => one.id !== id))
    .map((clause) => ({
      ...named(clause),
      reference: whyNot(reference, clause),
      mock: clause.verdict === 'observed' ? [] : clause.reasons,
    }));
  const unjudged = mock.clauses
    .filter(({ level }) => level !== 'open')
    .filter((clause) =>
      ['error', 'inconclusive', 'not judged', upheldInPart].includes(toldVerdict(clause)),
    )
    .map((clause) => ({ ...named(clause), reasons: clause.reasons }));
  const violated = violatedClauses(mock).map(({ clause, violations: [first, ...more] }) => ({
    ...named(clause),
    ...(first === undefined ? { what: '', expected: '', actual: '' } : told(first)),
    more: more.length,
  }));
  return {
    format: 2,
    reference: { target: reference.target, date: reference.date },
    mock: { target: own.target, date: own.date },
    counts: {
      upheld: mock.clauses.filter((clause) => toldVerdict(clause) === 'upheld').length,
      violated: violated.length,
      unjudged: unjudged.length,
      alike: alike.length,
      differing: differing.length,
      uncompared: uncompared.length,
    },
    ...{ violated, differing, uncompared, unjudged, alike },
  };
}

/** The verdict of a comparison. Where next to nothing was compared, it is no proof of anything. */
export function fidelityVerdict(
  fidelity: Fidelity,
  { maxViolations, maxDifferences }: Tolerance,
): FidelityVerdict {
  const { counts } = fidelity;
  if (counts.alike + counts.differing === 0 || counts.upheld + counts.violated === 0) {
    return suiteFailed(fidelity) ? 'error' : 'not compared';
  }
  if (counts.violated > maxViolations || counts.differing > maxDifferences) return 'not faithful';
  if (suiteFailed(fidelity)) return 'error';
  return counts.uncompared + counts.unjudged > 0 ? 'incomplete' : 'faithful';
}

/** Whether something is missing because the suite itself failed: that says nothing about either side. */
function suiteFailed({ uncompared, unjudged }: Fidelity): boolean {
  const kinds = [
    ...uncompared.flatMap(({ reference, mock }) => [...reference, ...mock.map(({ kind }) => kind)]),
    ...unjudged.flatMap(({ reasons }) => reasons.map(({ kind }) => kind)),
  ];
  return kinds.includes('suite failure');
}

/** The content of fidelity.json. Ends with a line feed. */
export function renderFidelityJson(fidelity: Fidelity): string {
  return jsonText(fidelity);
}

const titles: Readonly<Record<FidelityVerdict, readonly [title: string, tone: Tone]>> = {
  faithful: ['Faithful', 'good'],
  'not faithful': ['Not faithful', 'bad'],
  error: ['Error of the suite', 'failure'],
  incomplete: ['Incomplete', 'undecided'],
  'not compared': ['Not compared', 'bad'],
};

/** How faithful a mock is, for people. */
export function fidelityReport(fidelity: Fidelity, verdict: FidelityVerdict): Report {
  const [title, tone] = titles[verdict];
  const { reference, mock, alike, unjudged } = fidelity;
  return {
    kind: 'Fidelity of a mock',
    title,
    tone,
    sentence: sentenceOf(fidelity),
    facts: [
      ['Mock', [{ value: mock.target }, `, ${mock.date}`]],
      ['Reference', [{ value: reference.target }, `, ${reference.date}`]],
    ],
    sections: filled([
      violatedSection(fidelity),
      unjudgedSection('Errors of the suite', unjudged.filter(isOurs), 'failure'),
      differingSection(fidelity),
      uncomparedSection(fidelity),
      unjudgedSection(
        'Not judged, or not in full',
        unjudged.filter((one) => !isOurs(one)),
      ),
      {
        title: 'Open points that are alike',
        count: alike.length,
        block: { kind: 'paragraph', line: [{ clauses: alike }] },
        isAppendix: true,
      },
    ]),
  };
}

/** All counts; a share without them would hide how much was compared. */
function sentenceOf(fidelity: Fidelity): string {
  const { upheld, violated, unjudged, alike, differing, uncompared } = fidelity.counts;
  const judged = counted(upheld + violated + unjudged, 'clause');
  const open = counted(alike + differing + uncompared, 'open point');
  return [
    `Of ${judged}: ${upheld} upheld, ${violated} violated, ${unjudged} not judged, or not in full.`,
    `Of ${open}: ${alike} alike, ${differing} different, ${uncompared} not compared.`,
    ...(suiteFailed(fidelity)
      ? ['The suite itself failed, which says nothing about the mock.']
      : []),
  ].join(' ');
}

function violatedSection({ violated }: Fidelity): Section {
  return {
    title: 'Clauses that the mock violates',
    count: violated.length,
    tone: 'bad',
    block: {
      kind: 'table',
      columns: ['Clause', 'Expected', 'Actual'],
      rows: violated.map(({ what, more, expected, actual, ...clause }) => [
        [...clauseLines(clause), [{ value: what }, andInMore(more)]],
        [[{ value: expected }]],
        [[{ value: actual }]],
      ]),
    },
  };
}

function differingSection({ differing }: Fidelity): Section {
  return {
    title: 'Open points that differ',
    count: differing.length,
    block: {
      kind: 'table',
      columns: ['Open point', 'Reference', 'Mock'],
      rows: differing.map(({ reference, mock, alike, ...clause }) => [
        [
          ...clauseLines(clause),
          ...(alike.length === 0 ? [] : [[`${counted(alike.length, 'observation')} alike`]]),
        ],
        factLines(clause.id, reference),
        factLines(clause.id, mock),
      ]),
    },
  };
}

type Unjudged = Fidelity['unjudged'][number];

/** Whether a clause could not be decided because the suite itself failed. */
function isOurs({ reasons }: Unjudged): boolean {
  return reasons.some(({ kind }) => kind === 'suite failure');
}

function unjudgedSection(title: string, some: readonly Unjudged[], tone?: Tone): Section {
  return {
    title,
    count: some.length,
    ...(tone && { tone }),
    block: {
      kind: 'list',
      items: byReasons(some).map(({ reasons, clauses }) => [
        [reasonsText(reasons)],
        [{ clauses: clauses.map(({ id }) => id) }],
      ]),
    },
  };
}

function uncomparedSection({ uncompared }: Fidelity): Section {
  const why = ({ reference, mock }: Fidelity['uncompared'][number]): string =>
    [
      ...kindsText('Reference', reference),
      ...(mock.length === 0 ? [] : [`Mock: ${reasonsText(mock)}`]),
    ].join(' ');
  return {
    title: 'Not compared',
    count: uncompared.length,
    block: {
      kind: 'list',
      items: Array.from(groupBy(uncompared, why), ([reason, clauses]) => [
        [reason],
        [{ clauses: clauses.map(({ id }) => id) }],
      ]),
    },
  };
}

function clauseLines({ id, text }: { readonly id: string; readonly text: string }): Line[] {
  return [[{ clause: id }], [text]];
}

/** What only one side does. */
function factLines(id: string, facts: readonly unknown[]): Line[] {
  if (facts.length === 0) return [['nothing else']];
  return groupedFactsOf(id, facts).map((value) => [{ value }]);
}

function named({ id, section, text }: ClauseResult): Pick<ClauseResult, 'id' | 'section' | 'text'> {
  return { id, section, text };
}

function compare(
  clause: ClauseResult,
  reference: readonly unknown[],
  mock: readonly unknown[],
): Difference {
  const [expected, actual] = [reference, mock].map((facts) => new Set(facts.map(canonical)));
  return {
    ...named(clause),
    reference: reference.filter((fact) => !actual?.has(canonical(fact))),
    mock: mock.filter((fact) => !expected?.has(canonical(fact))),
    alike: reference.filter((fact) => actual?.has(canonical(fact))),
  };
}

/** The facts of a clause; undefined where it was not observed. Another version of the suite may know other clauses. */
function observedIn(
  { observations }: Profile,
  { id }: ClauseResult,
): readonly unknown[] | undefined {
  return new Map<string, readonly unknown[]>(Object.entries(observations)).get(id);
}

/** Why a clause is not in a profile; empty where it is. One that the profile does not know was not looked at. */
function whyNot(profile: Profile, clause: ClauseResult): Reason['kind'][] {
  if (observedIn(profile, clause) !== undefined) return [];
  const notObserved = new Map(Object.entries(profile.notObserved));
  return [...(notObserved.get(clause.id) ?? (['not selected'] as const))];
}

function told(violation: ViolationResult) {
  const { done: what, expected, actual } = textsOf(violation);
  return { what, expected, actual };
}
