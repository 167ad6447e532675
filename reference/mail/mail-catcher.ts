import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { startServer } from '../http.ts';
import type { Person } from '../records.ts';
import type { Email } from '../rules/notification.ts';

/** An email as it arrived. */
interface CaughtEmail extends Email {
  readonly id: string;
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
  readonly source: Uint8Array;
}

/** Where there are more, the oldest go first. */
const maxEmails = 500;

const sender = { name: 'Task service', address: 'tasks@service.example' };

/**
 * Starts a mail catcher, where the email of the service goes: it is read over HTTP as in Mailpit, and reaches nobody.
 * @param host an address of this machine
 */
export async function startMailCatcher(host = '127.0.0.1') {
  const emails: CaughtEmail[] = [];
  const receive = async (email: Email): Promise<void> => {
    const source = await sourceOf(email);
    emails.push({ ...email, id: randomUUID(), at: Date.now(), source });
    if (emails.length > maxEmails) emails.shift();
  };
  const listener = createServer((incoming, outgoing) => {
    const { status, contentType, body } = answerAsMailpit(emails, incoming.url ?? '/');
    outgoing.writeHead(status, { 'content-type': contentType }).end(body);
  });
  const server = await startServer(listener, host);
  let received = Promise.resolve();
  return {
    mailboxUrl: server.url,
    /** Sends an email and does not wait for it. */
    post(email: Email): void {
      // One after another: emails arrive in the order in which they were sent.
      received = received
        .then(() => receive(email))
        .catch((error: unknown) => console.error(`An email could not be sent: ${error}`));
    },
    /** Ends the listener; email that is under way is lost. */
    close: server.close,
  };
}

/** An email as it goes over the wire: without those who get it in secret. */
async function sourceOf({ to = [], cc = [], bcc: _, ...content }: Email): Promise<Uint8Array> {
  // Loaded only now: a run that assigns no task need not wait for it.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  // Copies: nodemailer writes into the addresses.
  const recipients = { to: to.map((one) => ({ ...one })), cc: cc.map((one) => ({ ...one })) };
  const { message } = await transport.sendMail({ from: sender, ...recipients, ...content });
  // Bytes, as `buffer` asks for.
  return message as Uint8Array;
}

const notFound = { status: 404, contentType: 'text/plain', body: '404' };

/**
 * Answers a GET request as the mail catcher Mailpit does: the list of messages, the search, and the source of one message.
 * @param emails in the order in which they arrived
 * @param target path and query as sent
 */
function answerAsMailpit(emails: readonly CaughtEmail[], target: string) {
  const { pathname, searchParams } = new URL(target, 'http://catcher');
  const [, wanted] = /^\/api\/v1\/message\/([^/]+)\/raw$/.exec(pathname) ?? [];
  if (wanted !== undefined) {
    const email = emails.find(({ id }) => id === wanted);
    if (email === undefined) return notFound;
    return { status: 200, contentType: 'text/plain; charset=utf-8', body: email.source };
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

/** Whether a recipient or the subject contains what is searched for; of the query language, only quotes are supported. */
function mentions({ to = [], cc = [], bcc = [], subject }: CaughtEmail, query: string): boolean {
  const words = query.replaceAll('"', '').trim().toLowerCase();
  const addresses = [...to, ...cc, ...bcc].map(({ address }) => address);
  return [subject, ...addresses].some((text) => text.toLowerCase().includes(words));
}

const addressed = ({ name, address }: Person) => ({ Name: name, Address: address });

function summaryOf({ id, at, source, subject, to = [], cc = [], bcc = [] }: CaughtEmail) {
  return {
    ID: id,
    To: to.map(addressed),
    Cc: cc.map(addressed),
    // No header names them.
    Bcc: bcc.map(({ address }) => addressed({ name: '', address })),
    Subject: subject,
    Created: new Date(at).toISOString(),
    Size: source.byteLength,
  };
}
