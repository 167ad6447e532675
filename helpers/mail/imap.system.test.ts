import { test as anyTest, expect, onTestFinished, vi } from 'vitest';
import { readSettings } from '../config/read-settings.ts';
import { imapMailbox } from './imap.ts';
import { imapServerOf } from './imap-server.fixture.ts';
import { ann, bob, email } from './mail-catchers.fixture.ts';
import type { Mailbox } from './mailbox.ts';

// The package is optional: where it is left out there is nothing to test.
const isInstalled = await import('imapflow').then(
  () => true,
  () => false,
);
const test = anyTest.runIf(isInstalled);

function mailboxAt(url: string): Mailbox {
  const target = { BASE_URL: 'http://localhost/v5', API_KEY: 'a-key' };
  const settings = readSettings({ ...target, MAILBOX_URL: url }, 1).mailbox;
  if (settings === undefined) throw new Error('MAILBOX_URL was not read.');
  const mailbox = imapMailbox(settings, [ann, bob], { timeoutMs: 2000 });
  onTestFinished(async () => await mailbox.close?.());
  return mailbox;
}

test('an IMAP folder gives each message once, with its recipients and its text', async () => {
  const emails = [email('1', ann)];
  const mailbox = mailboxAt(await imapServerOf(emails));
  expect((await mailbox.poll()).messages).toHaveLength(1);
  expect(await mailbox.poll()).toEqual({ messages: [], lost: false });
  emails.push({ ...email('2', 'Bob@x.example', ann), to: [ann] }, email('3', 'eve@x.example'));
  const { messages, lost } = await mailbox.poll();
  expect(messages.map(({ recipients }) => recipients.toSorted())).toEqual([[ann, bob]]);
  expect(lost).toBe(false);
  const text = await messages[0]?.content();
  expect(text).toContain('Ανάθεση 2');
  expect(text).toContain('Comment of 2, with ümlauts');
  expect((await mailbox.poll()).messages).toEqual([]);
});

test('an IMAP folder that was made anew is read from its beginning, with the recipients of each message', async () => {
  const emails = [email('1', ann), email('2', bob)];
  const folder: Parameters<typeof imapServerOf>[1] = { validity: 1 };
  const mailbox = mailboxAt(await imapServerOf(emails, folder));
  expect((await mailbox.poll()).messages).toHaveLength(2);
  emails.splice(0, 2, email('3', bob));
  folder.validity = 2;
  folder.close?.();
  // The first look may still meet the connection that ends.
  const { messages, lost } = await vi.waitFor(() => mailbox.poll(), { timeout: 60_000 });
  expect(messages.map(({ recipients }) => recipients)).toEqual([[bob]]);
  expect(lost).toBe(true);
});

test('an IMAP server that refuses the password, which is not repeated', async () => {
  const url = (await imapServerOf([])).replace('secret', 'canary');
  const refused = mailboxAt(url).poll();
  await expect(refused).rejects.toThrow(
    /^The mailbox at imap:\/\/127\.0\.0\.1:\d+\/Team refuses the name and password\. Are MAILBOX_USER/,
  );
  await expect(refused).rejects.not.toThrow('canary');
});

test('an IMAP server that is down', async () => {
  await expect(mailboxAt('imap://qa:a@127.0.0.1:9').poll()).rejects.toThrow(
    'The mailbox at imap://127.0.0.1:9 cannot be read: nothing listens there (connection refused).',
  );
});

test('an IMAP mailbox without a user name', async () => {
  await expect(mailboxAt('imaps://mail.example').poll()).rejects.toThrow(
    'The mailbox at imaps://mail.example needs a user name. Set MAILBOX_USER, and',
  );
});
