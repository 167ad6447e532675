import { en, Faker } from '@faker-js/faker';
import { expect, test } from 'vitest';
import type { Handle } from '../reference/reference.ts';
import type { Variant } from '../reference/variants.ts';
import { jsonScenarios, jsonVariants } from './json-part.ts';
import { playAgainst } from './play.ts';

/** Plays against a service that differs in all these ways. @returns what was found wrong, or stayed undecided */
async function findings(variants: readonly Variant[]): Promise<string[]> {
  const rules = Object.assign({}, ...variants.map((variant) => variant.rules));
  const wire = (handle: Handle): Handle =>
    variants.reduce((wired, variant) => variant.wire?.(wired) ?? wired, handle);
  const { clauses, violations } = await playAgainst({ rules, wire }, jsonScenarios);
  const undecided = clauses.filter(({ verdict }) => verdict === 'inconclusive');
  return [
    ...violations.map(({ clause, message }) => `${clause}: ${message}`),
    ...undecided.map(({ id, reason }) => `${id}: ${reason}`),
  ];
}

test.each(jsonVariants)('$id', async (variant) => {
  expect(await findings([variant])).toEqual([]);
});

const chance = new Faker({ locale: en, seed: 1 });

/** Variants that do not replace the same rule. */
function combination(): Variant[] {
  const wanted = chance.number.int({ min: 2, max: 5 });
  const replaced = new Set<string>();
  const chosen: Variant[] = [];
  for (const variant of chance.helpers.shuffle(jsonVariants)) {
    const rules = Object.keys(variant.rules ?? {});
    if (chosen.length === wanted || rules.some((rule) => replaced.has(rule))) continue;
    for (const rule of rules) replaced.add(rule);
    chosen.push(variant);
  }
  return chosen;
}

const combinations = Array.from({ length: 40 }, () => {
  const together = combination();
  return { name: together.map(({ id }) => id).join(' + '), together };
});

test.each(combinations)('$name', async ({ together }) => {
  expect(await findings(together)).toEqual([]);
});
