import { groupBy } from '../helpers/maps.ts';
import { embeddedTarget, type Fidelity, type Profile, profileSchema } from '../schemas/files.ts';
import type { ClauseResult, Reason, Results } from '../schemas/results.ts';
import { filled, idsOf, listSection, type Report, type Section, type Tone } from './blocks.ts';
import { besideEachOther, factsSection } from './compare.ts';
import { headlineOf, textsOf } from './findings.ts';
import { byReasons, hasReason, type ToldVerdict, toldVerdict } from './verdicts.ts';
import { andInMore, counted, present, reasonsText } from './wording.ts';

/** Compares what a run found of a mock with the profile of the service that the mock stands for. */
export function fidelityOf(reference: Profile, mock: Results): Fidelity {
  const { target, date } = profileOf(mock);
  const { differing, uncompared, alike } = openPoints(reference, mock);
  const judged = mock.clauses.filter(({ level }) => level !== 'open');
  const unjudged = judged
    .filter((clause) => undecided.includes(toldVerdict(clause)))
    .map((clause) => ({ ...named(clause), reasons: clause.reasons }));
  const violated = judged
    .filter(({ verdict }) => verdict === 'violated')
    .map((clause) => {
      const [first, ...more] = mock.violations.filter((one) => one.clause === clause.id);
      const { expected = '', actual = '' } = first ? textsOf(first) : {};
      const what = first ? headlineOf({ violations: [first] }) : '';
      return { ...named(clause), what, expected, actual, more: more.length };
    });
  return {
    format: 2,
    reference: { target: reference.target, date: reference.date },
    mock: { target, date },
    counts: {
      upheld: judged.filter((clause) => toldVerdict(clause) === 'upheld').length,
      violated: violated.length,
      unjudged: unjudged.length,
      alike: alike.length,
      differing: differing.length,
      uncompared: uncompared.length,
    },
    ...{ violated, differing, uncompared, unjudged, alike },
  };
}

function openPoints({ observations, notObserved }: Profile, mock: Results) {
  // Another version of the suite may know other clauses.
  const known = new Map<string, readonly unknown[]>(Object.entries(observations));
  const reasons = new Map<string, readonly Reason['kind'][]>(Object.entries(notObserved));
  const differing: Fidelity['differing'] = [];
  const uncompared: Fidelity['uncompared'] = [];
  const alike: string[] = [];
  for (const clause of mock.clauses) {
    if (clause.level !== 'open' || clause.verdict === 'untestable') continue;
    const facts = known.get(clause.id);
    const isObserved = clause.verdict === 'observed';
    if (facts === undefined || !isObserved) {
      const why = facts === undefined ? (reasons.get(clause.id) ?? ['not selected' as const]) : [];
      const whyOfMock = isObserved ? [] : clause.reasons;
      uncompared.push({ ...named(clause), reference: [...why], mock: whyOfMock });
      continue;
    }
    const { first, second, both } = besideEachOther(facts, clause.observed);
    if (first.length + second.length === 0) alike.push(clause.id);
    else differing.push({ ...named(clause), reference: first, mock: second, alike: both });
  }
  return { differing, uncompared, alike };
}

const undecided: readonly ToldVerdict[] = ['error', 'inconclusive', 'not judged', 'upheld in part'];

/**
 * The verdict of a comparison; `not compared` where no clause was judged, or no open point compared.
 * @param most how many clauses a faithful mock may violate, and in how many open points it may differ
 */
export function fidelityVerdict(
  fidelity: Fidelity,
  most: { readonly maxViolations: number; readonly maxDifferences: number },
): FidelityVerdict {
  const { counts } = fidelity;
  if (counts.alike + counts.differing === 0 || counts.upheld + counts.violated === 0) {
    return suiteFailed(fidelity) ? 'error' : 'not compared';
  }
  if (counts.violated > most.maxViolations || counts.differing > most.maxDifferences)
    return 'not faithful';
  if (suiteFailed(fidelity)) return 'error';
  return counts.uncompared + counts.unjudged > 0 ? 'incomplete' : 'faithful';
}

/** Whether something is missing because the suite itself failed: that says nothing about either side. */
function suiteFailed({ uncompared, unjudged }: Fidelity): boolean {
  const reasons = [...uncompared.map(({ mock }) => mock), ...unjudged.map((one) => one.reasons)];
  return (
    uncompared.some(({ reference }) => reference.includes('suite failure')) ||
    hasReason({ reasons: reasons.flat() }, 'suite failure')
  );
}

