import { describe, expect, test } from 'vitest';
import { serverOf } from '../http/sockets.fixture.ts';
import { ann, bob, catcherOf, email, mailboxAt, type Shape } from './mail-catchers.fixture.ts';
import type { Mailbox } from './mailbox.ts';

/** The messages that are new, each as its recipients and what stands in it. */
async function newIn(mailbox: Mailbox): Promise<{ recipients: readonly string[]; text: string }[]> {
  const { messages } = await mailbox.poll();
  return await Promise.all(
    messages.map(async ({ recipients, content }) => ({ recipients, text: await content() })),
  );
}

const kinds = [
  ['Mailpit', 'Mailpit'],
  ['MailDev', 'MailDev'],
  ['MailDev 3', 'MailDev'],
] as const satisfies readonly (readonly [Shape, string])[];

describe.each(kinds)('a mail catcher in the shape of %s', (shape, kind) => {
  test('is recognized by what it answers', async () => {
    const mailbox = await mailboxAt(await catcherOf(shape, [email('1', ann)]), [ann]);
    expect(mailbox.kind).toBe(kind);
  });

  test('gives each message once, with its recipients and its text', async () => {
    const emails = [email('1', ann)];
    const mailbox = await mailboxAt(await catcherOf(shape, emails), [ann, bob]);
    expect(await newIn(mailbox)).toHaveLength(1);
    expect(await newIn(mailbox)).toEqual([]);
    emails.push(email('2', bob, ann), email('3', 'eve@x.example'));
    const [second, ...others] = await newIn(mailbox);
    expect(others).toEqual([]);
    expect(second?.recipients.toSorted()).toEqual([ann, bob]);
    expect(second?.text).toContain('Ανάθεση 2');
    expect(second?.text).toContain('Comment of 2, with ümlauts');
  });

  test('names those in blind copy, and addresses in lower case', async () => {
    const hidden = { ...email('1', 'Ann@X.example', bob), to: ['Ann@X.example'] };
    const mailbox = await mailboxAt(await catcherOf(shape, [hidden]), [ann, bob]);
    const [message] = await newIn(mailbox);
    expect(message?.recipients.toSorted()).toEqual([ann, bob]);
  });

  test('does not take an address for another that it is part of', async () => {
    const mailbox = await mailboxAt(await catcherOf(shape, [email('1', `j${ann}`)]), [ann]);
    expect(await newIn(mailbox)).toEqual([]);
  });

  test('is read to its end', async () => {
    const emails = Array.from({ length: 620 }, (_, index) => email(`${index}`, ann));
    const mailbox = await mailboxAt(await catcherOf(shape, emails), [ann]);
    const { messages } = await mailbox.poll();
    expect(messages).toHaveLength(620);
    emails.push(email('newest', ann));
    expect((await mailbox.poll()).messages).toHaveLength(1);
  });

  test('says when others take messages away, and misses none', async () => {
    const emails = [email('1', ann), email('2', ann)];
    const mailbox = await mailboxAt(await catcherOf(shape, emails), [ann]);
    expect((await mailbox.poll()).lost).toBe(false);
    emails.splice(0, 2, email('3', ann));
    const { messages, lost } = await mailbox.poll();
    expect([messages.length, lost]).toEqual([1, true]);
    expect((await mailbox.poll()).lost).toBe(false);
    emails.splice(0);
    expect(await mailbox.poll()).toEqual({ messages: [], lost: true });
  });
});

describe('a mailbox that asks for credentials', () => {
  const guarded = (authorization: string): Promise<string> =>
    catcherOf('Mailpit', [], ({ headers }) =>
      headers.authorization === authorization ? undefined : 401,
    );

  test('gets a name and a password', async () => {
    const url = await guarded(`Basic ${Buffer.from('qa:päss').toString('base64')}`);
    const mailbox = await mailboxAt(url, [ann], { user: 'qa', password: 'päss' });
    expect(mailbox.kind).toBe('Mailpit');
  });

  test('gets a token', async () => {
    const url = await guarded('Bearer canary');
    expect((await mailboxAt(url, [ann], { token: 'canary' })).kind).toBe('Mailpit');
  });

  test('refuses wrong ones, which are not repeated', async () => {
    const url = await guarded('Bearer right');
    const wrong = mailboxAt(url, [ann], { token: 'canary' });
    await expect(wrong).rejects.toThrow(
      `The mailbox at ${url} answers 401. Are MAILBOX_USER and MAILBOX_PASSWORD, or MAILBOX_TOKEN, right?`,
    );
    await expect(wrong).rejects.not.toThrow('canary');
  });
});

test('what is no mail catcher', async () => {
  const url = await serverOf((_, response) => response.end('<html>Welcome</html>'));
  await expect(mailboxAt(url, [ann])).rejects.toThrow(
    `What answers at ${url} is neither Mailpit nor MailDev.`,
  );
});

test('a mailbox that is down', async () => {
  await expect(mailboxAt('http://127.0.0.1:9', [ann])).rejects.toThrow(
    'The mailbox at http://127.0.0.1:9 cannot be read: nothing listens there (connection refused). Is MAILBOX_URL right, and is it up?',
  );
});

test('a mailbox below a path', async () => {
  const url = await serverOf(({ url: path }, response) => {
    const isList = path?.startsWith('/catcher/email?');
    response.writeHead(isList ? 200 : 404).end('[]');
  });
  expect((await mailboxAt(`${url}/catcher`, [ann])).kind).toBe('MailDev');
});
