import type { MailboxSettings } from '../config/settings.ts';
import type { Transport } from '../http/transport.ts';
import { type Mailbox, MailboxTrouble } from './mailbox.ts';
import { type AskCatcher, catcherAt, fieldsOf } from './mailbox-http.ts';
import { maildev } from './maildev.ts';
import { mailhog } from './mailhog.ts';
import { mailpit } from './mailpit.ts';

/** How a kind of mail catcher is known: by what it answers to a question that costs it little. */
interface Kind {
  readonly path: string;
  readonly isKnownBy: (json: unknown) => boolean;
  readonly make: (ask: AskCatcher, addresses: readonly string[]) => Mailbox;
}

const isList = (value: unknown): boolean => Array.isArray(value);

// MailHog first: asked for what Mailpit is known by, it would answer with all that it holds.
const kinds: readonly Kind[] = [
  {
    path: '/api/v2/messages?limit=1',
    isKnownBy: (json) => isList(fieldsOf(json).items),
    make: mailhog,
  },
  {
    path: '/api/v1/messages?limit=1',
    isKnownBy: (json) => isList(fieldsOf(json).messages),
    make: mailpit,
  },
  {
    path: '/email?skip=1000000000',
    isKnownBy: isList,
    make: (ask, addresses) => maildev(ask, '/email', addresses),
  },
  {
    path: '/api/email?skip=1000000000',
    isKnownBy: isList,
    make: (ask, addresses) => maildev(ask, '/api/email', addresses),
  },
];

/**
 * Opens the mailbox that is configured, of whichever kind it is.
 * @param addresses whose messages it is to tell of, in lower case
 * @throws MailboxTrouble where it does not answer, takes no credentials, or is of no kind that is known
 */
export async function openMailbox(
  settings: MailboxSettings,
  addresses: readonly string[],
  send: Transport,
  timeoutMs: number,
): Promise<Mailbox> {
  const ask = catcherAt(settings, send, timeoutMs);
  for (const { path, isKnownBy, make } of kinds) {
    const { status, json } = await ask(path);
    if (status === 200 && isKnownBy(json)) return make(ask, addresses);
  }
  throw new MailboxTrouble(
    `What answers at ${settings.url} is neither Mailpit nor MailHog nor MailDev. Is MAILBOX_URL the address of its web page?`,
  );
}
