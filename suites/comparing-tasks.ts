import { isDeepStrictEqual } from 'node:util';
import type { Answer } from '../helpers/http/answer.ts';
import { isObject, jsonObject, shortJson } from '../helpers/json.ts';
import { Inconclusive, Violation } from '../helpers/outcomes.ts';
import { taskOf } from '../helpers/tasks/task-answer.ts';
import type { FieldDifference } from '../schemas/difference.ts';
import type { Observation } from '../schemas/observations.ts';
import {
  type Assignment,
  assignmentFields,
  sameId,
  type Task,
  taskFields,
} from '../schemas/resources.ts';

/*
 * Compares two reads of a task, and an assignment with the one that was requested. Only fields that the document lists
 * and gives rules for are compared.
 */

/** Fields that the document gives no rules for: they may change at any time, also without a new version. */
const withoutRules = ['custom_metadata', 'data_version', 'locked_at', 'status'];

/**
 * The fields with rules in which two tasks differ, but for those in `except`: of two assignments as
 * `assignment.assigned_to_id`, only the fields that the document lists; `assignment` where one is no object.
 */
export function differences(one: Task, other: Task, except: readonly string[] = []): string[] {
  const fields = taskFields.filter((name) => ![...withoutRules, ...except].includes(name));
  return fields.flatMap((field) => {
    const [before, after]: unknown[] = [one[field], other[field]];
    if (isDeepStrictEqual(before, after)) return [];
    if (field !== 'assignment' || !isObject(before) || !isObject(after)) return [field];
    return assignmentFields
      .filter((name) => !isDeepStrictEqual(before[name], after[name]))
      .map((name) => `assignment.${name}`);
  });
}

/** Whether a read shows a task otherwise than it was before; false where the read failed. */
export function isChanged({ before, read }: { before: Task; read: Answer }): boolean {
  return read.succeeded && differences(before, taskOf(read)).length > 0;
}

interface Compared {
  /** The answers that a violation shows. */
  readonly on: readonly Answer[];
  readonly except?: readonly string[];
  /** How the writes among the answers were made, where they were to change nothing: "without If-Match". */
  readonly how?: string;
  /** When the task was read, as a phrase that follows "the task": "read again". */
  readonly when?: string;
}

/** @throws Violation where the tasks differ in a field of the document's table that has rules */
export function expectSameTask(
  before: Task,
  after: Task,
  { on, except = [], how, when }: Compared,
): void {
  const [field, ...more] = differences(before, after, except);
  if (field === undefined) return;
  throw new Violation(
    {
      kind: 'field',
      of: 'task',
      fields: [field, ...more],
      expected: shortJson(valueAt(before, field)),
      actual: shortJson(valueAt(after, field)),
      ...(when !== undefined && { when }),
      ...(how !== undefined && { write: blamedWrites(how, on, field, valueAt(after, field)) }),
    },
    on,
  );
}

/** The writes to blame for the value of a field: those that sent it (`isSent`), or else all writes among `on`. */
function blamedWrites(how: string, on: readonly Answer[], path: string, value: unknown) {
  const writes = on.filter(({ exchange }) => exchange.request.method === 'PUT');
  const field = path.split('.').at(-1) ?? path;
  const senders = writes.filter(({ exchange: { request } }) =>
    Object.values(jsonObject(request.body) ?? {}).some(
      (part) => isObject(part) && value !== null && isDeepStrictEqual(part[field], value),
    ),
  );
  const isSent = senders.length > 0;
  const statuses = (isSent ? senders : writes).map(({ status }) => status);
  return { how, statuses: [...new Set(statuses)].sort(), isSent };
}

/** The value at a path of a task, such as `assignment.assigned_to_id`; where the assignment is null, null. */
export function valueAt(task: Task, path: string): unknown {
  const [field = '', part] = path.split('.');
  const value: unknown = task[field as keyof Task];
  return part !== undefined && isObject(value) ? value[part] : value;
}

/**
 * Compares a task before and after writes that must not change it.
 * @throws Violation where they differ in a field of the document's table
 * @throws Inconclusive where the two are different tasks, which a clause of its own forbids
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

/** @throws Violation where the tasks differ in a field that a write does not mention */
export function expectOtherFieldsKept(before: Task, after: Task, on: readonly Answer[]): void {
  const except = ['assignment', 'updated_at'];
  expectUnchanged(before, after, { on, except, when: 'after a write that does not mention it' });
}

/** Whether an assignment names no assignee: it is null, or its assigned_to_id is missing, null or empty. */
export function namesNobody(assignment: unknown): boolean {
  if (!isObject(assignment)) return true;
  const { assigned_to_id: id } = assignment;
  return id === undefined || id === null || id === '';
}

const withPlainLineEnds = (text: string): string => text.replace(/\r\n?/g, '\n');

/** The text in one Unicode form: a letter and its accent as one character where there is one. */
const inOneForm = (text: string): string => text.normalize('NFC');

/** A comment with plain line ends and in one Unicode form: the document does not say that those are kept. */
export const normalized = (comment: string): string => inOneForm(withPlainLineEnds(comment));

/** Facts on whether the line ends and the Unicode form of a comment were kept; none where `shown` lacks the comment. */
export function normalization(
  where: Observation<'comment.normalization'>['in'],
  comment: string,
  shown: string,
): Observation<'comment.normalization'>[] {
  if (!normalized(shown).includes(normalized(comment))) return [];
  // `plain` takes out what the other fact is about, so that each fact stands alone.
  const aspects = [
    { of: 'line ends', isInComment: /[\r\n]/.test(comment), plain: inOneForm },
    {
      of: 'Unicode form',
      isInComment: comment.normalize('NFC') !== comment.normalize('NFD'),
      plain: withPlainLineEnds,
    },
  ] as const;
  return aspects
    .filter(({ isInComment }) => isInComment)
    .map(({ of, plain }) => ({ in: where, of, kept: plain(shown).includes(plain(comment)) }));
}

/** Whether a comment begins or ends with white space: what becomes of that is open, and whether it is accepted. */
export const isPadded = (comment: string): boolean => comment.trim() !== comment;

function sameComment(kept: unknown, sent: unknown): boolean {
  if (typeof kept !== 'string' || typeof sent !== 'string') return false;
  const compared = (text: string): string => normalized(isPadded(sent) ? text.trim() : text);
  return compared(kept) === compared(sent);
}

/**
 * The difference in the first field of an assignment that is not as expected; undefined where all are.
 * @param expected a field that is undefined is not compared
 */
export function mismatch(
  expected: { readonly [Field in keyof Assignment]?: Assignment[Field] | undefined },
  actual: unknown,
): FieldDifference | undefined {
  if (!isObject(actual)) {
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

/** The difference of a task whose version (`updated_at`) after a write is no new one, or is missing. */
export function staysAfterWrite(version: unknown): FieldDifference {
  const actual = shortJson(version);
  const difference = fieldDifference('updated_at', 'a new value after a write', actual);
  return version === undefined ? difference : { ...difference, wrong: 'stays' };
}

/** The difference of a task, or of an assessment, with a field that has another value than expected. */
export function fieldDifference(
  field: string,
  expected: string,
  actual: string,
  of: FieldDifference['of'] = 'task',
): FieldDifference {
  return { kind: 'field', of, fields: [field], expected, actual };
}
