import { comparable, type Mailbox } from './mailbox.ts';
import { type AskCatcher, fieldsOf, listOf } from './mailbox-http.ts';
import { askForList, type Identified, pagedMailbox, pageSize } from './paged-mailbox.ts';
import { textOfSource } from './source-text.ts';

/** MailHog, by its API v2. Its search and its lists know the envelope, and give each message with its source. */
export function mailhog(ask: AskCatcher, addresses: readonly string[]): Mailbox {
  return pagedMailbox('MailHog', addresses, async (address, start) => {
    const query = encodeURIComponent(address);
    const path = `/api/v2/search?kind=to&query=${query}&start=${start}&limit=${pageSize}`;
    const items = await askForList(ask, path, 'MailHog', (json) => fieldsOf(json).items);
    return items.map(messageOf);
  });
}

function messageOf(item: unknown): Identified {
  const { ID, To, Raw } = fieldsOf(item);
  const { To: envelope, Data } = fieldsOf(Raw);
  // Older stores keep the envelope in pieces only.
  const pieces = listOf(To).map((path) => {
    const { Mailbox: name, Domain } = fieldsOf(path);
    return `${name}@${Domain}`;
  });
  const sentTo = Array.isArray(envelope) ? envelope.map(String) : pieces;
  return {
    id: String(ID),
    recipients: sentTo.map(comparable),
    content: () => textOfSource(String(Data ?? '')),
  };
}
