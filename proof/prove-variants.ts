import { en, Faker } from '@faker-js/faker';
import { expect, test } from 'vitest';
import type { Handle, ReferenceOptions } from '../reference/reference.ts';
import type { Variant } from '../reference/variants.ts';
import { clauseIdsOf } from '../runner/play.ts';
import type { AnyScenario } from '../runner/scenario.ts';
import { type ClauseId, type OpenClause, openClauses } from '../schemas/clauses.ts';
import type { ClauseResult, Results } from '../schemas/results.ts';
import { playAgainst } from './play.ts';

type Options = Pick<ReferenceOptions, 'pastEvents'>;

/** `test`, or `test.concurrent` for scenarios that wait more than they work. */
type Run = Pick<typeof test, 'each'>;

/**
 * One test a variant: nothing is found wrong with it, nothing stays undecided, and other than of the plain reference
 * service is observed exactly where it differs.
 */
export function proveVariants(
  variants: readonly Variant[],
  scenarios: readonly AnyScenario[],
  options: Options = {},
  run: Run = test,
): void {
  let plain: Promise<Results> | undefined;
  run.each(variants)('$id', async (variant) => {
    const results = await played([variant], scenarios, options);
    expect(findings(results, [variant], scenarios)).toEqual([]);
    plain ??= playAgainst(options, scenarios);
    expect(observedApart(await plain, results)).toEqual(opened(variant));
  });
}

/** The open clauses of which not the same was observed, for whatever reason. */
function observedApart(one: Results, other: Results): string[] {
  const seen = ({ observed, reason }: ClauseResult): string => JSON.stringify([observed, reason]);
  const known = new Map(one.clauses.map((clause) => [clause.id, seen(clause)]));
  return other.clauses
    .filter((clause) => clause.level === 'open' && known.get(clause.id) !== seen(clause))
    .map(({ id }) => id);
}

/** The open clauses in which a variant is to show, in the order of the catalogue. */
function opened({ opens, follows = [], unseen }: Variant): OpenClause[] {
  const shown = new Set<ClauseId>([...(unseen === undefined ? [opens] : []), ...follows]);
  return openClauses.filter((id) => shown.has(id));
}

/** The same for services that differ in several ways. */
export function proveTogether(
  combinations: readonly (readonly Variant[])[],
  scenarios: readonly AnyScenario[],
  options: Options = {},
  run: Run = test,
): void {
  const named = combinations.map((together) => ({
    name: together.map(({ id }) => id).join(' + '),
    together,
  }));
  run.each(named)('$name', async ({ together }) => {
    const results = await played(together, scenarios, options);
    expect(findings(results, together, scenarios)).toEqual([]);
  });
}

/** Plays against a service that differs in all these ways. */
function played(
  variants: readonly Variant[],
  scenarios: readonly AnyScenario[],
  options: Options,
): Promise<Results> {
  const rules = Object.assign({}, ...variants.map((variant) => variant.rules));
  const wire = (handle: Handle): Handle =>
    variants.reduce((wired, variant) => variant.wire?.(wired) ?? wired, handle);
  return playAgainst({ rules, wire, ...options }, scenarios);
}

/** What was found wrong, or stayed undecided. */
function findings(
  { clauses, violations }: Results,
  variants: readonly Variant[],
  scenarios: readonly AnyScenario[],
): string[] {
  const hidden = new Set<string>(variants.flatMap(({ hides = [] }) => hides));
  const looked = new Set<string>(scenarios.flatMap(clauseIdsOf));
  const isOpen = ({ id, level, verdict, reason }: ClauseResult): boolean => {
    if (verdict === 'inconclusive') return true;
    const isUnjudged = verdict === 'not judged' && level !== 'open' && looked.has(id);
    // Few plays are among as many events as the limit of a PDF needs.
    return isUnjudged && !hidden.has(id) && !reason.includes('more than 5,000 events');
  };
  const undecided = clauses.filter(isOpen);
  return [
    ...violations.map(({ clause, message }) => `${clause}: ${message}`),
    ...undecided.map(({ id, reason }) => `${id}: ${reason}`),
  ];
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
