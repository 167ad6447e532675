import { isDeepStrictEqual } from 'node:util';
import type { Answer } from '../helpers/http/answer.ts';
import { Inconclusive, Violation } from '../helpers/outcomes.ts';
import { shortJson } from '../helpers/validation.ts';
import { type Task, taskFields } from '../schemas/task.ts';

/** @throws Violation unless the answer has this status */
export function expectStatus(answer: Answer, status: number, what: string): void {
  if (answer.status === status) return;
  throw new Violation(what, { expected: `${status}`, actual: `${answer.status}`, on: [answer] });
}

/** @throws Violation unless the answer is a success; the document does not show which 2xx it is */
export function expectSuccess(answer: Answer, what: string): void {
  if (answer.succeeded) return;
  throw new Violation(what, {
    expected: 'success (2xx)',
    actual: `${answer.status}`,
    on: [answer],
  });
}

/**
 * @param hint for a person who reads of a 404
 * @throws Violation unless the answer is a success with an object that has all these fields
 */
export function expectFullObject(
  answer: Answer,
  fields: readonly string[],
  what: string,
  hint: string,
): void {
  // Whether the key is accepted is a clause of its own.
  if (answer.status === 401) throw new Inconclusive(`${answer.request} gave 401.`);
  const missing = fields.filter((field) => !(field in (answer.object ?? {})));
  if (answer.succeeded && missing.length === 0) return;
  const body = answer.object === undefined ? 'no JSON object' : `no ${missing.join(', ')}`;
  const status = answer.status === 404 ? `404; ${hint}` : `${answer.status}`;
  throw new Violation(what, {
    expected: 'success (2xx) with the full object',
    actual: answer.succeeded ? `${status} with ${body}` : status,
    on: [answer],
  });
}

/**
 * A refusal proves something only if the same request, right in the one point, is accepted.
 * @throws Inconclusive unless it was
 */
export function requireTwin(twin: Answer, what: string): void {
  if (twin.succeeded) return;
  const { request, status, exchange } = twin;
  throw new Inconclusive(
    `The refusal proves nothing: ${what} was not accepted either: ${request} gave ${status} (#${exchange.number}).`,
  );
}

/** A task, and the answer in which it was read. */
export interface Reading {
  readonly task: Task;
  readonly answer: Answer;
}

/** The assignment as far as the document shows it: further fields are the service's own affair. */
function documented(task: Task, field: (typeof taskFields)[number]): unknown {
  const value: unknown = task[field];
  if (field !== 'assignment' || typeof value !== 'object' || value === null) return value;
  const { assigned_by_id, assigned_to_id, assigned_to_type, assignment_comment } = value as Record<
    string,
    unknown
  >;
  return { assigned_by_id, assigned_to_id, assigned_to_type, assignment_comment };
}

/** The fields of the document's table in which two tasks differ, but for those left out. */
export function differences(one: Task, other: Task, except: readonly string[] = []): string[] {
  return taskFields
    .filter((field) => !except.includes(field))
    .filter((field) => !isDeepStrictEqual(documented(one, field), documented(other, field)));
}

/** @throws Violation where the tasks differ in a field of the document's table */
export function expectSameTask(
  what: string,
  before: Task,
  after: Task,
  { on, except = [] }: { on: readonly Answer[]; except?: readonly string[] },
): void {
  const [field, ...more] = differences(before, after, except);
  if (field === undefined) return;
  // Both are tasks that were read; the field is one of the table's.
  const value = (task: Task): string => shortJson(task[field as keyof Task]);
  const others = more.length === 0 ? '' : ` (and ${more.join(', ')} differ)`;
  throw new Violation(what, {
    expected: `${field} ${value(before)}`,
    actual: `${field} ${value(after)}${others}`,
    on,
  });
}

/** Whether the value of an assignment names nobody. */
export function namesNobody(assignment: unknown): boolean {
  if (typeof assignment !== 'object' || assignment === null) return true;
  const { assigned_to_id: id } = assignment as Record<string, unknown>;
  return id === undefined || id === null || id === '';
}

/** An assignment as the document shows it, from the request that makes it. */
export interface ExpectedAssignment {
  readonly assigned_by_id: string;
  readonly assigned_to_id: string;
  readonly assigned_to_type: string;
  /** undefined: not looked at. */
  readonly assignment_comment?: string | null;
}

/** The first field in which an assignment is not as expected, with both values; undefined where it is. */
export function mismatch(
  expected: Partial<ExpectedAssignment>,
  actual: unknown,
): { expected: string; actual: string } | undefined {
  const fields =
    typeof actual === 'object' && actual !== null ? (actual as Record<string, unknown>) : undefined;
  if (fields === undefined) {
    return {
      expected: `assignment ${shortJson(expected)}`,
      actual: `assignment ${shortJson(actual)}`,
    };
  }
  const wrong = Object.entries(expected).find(
    ([field, value]) => value !== undefined && fields[field] !== value,
  );
  if (wrong === undefined) return undefined;
  const [field, value] = wrong;
  return {
    expected: `${field} ${shortJson(value)}`,
    actual: `${field} ${shortJson(fields[field])}`,
  };
}
