import type { assessmentFields, errorFields, workflowStates } from '../schemas/assessment.ts';
import type { MetadataKey } from '../schemas/operations.ts';
import type { taskFields } from '../schemas/task.ts';

/** An object as it goes into an answer. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Who a task is assigned to (Assignment). */
export interface AssignmentRecord {
  readonly assigned_by_id: string;
  readonly assigned_to_id: string;
  readonly assigned_to_type: 'USER' | 'TEAM';
  readonly assignment_comment: string | null;
}

/** Those of the document's fields that hold texts: all but the others. */
type Texts<Fields extends readonly string[], Others> = {
  readonly [Field in Exclude<Fields[number], keyof Others>]: string;
};

interface OthersOfTask {
  readonly assignment: AssignmentRecord | null;
  readonly name: string | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly locked_at: number;
  readonly custom_metadata: JsonObject | null;
  readonly data_version: number;
}

/** A task as the service keeps it (Task). Times are milliseconds since 1970, UTC. */
export type TaskRecord = OthersOfTask & Texts<typeof taskFields, OthersOfTask>;

interface OthersOfAssessment extends Readonly<Record<(typeof errorFields)[number], unknown>> {
  readonly created_at: number;
  readonly workflow_state: (typeof workflowStates)[number];
}

/** An assessment as the service keeps it (Assessment). Times are milliseconds since 1970, UTC. */
export type AssessmentRecord = OthersOfAssessment &
  Texts<typeof assessmentFields, OthersOfAssessment>;

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
