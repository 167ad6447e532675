import { startServer } from '../local-server.ts';
import type { Email } from '../rules/notification.ts';
import { answerAsMailpit, type CaughtEmail, readEmail } from './mailpit.ts';
import { type Smtp, startSmtp } from './smtp.ts';

/** Where the email of the service goes: it is sent to an SMTP server of its own, and read over HTTP as in Mailpit. */
export interface MailCatcher {
  readonly mailboxUrl: string;
  /** Sends an email and does not wait for it. */
  post(email: Email): void;
  /** Ends all listeners; email that is under way is lost. */
  close(): Promise<void>;
}

/** Where there are more, the oldest go first. */
const maxEmails = 500;

/**
 * Starts a mail catcher; SMTP starts with the first email, or when somebody first looks for one.
 * @param host an address of this machine
 */
export async function startMailCatcher(host = '127.0.0.1'): Promise<MailCatcher> {
  const emails: CaughtEmail[] = [];
  let smtp: Promise<Smtp> | undefined;
  let isOpen = true;
  const receive = async (raw: Uint8Array, recipients: readonly string[]): Promise<void> => {
    emails.push(await readEmail(raw, recipients, Date.now()));
    if (emails.length > maxEmails) emails.shift();
  };
  const started = (): Promise<Smtp> => {
    smtp ??= startSmtp(receive);
    return smtp;
  };
  const deliver = async (email: Email): Promise<void> => await (await started()).send(email);
  const server = await startServer((incoming, outgoing) => {
    // Whoever looks into the mailbox expects email.
    started().catch(() => {});
    const { status, contentType, body } = answerAsMailpit(emails, incoming.url ?? '/');
    outgoing.writeHead(status, { 'content-type': contentType }).end(body);
  }, host);
  return {
    mailboxUrl: server.url,
    post(email) {
      deliver(email).catch((error: unknown) => {
        // Nobody misses an email that was under way when the service ended.
        if (isOpen) console.error(`An email could not be sent: ${error}`);
      });
    },
    async close() {
      isOpen = false;
      await server.close();
      await (await smtp?.catch(() => undefined))?.close();
    },
  };
}
