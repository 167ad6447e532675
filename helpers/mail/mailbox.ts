import { Inconclusive } from '../outcomes.ts';

/** One email as it stands in a mailbox. */
export interface Message {
  /** The addresses that it was sent to, in lower case; from its envelope where the mailbox shows that. */
  readonly recipients: readonly string[];
  /** Its subject, text and HTML as one text. @throws MailboxError */
  content(): Promise<string>;
}

/** What has changed in a mailbox since it was last polled; at first, all that it holds. */
export interface Changes {
  readonly messages: readonly Message[];
  /** Whether messages are gone that were there before: somebody empties the mailbox. */
  readonly lost: boolean;
}

/**
 * A place where the email of the target can be read. Nothing in it is changed, marked as read or deleted. Messages
 * are distinguished by their ids there, never by times: clocks differ.
 */
export interface Mailbox {
  /** What it is, for people: "Mailpit". */
  readonly kind: string;
  /** @throws MailboxError; what has come until then is given the next time */
  poll(): Promise<Changes>;
  close?(): Promise<void>;
}

/** The mailbox could not be read. The message says why, and which variable may be wrong. */
export class MailboxError extends Inconclusive {
  override readonly name = 'MailboxError';
}

/** Opens none. @throws MailboxError */
export async function noMailbox(): Promise<Mailbox> {
  throw new MailboxError('This run was given no way to read MAILBOX_URL.');
}

/** An address as it is compared: mail systems do not tell upper case from lower. */
export function comparable(address: string): string {
  return address.trim().toLowerCase();
}
