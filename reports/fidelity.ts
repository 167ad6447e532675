import type { Difference, Fidelity } from '../schemas/fidelity.ts';
import { canonical } from '../schemas/observations.ts';
import type { Profile } from '../schemas/profile.ts';
import type { ClauseResult, Reason, Results } from '../schemas/results.ts';
import { countByVerdict, violatedClauses } from './grouping.ts';
import { jsonText } from './printable.ts';
import { profileOf } from './profile.ts';
import { counted, whatWasDone } from './wording.ts';

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
    const [expected, actual] = [factsOf(reference, clause), factsOf(own, clause)];
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
      mock: whyNot(own, clause),
    }));
  const unjudged = mock.clauses
    .filter(({ level }) => level !== 'open')
    .filter(({ verdict }) => ['error', 'inconclusive', 'not judged'].includes(verdict))
    .map((clause) => ({ ...named(clause), reasons: clause.reasons }));
  const violated = violatedClauses(mock).map(({ clause, violations: [first, ...more] }) => ({
    ...named(clause),
    what: first === undefined ? '' : whatWasDone(first),
    expected: first?.expected ?? '',
    actual: first?.actual ?? '',
    more: more.length,
  }));
  return {
    format: 2,
    reference: { target: reference.target, date: reference.date },
    mock: { target: own.target, date: own.date },
    counts: {
      upheld: countByVerdict(mock.clauses).upheld,
      violated: violated.length,
      unjudged: unjudged.length,
      alike: alike.length,
      differing: differing.length,
      uncompared: uncompared.length,
    },
    ...{ violated, differing, uncompared, unjudged, alike },
  };
}

/** What a comparison comes to. Where next to nothing was compared, it is no proof of anything. */
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
export function suiteFailed({ uncompared, unjudged }: Fidelity): boolean {
  const kinds = [
    ...uncompared.flatMap(({ reference, mock }) => [...reference, ...mock]),
    ...unjudged.flatMap(({ reasons }) => reasons.map(({ kind }) => kind)),
  ];
  return kinds.includes('suite failure');
}

/** All counts in two sentences; a share without them would hide how much was compared. */
export function fidelitySentence({ counts }: Fidelity): string {
  const { upheld, violated, unjudged, alike, differing, uncompared } = counts;
  const judged = counted(upheld + violated + unjudged, 'clause');
  const open = counted(alike + differing + uncompared, 'open point');
  return `Of ${judged} the mock upholds ${upheld} and violates ${violated}; ${unjudged} could not be judged. Of ${open} ${alike} are as in the reference and ${differing} differ; ${uncompared} could not be compared.`;
}

/** The content of fidelity.json. Ends with a line feed. */
export function renderFidelityJson(fidelity: Fidelity): string {
  return jsonText(fidelity);
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
function factsOf({ observations }: Profile, { id }: ClauseResult): readonly unknown[] | undefined {
  return new Map<string, readonly unknown[]>(Object.entries(observations)).get(id);
}

/** Why a clause is not in a profile; empty where it is. One that the profile does not know was not looked at. */
function whyNot(profile: Profile, clause: ClauseResult): Reason['kind'][] {
  if (factsOf(profile, clause) !== undefined) return [];
  const notObserved = new Map(Object.entries(profile.notObserved));
  return [...(notObserved.get(clause.id) ?? (['not selected'] as const))];
}
