import { type Assignment, sameId, type Task } from '../../schemas/resources.ts';
import type { Answer } from '../http/answer.ts';
import { isObject } from '../json.ts';
import { Inconclusive } from '../outcomes.ts';
import { problemsOf } from '../validation.ts';

/**
 * The task that an answer holds, for further requests. Only id and updated_at are checked: judges look at the rest.
 * @throws Inconclusive where the answer is no success, or holds no task with both
 */
export function taskOf(answer: Answer): Task {
  const { succeeded, object: task, status, request } = answer;
  if (succeeded && typeof task?.id === 'string' && typeof task.updated_at === 'string') {
    // The cast: here only these two are relied on.
    return task as unknown as Task;
  }
  const lacks = succeeded ? 'no task with an id and an updated_at' : `${status}`;
  throw new Inconclusive(`The task could not be read: ${request} gave ${lacks}.`, [answer]);
}

/** Whether the answer is a success that carries a valid Task. */
export function carriesTask(answer: Answer): boolean {
  return answer.succeeded && problemsOf('task', answer.json).length === 0;
}

/** The part of a task that a write changes. */
export interface TaskState {
  /** The updated_at. */
  readonly version: string;
  /** As the target writes it, right or wrong; null where nobody is assigned. */
  readonly assignment: AssignmentFields | null;
}

/** The fields of an assignment that can be written; a wrong target may give anything for one. */
export type AssignmentFields = { readonly [Field in keyof Assignment]?: unknown };

/** The state of a task in an answer, or undefined where the answer does not show the task of this id. */
export function stateIn({ succeeded, object }: Answer, taskId: string): TaskState | undefined {
  if (!succeeded || object === undefined) return undefined;
  const { id, updated_at: version, assignment } = object;
  if (!sameId(id, taskId) || typeof version !== 'string') return undefined;
  return { version, assignment: assignmentFields(assignment) };
}

/** The fields of an assignment that can be put back; null where it names nobody. */
export function assignmentFields(assignment: unknown): AssignmentFields | null {
  if (!isObject(assignment)) return null;
  const { assigned_by_id, assigned_to_id, assigned_to_type, assignment_comment } = assignment;
  if (typeof assigned_to_id !== 'string' || assigned_to_id === '') return null;
  return {
    assigned_by_id,
    assigned_to_id,
    assigned_to_type,
    assignment_comment: assignment_comment ?? null,
  };
}

/** Whether two assignments have the same fields; null is the same as null. */
export function sameAssignment(
  one: AssignmentFields | null,
  other: AssignmentFields | null,
): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

const beginning = (text: string): string => (text.length > 400 ? `${text.slice(0, 400)}…` : text);

/** An assignment for people: `user 7d4f… (“comment”)`, with the beginning of a long comment. */
export function describeAssignment(assignment: AssignmentFields | null): string {
  if (assignment === null) return 'nobody';
  const { assigned_to_type: type, assigned_to_id: id, assignment_comment: comment } = assignment;
  const said = typeof comment === 'string' && comment !== '' ? ` (“${beginning(comment)}”)` : '';
  return `${String(type).toLowerCase()} ${id}${said}`;
}
