import type { Settings } from './settings.ts';

/** What is to stand in no record: keys, passwords, and the addresses of people. */
export function secretsOf({ apiKey, mailbox, userEmails, teamEmails }: Settings): string[] {
  const { password, token } = mailbox ?? {};
  const addresses = [...Object.values(userEmails), ...Object.values(teamEmails).flat()];
  return [apiKey, password, token, ...addresses].filter((one) => one !== undefined);
}
