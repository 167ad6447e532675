import { isDeepStrictEqual } from 'node:util';
import type { Answer } from '../helpers/http/answer.ts';
import { jsonObject } from '../helpers/json-object.ts';
import { Inconclusive, Violation } from '../helpers/outcomes.ts';
import { shortJson } from '../helpers/validation.ts';
import { type Assignment, assignmentFields } from '../schemas/assignment.ts';
import type { FieldDifference } from '../schemas/difference.ts';
import { sameId } from '../schemas/identifier.ts';
import type { Observation } from '../schemas/observations.ts';
import { type Task, taskFields } from '../schemas/task.ts';

/*
 * What two readings of a task have in common, and whether an assignment is the one that was requested. Only the fields
 * that the document lists, and gives rules for, are compared.
 */

/** A field of a task; of the assignment, only the fields that the document lists. */
function documented(task: Task, field: (typeof taskFields)[number]): unknown {
  const value: unknown = task[field];
  if (field !== 'assignment' || !isRecord(value)) return value;
  return Object.fromEntries(assignmentFields.map((name) => [name, value[name]]));
}

/** Fields whose rules the document does not show: they may change at any time, and with no version. */
const withoutRules = ['custom_metadata', 'data_version', 'locked_at', 'status'];

/** The fields with rules in the document's table in which two tasks differ, but for those left out. */
export function differences(one: Task, other: Task, except: readonly string[] = []): string[] {
  return taskFields
    .filter((field) => !withoutRules.includes(field) && !except.includes(field))
    .filter((field) => !isDeepStrictEqual(documented(one, field), documented(other, field)));
}

interface Compared {
  readonly on: readonly Answer[];
  /** Fields that may differ. */
  readonly except?: readonly string[];
  /** How the writes among the answers were made, where they were to change nothing: "without If-Match". */
  readonly how?: string;
  /** After what, as a phrase that follows the task: "read again". */
  readonly when?: string;
}

/** When a reading shows another value than the one before it. */
export const readAgain = 'read again';

/** @throws Violation where the tasks differ in a field of the document's table that has rules */
export function expectSameTask(
  before: Task,
  after: Task,
  { on, except = [], how, when }: Compared,
): void {
  const [field, ...more] = differences(before, after, except).flatMap((one) =>
    one === 'assignment' ? differingParts(before.assignment, after.assignment) : one,
  );
  if (field === undefined) return;
  throw new Violation(
    {
      kind: 'field',
      of: 'task',
      fields: [field, ...more],
      expected: shortJson(valueAt(before, field)),
      actual: shortJson(valueAt(after, field)),
      ...(when !== undefined && { when }),
      ...(how !== undefined && { write: changedBy(how, on, field, valueAt(after, field)) }),
    },
    on,
  );
}

/** The writes that changed a field, and whether its value is the one that they sent. */
function changedBy(how: string, on: readonly Answer[], path: string, value: unknown) {
  const writes = on.filter(({ exchange }) => exchange.request.method === 'PUT');
  const field = path.split('.').at(-1) ?? path;
  const senders = writes.filter(({ exchange: { request } }) =>
    Object.values(jsonObject(request.body) ?? {}).some(
      (part) => isRecord(part) && value !== null && isDeepStrictEqual(part[field], value),
    ),
  );
  const isSent = senders.length > 0;
  const statuses = (isSent ? senders : writes).map(({ status }) => status);
  return { how, statuses: [...new Set(statuses)].sort(), isSent };
}

/** Of two assignments, the fields in which they differ, as `assignment.assigned_to_id`; the whole where one is no object. */
function differingParts(one: unknown, other: unknown): string[] {
  if (!isRecord(one) || !isRecord(other)) return ['assignment'];
  return assignmentFields
    .filter((field) => !isDeepStrictEqual(one[field], other[field]))
    .map((field) => `assignment.${field}`);
}

