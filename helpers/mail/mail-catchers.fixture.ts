import type { IncomingMessage, RequestListener } from 'node:http';
import { onTestFinished } from 'vitest';
import { openNetwork } from '../http/network.ts';
import { serverOf } from '../http/sockets.fixture.ts';
import { openMailbox } from './mail-catchers.ts';
import type { Mailbox } from './mailbox.ts';

/** An email in a mail catcher of a test. */
export interface Caught {
  readonly id: string;
  /** Whom it was sent to, whatever its headers say. */
  readonly envelope: readonly string[];
  /** Whom its header names; the same as the envelope where it is left out. */
  readonly to?: readonly string[];
  readonly subject: string;
  readonly text: string;
}

type Answerer = (emails: readonly Caught[], url: URL) => unknown;

const toOf = ({ to, envelope }: Caught): readonly string[] => to ?? envelope;

/** The source, with an encoded subject and body: what is searched for stands in it only decoded. */
export function sourceOf(email: Caught): string {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  return [
    'From: Task service <tasks@service.example>',
    `To: ${toOf(email).join(', ')}`,
    `Subject: =?utf-8?B?${base64(email.subject)}?=`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    base64(email.text),
    '',
  ].join('\r\n');
}

/** So much of a list, the newest first. */
function page<T>(items: readonly T[], { searchParams }: URL, most: number): T[] {
  const start = Number(searchParams.get('start') ?? 0);
  const limit = Math.min(Number(searchParams.get('limit') ?? 50), most);
  return items.toReversed().slice(start, start + limit);
}

const found = (addresses: readonly string[], query: string): boolean =>
  addresses.some((one) => one.toLowerCase().includes(query.toLowerCase()));

const mailpitAnswer: Answerer = (emails, url) => {
  const raw = /^\/api\/v1\/message\/(.+)\/raw$/.exec(url.pathname);
  if (raw !== null) {
    const email = emails.find(({ id }) => id === raw[1]);
    return email && sourceOf(email);
  }
  const query = url.searchParams.get('query')?.replaceAll('"', '') ?? '';
  if (!['/api/v1/search', '/api/v1/messages'].includes(url.pathname)) return undefined;
  const matching = emails.filter(({ envelope }) => found(envelope, query));
  const named = (addresses: readonly string[]) =>
    addresses.map((Address) => ({ Name: '', Address }));
  return {
    total: emails.length,
    messages_count: matching.length,
    messages: page(matching, url, 1000).map((email) => ({
      ID: email.id,
      To: named(toOf(email)),
      Cc: null,
      Bcc: named(email.envelope.filter((one) => !toOf(email).includes(one))),
      Subject: email.subject,
      Created: '2026-01-01T00:00:00Z',
    })),
  };
};

const maildevAnswer =
  (path: string): Answerer =>
  (emails, url) => {
    if (url.pathname !== path) return undefined;
    return emails.slice(Number(url.searchParams.get('skip') ?? 0)).map((email) => ({
      id: email.id,
      subject: email.subject,
      text: email.text,
      html: `<p>${email.text}</p>`,
      to: toOf(email).map((address) => ({ address, name: '' })),
      envelope: { from: { address: '' }, to: email.envelope.map((address) => ({ address })) },
    }));
  };

/** Mail catchers in the shape of those that are known, and what each calls itself. */
export const shapes = {
  Mailpit: mailpitAnswer,
  MailDev: maildevAnswer('/email'),
  'MailDev 3': maildevAnswer('/api/email'),
} satisfies Readonly<Record<string, Answerer>>;

export type Shape = keyof typeof shapes;

/** A mail catcher of a shape, over a real socket; `refuses` may answer before it does. */
export async function catcherOf(
  shape: Shape,
  emails: readonly Caught[],
  refuses: (request: IncomingMessage) => number | undefined = () => undefined,
): Promise<string> {
  const listener: RequestListener = (request, response) => {
    const refused = refuses(request);
    const answer =
      refused === undefined
        ? shapes[shape](emails, new URL(request.url ?? '', 'http://x'))
        : undefined;
    response.writeHead(refused ?? (answer === undefined ? 404 : 200));
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer ?? 'no'));
  };
  return await serverOf(listener);
}

/** Opens the mailbox at an address, for the time of a test. */
export async function mailboxAt(
  url: string,
  addresses: readonly string[],
  more: { user?: string; password?: string; token?: string } = {},
): Promise<Mailbox> {
  const network = openNetwork({ requestTimeoutMs: 2000 });
  onTestFinished(() => network.close());
  const settings = { url, user: undefined, password: undefined, token: undefined, ...more };
  return await openMailbox(settings, addresses, network.send, 2000);
}

export const ann = 'ann@x.example';
export const bob = 'bob@x.example';

export const email = (id: string, ...envelope: string[]): Caught => ({
  id,
  envelope,
  subject: `Ανάθεση ${id}`,
  text: `Comment of ${id}, with ümlauts`,
});
