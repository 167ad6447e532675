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

/** What all scenarios of a run have sent and found so far: for clauses that hold for every answer. */
export interface SoFar {
  /** The address that valid requests go to. */
  readonly baseUrl: string;
  readonly exchanges: readonly Exchange[];
  readonly violations: readonly ViolationResult[];
}

/** What `act` is given to talk to the target with. It belongs to one run of one scenario. */
export interface World {
  readonly api: Api;
  /** Leases tasks to the scenario, to write to. */
  readonly tasks: Tasks;
  /** Whether writes may be sent at all, even to tasks that do not exist. */
  readonly mayWrite: boolean;
  /** The configured task ids, for reading only. */
  readonly taskIds: readonly string[];
  readonly assessmentIds: readonly string[];
  /** The answer to the first read of an assessment in the run; a further run of the scenario reads it anew. */
  assessment(id: string): Promise<Answer>;
  /** The configured user of this rank, from 0. A scenario names in `needs` how many it uses. */
  user(rank?: number): Assignee;
  /** A configured user whom the task is not assigned to; the scenario needs two users. */
  anotherUser(task: Task): Assignee;
  /** The configured team of this rank, from 0. */
  team(rank?: number): Assignee;
  /** The id of the user in whose name assignments are made. */
  readonly actor: string;
  /** The ids of all configured users in whose names assignments are made, the usual one first. */
  readonly actors: readonly string[];
  /**
   * Finds users in whose names tasks can be assigned: those of ASSIGNED_BY_ID; where that holds one id, one of the
   * other users too, if the target accepts an assignment in that name, which is tried once in a run, with this task.
   * @returns their ids, the usual one first, and the task as it is now
   */
  findActors(task: Task): Promise<{ readonly actors: readonly string[]; readonly task: Task }>;
  /** All configured assignees, as many as there are. */
  readonly users: readonly Assignee[];
  readonly teams: readonly Assignee[];
  readonly exports: Exports;
  /** The mailbox that is watched, and the addresses of users and teams; a scenario names in `needs` what it uses of it. */
  readonly mail: {
    readonly watch: MailWatch;
    readonly book: AddressBook;
    /** The configured users whose addresses are known, no two of them the same. */
    readonly users: readonly Assignee[];
    /** The configured teams whose members’ addresses are known. */
    readonly teams: readonly Assignee[];
  };
  /** How long a recorded event may take to appear in the export, in milliseconds. */
  readonly auditTimeoutMs: number;
  /** Gives back the tasks, and waits until the other scenarios under way have ended: for a last look at late email. */
  othersAreDone(): Promise<void>;
  soFar(): SoFar;
  /** Notes how many pairs of parameters the scenario asks for together, and how many it could. */
  notePairs(pairs: Pairs): void;
  /** The configured key, for making wrong ones from it. */
  readonly key: string;
  /** The clock, in milliseconds since 1970. */
  now(): number;
  /** A new mark, unlike all others. Every comment with room for a mark has one: it shows which writes are ours. */
  mark(): string;
  /** Random values, from the seed of the run and the name of the scenario. */
  readonly faker: Faker;
}
