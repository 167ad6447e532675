import { en, Faker } from '@faker-js/faker';
import { expect, test } from 'vitest';
import type { Rules } from '../reference/rules.ts';
import { mailScenarios } from './mail-part.ts';
import { playAgainst } from './play.ts';

/** Email that others cause in the same mailbox at any time, of which nothing says of what it tells. */
function traffic(seed: number): Partial<Rules> {
  const chance = new Faker({ locale: en, seed });
  return {
    unrelatedEmail: (_, { users, teams }) =>
      chance.helpers
        .arrayElements([...users, ...teams.flatMap(({ members }) => members)], { min: 0, max: 2 })
        .map((to) => ({ to: [to], subject: 'Something is new', text: 'Sign in to see it.' })),
    // One message: the first that is sent, and the only one that is not theirs.
    addressed: (people) => (people.length === 0 ? [] : [{ to: people }]),
    mailDelay: (index) => (index === 0 ? 0 : chance.number.int(120)),
  };
}

const silent: Partial<Rules> = {
  wording: () => ({ subject: 'You have a new task', text: 'Sign in to see it.' }),
};

const seeds = Array.from({ length: 8 }, (_, index) => index + 1);

test.concurrent.each(seeds)('confuses nothing where email names its task (%i)', async (seed) => {
  const { violations } = await playAgainst({ rules: traffic(seed) }, mailScenarios);
  expect(violations.map(({ clause, message }) => `${clause}: ${message}`)).toEqual([]);
});

test.concurrent.each(seeds)('confuses nothing where email says nothing (%i)', async (seed) => {
  const { violations } = await playAgainst(
    { rules: { ...traffic(seed), ...silent } },
    mailScenarios,
  );
  expect(violations.map(({ clause, message }) => `${clause}: ${message}`)).toEqual([]);
});
