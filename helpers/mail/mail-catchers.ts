/**
 * The mail catchers that can be read over HTTP. `openMailbox` finds out which one answers; each kind knows the paths
 * of its API and how a message looks there. Mailpit and MailHog are searched for each address, page by page; MailDev
 * lists everything in the order in which it arrived.
 */
import type { MailboxSettings } from '../config/settings.ts';
import type { Transport } from '../http/transport.ts';
import { type AskCatcher, catcherAt, fieldsOf, listOf } from './catcher-http.ts';
import { textOfSource } from './email-source.ts';
import { comparable, type Mailbox, MailboxError, type Message } from './mailbox.ts';

/** How a kind of mail catcher is recognized: by what it answers to a request that costs it little. */
interface Kind {
  readonly path: string;
  readonly isKnownBy: (json: unknown) => boolean;
  readonly make: (ask: AskCatcher, addresses: readonly string[]) => Mailbox;
}

// MailHog first: to the request by which Mailpit is recognized it would answer with all that it holds.
const kinds: readonly Kind[] = [
  {
    path: '/api/v2/messages?limit=1',
    isKnownBy: (json) => Array.isArray(fieldsOf(json).items),
    make: mailhog,
  },
  {
    path: '/api/v1/messages?limit=1',
    isKnownBy: (json) => Array.isArray(fieldsOf(json).messages),
    make: mailpit,
  },
  ...(['/email', '/api/email'] as const).map((path) => ({
    path: `${path}?skip=1000000000`,
    isKnownBy: Array.isArray,
    make: (ask: AskCatcher, addresses: readonly string[]) => maildev(ask, path, addresses),
  })),
];

/**
 * Opens the mailbox that is configured, of whichever kind it is.
 * @param addresses whose messages are read, in lower case
 * @throws MailboxError where it does not answer, refuses the credentials, or is of no known kind
 */
export async function openMailbox(
  settings: MailboxSettings,
  addresses: readonly string[],
  send: Transport,
  timeoutMs: number,
): Promise<Mailbox> {
  const ask = catcherAt(settings, send, timeoutMs);
  for (const { path, isKnownBy, make } of kinds) {
    const { status, json } = await ask(path);
    if (status === 200 && isKnownBy(json)) return make(ask, addresses);
  }
  throw new MailboxError(
    `What answers at ${settings.url} is neither Mailpit nor MailHog nor MailDev. Is MAILBOX_URL the address of its web page?`,
  );
}

/** A message with its id in the mailbox. */
interface Identified extends Message {
  readonly id: string;
}

/**
 * Mailpit, by its API v1. The search for an address finds it in To, Cc and Bcc; to Bcc Mailpit adds whoever the
 * envelope names and no header does. The source is read, and not the message: that would mark it as read.
 */
function mailpit(ask: AskCatcher, addresses: readonly string[]): Mailbox {
  const messageOf = (item: unknown): Identified => {
    const { ID, To, Cc, Bcc } = fieldsOf(item);
    const id = String(ID);
    return {
      id,
      recipients: [To, Cc, Bcc]
        .flatMap(listOf)
        .map((one) => comparable(String(fieldsOf(one).Address))),
      async content() {
        const { status, text } = await ask(`/api/v1/message/${encodeURIComponent(id)}/raw`);
        if (status === 200) return await textOfSource(text);
        throw new MailboxError(
          `Mailpit answered ${status} for a message that it had listed: was it deleted meanwhile?`,
        );
      },
    };
  };
  return pagedMailbox('Mailpit', addresses, async (address, start) => {
    const query = encodeURIComponent(`"${address}"`);
    const path = `/api/v1/search?query=${query}&start=${start}&limit=${pageSize}`;
    const items = await askForList(ask, path, 'Mailpit', (json) => fieldsOf(json).messages);
    return items.map(messageOf);
  });
}

/** MailHog, by its API v2. Its search and its lists know the envelope, and give each message with its source. */
function mailhog(ask: AskCatcher, addresses: readonly string[]): Mailbox {
  const messageOf = (item: unknown): Identified => {
    const { ID, To, Raw } = fieldsOf(item);
    const { To: envelope, Data } = fieldsOf(Raw);
    // Older stores keep the envelope in pieces only.
    const pieces = listOf(To).map((path) => {
      const { Mailbox: name, Domain } = fieldsOf(path);
      return `${name}@${Domain}`;
    });
    const sentTo = Array.isArray(envelope) ? envelope.map(String) : pieces;
    return {
      id: String(ID),
      recipients: sentTo.map(comparable),
      content: () => textOfSource(String(Data ?? '')),
    };
  };
  return pagedMailbox('MailHog', addresses, async (address, start) => {
    const query = encodeURIComponent(address);
    const path = `/api/v2/search?kind=to&query=${query}&start=${start}&limit=${pageSize}`;
    const items = await askForList(ask, path, 'MailHog', (json) => fieldsOf(json).items);
    return items.map(messageOf);
  });
}

