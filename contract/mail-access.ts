import { rootCertificates } from 'node:tls';
import type { Settings } from '../helpers/config/settings.ts';
import type { Network } from '../helpers/http/network.ts';
import { AddressBook } from '../helpers/mail/address-book.ts';
import { type Mailbox, noMailbox } from '../helpers/mail/mailbox.ts';

/** The way to the configured mailbox. */
export interface MailAccess {
  /** Opens it. @throws MailboxError */
  open(): Promise<Mailbox>;
  close(): Promise<void>;
}

/** A mailbox that is to be polled must answer sooner than an export. */
const longestReplyMs = 10_000;

/**
 * @param connect makes connections to the address of the mailbox, once it is to be opened
 * @param certificates to trust besides the usual ones, as PEM
 */
export function mailAccess(
  settings: Settings,
  connect: (url: string) => Network,
  certificates: string | undefined,
): MailAccess {
  const { mailbox, requestTimeoutMs } = settings;
  const { addresses } = new AddressBook(settings);
  const timeoutMs = Math.min(requestTimeoutMs, longestReplyMs);
  const opened: { close?(): Promise<void> }[] = [];
  // Readers of email are loaded only where there is a mailbox: they take their time.
  const open = async (): Promise<Mailbox> => {
    if (mailbox === undefined) return await noMailbox();
    if (/^imaps?:/.test(mailbox.url)) {
      const { imapMailbox } = await import('../helpers/mail/imap.ts');
      const trusted = certificates && { certificates: [...rootCertificates, certificates] };
      return imapMailbox(mailbox, addresses, { timeoutMs, ...trusted });
    }
    const { openMailbox } = await import('../helpers/mail/mail-catchers.ts');
    const network = connect(mailbox.url);
    opened.push(network);
    return await openMailbox(mailbox, addresses, network.send, timeoutMs);
  };
  return {
    async open() {
      const found = await open();
      opened.push(found);
      return found;
    },
    async close() {
      await Promise.all(opened.map((one) => one.close?.()));
    },
  };
}
