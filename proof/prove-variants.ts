import { en, Faker } from '@faker-js/faker';
import { expect, test } from 'vitest';
import type { Handle } from '../reference/reference.ts';
import { type AnyScenario, clauseIdsOf } from '../runner/scenario.ts';
import { type ClauseId, type OpenClause, openClauses } from '../schemas/clauses.ts';
import type { ClauseResult, Results } from '../schemas/results.ts';
import { type ProofOptions, runAgainst } from './in-process.ts';
import { moreEvents } from './parts.ts';
import { isWhole } from './sample.ts';
import type { Variant } from './variants.ts';

type ServiceOptions = Pick<ProofOptions, 'pastEvents' | 'drawsPdfs'>;

/** In how many ways one service differs at most. */
const maxTogether = 6;

/**
 * One test a variant, called by its id and the clause that it opens: nothing is found wrong with it, nothing stays undecided, and what is observed
 * differs from the plain reference service in exactly the clauses that it names. A service differs in a few of these ways at once, among few events: only
 * where something is hidden or shown that should not be, each of them is played alone, among more.
 */
export function proveVariants(
  variants: readonly Variant[],
  scenarios: readonly AnyScenario[],
  options: ServiceOptions = {},
): void {
  const mistakesAmongMore = mistakesIn(scenarios, { ...moreEvents, ...options });
  // So many that there is nothing to gain from less.
  const isAmongMany = options.pastEvents !== undefined;
  const mistakesAmongFew = mistakesIn(scenarios, options);
  for (const group of apartInRules(variants)) {
    const areProved = once(async () => {
      if (isWhole || isAmongMany) return false;
      const { violated, failed, ...others } = await mistakesAmongFew(group);
      expect({ violated, failed }).toEqual({ violated: [], failed: [] });
      return Object.values(others).every(({ length }) => length === 0);
    });
    for (const variant of group) {
      test(`${variant.id}: opens ${variant.opens}`, async () => {
        if (!(await areProved())) expect(await mistakesAmongMore([variant])).toEqual(noMistakes);
      });
    }
  }
}

/**
 * The variants in groups of at most `maxTogether`, of which no two replace the same rule, open the same clause, or act on the wire.
 * One that hides a clause is alone: it would be hidden of the others too.
 */
function apartInRules(variants: readonly Variant[]): Variant[][] {
  const groups: Variant[][] = [];
  const marksOf = ({ rules = {}, wire, opens }: Variant): string[] => [
    ...Object.keys(rules),
    ...(wire ? ['wire'] : []),
    opens,
  ];
  const isAlone = ({ hides = [] }: Variant): boolean => hides.length > 0;
  for (const variant of variants) {
    const marks = marksOf(variant);
    const group = groups.find(
      (some) =>
        some.length < maxTogether &&
        ![...some, variant].some(isAlone) &&
        !some.flatMap(marksOf).some((mark) => marks.includes(mark)),
    );
    if (group === undefined) groups.push([variant]);
    else group.push(variant);
  }
  return groups;
}

/**
 * The same for services that differ in several ways; what is observed of them is not looked at.
 * @param mayBeUndecided whether they need only be accused of nothing
 */
export function proveTogether(
  combinations: readonly (readonly Variant[])[],
  scenarios: readonly AnyScenario[],
  mayBeUndecided = false,
): void {
  const mistakesOf = mistakesIn(scenarios, {});
  for (const together of combinations) {
    test(together.map(({ id }) => id).join(' + '), async () => {
      const { violated, failed, undecided } = await mistakesOf(together);
      const mistakes = { violated, failed, undecided: mayBeUndecided ? [] : undecided };
      expect(mistakes).toEqual({ violated: [], failed: [], undecided: [] });
    });
  }
}

const noMistakes: Mistakes = {
  violated: [],
  failed: [],
  undecided: [],
  judgedThoughHidden: [],
  observedThoughNotNamed: [],
  namedThoughNotObserved: [],
};

