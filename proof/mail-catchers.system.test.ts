// Each of the mail catchers that are known gives the same verdicts as a mailbox in memory: over real sockets, beside
// other people's email that stands there already.

import { expect, test } from 'vitest';
import { timeless } from '../helpers/http/virtual-time.fixture.ts';
import {
  type Caught,
  catcherOf,
  mailboxAt,
  type Shape,
} from '../helpers/mail/mail-catchers.fixture.ts';
import { notificationRules } from '../reference/rules/notification.ts';
import type { Rules } from '../reference/rules.ts';
import { runAgainst } from './in-process.ts';
import { addressesOf, type MailRoute } from './memory-mailbox.ts';
import { judgedByEmail, scenariosOf } from './parts.ts';

async function routeOver(shape: Shape): Promise<MailRoute> {
  const caught: Caught[] = [];
  const keep = (envelope: readonly string[], subject: string, text: string): void => {
    caught.push({ id: `${caught.length}`, envelope, subject, text });
  };
  keep(['person-1@service.example'], 'Task assigned', 'of an earlier day');
  const url = await catcherOf(shape, caught);
  return {
    post: ({ subject, text = '', html = '', ...heads }) =>
      keep(addressesOf(heads), subject, text + html),
    // Sockets take a time of their own.
    open: async (addresses) => {
      const mailbox = await timeless(() => mailboxAt(url, addresses));
      const poll = async () => {
        const { messages, lost } = await mailbox.poll();
        const texts = await Promise.all(messages.map(({ content }) => content()));
        const withTexts = messages.map((one, index) => ({
          ...one,
          content: async () => texts[index] ?? '',
        }));
        return { messages: withTexts, lost };
      };
      return { kind: mailbox.kind, poll: () => timeless(poll) };
    },
  };
}

async function verdictsOver(shape: Shape, rules: Partial<Rules> = {}): Promise<string[]> {
  const results = await runAgainst({ rules }, scenariosOf.email, await routeOver(shape));
  // Addresses are personal data: people are named by their ids.
  expect(JSON.stringify(results)).not.toContain('@');
  return judgedByEmail(results).map(({ id, verdict }) => `${id}: ${verdict}`);
}

const shapes = ['Mailpit', 'MailDev', 'MailDev 3'] as const satisfies readonly Shape[];

test.each(shapes)('over %s everything is judged, and upheld', async (shape) => {
  expect(await verdictsOver(shape)).toEqual([
    'notification.new-assignee-gets-email: upheld',
    'notification.assigned-user-gets-email: upheld',
    'notification.assigned-team-gets-email: upheld',
    'notification.nobody-else-gets-email: upheld',
    'notification.refused-write-sends-no-email: upheld',
  ]);
});

test.each(shapes)('over %s a member who gets nothing is noticed', async (shape) => {
  const firstOnly: Partial<Rules> = {
    peopleToNotify: (...given) => notificationRules.peopleToNotify(...given).slice(0, 1),
  };
  expect(await verdictsOver(shape, firstOnly)).toEqual([
    'notification.new-assignee-gets-email: violated',
    'notification.assigned-user-gets-email: upheld',
    'notification.assigned-team-gets-email: violated',
    'notification.nobody-else-gets-email: upheld',
    'notification.refused-write-sends-no-email: upheld',
  ]);
});
