import type { Variable } from '../../schemas/configuration.ts';
import type { MailboxSettings } from './settings.ts';

/**
 * Where email is read, and with what: the variables go before a name and a password in the address.
 * @param values valid ones
 */
export function mailboxOf(
  values: Readonly<Partial<Record<Variable, string>>>,
): MailboxSettings | undefined {
  const { MAILBOX_URL: address, MAILBOX_USER, MAILBOX_PASSWORD, MAILBOX_TOKEN } = values;
  // Whether it can be parsed is looked at with the other addresses, which are told of together.
  if (address === undefined || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  const { username, password } = url;
  url.username = '';
  url.password = '';
  return {
    url: url.href.replace(/\/+$/, ''),
    user: MAILBOX_USER ?? decoded(username),
    password: MAILBOX_PASSWORD ?? decoded(password),
    token: MAILBOX_TOKEN,
  };
}

function decoded(part: string): string | undefined {
  if (part === '') return undefined;
  try {
    return decodeURIComponent(part);
  } catch {
    // A per cent sign that was meant as one.
    return part;
  }
}
