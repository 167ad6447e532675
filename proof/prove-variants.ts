import { en, Faker } from '@faker-js/faker';
import { expect, test } from 'vitest';
import type { Handle, ReferenceOptions } from '../reference/reference.ts';
import type { Variant } from '../reference/variants.ts';
import { clauseIdsOf } from '../runner/play.ts';
import type { AnyScenario } from '../runner/scenario.ts';
import type { ClauseResult } from '../schemas/results.ts';
import { playAgainst } from './play.ts';

type Options = Pick<ReferenceOptions, 'pastEvents'>;

/** `test`, or `test.concurrent` for scenarios that wait more than they work. */
type Run = Pick<typeof test, 'each'>;

/** One test a variant: nothing is found wrong with it, and nothing stays undecided. */
export function proveVariants(
  variants: readonly Variant[],
  scenarios: readonly AnyScenario[],
  options: Options = {},
  run: Run = test,
): void {
  run.each(variants)('$id', async (variant) => {
    expect(await findings([variant], scenarios, options)).toEqual([]);
  });
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
    expect(await findings(together, scenarios, options)).toEqual([]);
  });
}

/** Plays against a service that differs in all these ways. @returns what was found wrong, or stayed undecided */
async function findings(
  variants: readonly Variant[],
  scenarios: readonly AnyScenario[],
  options: Options,
): Promise<string[]> {
  const rules = Object.assign({}, ...variants.map((variant) => variant.rules));
  const wire = (handle: Handle): Handle =>
    variants.reduce((wired, variant) => variant.wire?.(wired) ?? wired, handle);
  const { clauses, violations } = await playAgainst({ rules, wire, ...options }, scenarios);
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
  const chance = new Faker({ locale: en, seed: 1 });
  return Array.from({ length: count }, () => {
    const wanted = chance.number.int({ min: 2, max: 5 });
    const replaced = new Set<string>();
    const chosen: Variant[] = [];
    for (const variant of chance.helpers.shuffle(variants)) {
      const rules = Object.keys(variant.rules ?? {});
      if (chosen.length === wanted || rules.some((rule) => replaced.has(rule))) continue;
      for (const rule of rules) replaced.add(rule);
      chosen.push(variant);
    }
    return chosen;
  });
}
