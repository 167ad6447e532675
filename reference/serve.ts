import type { Variable } from '../schemas/configuration.ts';
import { type Listening, type ListenOptions, listen } from './http.ts';
import { startMailCatcher } from './mail/mail-catcher.ts';
import { createReference, type Facts, type Reference } from './reference.ts';
import type { Rules } from './rules.ts';

export interface ServeOptions extends ListenOptions {
  /** Seed of everything random: the same one makes the same key and ids. */
  readonly seed?: number;
  /** Rules that take the place of the default ones. */
  readonly rules?: Partial<Rules>;
}

/** The service on the network, and where its email is read. */
export interface Served extends Listening {
  /** Address of a mail catcher with the API of Mailpit. */
  readonly mailboxUrl: string;
}

/**
 * Starts the service with a mail catcher of its own.
 * @throws the error of the socket, where the port is taken or the host is not of this machine
 */
export async function startReference({
  seed = 1,
  rules = {},
  ...options
}: ServeOptions): Promise<{ readonly reference: Reference; readonly listening: Served }> {
  const catcher = await startMailCatcher(options.host);
  const reference = createReference({ seed, rules, post: catcher.post });
  const listening = await listen(reference, options).catch(async (error: unknown) => {
    await catcher.close();
    throw error;
  });
  const close = async (): Promise<void> => {
    await Promise.all([listening.close(), catcher.close()]);
  };
  return { reference, listening: { ...listening, mailboxUrl: catcher.mailboxUrl, close } };
}

/** The configuration of a run against the service, as the lines of an `.env` file. */
export function environment(facts: Facts, listening: Omit<Served, 'close'>): string {
  return Object.entries(variablesOf(facts, listening))
    .map(([name, value]) => `${name}=${value.includes('"') ? `'${value}'` : value}`)
    .join('\n');
}

/** The configuration of a run against the service, by variable. */
export function variablesOf(facts: Facts, listening: Omit<Served, 'close'>) {
  return {
    BASE_URL: listening.baseUrl,
    API_KEY: facts.apiKey,
    TASK_IDS: facts.taskIds.join(','),
    ASSESSMENT_IDS: facts.assessmentIds.join(','),
    ASSIGNED_BY_ID: facts.actorIds.join(','),
    USER_IDS: facts.userIds.join(','),
    TEAM_IDS: facts.teamIds.join(','),
    WRONG_REGION_URL: listening.otherRegionUrl,
    BLOCKED_PROXY_URL: listening.blockedProxyUrl,
    MAILBOX_URL: listening.mailboxUrl,
    USER_EMAILS: JSON.stringify(facts.userEmails),
    TEAM_EMAILS: JSON.stringify(facts.teamEmails),
  } satisfies Partial<Record<Variable, string>>;
}
