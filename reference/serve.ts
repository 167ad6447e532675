import { type Listening, type ListenOptions, listen } from './http.ts';
import { createReference, type Facts } from './reference.ts';
import type { Rules } from './rules.ts';

export interface ServeOptions extends ListenOptions {
  /** Of everything random; the same seed makes the same key and ids. */
  readonly seed?: number;
  /** Rules that take the place of the default ones. */
  readonly rules?: Partial<Rules>;
}

/**
 * Starts the service alone and says how to use it.
 * @param print gets the text once, when the service listens
 * @throws the error of the socket, where the port is taken or the host is not of this machine
 */
export async function serve(
  { seed = 1, rules = {}, ...options }: ServeOptions,
  print: (text: string) => void,
): Promise<Listening> {
  const reference = createReference({ seed, rules });
  const listening = await listen(reference, options);
  print(`${environment(reference.facts, listening)}\n\n# Serving until Ctrl+C is pressed.\n`);
  return listening;
}

/** The configuration of a run against the service, as the lines of an `.env` file. */
export function environment(facts: Facts, listening: Omit<Listening, 'close'>): string {
  const values = {
    BASE_URL: listening.baseUrl,
    API_KEY: facts.apiKey,
    TASK_IDS: facts.taskIds.join(','),
    ASSESSMENT_IDS: facts.assessmentIds.join(','),
    ASSIGNED_BY_ID: facts.actorId,
    USER_IDS: facts.userIds.join(','),
    TEAM_IDS: facts.teamIds.join(','),
    WRONG_REGION_URL: listening.otherRegionUrl,
    BLOCKED_LOCAL_ADDRESS: listening.blockedAddress,
  };
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');
}
