// Email that others cause in the same mailbox accuses nobody, and neither does a mailbox that fails.

import { en, Faker } from '@faker-js/faker';
import { expect, test } from 'vitest';
import { MailboxError } from '../helpers/mail/mailbox.ts';
import type { Rules } from '../reference/rules.ts';
import type { ClauseResult, ClauseVerdict } from '../schemas/results.ts';
import { runAgainst } from './in-process.ts';
import { type MailRoute, memoryMailbox } from './memory-mailbox.ts';
import { judgedByEmail, scenariosOf } from './parts.ts';

/** Email that others cause in the same mailbox at any time, which does not say what it is about. */
function traffic(seed: number): Partial<Rules> {
  const faker = new Faker({ locale: en, seed });
  return {
    furtherEmails: (_, { users, teams }) =>
      faker.helpers
        .arrayElements([...users, ...teams.flatMap(({ members }) => members)], { min: 0, max: 2 })
        .map((to) => ({ to: [to], subject: 'Something is new', text: 'Sign in to see it.' })),
    // One message: the first that is sent, and the only one that is not theirs.
    addressed: (people) => (people.length === 0 ? [] : [{ to: people }]),
    mailDelay: (index) => (index === 0 ? 0 : faker.number.int(120)),
  };
}

const silent: Partial<Rules> = {
  wording: () => ({ subject: 'You have a new task', text: 'Sign in to see it.' }),
};

const seeds = Array.from({ length: 8 }, (_, index) => index + 1);

test.each(seeds)('does not mislead where email names its task (%i)', async (seed) => {
  const { violations } = await runAgainst({ rules: traffic(seed) }, scenariosOf.email);
  expect(violations).toEqual([]);
});

test.each(seeds)('does not mislead where email names no task (%i)', async (seed) => {
  const { violations } = await runAgainst(
    { rules: { ...traffic(seed), ...silent } },
    scenariosOf.email,
  );
  expect(violations).toEqual([]);
});

/** The judged clauses of email that do not have this verdict. */
async function otherThan(verdict: ClauseVerdict, mail: MailRoute): Promise<ClauseResult[]> {
  const results = await runAgainst({}, scenariosOf.email, mail);
  return judgedByEmail(results).filter((clause) => clause.verdict !== verdict);
}

test('nobody is accused where others empty the mailbox', async () => {
  const mail = memoryMailbox();
  const emptied: MailRoute = {
    ...mail,
    open: async (addresses) => {
      const mailbox = await mail.open(addresses);
      const poll = async () => {
        const { messages } = await mailbox.poll();
        return { messages: [], lost: messages.length > 0 };
      };
      return { ...mailbox, poll };
    },
  };
  expect(await otherThan('inconclusive', emptied)).toEqual([]);
});

test('nobody is accused where the mailbox goes away', async () => {
  const mail = memoryMailbox();
  let looks = 0;
  const gone: MailRoute = {
    ...mail,
    open: async (addresses) => {
      const mailbox = await mail.open(addresses);
      const poll = async () => {
        looks += 1;
        if (looks > 1) throw new MailboxError('The mailbox is away.');
        return await mailbox.poll();
      };
      return { ...mailbox, poll };
    },
  };
  expect(await otherThan('inconclusive', gone)).toEqual([]);
});

// The time-out is 50 ms here, and after it 50 ms more are waited for what else comes.
test.each([
  { shows: 'shows its comment', rules: { mailDelay: () => 130 } },
  { shows: 'shows nothing', rules: { ...silent, mailDelay: () => 130 } },
])('email that comes after the time-out and $shows accuses nobody', async ({ rules }) => {
  const { violations } = await runAgainst({ rules }, scenariosOf.email);
  expect(violations).toEqual([]);
});

// What it waits for must not wait for other tests.
test('email that comes after the time-out and shows its comment is judged', async () => {
  const results = await runAgainst({ rules: { mailDelay: () => 130 } }, scenariosOf.email);
  const open = judgedByEmail(results).filter(({ verdict }) => verdict !== 'upheld');
  // That nobody else got any, and nobody of a refused write, proves nothing where what is accepted takes longer.
  expect(open.map(({ id }) => id)).toEqual([
    'notification.nobody-else-gets-email',
    'notification.refused-write-sends-no-email',
  ]);
});
