import { createServer } from 'node:http';
import { startServer } from '../local-server.ts';
import type { Email } from '../rules/notification.ts';
import { answerAsMailpit, type CaughtEmail, readEmail } from './mailpit.ts';

/** Where the email of the service goes: it is read over HTTP as in Mailpit, and reaches nobody. */
export interface MailCatcher {
  readonly mailboxUrl: string;
  /** Sends an email and does not wait for it. */
  post(email: Email): void;
  /** Ends the listener; email that is under way is lost. */
  close(): Promise<void>;
}

/** Where there are more, the oldest go first. */
const maxEmails = 500;

const sender = { name: 'Task service', address: 'tasks@service.example' };

/**
 * Starts a mail catcher.
 * @param host an address of this machine
 */
export async function startMailCatcher(host = '127.0.0.1'): Promise<MailCatcher> {
  const emails: CaughtEmail[] = [];
  const receive = async (email: Email): Promise<void> => {
    const recipients = [email.to, email.cc, email.bcc].flatMap((people = []) => people);
    const addresses = recipients.map(({ address }) => address);
    emails.push(await readEmail(await encoded(email), addresses, Date.now()));
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
    post(email) {
      // One after another: emails arrive in the order in which they were sent.
      received = received
        .then(() => receive(email))
        .catch((error: unknown) => console.error(`An email could not be sent: ${error}`));
    },
    close: server.close,
  };
}

/** An email as it goes over the wire: without those who get it in secret. */
async function encoded({ to = [], cc = [], bcc: _, ...content }: Email): Promise<Uint8Array> {
  // Loaded only now: a run that assigns no task need not wait for it.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const listed = (people: typeof to) => people.map((person) => ({ ...person }));
  const { message } = await transport.sendMail({
    from: sender,
    to: listed(to),
    cc: listed(cc),
    ...content,
  });
  // Bytes, as `buffer` asks for.
  return message as Uint8Array;
}
