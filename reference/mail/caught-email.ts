import { randomUUID } from 'node:crypto';
import PostalMime, { type Address, type Mailbox } from 'postal-mime';

/** An email as it arrived. */
export interface CaughtEmail {
  readonly id: string;
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
  readonly raw: Uint8Array;
  readonly subject: string;
  readonly to: readonly Mailbox[];
  readonly cc: readonly Mailbox[];
  /** Whoever gets it and stands in no header. */
  readonly bcc: readonly Mailbox[];
}

/** Reads an email. @param envelope the addresses that it was sent to, whatever its headers say */
export async function caught(
  raw: Uint8Array,
  envelope: readonly string[],
  at: number,
): Promise<CaughtEmail> {
  const { to = [], cc = [], subject = '' } = await PostalMime.parse(raw);
  const shown = { to: mailboxes(to), cc: mailboxes(cc) };
  const named = new Set([...shown.to, ...shown.cc].map(({ address }) => address.toLowerCase()));
  const bcc = envelope
    .filter((address) => !named.has(address.toLowerCase()))
    .map((address) => ({ name: '', address }));
  return { id: randomUUID(), at, raw, subject, ...shown, bcc };
}

/** Addresses by themselves, those of groups too. */
function mailboxes(addresses: readonly Address[]): Mailbox[] {
  return addresses.flatMap((one) => (one.group === undefined ? [one] : one.group));
}