/** As many messages as one answer may hold: MailHog gives no more. */
const pageSize = 250;

/** A mailbox with more messages to one address than this is not read to its end. */
const maxPages = 40;

/** One page of the messages that a search for the address finds, the newest first. */
type AskPage = (address: string, start: number) => Promise<readonly Identified[]>;

/**
 * A mailbox that is read by a search for each address, page by page, until a page holds nothing new. Searches also
 * find addresses of which the one looked for is a part: those are left out.
 */
function pagedMailbox(kind: string, addresses: readonly string[], askPage: AskPage): Mailbox {
  let known: ReadonlySet<string> = new Set();
  let newest: readonly string[] = [];
  return {
    kind,
    async poll() {
      const byAddress = await Promise.all(
        addresses.map((address) => listTo(address, known, askPage)),
      );
      const listed = new Map(byAddress.flat().map((message) => [message.id, message]));
      const fresh = [...listed.values()].filter(({ id }) => !known.has(id));
      const lost = newest.some((id) => !listed.has(id));
      known = new Set([...known, ...listed.keys()]);
      newest = byAddress.flatMap(([first]) => first?.id ?? []);
      return { messages: fresh, lost };
    },
  };
}

async function listTo(
  address: string,
  known: ReadonlySet<string>,
  askPage: AskPage,
): Promise<Identified[]> {
  const found: Identified[] = [];
  for (let page = 0; page < maxPages; page += 1) {
    const messages = await askPage(address, page * pageSize);
    found.push(...messages.filter(({ recipients }) => recipients.includes(address)));
    const isLast = messages.length < pageSize;
    if (isLast || messages.every(({ id }) => known.has(id))) break;
  }
  return found;
}

/**
 * MailDev, which gives the list of all emails in the order in which they arrived, each with its envelope and its
 * bodies. Its filter tells `A@x` from `a@x`, so everything is listed once, and after that what follows the last
 * one that is known.
 * @param path of the list: `/email` in version 2, `/api/email` from version 3 on
 */
function maildev(
  ask: AskCatcher,
  path: '/email' | '/api/email',
  addresses: readonly string[],
): Mailbox {
  const wanted = new Set(addresses);
  const known = new Set<string>();
  /** How many there were, and which was the last. */
  let end: { readonly count: number; readonly id: string } | undefined;
  const messageOf = (item: unknown): Identified => {
    const { id, envelope, subject, text, html } = fieldsOf(item);
    return {
      id: String(id),
      recipients: listOf(fieldsOf(envelope).to).map((one) =>
        comparable(String(fieldsOf(one).address)),
      ),
      content: async () => [subject, text, html].map((part) => String(part ?? '')).join('\n'),
    };
  };
  const listFrom = async (skip: number): Promise<Identified[]> => {
    const items = await askForList(ask, `${path}?skip=${skip}`, 'MailDev', (json) => json);
    return items.map(messageOf);
  };
  return {
    kind: 'MailDev',
    async poll() {
      const skip = end === undefined ? 0 : end.count - 1;
      const following = await listFrom(skip);
      // Where others have deleted some, what follows the last one stands somewhere else.
      const isMoved = end !== undefined && following[0]?.id !== end.id;
      const listed = isMoved ? await listFrom(0) : following;
      const last = listed.at(-1);
      end = last && { count: (isMoved ? 0 : skip) + listed.length, id: last.id };
      const fresh = listed.filter(({ id }) => !known.has(id));
      for (const { id } of fresh) known.add(id);
      const messages = fresh.filter(({ recipients }) => recipients.some((one) => wanted.has(one)));
      return { messages, lost: isMoved };
    },
  };
}

/** Asks for a path and expects a list somewhere in the answer. @throws MailboxError where there is none */
async function askForList(
  ask: AskCatcher,
  path: string,
  kind: string,
  pick: (json: unknown) => unknown,
): Promise<readonly unknown[]> {
  const { status, json } = await ask(path);
  const list = pick(json);
  if (status === 200 && Array.isArray(list)) return list;
  throw new MailboxError(
    `${kind} answered ${status} to ${path.replace(/\?.*/, '')}, without a list of messages.`,
  );
}
