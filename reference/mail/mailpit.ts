import { randomUUID } from 'node:crypto';
import PostalMime, { type Address, type Mailbox } from 'postal-mime';

/** An email as it arrived. */
export interface CaughtEmail {
  readonly id: string;
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
  readonly raw: Uint8Array;
  readonly subject: string;
  readonly to: readonly Mailbox[];
  readonly cc: readonly Mailbox[];
  /** Recipients that no header names. */
  readonly bcc: readonly Mailbox[];
}

/** Reads an email. @param recipients the addresses that it was sent to, whatever its headers say */
export async function readEmail(
  raw: Uint8Array,
  recipients: readonly string[],
  at: number,
): Promise<CaughtEmail> {
  const { to = [], cc = [], subject = '' } = await PostalMime.parse(raw);
  const shown = { to: mailboxes(to), cc: mailboxes(cc) };
  const named = new Set([...shown.to, ...shown.cc].map(({ address }) => address.toLowerCase()));
  const bcc = recipients
    .filter((address) => !named.has(address.toLowerCase()))
    .map((address) => ({ name: '', address }));
  return { id: randomUUID(), at, raw, subject, ...shown, bcc };
}

/** Single addresses, and those of groups. */
function mailboxes(addresses: readonly Address[]): Mailbox[] {
  return addresses.flatMap((one) => (one.group === undefined ? [one] : one.group));
}

/** What Mailpit responds with. */
export interface MailpitResponse {
  readonly status: number;
  readonly contentType: string;
  readonly body: string | Uint8Array;
}

/**
 * Answers a GET request as the mail catcher Mailpit does: the list of messages, the search, and the source of
 * one message.
 * @param emails in the order in which they arrived
 * @param target path and query as sent
 */
export function answerAsMailpit(emails: readonly CaughtEmail[], target: string): MailpitResponse {
  const { pathname, searchParams } = new URL(target, 'http://catcher');
  const raw = /^\/api\/v1\/message\/([^/]+)\/raw$/.exec(pathname);
  if (raw !== null) {
    const email = emails.find(({ id }) => id === raw[1]);
    if (email === undefined) return notFound;
    return { status: 200, contentType: 'text/plain; charset=utf-8', body: email.raw };
  }
  const query = pathname === '/api/v1/search' ? (searchParams.get('query') ?? '') : undefined;
  if (query === undefined && pathname !== '/api/v1/messages') return notFound;
  if (query === '') return { ...notFound, status: 400, body: 'Error: no search query' };
  const matching = emails.filter((email) => query === undefined || mentions(email, query));
  const start = Number(searchParams.get('start') ?? 0);
  const limit = Number(searchParams.get('limit') ?? 50);
  const page = matching.toReversed().slice(start, start + limit);
  const summary = {
    total: emails.length,
    messages_count: matching.length,
    start,
    messages: page.map(summaryOf),
  };
  return { status: 200, contentType: 'application/json', body: JSON.stringify(summary) };
}

const notFound: MailpitResponse = { status: 404, contentType: 'text/plain', body: '404' };

/** Whether a recipient or the subject contains what is searched for; of the query language, only quotes are supported. */
function mentions({ to, cc, bcc, subject }: CaughtEmail, query: string): boolean {
  const words = query.replaceAll('"', '').trim().toLowerCase();
  const addresses = [...to, ...cc, ...bcc].map(({ address }) => address);
  return [subject, ...addresses].some((text) => text.toLowerCase().includes(words));
}

const addressed = ({ name, address }: Mailbox) => ({ Name: name, Address: address });

function summaryOf({ id, at, raw, subject, to, cc, bcc }: CaughtEmail) {
  return {
    ID: id,
    To: to.map(addressed),
    Cc: cc.map(addressed),
    Bcc: bcc.map(addressed),
    Subject: subject,
    Created: new Date(at).toISOString(),
    Size: raw.byteLength,
  };
}
