import type { OpenClause } from '../../schemas/clauses.ts';
import type { Seen } from '../../schemas/profile.ts';
import type { Rules } from '../rules.ts';

/**
 * Changes rules so that the service does what was seen of an open clause.
 * @param rules those that are changed: what is seen of several clauses can come from one rule
 * @returns undefined where no rules of this service do what was seen
 */
export type Adaptation = (seen: Observed, rules: Rules) => Partial<Rules> | undefined;

/** Adaptations by clause, in the order in which they are made. */
export type Adaptations = { readonly [Id in OpenClause]?: Adaptation };

/** What was seen of one clause, for adaptations to read. Most values read `situation: outcome`. */
export class Observed {
  readonly values: readonly Seen[];

  constructor(values: readonly Seen[]) {
    this.values = values;
  }

  /** The one value that was seen; undefined where there are several. */
  get only(): Seen | undefined {
    return this.values.length === 1 ? this.values[0] : undefined;
  }

  has(value: Seen): boolean {
    return this.values.includes(value);
  }

  /** The values as pairs. */
  get outcomes(): (readonly [situation: string, outcome: string])[] {
    return this.values.map((value) => {
      const [, situation = '', outcome = ''] = /^(.+?): (.*)$/s.exec(`${value}`) ?? [];
      return [situation, outcome] as const;
    });
  }

  /** What came of a situation; undefined where it is not there, or more than one thing came of it. */
  of(situation: string): string | undefined {
    const found = this.outcomes.filter(([one]) => one === situation);
    return found.length === 1 ? found[0]?.[1] : undefined;
  }

  /** What came of all situations whose names match; undefined where it is not the same of all. */
  ofAll(situations: RegExp): string | undefined {
    const found = this.outcomes.filter(([situation]) => situations.test(situation));
    const distinct = new Set(found.map(([, outcome]) => outcome));
    return distinct.size === 1 ? found[0]?.[1] : undefined;
  }
}

/** The status in `refused with 409`; undefined where the outcome is another one. */
export function refusedWith(outcome: string | undefined): number | undefined {
  const status = /^refused with (\d{3})$/.exec(outcome ?? '')?.[1];
  return status === undefined ? undefined : Number(status);
}