const titles = {
  faithful: ['Faithful', 'good'],
  'not faithful': ['Not faithful', 'bad'],
  error: ['Error of the suite', 'failure'],
  incomplete: ['Incomplete', 'undecided'],
  'not compared': ['Not compared', 'bad'],
} satisfies Record<string, readonly [title: string, tone: Tone]>;

export type FidelityVerdict = keyof typeof titles;

/** How faithful a mock is, for people. */
export function fidelityReport(fidelity: Fidelity, verdict: FidelityVerdict): Report {
  const [title, tone] = titles[verdict];
  const { reference, mock, violated, differing, uncompared, unjudged, alike } = fidelity;
  const failed = unjudged.filter((one) => hasReason(one, 'suite failure'));
  const others = unjudged.filter((one) => !failed.includes(one));
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
      {
        title: 'Clauses that the mock violates',
        count: violated.length,
        tone: 'bad',
        block: {
          kind: 'table',
          columns: ['Clause', 'Expected', 'Actual'],
          rows: violated.map(({ id, text, what, more, expected, actual }) => [
            [[{ clauses: [id] }], [text], [{ value: what }, andInMore(more)]],
            [[{ value: expected }]],
            [[{ value: actual }]],
          ]),
        },
      },
      unjudgedSection('Errors of the suite', failed, 'failure'),
      factsSection(
        'Open points that differ',
        ['Reference', 'Mock'],
        differing.map(({ reference: first, mock: second, alike: both, ...clause }) => {
          return { ...clause, first, second, both };
        }),
      ),
      listSection(
        'Not compared',
        Array.from(groupBy(uncompared, whyNotCompared), ([why, own]) => [[why], [idsOf(own)]]),
        { count: uncompared.length },
      ),
      unjudgedSection('Not judged, or not in full', others),
      {
        title: 'Open points that are alike',
        count: alike.length,
        intro: [{ clauses: alike }],
        isAppendix: true,
      },
    ]),
  };
}

/** All counts in words: a percentage would hide how much was compared. */
function sentenceOf(fidelity: Fidelity): string {
  const { upheld, violated, unjudged, alike, differing, uncompared } = fidelity.counts;
  const judged = counted(upheld + violated + unjudged, 'clause');
  const open = counted(alike + differing + uncompared, 'open point');
  return present(
    `Of ${judged}: ${upheld} upheld, ${violated} violated, ${unjudged} not judged, or not in full.`,
    `Of ${open}: ${alike} alike, ${differing} different, ${uncompared} not compared.`,
    suiteFailed(fidelity) && 'The suite itself failed, which says nothing about the mock.',
  ).join(' ');
}

function unjudgedSection(title: string, unjudged: Fidelity['unjudged'], tone?: Tone): Section {
  const items = byReasons(unjudged).map(({ reasons, clauses }) => [
    [reasonsText(reasons)],
    [idsOf(clauses)],
  ]);
  return listSection(title, items, { count: unjudged.length, ...(tone && { tone }) });
}

function whyNotCompared({ reference, mock }: Fidelity['uncompared'][number]): string {
  return present(
    reference.length > 0 && `Reference: ${reference.join(', ')}.`,
    mock.length > 0 && `Mock: ${reasonsText(mock)}`,
  ).join(' ');
}

function named({ id, section, text }: ClauseResult): Pick<ClauseResult, 'id' | 'section' | 'text'> {
  return { id, section, text };
}

/**
 * The profile of the target of a run: what was observed of each open clause that requests can show, or why nothing
 * was. Only its date depends on the run, so that a profile that is made again changes only where the target did.
 */
export function profileOf({ suite, target, startedAt, clauses }: Results): Profile {
  const open = clauses
    .filter(({ level, verdict }) => level === 'open' && verdict !== 'untestable')
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const isObserved = ({ verdict }: ClauseResult): boolean => verdict === 'observed';
  return {
    $schema: profileSchema.$id,
    format: 2,
    suite,
    target: target.kind === 'embedded' ? embeddedTarget : target.baseUrl,
    date: startedAt.slice(0, 10),
    observations: Object.fromEntries(
      open.filter(isObserved).map(({ id, observed }) => [id, observed]),
    ),
    // Only the kinds of reasons: what else a reason says changes from run to run.
    notObserved: Object.fromEntries(
      open
        .filter((clause) => !isObserved(clause))
        .map(({ id, reasons }) => [id, [...new Set(reasons.map(({ kind }) => kind))].sort()]),
    ),
  };
}
