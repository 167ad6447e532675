import type { Assignee } from '../../helpers/api.ts';
import type { Answer } from '../../helpers/http/answer.ts';
import type { Email, Incoming } from '../../helpers/mail/mail-watch.ts';

/**
 * What the scenarios about email see. A plan (`plan.ts`) is a list of writes to one task; it is carried out once or
 * more, each time as a round of steps. A step is a write and the emails that arrived after it; each write has a
 * marker in its comment. Which emails belong to which write is found out in `attribution.ts`; judges and observations
 * look at nothing else.
 */
export interface Evidence extends Watched, People {}

/** What was written, and the emails that arrived. */
export interface Watched extends Known {
  /** Emails that arrived after the last step, while no other scenario wrote; empty where no email was missing. */
  readonly late: readonly Email[];
  /** Emails from the last step to the end of the run, those of other scenarios too; empty where none was missing. */
  readonly atTheEnd: readonly Email[];
}

/** What tells which emails belong to which write. */
export interface Known {
  readonly rounds: readonly Round[];
  /** Whether emails of the target were known before to name the task that they are about. */
  readonly nameTheirTask: boolean;
}

/** The people whose addresses are configured. */
export interface People {
  /** The address of the user in whose name tasks are assigned; undefined where it is not configured. */
  readonly assigner: string | undefined;
  /** All addresses that are configured. */
  readonly configured: ReadonlySet<string>;
  /** Whose address this is, in words that leave it out: “user 1f0c…”. */
  readonly ownersOf: (address: string) => string;
}

/** The steps of a plan that was carried out, from an unassigned task on. */
export type Round = readonly Step[];

/** One write, or several that are refused, and the emails that arrived after it. */
export interface Step {
  readonly kind: 'assignment' | 'reassignment' | 'refused assignment' | 'unassignment';
  readonly taskId: string;
  readonly to: Assignee | null;
  /** The addresses that are to get email, in lower case. */
  readonly addresses: readonly string[];
  /** The marker of each write, a text that stands in its comment and nowhere else. */
  readonly markers: readonly string[];
  /** The answer to each write, in the order of the markers. */
  readonly answers: readonly Answer[];
  /** All steps before, those of earlier rounds too. */
  readonly earlier: readonly Step[];
  /** Emails that arrived before the step, while the run wrote nothing; undefined where none were waited for. */
  readonly idle: Incoming | undefined;
  /** The emails that arrived after the step, until all were there or the time was up. */
  readonly incoming: Incoming;
}

/** What is known of a step before its emails arrive. */
export type Written = Omit<Step, 'idle' | 'incoming'>;

/** The steps of all rounds, in order. */
export function stepsOf({ rounds }: Pick<Known, 'rounds'>): Step[] {
  return rounds.flat();
}

/** Whether the step assigned the task, for the first time or anew. */
export function isAssigning({ kind }: Step): boolean {
  return kind === 'assignment' || kind === 'reassignment';
}
