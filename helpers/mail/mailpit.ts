import { comparable, type Mailbox, MailboxTrouble } from './mailbox.ts';
import { type AskCatcher, fieldsOf, listOf } from './mailbox-http.ts';
import { askForList, type Identified, pagedMailbox, pageSize } from './paged-mailbox.ts';
import { textOfSource } from './source-text.ts';

/**
 * Mailpit, by its API v1. The search for an address finds it in To, Cc and Bcc; to Bcc Mailpit adds whoever the
 * envelope names and no header does. The source is read, and not the message: that would mark it as read.
 */
export function mailpit(ask: AskCatcher, addresses: readonly string[]): Mailbox {
  const messageOf = (item: unknown): Identified => {
    const { ID, To, Cc, Bcc } = fieldsOf(item);
    const id = String(ID);
    return {
      id,
      recipients: [To, Cc, Bcc].flatMap(listOf).map((one) => {
        return comparable(String(fieldsOf(one).Address));
      }),
      async content() {
        const { status, text } = await ask(`/api/v1/message/${encodeURIComponent(id)}/raw`);
        if (status === 200) return await textOfSource(text);
        throw new MailboxTrouble(
          `Mailpit answered ${status} for a message that it had listed: was it deleted meanwhile?`,
        );
      },
    };
  };
  return pagedMailbox('Mailpit', addresses, async (address, start) => {
    const query = encodeURIComponent(`"${address}"`);
    const path = `/api/v1/search?query=${query}&start=${start}&limit=${pageSize}`;
    const items = await askForList(ask, path, 'Mailpit', (json) => fieldsOf(json).messages);
    return items.map(messageOf);
  });
}
