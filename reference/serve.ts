import type { Variable } from '../schemas/configuration.ts';
import { type Listening, type ListenOptions, listen } from './http.ts';
import { startMailCatcher } from './mail/mail-catcher.ts';
import { createReference, type Facts, type ReferenceOptions } from './reference.ts';

/**
 * Starts the service on the network, with a mail catcher of its own.
 * @returns the configuration of a run against it, by variable; `close` ends it
 * @throws the error of the socket, where the port is taken or the host is not of this machine
 */
export async function startReference({
  port,
  host,
  ...options
}: ListenOptions & Pick<ReferenceOptions, 'seed' | 'rules'>) {
  const catcher = await startMailCatcher(host);
  const reference = createReference({ ...options, post: catcher.post });
  const at = { ...(port !== undefined && { port }), ...(host !== undefined && { host }) };
  const listening = await listen(reference, at).catch(async (error: unknown) => {
    await catcher.close();
    throw error;
  });
  return {
    variables: variablesOf(reference.facts, { ...listening, mailboxUrl: catcher.mailboxUrl }),
    async close(): Promise<void> {
      await Promise.all([listening.close(), catcher.close()]);
    },
  };
}

/** The configuration of a run against the service, by variable. */
export function variablesOf(facts: Facts, at: Omit<Listening, 'close'> & { mailboxUrl: string }) {
  return {
    BASE_URL: at.baseUrl,
    API_KEY: facts.apiKey,
    TASK_IDS: facts.taskIds.join(','),
    ASSESSMENT_IDS: facts.assessmentIds.join(','),
    ASSIGNED_BY_ID: facts.actorIds.join(','),
    USER_IDS: facts.userIds.join(','),
    TEAM_IDS: facts.teamIds.join(','),
    WRONG_REGION_URL: at.otherRegionUrl,
    BLOCKED_PROXY_URL: at.blockedProxyUrl,
    MAILBOX_URL: at.mailboxUrl,
    USER_EMAILS: JSON.stringify(facts.userEmails),
    TEAM_EMAILS: JSON.stringify(facts.teamEmails),
  } satisfies Partial<Record<Variable, string>>;
}

/** Variables as the lines of an `.env` file. */
export function environment(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}=${value.includes('"') ? `'${value}'` : value}`)
    .join('\n');
}
