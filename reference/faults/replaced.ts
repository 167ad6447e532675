import type { JsonObject } from '../records.ts';
import type { RefusalCause } from '../refusal.ts';
import { answerRules } from '../rules/answer.ts';
import type { Rules } from '../rules.ts';

/** Refuses for this cause with another status. */
export function refusedWith(cause: RefusalCause, status: number): Partial<Rules> {
  return {
    refusalStatus: (other) => (other === cause ? status : answerRules.refusalStatus(other)),
  };
}

/** The object without one of its fields. */
export function without(object: JsonObject, field: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== field));
}

/** The object with one of its fields made another: `change` gets its value, unless that is null. */
export function changed(
  object: JsonObject,
  field: string,
  change: (value: unknown) => unknown,
): JsonObject {
  const value = object[field] ?? null;
  return value === null ? object : { ...object, [field]: change(value) };
}

/** Any UUID that no record has. */
export const someId = '00000000-0000-4000-8000-000000000000';

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value where it is text, and the other one where it is not. */
export const textOr = <T>(other: T, value: unknown): string | T =>
  typeof value === 'string' ? value : other;
