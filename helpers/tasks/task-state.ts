import type { Answer } from '../http/answer.ts';

/** Of a task: what a write changes. */
export interface TaskState {
  /** The updated_at. */
  readonly version: string;
  /** As the target writes it, right or wrong; null where nobody is assigned. */
  readonly assignment: AssignmentFields | null;
}

/** What there is to an assignment that may have been changed; a wrong target may give anything for a field. */
export interface AssignmentFields {
  readonly assigned_by_id?: unknown;
  readonly assigned_to_id?: unknown;
  readonly assigned_to_type?: unknown;
  readonly assignment_comment?: unknown;
}

/** The state of a task in an answer, or undefined where the answer does not show the task of this id. */
export function stateIn({ succeeded, object }: Answer, taskId: string): TaskState | undefined {
  if (!succeeded || object === undefined) return undefined;
  const { id, updated_at: version, assignment } = object;
  if (typeof id !== 'string' || id.toLowerCase() !== taskId.toLowerCase()) return undefined;
  return typeof version === 'string' ? { version, assignment: fieldsOf(assignment) } : undefined;
}

/** The fields of an assignment that can be put back; null where it names nobody. */
export function fieldsOf(assignment: unknown): AssignmentFields | null {
  if (typeof assignment !== 'object' || assignment === null) return null;
  const { assigned_by_id, assigned_to_id, assigned_to_type, assignment_comment } =
    assignment as AssignmentFields;
  if (typeof assigned_to_id !== 'string' || assigned_to_id === '') return null;
  return {
    assigned_by_id,
    assigned_to_id,
    assigned_to_type,
    assignment_comment: assignment_comment ?? null,
  };
}

/** Whether two assignments say the same. */
export function sameAssignment(
  one: AssignmentFields | null,
  other: AssignmentFields | null,
): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** An assignment for people: `USER 7d4f… by f2a7…, "comment"`. */
export function describeAssignment(assignment: AssignmentFields | null): string {
  if (assignment === null) return 'nobody';
  const { assigned_to_type: type, assigned_to_id: id, assignment_comment: comment } = assignment;
  const said = typeof comment === 'string' && comment !== '' ? ` (“${comment}”)` : '';
  return `${String(type).toLowerCase()} ${id}${said}`;
}
