import type { AuditEvent, TaskRecord } from '../records.ts';
import type { Refusal } from '../request.ts';
import type { Change } from './assignment.ts';

/** What is to be recorded; undefined records nothing. */
type NewEvent = Omit<AuditEvent, 'id'> | undefined;

/** What is recorded of a write (Events). */
export const auditRules = {
  /** A change of assignment is recorded in the entity's audit record, with its comment. */
  auditEvent(change: Change, task: TaskRecord, earlier: TaskRecord, at: number): NewEvent {
    const assigned = earlier.assignment === null ? 'assigned' : 'reassigned';
    const subType = change.kind === 'unassign' ? 'unassigned' : assigned;
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
  /** A refused write leaves nothing in the audit record; the body is the parsed one, or undefined. */
  eventOfRefusal: (
    _refusal: Refusal,
    _body: unknown,
    _task: TaskRecord | undefined,
    _at: number,
  ): NewEvent => undefined,
  /** The document does not say how soon an export holds the event: in milliseconds. */
  auditDelay: (): number => 0,
};
