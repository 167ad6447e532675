import type { JudgedClause, OpenClause } from '../schemas/clauses.ts';
import type { World } from './world.ts';

/** What the configuration must give before a scenario can be played. */
export type Need =
  | 'task'
  | 'writable-task'
  | 'two-writable-tasks'
  | 'user'
  | 'two-users'
  | 'team'
  | 'assessment'
  | 'other-region'
  | 'blocked-route'
  | 'mailbox'
  | 'user-with-email'
  | 'two-users-with-email'
  | 'team-with-email';

/**
 * One thing that was seen where the document is open: a status, or a few words. A list is of names whose order
 * counts. It stays the same from run to run: kinds, statuses, names of fields and shapes; no ids, times or
 * personal data.
 */
export type Seen = string | number | readonly string[];

/**
 * One short story played against the target. `act` talks to it and returns evidence; judges and observations
 * only look at the evidence.
 */
export interface Scenario<Evidence> {
  /** The story as a sentence; unique, and permanent like the id of a clause. */
  readonly name: string;
  readonly needs?: readonly Need[];
  act(world: World): Promise<Evidence>;
  /** By clause: returns where the evidence upholds it, throws a Violation where it breaks it. */
  readonly judges: { readonly [Id in JudgedClause]?: (evidence: Evidence) => void };
  /** By open clause: everything that was seen, in any order; empty where nothing was. */
  readonly observes?: {
    readonly [Id in OpenClause]?: (evidence: Evidence) => readonly Seen[];
  };
}

// Evidence differs from scenario to scenario; the runner hands it from act to judges without looking at it.
// biome-ignore lint/suspicious/noExplicitAny: the evidence of one scenario among many
export type AnyScenario = Scenario<any>;

/** Declares a scenario; the type of the evidence is inferred from `act`. */
export function scenario<Evidence>(story: Scenario<Evidence>): Scenario<Evidence> {
  return story;
}
