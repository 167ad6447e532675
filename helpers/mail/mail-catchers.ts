/**
 * The mail catchers that can be read over HTTP. `openMailbox` finds out which one answers; each kind knows the paths
 * of its API and how a message looks there. Mailpit is searched for each address, page by page; MailDev lists
 * everything in the order in which it arrived.
 */
import type { MailboxSettings } from '../config/settings.ts';
import { BodyCollector } from '../http/body.ts';
import { meaningOf } from '../http/no-response.ts';
import type { Transport } from '../http/transport.ts';
import { withDeadline } from '../http/waiting.ts';
import { isObject, parseJson } from '../json.ts';
import { textOfSource } from './email-source.ts';
import { comparable, type Mailbox, MailboxError, type Message } from './mailbox.ts';

/**
 * Asks a mail catcher for a path below its address; `json` is the parsed body, undefined where it is no JSON.
 * @throws MailboxError where it gives no answer
 */
type AskCatcher = (
  path: string,
) => Promise<{ readonly status: number; readonly text: string; readonly json: unknown }>;

/** How a kind of mail catcher is recognized: by what it answers to a request that costs it little. */
interface Kind {
  readonly path: string;
  readonly isKnownBy: (json: unknown) => boolean;
  readonly make: (ask: AskCatcher, addresses: readonly string[]) => Mailbox;
}

const kinds: readonly Kind[] = [
  {
    path: '/api/v1/messages?limit=1',
    isKnownBy: (json) => Array.isArray(fieldsOf(json).messages),
    make: mailpit,
  },
  ...['/email', '/api/email'].map(
    (path): Kind => ({
      path: `${path}?skip=1000000000`,
      isKnownBy: Array.isArray,
      make: (ask, addresses) => maildev(ask, path, addresses),
    }),
  ),
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
    `What answers at ${settings.url} is neither Mailpit nor MailDev. Is MAILBOX_URL the address of its web page?`,
  );
}

/** A message with its id in the mailbox. */
interface Identified extends Message {
  readonly id: string;
}

/** How many messages Mailpit is asked for at once. */
const pageSize = 250;

/** A mailbox with more messages to one address than this is not read to its end. */
const maxPages = 40;

/**
 * Mailpit, by its API v1. The search for an address finds it in To, Cc and Bcc, also as a part of another one: those
 * are left out. To Bcc Mailpit adds whoever the envelope names and no header does. The newest come first; pages are read
 * until one holds nothing new. The source is read, and not the message: that would mark it as read.
 */
function mailpit(ask: AskCatcher, addresses: readonly string[]): Mailbox {
  let known: ReadonlySet<string> = new Set();
  let newest: readonly string[] = [];
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
  const listTo = async (address: string): Promise<Identified[]> => {
    const query = encodeURIComponent(`"${address}"`);
    const found: Identified[] = [];
    for (let page = 0; page < maxPages; page += 1) {
      const path = `/api/v1/search?query=${query}&start=${page * pageSize}&limit=${pageSize}`;
      const items = await askForList(ask, path, 'Mailpit', (json) => fieldsOf(json).messages);
      const messages = items.map(messageOf);
      found.push(...messages.filter(({ recipients }) => recipients.includes(address)));
      const isLast = messages.length < pageSize;
      if (isLast || messages.every(({ id }) => known.has(id))) break;
    }
    return found;
  };
  return {
    kind: 'Mailpit',
    async poll() {
      const byAddress = await Promise.all(addresses.map(listTo));
      const listed = new Map(byAddress.flat().map((message) => [message.id, message]));
      const fresh = [...listed.values()].filter(({ id }) => !known.has(id));
      const lost = newest.some((id) => !listed.has(id));
      known = new Set([...known, ...listed.keys()]);
      newest = byAddress.flatMap(([first]) => first?.id ?? []);
      return { messages: fresh, lost };
    },
  };
}

/**
 * MailDev, which gives the list of all emails in the order in which they arrived, each with its envelope and its
 * bodies. Its filter tells `A@x` from `a@x`, so everything is listed once, and after that what follows the last
 * one that is known.
 * @param path of the list: `/email` in version 2, `/api/email` from version 3 on
 */
function maildev(ask: AskCatcher, path: string, addresses: readonly string[]): Mailbox {
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

/** A list of emails with their bodies may be long; a longer one is given up. */
const maxReplyBytes = 64 * 1024 * 1024;

/** Asks without recording anything: a mailbox holds personal data. @param timeoutMs for each answer */
function catcherAt(
  { url, user, password = '', token }: MailboxSettings,
  send: Transport,
  timeoutMs: number,
): AskCatcher {
  const authorization =
    token !== undefined
      ? `Bearer ${token}`
      : user !== undefined && `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const headers = { accept: 'application/json', ...(authorization && { authorization }) };
  return async (path) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const body = new BodyCollector(maxReplyBytes);
    let status = 0;
    try {
      const request = { method: 'GET', url: url + path, headers, route: 'direct', signal } as const;
      const reply = await withDeadline(send(request), timeoutMs);
      status = reply.status;
      await withDeadline(body.keep(body.take(reply.body, reply.headers)), timeoutMs);
    } catch (error) {
      throw new MailboxError(
        `The mailbox at ${url} cannot be read: ${meaningOf(body.failure ?? error, timeoutMs).why}. Is MAILBOX_URL right, and is it up?`,
      );
    }
    if (status === 401 || status === 403) {
      throw new MailboxError(
        `The mailbox at ${url} answers ${status}. Are MAILBOX_USER and MAILBOX_PASSWORD, or MAILBOX_TOKEN, right?`,
      );
    }
    const text = new TextDecoder().decode(body.bytes);
    return { status, text, json: parseJson(text) };
  };
}

/** The fields of a JSON object; none where it is something else. */
function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

/** A list in JSON; an empty one where it is something else. */
function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
