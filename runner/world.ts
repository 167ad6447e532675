import type { Faker } from '@faker-js/faker';
import type { Api, Assignee } from '../helpers/api.ts';
import type { Exports } from '../helpers/exports/exports.ts';
import type { Answer } from '../helpers/http/answer.ts';
import type { Exchange } from '../helpers/http/exchange.ts';
import type { AddressBook } from '../helpers/mail/address-book.ts';
import type { MailWatch } from '../helpers/mail/mail-watch.ts';
import type { Tasks } from '../helpers/tasks/leases.ts';
import type { Pairs, ViolationResult } from '../schemas/results.ts';
import type { Task } from '../schemas/task.ts';

/** Where email arrives, and whose is whose. */
export interface Mail {
  readonly watch: MailWatch;
  readonly book: AddressBook;
  /** The configured users whose addresses are known, no two of them the same. */
  readonly users: readonly Assignee[];
  /** The configured teams whose members’ addresses are known. */
  readonly teams: readonly Assignee[];
}

/** What all scenarios of a run have sent and found so far: for what holds for every answer, whoever asked. */
export interface SoFar {
  /** The address that valid requests go to. */
  readonly baseUrl: string;
  readonly exchanges: readonly Exchange[];
  readonly violations: readonly ViolationResult[];
}

/** What a scenario acts in. Everything in it belongs to one run of one scenario. */
export interface World {
  readonly api: Api;
  /** Tasks of the scenario's own, to write to. */
  readonly tasks: Tasks;
  /** Whether anything may be written at all, be it to tasks that do not exist. */
  readonly mayWrite: boolean;
  /** The configured task ids, for reading only. */
  readonly taskIds: readonly string[];
  readonly assessmentIds: readonly string[];
  /** An assessment as the run has read it first; where the scenario runs again, read anew. */
  assessment(id: string): Promise<Answer>;
  /** The configured user of this rank, from 0. A scenario names in `needs` how many it uses. */
  user(rank?: number): Assignee;
  /** A configured user whom the task is not assigned to; takes two. */
  anotherUser(task: Task): Assignee;
  /** The configured team of this rank, from 0. */
  team(rank?: number): Assignee;
  /** Where a configured team serves as well as a user, but none is needed: the first of both, teams before users. */
  teamOrUser(): Assignee;
  /** The id of the user in whose name assignments are made. */
  readonly actor: string;
  /** All that are configured, the usual one first. */
  readonly actors: readonly string[];
  /**
   * Those in whose names tasks can be assigned. Where one alone is configured, another of the users too, if the target
   * takes an assignment in that name: once in a run that is tried, with the task.
   * @returns them, the usual one first, and the task as it is now
   */
  findActors(task: Task): Promise<{ readonly actors: readonly string[]; readonly task: Task }>;
  /** All configured assignees, as many as there are. */
  readonly users: readonly Assignee[];
  readonly teams: readonly Assignee[];
  readonly exports: Exports;
  /** A scenario names in `needs` what it uses of it. */
  readonly mail: Mail;
  /** How long a recorded event may take to appear in the export, in milliseconds. */
  readonly auditTimeoutMs: number;
  /**
   * Gives back the tasks and waits until the other scenarios of the run that are under way have come to their end: what a
   * time-out decides is looked for once more then.
   */
  othersAreDone(): Promise<void>;
  soFar(): SoFar;
  /** Says how many pairs of parameters the scenario asks for together, of those that can be. */
  covers(pairs: Pairs): void;
  /** The configured key, for making wrong ones from it. */
  readonly key: string;
  /** The clock, in milliseconds since 1970. */
  now(): number;
  /**
   * A mark for a comment, which stands in no other, of this run of the scenario or another. Every comment that leaves room for
   * one has one: by it the suite knows its own.
   */
  mark(): string;
  /** Random values, from the seed of the run and the name of the scenario. */
  readonly faker: Faker;
}