/** What a run says that it should not of a service that the document permits. */
interface Mistakes {
  readonly violated: Results['violations'];
  /** Where the suite itself fails. */
  readonly failed: readonly ClauseResult[];
  /** What is judged of the plain service, and not hidden by a variant. */
  readonly undecided: readonly ClauseResult[];
  readonly judgedThoughHidden: readonly string[];
  readonly observedThoughNotNamed: readonly string[];
  readonly namedThoughNotObserved: readonly string[];
}

/** Plays services that differ in these ways from the plain one, which is played but once. */
function mistakesIn(scenarios: readonly AnyScenario[], options: ServiceOptions) {
  const plain = once(() => runAgainst(options, scenarios));
  const looked = new Set<string>(scenarios.flatMap(clauseIdsOf));
  return async (variants: readonly Variant[]): Promise<Mistakes> => {
    const rules = Object.assign({}, ...variants.map((variant) => variant.rules));
    const wire = (handle: Handle): Handle =>
      variants.reduce((wired, variant) => variant.wire?.(wired) ?? wired, handle);
    const results = await runAgainst({ rules, wire, ...options }, scenarios);
    const { clauses, violations } = results;
    const isUnjudged = ({ level, verdict }: ClauseResult): boolean =>
      level !== 'open' && verdict === 'not judged';
    const hidden = new Set<string>(variants.flatMap(({ hides = [] }) => hides));
    // Among few events the limit of a PDF is not judged of the plain service either.
    const notOfPlain = new Set((await plain()).clauses.filter(isUnjudged).map(({ id }) => id));
    const apart = observedApart(await plain(), results);
    const named = shown(variants);
    return {
      violated: violations,
      failed: clauses.filter(({ verdict }) => verdict === 'error'),
      undecided: clauses.filter(
        (clause) =>
          clause.verdict === 'inconclusive' ||
          (isUnjudged(clause) &&
            looked.has(clause.id) &&
            !hidden.has(clause.id) &&
            !notOfPlain.has(clause.id)),
      ),
      judgedThoughHidden: clauses
        .filter(({ id, verdict }) => verdict === 'upheld' && hidden.has(id))
        .map(({ id }) => id),
      observedThoughNotNamed: apart.filter((id) => !named.includes(id)),
      namedThoughNotObserved: named.filter((id) => !apart.includes(id)),
    };
  };
}

/** The open clauses of which not the same was observed, or for another kind of reason nothing. */
function observedApart(one: Results, other: Results): OpenClause[] {
  const seen = ({ observed, reasons }: ClauseResult): string =>
    JSON.stringify([observed, reasons.map(({ kind }) => kind)]);
  const known = new Map(one.clauses.map((clause) => [clause.id, seen(clause)]));
  const differing = other.clauses.filter((clause) => known.get(clause.id) !== seen(clause));
  return openClauses.filter((id) => differing.some((clause) => clause.id === id));
}

/** The open clauses in which variants are to show, in the order of the catalogue. */
function shown(variants: readonly Variant[]): OpenClause[] {
  const ids = new Set<ClauseId>(
    variants.flatMap(({ opens, follows = [], unseen }) => [
      ...(unseen === undefined ? [opens] : []),
      ...follows,
    ]),
  );
  return openClauses.filter((id) => ids.has(id));
}

/** So many seeded sets of two to five variants that do not replace the same rule. */
export function combinationsOf(variants: readonly Variant[], count: number): Variant[][] {
  const faker = new Faker({ locale: en, seed: 1 });
  return Array.from({ length: count }, () => {
    const wanted = faker.number.int({ min: 2, max: 5 });
    const replaced = new Set<string>();
    const chosen: Variant[] = [];
    for (const variant of faker.helpers.shuffle(variants)) {
      const rules = Object.keys(variant.rules ?? {});
      if (chosen.length === wanted || rules.some((rule) => replaced.has(rule))) continue;
      for (const rule of rules) replaced.add(rule);
      chosen.push(variant);
    }
    return chosen;
  });
}

/** Makes a value when it is first asked for. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
