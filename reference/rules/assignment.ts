import type { AssignmentRecord, TaskRecord } from '../records.ts';
import type { Refusal } from '../request.ts';

/** What a write asks for: an assignment with its comment as given, or none. */
export type Change =
  | {
      readonly kind: 'update';
      readonly by: string;
      readonly to: Pick<AssignmentRecord, 'assigned_to_id' | 'assigned_to_type'>;
      readonly comment: string | null | undefined;
    }
  | {
      readonly kind: 'unassign';
      readonly by: string;
      readonly comment: string | null | undefined;
    };

/** What a write does to the task (States and transitions). */
export interface AssignmentRules {
  /** An `update` assigns the task to the given user or team; an `unassign` leaves it unassigned. */
  newAssignment(
    change: Change,
    comment: string | null,
    earlier: AssignmentRecord | null,
  ): AssignmentRecord | null;
  /** The comment is kept to the letter and none is taken over; what becomes of an empty one is not said. */
  commentToStore(
    comment: string | null | undefined,
    earlier: AssignmentRecord | null,
  ): string | null;
  /** `unassign` on a task that has no assignment is not shown. A status refuses the write. */
  unassignUnassigned(): 'carry-out' | 'leave' | number;
  /** What data_version means and when it changes is not shown. */
  dataVersionAfterWrite(dataVersion: number): number;
  /** What locked_at means and when it changes is not shown. */
  lockedAtAfterWrite(lockedAt: number, now: number): number;
  /** Transitions of task status are not shown. */
  statusAfterWrite(status: string, assignment: AssignmentRecord | null): string;
  /** A change of assignment leaves the other fields of the task as they were. */
  otherFieldsAfterWrite(task: TaskRecord, earlier: TaskRecord): TaskRecord;
  /** A change of one task leaves other tasks as they were. */
  otherTaskAfterWrite(other: TaskRecord, changed: TaskRecord): TaskRecord;
  /** The answer is the updated task, the same that is read afterwards. */
  taskInAnswer(updated: TaskRecord, earlier: TaskRecord): TaskRecord;
  /** A refused write leaves the task as it was. The body is the parsed one, or undefined. */
  taskAfterRefusal(task: TaskRecord, refusal: Refusal, body: unknown): TaskRecord;
}

export const assignmentRules: AssignmentRules = {
  newAssignment: (change, comment) =>
    change.kind === 'unassign'
      ? null
      : { assigned_by_id: change.by, ...change.to, assignment_comment: comment },
  commentToStore: (comment) => comment ?? null,
  unassignUnassigned: () => 'carry-out',
  dataVersionAfterWrite: (dataVersion) => dataVersion + 1,
  lockedAtAfterWrite: (lockedAt) => lockedAt,
  statusAfterWrite: (status) => status,
  otherFieldsAfterWrite: (task) => task,
  otherTaskAfterWrite: (other) => other,
  taskInAnswer: (updated) => updated,
  taskAfterRefusal: (task) => task,
};
