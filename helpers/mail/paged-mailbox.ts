import { type Mailbox, MailboxTrouble, type Message } from './mailbox.ts';
import type { AskCatcher } from './mailbox-http.ts';

/** A message with its id in the mailbox. */
export interface Identified extends Message {
  readonly id: string;
}

/** As many messages as one answer may hold: MailHog gives no more. */
export const pageSize = 250;

/** A mailbox with more messages to one address than this is not read to its end. */
const mostPages = 40;

/** One page of the messages that a search for the address finds, the newest first. */
export type AskPage = (address: string, start: number) => Promise<readonly Identified[]>;

/**
 * A mailbox that is read by a search for each address, page by page, until a page holds nothing new. Searches also
 * find addresses of which the one looked for is a part: those are left out.
 */
export function pagedMailbox(
  kind: string,
  addresses: readonly string[],
  askPage: AskPage,
): Mailbox {
  let known: ReadonlySet<string> = new Set();
  let newest: readonly string[] = [];
  return {
    kind,
    async news() {
      const byAddress = await Promise.all(
        addresses.map((address) => listTo(address, known, askPage)),
      );
      const listed = new Map(byAddress.flat().map((message) => [message.id, message]));
      const fresh = [...listed.values()].filter(({ id }) => !known.has(id));
      const lost = newest.some((id) => !listed.has(id));
      known = new Set([...known, ...listed.keys()]);
      newest = byAddress.flatMap(([first]) => first?.id ?? []);
      return { messages: fresh, lost };
    },
  };
}

async function listTo(
  address: string,
  known: ReadonlySet<string>,
  askPage: AskPage,
): Promise<Identified[]> {
  const found: Identified[] = [];
  for (let page = 0; page < mostPages; page += 1) {
    const messages = await askPage(address, page * pageSize);
    found.push(...messages.filter(({ recipients }) => recipients.includes(address)));
    const isLast = messages.length < pageSize;
    if (isLast || messages.every(({ id }) => known.has(id))) break;
  }
  return found;
}

/** Asks for a path and expects a list somewhere in the answer. @throws MailboxTrouble where there is none */
export async function askForList(
  ask: AskCatcher,
  path: string,
  kind: string,
  pick: (json: unknown) => unknown,
): Promise<readonly unknown[]> {
  const { status, json } = await ask(path);
  const list = pick(json);
  if (status === 200 && Array.isArray(list)) return list;
  throw new MailboxTrouble(
    `${kind} answered ${status} to ${path.replace(/\?.*/, '')}, without a list of messages.`,
  );
}
