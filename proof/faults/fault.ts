import type { AuditEvent, JsonObject } from '../../reference/records.ts';
import type { Handle } from '../../reference/reference.ts';
import type { RefusalCause, ServiceResponse } from '../../reference/request.ts';
import { answerRules } from '../../reference/rules/answer.ts';
import type { Rules } from '../../reference/rules.ts';
import type { JudgedClause } from '../../schemas/clauses.ts';

/** Wraps a service in another one. */
export type Wire = (handle: Handle) => Handle;

/** A way in which a service can be wrong. */
export interface Fault {
  /** What is wrong, as a sentence in kebab case; permanent. */
  readonly id: string;
  /** The clauses that it breaks: all of these. */
  readonly breaks: readonly JudgedClause[];
  /** Rules that take the place of the right ones. */
  readonly rules?: Partial<Rules>;
  /**
   * Stands between the requests and the service, for what no rule can change. Made once for each service: what it
   * remembers is that service's alone.
   */
  readonly wire?: Wire;
  /** Clauses that it can break as well: whether it does depends on what else is under way at the time. */
  readonly mayBreak?: readonly JudgedClause[];
  /** Whether it shows only where there are more events than a PDF may hold. */
  readonly showsAmongMany?: true;
}

/** What a fault breaks: clauses, or these and what else is to be said of it. */
export type Broken = Fault['breaks'] | Omit<Fault, 'id' | 'rules'>;

export const whole = (broken: Broken): Omit<Fault, 'id' | 'rules'> =>
  'breaks' in broken ? broken : { breaks: broken };

/** Rules that take the place of others, or what stands between the requests and the service. */
export type Replaced = Partial<Rules> | Wire;

export const byRulesOrWire = (replaced: Replaced): Pick<Fault, 'rules' | 'wire'> =>
  typeof replaced === 'function' ? { wire: replaced } : { rules: replaced };

/** Declares a fault: what it breaks, and what is wrong. */
export function fault(id: string, broken: Broken, wrong: Replaced): Fault {
  return { id, ...whole(broken), ...byRulesOrWire(wrong) };
}

/**
 * Declares faults or variants that have something in common, such as what they break: by id, what each differs in.
 *
 * @param make `fault`, `variant`, or what makes them of another value
 */
export function table<Made, Common, Value>(
  make: (id: string, common: Common, value: Value) => Made,
  common: NoInfer<Common>,
  rows: Readonly<Record<string, NoInfer<Value>>>,
): readonly Made[] {
  return Object.entries(rows).map(([id, value]) => make(id, common, value));
}

/** Rules that refuse for this cause with another status. */
export function refusedWith(cause: RefusalCause, status: number): Partial<Rules> {
  return {
    refusalStatus: (other) => (other === cause ? status : answerRules.refusalStatus(other)),
  };
}

/** The object without one of its fields. */
export function without(object: JsonObject, field: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== field));
}

/** The object with one of its fields changed: `change` gets its value, unless that is null. */
export function changed(
  object: JsonObject,
  field: string,
  change: (value: unknown) => unknown,
): JsonObject {
  const value = object[field] ?? null;
  return value === null ? object : { ...object, [field]: change(value) };
}

/** Changes every event, each of them once: events are identified by being the same object. */
export function eachOnce(
  change: (event: AuditEvent) => AuditEvent,
): (events: readonly AuditEvent[]) => readonly AuditEvent[] {
  const known = new WeakMap<AuditEvent, AuditEvent>();
  return (events) =>
    events.map((event) => {
      const other = known.get(event) ?? change(event);
      known.set(event, other);
      return other;
    });
}

/** The body of an answer, whole. */
export async function bytesOf({ body }: ServiceResponse): Promise<Uint8Array> {
  if (typeof body === 'string') return Buffer.from(body);
  if (body instanceof Uint8Array) return body;
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** A UUID that no record has. */
export const someId = '00000000-0000-4000-8000-000000000000';

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
