import type { MetadataKey } from '../schemas/operations.ts';
import type {
  Assessment,
  Assignment,
  assessmentFields,
  assignmentFields,
  Task,
  taskFields,
} from '../schemas/resources.ts';

/** An object as it goes into an answer. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Who a task is assigned to (Assignment). */
export type AssignmentRecord = {
  readonly [Field in (typeof assignmentFields)[number]]: Assignment[Field];
};

/** A task as the service keeps it (Task), which leaves few fields empty. Times are milliseconds since 1970, UTC. */
export type TaskRecord = {
  readonly [Field in (typeof taskFields)[number]]: Field extends `${string}_at`
    ? number
    : Field extends 'assignment'
      ? AssignmentRecord | null
      : Field extends 'name' | 'custom_metadata'
        ? Task[Field]
        : NonNullable<Task[Field]>;
};

/** An assessment as the service keeps it (Assessment). Times are milliseconds since 1970, UTC. */
export type AssessmentRecord = {
  readonly [Field in (typeof assessmentFields)[number]]: Field extends 'created_at'
    ? number
    : Assessment[Field];
};

/** Somebody who gets email. */
export interface Person {
  readonly name: string;
  readonly address: string;
}

/** A user, to whom tasks are assigned, or in whose name. */
export interface User extends Person {
  readonly id: string;
}

/** A team that tasks are assigned to. */
export interface Team {
  readonly id: string;
  readonly members: readonly Person[];
}

/** An event as the service keeps it. The document shows only what events can be filtered by (4. Export audit events). */
export interface AuditEvent {
  readonly id: string;
  /** When it happened, in milliseconds since 1970, UTC. */
  readonly at: number;
  /** What is kept of that time beyond the millisecond, in nanoseconds: 0 to 999,999; missing: nothing. */
  readonly beyondMs?: number;
  /** The user who caused it. */
  readonly auditeeId: string;
  readonly eventType: string;
  readonly subType: string;
  readonly systemSource: string;
  readonly metadata: Readonly<Partial<Record<MetadataKey, string>>>;
  /** What happened, as a sentence for people. */
  readonly description: string;
  /** The comment of an assignment or unassignment, to the letter. */
  readonly comment: string | null;
}