/** What a task has at a path, such as `assignment.assigned_to_id`. */
export function valueAt(task: Task, path: string): unknown {
  const [field = '', part] = path.split('.');
  const value: unknown = task[field as keyof Task];
  return part !== undefined && isRecord(value) ? value[part] : value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/**
 * Compares what was read of a task after a write with what was read of it before.
 *
 * @throws Violation where they differ in a field of the document's table
 * @throws Inconclusive where one of them is another task, which a clause of its own forbids
 */
export function expectUnchanged(before: Task, after: Task, options: Compared): void {
  if (!sameId(before.id, after.id)) {
    throw new Inconclusive(
      `The task that was read is not the same as before: ${shortJson(after.id)} instead of ${shortJson(before.id)}.`,
      options.on,
    );
  }
  expectSameTask(before, after, options);
}

/** What a write is about. */
const changedByWrites = ['assignment', 'updated_at'];

/** @throws Violation where the tasks differ in a field that a write does not mention */
export function expectOtherFieldsKept(before: Task, after: Task, on: readonly Answer[]): void {
  const when = 'after a write that does not mention it';
  expectUnchanged(before, after, { on, except: changedByWrites, when });
}

/** Whether the value of an assignment names nobody. */
export function namesNobody(assignment: unknown): boolean {
  if (!isRecord(assignment)) return true;
  const { assigned_to_id: id } = assignment;
  return id === undefined || id === null || id === '';
}

/** The text with its line ends as `\n`. */
const withPlainLineEnds = (text: string): string => text.replace(/\r\n?/g, '\n');

/** The text in one Unicode form: a letter and its accent as one character where there is one. */
const inOneForm = (text: string): string => text.normalize('NFC');

/** A comment as far as it must be kept: its line ends and its Unicode form the document does not speak of. */
export const normalized = (comment: string): string => inOneForm(withPlainLineEnds(comment));

/** Whether the line ends and the Unicode form of a comment were kept, as far as it has any that can be told apart. */
export function normalization(
  where: Observation<'comment.normalization'>['in'],
  comment: string,
  shown: string,
): Observation<'comment.normalization'>[] {
  if (!normalized(shown).includes(normalized(comment))) return [];
  const parts = [
    { of: 'line ends', isThere: /[\r\n]/.test(comment), rest: inOneForm },
    {
      of: 'Unicode form',
      isThere: comment.normalize('NFC') !== comment.normalize('NFD'),
      rest: withPlainLineEnds,
    },
  ] as const;
  return parts
    .filter(({ isThere }) => isThere)
    .map(({ of, rest }) => ({ in: where, of, kept: rest(shown).includes(rest(comment)) }));
}

function sameComment(one: unknown, other: unknown): boolean {
  if (typeof one !== 'string' || typeof other !== 'string') return false;
  return normalized(one) === normalized(other);
}

/** An assignment as the request that makes it says; what is undefined is not looked at. */
export type ExpectedAssignment = {
  readonly [Field in keyof Assignment]?: Assignment[Field] | undefined;
};

/** The first field in which an assignment is not as expected; undefined where it is. */
export function mismatch(
  expected: ExpectedAssignment,
  actual: unknown,
): FieldDifference | undefined {
  if (!isRecord(actual)) {
    return fieldDifference('assignment', shortJson(expected), shortJson(actual));
  }
  const wrong = Object.entries(expected).find(
    ([field, value]) =>
      value !== undefined &&
      actual[field] !== value &&
      !(field.endsWith('_id') && sameId(actual[field], value)) &&
      !(field === 'assignment_comment' && sameComment(actual[field], value)),
  );
  if (wrong === undefined) return undefined;
  const [field, value] = wrong;
  return fieldDifference(`assignment.${field}`, shortJson(value), shortJson(actual[field]));
}

/** The version of a task after a write, where it is no new one, or there is none. */
export function staysAfterWrite(version: unknown): FieldDifference {
  const actual = shortJson(version);
  const difference = fieldDifference('updated_at', 'a new value after a write', actual);
  return version === undefined ? difference : { ...difference, wrong: 'stays' };
}

/** A field of a task, or of an assessment, that has another value. */
export function fieldDifference(
  field: string,
  expected: string,
  actual: string,
  of: FieldDifference['of'] = 'task',
): FieldDifference {
  return { kind: 'field', of, fields: [field], expected, actual };
}
