import { isDeepStrictEqual } from 'node:util';
import type { OpenClause } from '../../schemas/clauses.ts';
import type { Observation } from '../../schemas/observations.ts';
import type { Rules } from '../rules.ts';

/**
 * Changes rules so that the service does what was observed of an open clause.
 * @param facts what was observed; each fact once
 * @param rules those to change: the facts of several clauses can be about one rule
 * @returns undefined where no rules of this service do what was observed
 */
export type Adaptation<Id extends OpenClause> = (
  facts: readonly Observation<Id>[],
  rules: Rules,
) => Partial<Rules> | undefined;

/** Adaptations by clause, in the order in which they are made. */
export type Adaptations = { readonly [Id in OpenClause]?: Adaptation<Id> };

/** The value that all of these have; undefined where there are none, or they differ. */
export function common<Value>(values: readonly Value[]): Value | undefined {
  const [first, ...others] = values;
  return others.every((other) => isDeepStrictEqual(other, first)) ? first : undefined;
}

/** What came of a situation; undefined where it was not observed, or different things came of it. */
export function outcomeOf<When extends string, Outcome>(
  facts: readonly { readonly when: When; readonly outcome: Outcome }[],
  when: When,
): Outcome | undefined {
  return common(facts.filter((fact) => fact.when === when).map(({ outcome }) => outcome));
}

/** The value of one of several independent facts; undefined where it was not observed, or has several values. */
export function aspectOf<Aspects extends object, Name extends keyof Aspects>(
  facts: readonly Aspects[],
  name: Name,
): Aspects[Name] | undefined {
  return common(facts.map((fact) => fact[name]).filter((value) => value !== undefined));
}

/** The change of rules that a value asks for; none where the value is not known. */
export function ifKnown<Value>(
  value: Value | undefined,
  change: (value: Value) => Partial<Rules>,
): Partial<Rules> | undefined {
  return value === undefined ? undefined : change(value);
}
