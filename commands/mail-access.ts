import type { Settings } from '../helpers/config/settings.ts';
import type { Network } from '../helpers/http/network.ts';
import { AddressBook } from '../helpers/mail/address-book.ts';
import { type Mailbox, MailboxTrouble } from '../helpers/mail/mailbox.ts';

/** The way to the configured mailbox. */
export interface MailAccess {
  /** Opens it. @throws MailboxTrouble */
  open(): Promise<Mailbox>;
  close(): Promise<void>;
}

/** A mailbox that is to be polled must answer sooner than an export. */
const longestReplyMs = 10_000;

/** @param connect makes connections to the address of the mailbox, once it is to be opened */
export function mailAccess(settings: Settings, connect: (url: string) => Network): MailAccess {
  const { mailbox, requestTimeoutMs } = settings;
  const { addresses } = new AddressBook(settings);
  const opened: { close?(): Promise<void> }[] = [];
  return {
    async open() {
      if (mailbox === undefined) throw new MailboxTrouble('Not configured: MAILBOX_URL.');
      // Only where there is a mailbox: a reader of email takes its time to load.
      const { openMailbox } = await import('../helpers/mail/open-mailbox.ts');
      const network = connect(mailbox.url);
      opened.push(network);
      const timeoutMs = Math.min(requestTimeoutMs, longestReplyMs);
      const found = await openMailbox(mailbox, addresses, network.send, timeoutMs);
      opened.push(found);
      return found;
    },
    async close() {
      await Promise.all(opened.map((one) => one.close?.()));
    },
  };
}
