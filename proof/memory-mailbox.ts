import { comparable, type Mailbox, type Message } from '../helpers/mail/mailbox.ts';
import type { Email } from '../reference/rules/notification.ts';

/** A way for email from the service to a mailbox that shows it. */
export interface MailRoute {
  post(email: Email): void;
  /** @param addresses whose messages the mailbox is to report */
  open(addresses: readonly string[]): Promise<Mailbox>;
}

/** A mailbox in memory: what a mail catcher would do, and no more. */
export function memoryMailbox(): MailRoute {
  let arrived: Message[] = [];
  return {
    post({ subject, text = '', html = '', ...heads }) {
      arrived.push({
        recipients: addressesOf(heads).map(comparable),
        content: async () => [subject, text, html].join('\n'),
      });
    },
    open: async () => ({
      kind: 'memory',
      async poll() {
        const messages = arrived;
        arrived = [];
        return { messages, lost: false };
      },
    }),
  };
}

/** Everybody to whom an email is sent, however it is addressed. */
export function addressesOf({
  to = [],
  cc = [],
  bcc = [],
}: Pick<Email, 'to' | 'cc' | 'bcc'>): string[] {
  return [...to, ...cc, ...bcc].map(({ address }) => address);
}
