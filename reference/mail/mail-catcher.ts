import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Email } from '../rules/notification.ts';
import { type CaughtEmail, caught } from './caught-email.ts';
import { answerAsMailpit } from './mailpit.ts';
import { type Smtp, startSmtp } from './smtp.ts';

/** Sends email over SMTP to a sink of its own, where it can be read over HTTP as in Mailpit. */
export interface PostOffice {
  /** Address of the mail catcher. */
  readonly mailboxUrl: string;
  /** Sends an email and does not wait for it. */
  post(email: Email): void;
  /** Ends all listeners; email that is under way is lost. */
  close(): Promise<void>;
}

/** More than this are not kept: the oldest go first. */
const mostKept = 500;

/**
 * Opens the mail catcher; SMTP starts with the first email, or when somebody first looks for one.
 * @param host an address of this machine
 */
export async function openPostOffice(host = '127.0.0.1'): Promise<PostOffice> {
  const emails: CaughtEmail[] = [];
  let smtp: Promise<Smtp> | undefined;
  let isOpen = true;
  const receive = async (raw: Uint8Array, recipients: readonly string[]): Promise<void> => {
    emails.push(await caught(raw, recipients, Date.now()));
    if (emails.length > mostKept) emails.shift();
  };
  const started = (): Promise<Smtp> => {
    smtp ??= startSmtp(receive);
    return smtp;
  };
  const deliver = async (email: Email): Promise<void> => await (await started()).send(email);
  const server = createServer((incoming, outgoing) => {
    // Who looks into the mailbox expects email.
    started().catch(() => {});
    const { status, contentType, body } = answerAsMailpit(emails, incoming.url ?? '/');
    outgoing.writeHead(status, { 'content-type': contentType }).end(body);
  });
  server.keepAliveTimeout = 65_000;
  server.listen(0, host);
  await once(server, 'listening');
  // address() gives text for pipes only, and this listens on a port.
  const { address, family, port } = server.address() as AddressInfo;
  return {
    mailboxUrl: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    post(email) {
      deliver(email).catch((error: unknown) => {
        // An email that was under way when the service ended is nobody's loss.
        if (isOpen) console.error(`An email could not be sent: ${error}`);
      });
    },
    async close() {
      isOpen = false;
      server.close();
      server.closeAllConnections();
      await (await smtp?.catch(() => undefined))?.close();
    },
  };
}
