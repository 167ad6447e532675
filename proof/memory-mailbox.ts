import { comparable, type Mailbox, type Message } from '../helpers/mail/mailbox.ts';
import type { Email } from '../reference/rules/notification.ts';

/** A mailbox in memory, and the way into it: what SMTP and a mail catcher would do, and no more. */
export function memoryMailbox(): Mailbox & { post(email: Email): void } {
  let arrived: Message[] = [];
  return {
    kind: 'memory',
    post({ to = [], cc = [], bcc = [], subject, text = '', html = '' }) {
      arrived.push({
        recipients: [...to, ...cc, ...bcc].map(({ address }) => comparable(address)),
        content: async () => [subject, text, html].join('\n'),
      });
    },
    async news() {
      const messages = arrived;
      arrived = [];
      return { messages, lost: false };
    },
  };
}
