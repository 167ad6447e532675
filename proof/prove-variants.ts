import { en, Faker } from '@faker-js/faker';
import { expect, test } from 'vitest';
import type { Handle } from '../reference/reference.ts';
import { type AnyScenario, clauseIdsOf } from '../runner/scenario.ts';
import { type ClauseId, type OpenClause, openClauses } from '../schemas/clauses.ts';
import type { ClauseResult, Results } from '../schemas/results.ts';
import { type ProofOptions, runAgainst } from './in-process.ts';
import { isWhole } from './sample.ts';
import type { Variant } from './variants.ts';

type ServiceOptions = Pick<ProofOptions, 'pastEvents' | 'drawsPdfs'>;

/** In how many ways one service differs at most. */
const maxTogether = 6;

/**
 * One test a variant, called by its id and the clause that it opens: nothing is found wrong with it, nothing stays undecided, and what is observed
 * differs from the plain reference service in exactly the clauses that it names. A service differs in a few of these ways at once: only
 * where something is amiss with it, each of them is played alone.
 */
export function proveVariants(
  variants: readonly Variant[],
  scenarios: readonly AnyScenario[],
  options: ServiceOptions = {},
): void {
  const plain = once(() => runAgainst(options, scenarios));
  const prove = async (some: readonly Variant[]): Promise<void> => {
    const results = await resultsOf(some, scenarios, options);
    expectAccepted(results, some, await plain(), scenarios);
    const judged = results.clauses.filter(({ verdict }) => verdict === 'upheld');
    const hidden = some.flatMap(({ hides = [] }) => hides);
    const wronglyHidden = judged.filter(({ id }) => hidden.some((one) => one === id));
    expect(wronglyHidden, 'The variant hides these clauses, and they are judged').toEqual([]);
    expect(
      observedApart(await plain(), results),
      'The open clauses of which something else is observed are not those that the variant names',
    ).toEqual(shown(some));
  };
  for (const group of isWhole ? variants.map((one) => [one]) : apartInRules(variants)) {
    const areProved = once(() =>
      prove(group).then(
        () => true,
        () => false,
      ),
    );
    for (const variant of group) {
      test(`${variant.id}: opens ${variant.opens}`, async () => {
        if (group.length === 1 || !(await areProved())) await prove([variant]);
      });
    }
  }
}

/** The variants in groups of at most `maxTogether`, of which no two replace the same rule, open the same clause, or act on the wire. */
function apartInRules(variants: readonly Variant[]): Variant[][] {
  const groups: Variant[][] = [];
  const marksOf = ({ rules = {}, wire, opens }: Variant): string[] => [
    ...Object.keys(rules),
    ...(wire ? ['wire'] : []),
    opens,
  ];
  for (const variant of variants) {
    const marks = marksOf(variant);
    const group = groups.find(
      (some) =>
        some.length < maxTogether && !some.flatMap(marksOf).some((mark) => marks.includes(mark)),
    );
    if (group === undefined) groups.push([variant]);
    else group.push(variant);
  }
  return groups;
}

/** The same for services that differ in several ways; what is observed of them is not looked at. */
export function proveTogether(
  combinations: readonly (readonly Variant[])[],
  scenarios: readonly AnyScenario[],
  options: ServiceOptions = {},
): void {
  const plain = once(() => runAgainst(options, scenarios));
  for (const together of combinations) {
    test(together.map(({ id }) => id).join(' + '), async () => {
      const results = await resultsOf(together, scenarios, options);
      expectAccepted(results, together, await plain(), scenarios);
    });
  }
}

/** What a run finds of a service that differs in all these ways. */
function resultsOf(
  variants: readonly Variant[],
  scenarios: readonly AnyScenario[],
  options: ServiceOptions,
): Promise<Results> {
  const rules = Object.assign({}, ...variants.map((variant) => variant.rules));
  const wire = (handle: Handle): Handle =>
    variants.reduce((wired, variant) => variant.wire?.(wired) ?? wired, handle);
  return runAgainst({ rules, wire, ...options }, scenarios);
}

/**
 * Nothing is violated, and whatever is judged of the plain service is judged: but for what the variants hide. Among
 * few events the limit of a PDF is not judged of the plain service either.
 */
function expectAccepted(
  { clauses, violations }: Results,
  variants: readonly Variant[],
  plain: Results,
  scenarios: readonly AnyScenario[],
): void {
  expect(violations).toEqual([]);
  const isUnjudged = ({ level, verdict }: ClauseResult): boolean =>
    level !== 'open' && verdict === 'not judged';
  const hidden = new Set<string>(variants.flatMap(({ hides = [] }) => hides));
  for (const clause of plain.clauses) if (isUnjudged(clause)) hidden.add(clause.id);
  const looked = new Set<string>(scenarios.flatMap(clauseIdsOf));
  const undecided = clauses.filter(
    (clause) =>
      clause.verdict === 'error' ||
      clause.verdict === 'inconclusive' ||
      (isUnjudged(clause) && looked.has(clause.id) && !hidden.has(clause.id)),
  );
  expect(undecided).toEqual([]);
}

/** The open clauses of which not the same was observed, or for another kind of reason nothing. */
function observedApart(one: Results, other: Results): string[] {
  const seen = ({ observed, reasons }: ClauseResult): string =>
    JSON.stringify([observed, reasons.map(({ kind }) => kind)]);
  const known = new Map(one.clauses.map((clause) => [clause.id, seen(clause)]));
  return other.clauses
    .filter((clause) => clause.level === 'open' && known.get(clause.id) !== seen(clause))
    .map(({ id }) => id);
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
