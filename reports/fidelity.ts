import type { Difference, Fidelity } from '../schemas/fidelity.ts';
import type { Profile, Seen } from '../schemas/profile.ts';
import type { ClauseResult, Results } from '../schemas/results.ts';
import { countByVerdict, violatedClauses } from './grouping.ts';
import { jsonText } from './printable.ts';
import { profileOf } from './profile.ts';
import { counted, whatWasDone } from './wording.ts';

/** How faithful a mock may fail to be, in clauses. */
export interface Tolerance {
  readonly maxViolations: number;
  readonly maxDifferences: number;
}

export type FidelityVerdict = 'faithful' | 'not faithful' | 'incomplete' | 'not compared';

/**
 * Holds what a run found of a mock against the profile of the service that it stands for.
 * @param mock the results of a run on the mock
 */
export function fidelityOf(reference: Profile, mock: Results): Fidelity {
  const own = profileOf(mock);
  const open = mock.clauses.filter(
    ({ level, verdict }) => level === 'open' && verdict !== 'untestable',
  );
  const isSeenOfBoth = ({ id }: ClauseResult): boolean =>
    id in reference.observations && id in own.observations;
  const compared = open.filter(isSeenOfBoth).map((clause) => compare(clause, reference, own));
  const isDifferent = ({ reference, mock }: Difference): boolean =>
    reference.length + mock.length > 0;
  const differing = compared.filter(isDifferent);
  const alike = compared.filter((one) => !isDifferent(one)).map(({ id }) => id);
  const uncompared = open
    .filter((clause) => !isSeenOfBoth(clause))
    .map((clause) => ({ ...named(clause), reason: whyNot(clause, reference, own) }));
  const unjudged = mock.clauses
    .filter(({ level }) => level !== 'open')
    .filter(({ verdict }) => verdict === 'inconclusive' || verdict === 'not judged')
    .map((clause) => ({ ...named(clause), reason: clause.reason }));
  const violated = violatedClauses(mock).map(({ clause, violations: [first, ...more] }) => ({
    ...named(clause),
    what: first === undefined ? '' : whatWasDone(first),
    expected: first?.expected ?? '',
    actual: first?.actual ?? '',
    more: more.length,
  }));
  return {
    format: 1,
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
  { counts }: Fidelity,
  { maxViolations, maxDifferences }: Tolerance,
): FidelityVerdict {
  if (counts.alike + counts.differing === 0 || counts.upheld + counts.violated === 0) {
    return 'not compared';
  }
  if (counts.violated > maxViolations || counts.differing > maxDifferences) return 'not faithful';
  return counts.uncompared + counts.unjudged > 0 ? 'incomplete' : 'faithful';
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

/** So many situations that have the same outcome are told together. */
const fewest = 3;

/**
 * Values as people read them. Most say what was done and what came of it: `without If-Match: refused with 428`. Where
 * the same came of several, that is said once.
 * @param most how many situations of one outcome are named
 */
export function shownValues(values: readonly Seen[], most = Infinity): string[] {
  if (values.length === 0) return ['nothing besides'];
  const texts = values.map((value) => (typeof value === 'object' ? value.join(', ') : `${value}`));
  const byOutcome = new Map<string, string[]>();
  for (const text of texts) {
    const [, situation, outcome] = /^(.+?): (.+)$/s.exec(text) ?? ['', '', text];
    byOutcome.set(outcome ?? '', [...(byOutcome.get(outcome ?? '') ?? []), situation ?? '']);
  }
  return Array.from(byOutcome, ([outcome, situations]) => {
    if (situations.length >= fewest) return [`${outcome}: ${listed(situations, most)}`];
    return situations.map((situation) => (situation === '' ? outcome : `${situation}: ${outcome}`));
  }).flat();
}

function listed(texts: readonly string[], most: number): string {
  const hidden = texts.length - most;
  return hidden > 0 ? `${texts.slice(0, most).join('; ')}; and ${hidden} more` : texts.join('; ');
}

function named({ id, section, text }: ClauseResult): Pick<ClauseResult, 'id' | 'section' | 'text'> {
  return { id, section, text };
}

function compare(clause: ClauseResult, reference: Profile, own: Profile): Difference {
  const expected = reference.observations[clause.id] ?? [];
  const actual = own.observations[clause.id] ?? [];
  const has = (values: readonly Seen[], value: Seen): boolean =>
    values.some((one) => JSON.stringify(one) === JSON.stringify(value));
  return {
    ...named(clause),
    reference: expected.filter((value) => !has(actual, value)),
    mock: actual.filter((value) => !has(expected, value)),
    alike: expected.filter((value) => has(actual, value)),
  };
}

function whyNot({ id }: ClauseResult, reference: Profile, own: Profile): string {
  const sides = [
    ['Reference', reference],
    ['Mock', own],
  ] as const;
  const reasons = sides
    .filter(([, { observations }]) => !(id in observations))
    .map(([side, { notObserved }]) => `${side}: ${notObserved[id] ?? 'not in its profile.'}`);
  return reasons.join(' ');
}
