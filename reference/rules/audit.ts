import type { AuditEvent, TaskRecord } from '../records.ts';
import type { Refusal } from '../request.ts';
import type { Change } from './assignment.ts';

/** What is recorded of a write (Events). */
export interface AuditRules {
  /** A change of assignment is recorded in the entity's audit record, with its comment; undefined records nothing. */
  auditEvent(
    change: Change,
    task: TaskRecord,
    earlier: TaskRecord,
    at: number,
  ): Omit<AuditEvent, 'id'> | undefined;
  /** A refused write leaves nothing in the audit record; the body is the parsed one, or undefined. */
  eventOfRefusal(
    refusal: Refusal,
    body: unknown,
    task: TaskRecord | undefined,
    at: number,
  ): Omit<AuditEvent, 'id'> | undefined;
  /** The document does not say how soon an export holds the event: in milliseconds. */
  auditDelay(): number;
}

export const auditRules: AuditRules = {
  auditEvent(change, task, earlier, at) {
    const subType =
      change.kind === 'unassign'
        ? 'unassigned'
        : earlier.assignment === null
          ? 'assigned'
          : 'reassigned';
    return {
      at,
      auditeeId: change.by,
      eventType: 'task',
      subType,
      systemSource: 'task_platform',
      metadata: {
        task_id: task.id,
        entity_id: task.entity_id,
        assessment_id: task.assessment_id,
        workflow_instance_id: task.workflow_instance_id,
      },
      description: `Task ${subType}`,
      comment: change.comment ?? null,
    };
  },
  eventOfRefusal: () => undefined,
  auditDelay: () => 0,
};
