import type { AssignmentRecord, TaskRecord } from '../records.ts';
import type { Refusal } from '../request.ts';

/** What a write asks for: an assignment with its comment as given, or none. */
export type Change = {
  readonly by: string;
  readonly comment: string | null | undefined;
} & (
  | {
      readonly kind: 'update';
      readonly to: Pick<AssignmentRecord, 'assigned_to_id' | 'assigned_to_type'>;
    }
  | { readonly kind: 'unassign' }
);

/** What a write does to the task (States and transitions). */
export const assignmentRules = {
  /** An `update` assigns the task to the given user or team; an `unassign` leaves it unassigned. */
  newAssignment: (
    change: Change,
    comment: string | null,
    _earlier: AssignmentRecord | null,
  ): AssignmentRecord | null =>
    change.kind === 'unassign'
      ? null
      : { assigned_by_id: change.by, ...change.to, assignment_comment: comment },
  /** The comment is kept unchanged and none is carried over; the document does not say what becomes of an empty one. */
  commentToStore: (comment: Change['comment'], _earlier: AssignmentRecord | null): string | null =>
    comment ?? null,
  /** The document does not say what `unassign` does to a task that has no assignment. A status refuses the write. */
  unassignUnassigned: (): 'carry-out' | 'leave' | number => 'carry-out',
  /**
   * A change of assignment leaves the other fields of the task as they were; of data_version, locked_at and status the
   * document does not say when they change, and how.
   */
  otherFieldsAfterWrite: (task: TaskRecord, _earlier: TaskRecord): TaskRecord => task,
  /** A change of one task leaves other tasks as they were. */
  otherTaskAfterWrite: (other: TaskRecord, _changed: TaskRecord): TaskRecord => other,
  /** The answer is the updated task, the same that is read afterwards. */
  taskInAnswer: (updated: TaskRecord, _earlier: TaskRecord): TaskRecord => updated,
  /** A refused write leaves the task as it was. The body is the parsed one, or undefined. */
  taskAfterRefusal: (task: TaskRecord, _refusal: Refusal, _body: unknown): TaskRecord => task,
};
