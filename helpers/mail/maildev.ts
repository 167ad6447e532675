import { comparable, type Mailbox } from './mailbox.ts';
import { type AskCatcher, fieldsOf, listOf } from './mailbox-http.ts';
import { askForList, type Identified } from './paged-mailbox.ts';

/**
 * MailDev, which gives the list of all emails in the order in which they arrived, each with its envelope and its
 * bodies. Its filter tells `A@x` from `a@x`, so everything is listed once, and after that what follows the last
 * one that is known.
 * @param path of the list: `/email` in version 2, `/api/email` from version 3 on
 */
export function maildev(
  ask: AskCatcher,
  path: '/email' | '/api/email',
  addresses: readonly string[],
): Mailbox {
  const wanted = new Set(addresses);
  const known = new Set<string>();
  /** How many there were, and which was the last. */
  let end: { readonly count: number; readonly id: string } | undefined;
  const listFrom = async (skip: number): Promise<Identified[]> => {
    const items = await askForList(ask, `${path}?skip=${skip}`, 'MailDev', (json) => json);
    return items.map(messageOf);
  };
  return {
    kind: 'MailDev',
    async news() {
      const skip = end === undefined ? 0 : end.count - 1;
      const following = await listFrom(skip);
      // Where others have deleted some, what follows the last one stands somewhere else.
      const isMoved = end !== undefined && following[0]?.id !== end.id;
      const listed = isMoved ? await listFrom(0) : following;
      const last = listed.at(-1);
      end = last && { count: (isMoved ? 0 : skip) + listed.length, id: last.id };
      const fresh = listed.filter(({ id }) => !known.has(id));
      for (const { id } of fresh) known.add(id);
      const mine = fresh.filter(({ recipients }) => recipients.some((one) => wanted.has(one)));
      return { messages: mine, lost: isMoved };
    },
  };
}

function messageOf(item: unknown): Identified {
  const { id, envelope, subject, text, html } = fieldsOf(item);
  return {
    id: String(id),
    recipients: listOf(fieldsOf(envelope).to).map((one) => {
      return comparable(String(fieldsOf(one).address));
    }),
    content: async () => [subject, text, html].map((part) => String(part ?? '')).join('\n'),
  };
}
