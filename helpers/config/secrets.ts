import type { Settings } from './settings.ts';

/** A shorter password may be a word, which stands in records for other reasons. */
const shortestPassword = 8;

/** What is to stand in no record. */
export function secretsOf({ apiKey, mailbox }: Pick<Settings, 'apiKey' | 'mailbox'>): string[] {
  const { password = '', token } = mailbox ?? {};
  const secrets = [apiKey, token, password.length < shortestPassword ? undefined : password];
  return secrets.filter((one) => one !== undefined);
}
