import { setTimeout } from 'node:timers/promises';
import { test as anyTest, expect } from 'vitest';
import { inVirtualTime } from '../http/virtual-time.fixture.ts';
import { MailWatch } from './mail-watch.ts';
import { type Changes, type Mailbox, MailboxError } from './mailbox.ts';

const test = (title: string, body: () => Promise<void>): void =>
  anyTest(title, () => inVirtualTime(body));

const ann = 'ann@x.example';
const bob = 'bob@x.example';

const message = (text: string, ...recipients: string[]): Changes['messages'][number] => ({
  recipients,
  content: async () => text,
});

/** A mailbox whose polls give these changes one after another, and then none. */
function giving(...changes: (Partial<Changes> | MailboxError)[]): Mailbox {
  return {
    kind: 'a test',
    async poll() {
      const next = changes.shift() ?? {};
      if (next instanceof MailboxError) throw next;
      return { messages: [], lost: false, ...next };
    },
  };
}

const watch = (mailbox: Mailbox, timeoutMs = 60): MailWatch =>
  new MailWatch({ open: async () => mailbox, timeoutMs });

const unreachable = new MailboxError('unreachable');

test('what the mailbox holds at first has not arrived', async () => {
  const mail = watch(giving({ messages: [message('old', ann)] }));
  expect((await mail.waitFor([ann])).emails).toEqual([]);
});

test('waits for everybody, and then for what else arrives', async () => {
  const mail = watch(
    giving(
      {},
      {},
      { messages: [message('1', ann)] },
      { messages: [message('2', bob)] },
      {
        messages: [message('3', 'eve@x.example')],
      },
    ),
    1000,
  );
  const { emails, waitedMs } = await mail.waitFor([ann, bob]);
  expect(emails.map(({ text }) => text)).toEqual(['1', '2', '3']);
  expect(waitedMs).toBeLessThan(1000);
});

test('email is not slow because the mailbox is slow to answer', async () => {
  let polls = 0;
  const slow: Mailbox = {
    kind: 'a test',
    async poll() {
      polls += 1;
      if (polls > 1) await setTimeout(250);
      return { messages: polls === 2 ? [message('1', ann)] : [], lost: false };
    },
  };
  expect((await watch(slow, 5000).waitFor([ann])).emails).toHaveLength(1);
  // Opened, found; and for what else may come, once now and once when its time is over.
  expect(polls).toBe(4);
});

test('an email that does not count is given, but does not end the waiting', async () => {
  const mail = watch(giving({}, { messages: [message('other', ann)] }));
  const { emails, waitedMs } = await mail.waitFor([ann], ({ text }) => text !== 'other');
  expect(emails).toHaveLength(1);
  expect(waitedMs).toBeGreaterThanOrEqual(60);
});

test('a mailbox that is unreachable for a moment is polled again', async () => {
  const mail = watch(giving({}, unreachable, { messages: [message('1', ann)] }), 1000);
  expect((await mail.waitFor([ann])).emails).toHaveLength(1);
});

test('a mailbox that stays unreachable decides nothing', async () => {
  const gone: Mailbox = { ...giving(), poll: () => Promise.reject(unreachable) };
  const first = giving();
  let looks = 0;
  const mail = watch({ ...first, poll: () => (looks++ === 0 ? first : gone).poll() });
  await expect(mail.waitFor([ann])).rejects.toBe(unreachable);
});

test('a mailbox that cannot be opened is tried twice, and then not again', async () => {
  let tries = 0;
  const mail = new MailWatch({
    open: async () => {
      tries += 1;
      throw unreachable;
    },
    timeoutMs: 60,
  });
  await expect(mail.open()).rejects.toBe(unreachable);
  await expect(mail.waitFor([])).rejects.toBe(unreachable);
  expect(tries).toBe(2);
});

test('a message that is deleted before it is read has arrived', async () => {
  const unread = { recipients: [ann], content: () => Promise.reject(unreachable) };
  const { emails, lost } = await watch(giving({}, { messages: [unread] })).waitFor([ann]);
  expect([emails.map(({ recipients }) => recipients), lost]).toEqual([[[ann]], true]);
});
