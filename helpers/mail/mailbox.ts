import { Inconclusive } from '../outcomes.ts';

/** One email as it stands in a mailbox. */
export interface Message {
  /** The addresses that it was sent to, in lower case; from its envelope where the mailbox shows that. */
  readonly recipients: readonly string[];
  /** Its subject, text and HTML as one text. @throws MailboxTrouble */
  content(): Promise<string>;
}

/** What has changed in a mailbox since it was last looked at; at first, all that stands in it. */
export interface News {
  readonly messages: readonly Message[];
  /** Whether messages are gone that were there before: somebody empties the mailbox. */
  readonly lost: boolean;
}

/**
 * A place where the email of the target can be read. Nothing in it is changed, marked as read or deleted. Messages
 * are told apart by their ids there, never by times: clocks differ.
 */
export interface Mailbox {
  /** What it is, for people: "Mailpit". */
  readonly kind: string;
  /** @throws MailboxTrouble; what has come until then is told the next time */
  news(): Promise<News>;
  close?(): Promise<void>;
}

/** The mailbox could not be read. The message says why, and which variable may be wrong. */
export class MailboxTrouble extends Inconclusive {}

/** Opens none. @throws MailboxTrouble */
export async function noMailbox(): Promise<Mailbox> {
  throw new MailboxTrouble('Nothing was given that reads MAILBOX_URL.');
}

/** An address as it is compared: mail systems do not tell upper case from lower. */
export function comparable(address: string): string {
  return address.trim().toLowerCase();
}
