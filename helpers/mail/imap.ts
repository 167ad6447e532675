import type { ImapFlow } from 'imapflow';
import type { MailboxSettings } from '../config/settings.ts';
import { meaningOf } from '../http/no-response.ts';
import { recipientHeaders, recipientsInHeaders, textOfSource } from './email-source.ts';
import { comparable, type Mailbox, MailboxError, type Message } from './mailbox.ts';

/** So much of an email is read; a notification is shorter. */
const maxSourceBytes = 1024 * 1024;

interface ImapOptions {
  readonly timeoutMs: number;
  /** All certificates to trust, as PEM; those that Node trusts unless given. */
  readonly certificates?: string[] | undefined;
}

/**
 * An IMAP mailbox that takes the email of all configured people; its folder is the path of the address, or INBOX.
 * It is opened read-only, and only messages to the configured addresses are read.
 */
export function imapMailbox(
  settings: MailboxSettings,
  addresses: readonly string[],
  options: ImapOptions,
): Mailbox {
  const wanted = new Set(addresses);
  let client: ImapFlow | undefined;
  /** The last message that was given, how many there were then, and the folder as it was then: one made anew counts from 1. */
  let end: { readonly uid: number; readonly exists: number; readonly of: bigint } | undefined;

  const connected = async (): Promise<ImapFlow> => {
    if (client?.usable) return client;
    client?.close();
    client = await connect(settings, options);
    return client;
  };
  const messageOf = (uid: number, recipients: readonly string[]): Message => ({
    recipients,
    content: () =>
      explained(settings, options, async () => {
        const query = { source: { maxLength: maxSourceBytes } };
        const found = await (await connected()).fetchOne(`${uid}`, query, { uid: true });
        const source = found === false ? undefined : found?.source;
        if (source !== undefined) return await textOfSource(source);
        throw new MailboxError('A message was gone before it could be read.');
      }),
  });
  return {
    kind: 'IMAP',
    poll: () =>
      explained(settings, options, async () => {
        const imap = await connected();
        await imap.noop();
        const open = imap.mailbox;
        if (open === false) throw new MailboxError('The folder was closed.');
        const { uidValidity: of } = open;
        if (end === undefined) {
          const found = await Promise.all(
            addresses.map((to) => imap.search({ to }, { uid: true })),
          );
          end = { uid: open.uidNext - 1, exists: open.exists, of };
          const uids = new Set(found.flatMap((one) => one || []));
          return { messages: [...uids].map((uid) => messageOf(uid, addresses)), lost: false };
        }
        const isAnew = end.of !== of;
        const from = isAnew ? 0 : end.uid;
        const query = { uid: true, headers: recipientHeaders };
        const listed = await imap.fetchAll(`${from + 1}:*`, query, { uid: true });
        // A range that ends in * always holds the last message.
        const fresh = listed.filter(({ uid }) => uid > from);
        const lost = isAnew || open.exists < end.exists + fresh.length;
        end = { uid: Math.max(from, ...fresh.map(({ uid }) => uid)), exists: open.exists, of };
        const messages = await Promise.all(
          fresh.map(async ({ uid, headers = Buffer.alloc(0) }) => {
            const recipients = (await recipientsInHeaders(headers)).map(comparable);
            return messageOf(uid, [...new Set(recipients)]);
          }),
        );
        const isWanted = ({ recipients }: Message) => recipients.some((one) => wanted.has(one));
        return { messages: messages.filter(isWanted), lost };
      }),
    async close() {
      if (client?.usable) await client.logout().catch(() => client?.close());
    },
  };
}

async function connect(
  { url, user, password, token }: MailboxSettings,
  { timeoutMs, certificates }: ImapOptions,
): Promise<ImapFlow> {
  const { ImapFlow } = await import('imapflow').catch(() => {
    throw new MailboxError(
      'Reading IMAP needs the optional package imapflow, which is not installed: npm install --no-save imapflow',
    );
  });
  if (user === undefined) {
    throw new MailboxError(
      `The mailbox at ${url} needs a user name. Set MAILBOX_USER, and MAILBOX_PASSWORD or MAILBOX_TOKEN.`,
    );
  }
  const { protocol, hostname, port, pathname } = new URL(url);
  const secure = protocol === 'imaps:';
  const client = new ImapFlow({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (secure ? 993 : 143),
    secure,
    logger: false,
    auth: {
      user,
      ...(token === undefined ? { pass: password ?? '' } : { accessToken: token }),
    },
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    ...(certificates && { tls: { ca: certificates } }),
  });
  // What breaks between two looks is noticed at the next one.
  client.on('error', () => {});
  await client.connect();
  await client.mailboxOpen(decodeURIComponent(pathname.slice(1)) || 'INBOX', { readOnly: true });
  return client;
}

/** Turns what goes wrong into a sentence for people. */
async function explained<T>(
  { url }: MailboxSettings,
  { timeoutMs }: ImapOptions,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MailboxError) throw error;
    const isRefused = error instanceof Error && 'authenticationFailed' in error;
    throw new MailboxError(
      isRefused
        ? `The mailbox at ${url} refuses the name and password. Are MAILBOX_USER and MAILBOX_PASSWORD, or MAILBOX_TOKEN, right?`
        : `The mailbox at ${url} cannot be read: ${meaningOf(error, timeoutMs).why}. Is MAILBOX_URL right, and is it up?`,
    );
  }
}
