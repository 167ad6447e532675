import type { ClauseId, JudgedClause, OpenClause } from '../schemas/clauses.ts';
import type { Observation } from '../schemas/observations.ts';
import type { Lack } from '../schemas/results.ts';
import {
  type Conclusion,
  type Conclusions,
  conclusionOfError,
  notConfigured,
} from './conclusions.ts';
import type { Need } from './needs.ts';
import type { SoFar, World } from './world.ts';

/**
 * A short sequence of requests to the target, and what the answers show. `act` sends the requests and returns
 * evidence; judges and observations only look at the evidence.
 */
export interface Scenario<Evidence> {
  /** What happens, as a sentence; unique. */
  readonly name: string;
  readonly needs?: readonly Need[];
  /** What shows clauses in all their parts, which are judged without it as far as that goes. */
  readonly shownBy?: { readonly [One in Need]?: readonly JudgedClause[] };
  /** Whose requests it looks at: they are played with it, also where nobody asks for what they judge. */
  readonly looksAt?: readonly AnyScenario[];
  /** About how many writes it sends, where that is more than a few. */
  readonly writes?: number;
  /**
   * @param before what an earlier attempt saw, where this one looks at it independently: what stood out then is enough to
   *   ask for
   */
  act(world: World, before?: Evidence): Promise<Evidence>;
  /** Evidence that the judges look at once more when all tasks have been put back; only violations then count. */
  afterPuttingBack?(soFar: SoFar): Evidence;
  /** By clause: returns where the evidence upholds it, throws a Violation where it breaks it. */
  readonly judges: { readonly [Id in JudgedClause]?: (evidence: Evidence) => void };
  /** By open clause: every fact that was observed, in any order; empty where nothing was. */
  readonly observes?: {
    readonly [Id in OpenClause]?: (evidence: Evidence) => readonly Observation<Id>[];
  };
}

// Evidence differs from scenario to scenario; the runner hands it from act to judges without looking at it.
// biome-ignore lint/suspicious/noExplicitAny: the evidence of one scenario among many
export type AnyScenario = Scenario<any>;

/** Declares a scenario; the type of the evidence is inferred from `act`. */
export function scenario<Evidence>(declared: Scenario<Evidence>): Scenario<Evidence> {
  return declared;
}

/** The clauses that a scenario judges or observes. */
export function clauseIdsOf({ judges, observes = {} }: AnyScenario): ClauseId[] {
  // The type of a scenario allows no other keys.
  return Object.keys({ ...judges, ...observes }) as ClauseId[];
}

/** One conclusion for every clause of a scenario. */
export function ofEveryClause(scenario: AnyScenario, conclusion: Conclusion): Conclusions {
  return new Map(clauseIdsOf(scenario).map((id) => [id, conclusion]));
}

/**
 * The scenarios, behind those that they look at besides: nothing is judged of these.
 * @param except parts of names of scenarios that are not to be played
 */
export function withLookedAt(
  scenarios: readonly AnyScenario[],
  except: readonly string[] = [],
): readonly AnyScenario[] {
  const names = new Set(scenarios.map(({ name }) => name));
  const others = scenarios.flatMap(({ looksAt = [] }) => looksAt);
  const further = others.filter(
    ({ name }) => !names.has(name) && !except.some((text) => name.includes(text)),
  );
  return [...further.map((one) => ({ ...one, judges: {}, observes: {} })), ...scenarios];
}

/** Whether the scenario assigns tasks. */
export function isWriting({ needs = [] }: AnyScenario): boolean {
  return needs.includes('writable-task');
}

/** What judges and observations conclude from the evidence, by clause; `errors` are those that they threw. */
export function conclusionsOn({ judges, observes = {} }: AnyScenario, evidence: unknown) {
  const conclusions = new Map<ClauseId, Conclusion>();
  const errors: unknown[] = [];
  // The type of a scenario allows no other keys and values; a judge returns nothing.
  const readers = Object.entries({ ...judges, ...observes }) as [
    ClauseId,
    (evidence: unknown) => undefined | readonly unknown[],
  ][];
  for (const [id, read] of readers) {
    try {
      const facts = read(evidence);
      if (id in judges) conclusions.set(id, { kind: 'upheld' });
      else if (facts?.length) conclusions.set(id, { kind: 'observed', facts });
      else conclusions.set(id, { kind: 'not judged', reason: { kind: 'nothing seen' } });
    } catch (error) {
      errors.push(error);
      conclusions.set(id, conclusionOfError(error));
    }
  }
  return { conclusions, errors };
}

/**
 * Conclusions that name what is not configured, where that alone shows a clause, or a part of it.
 * @param lacksFor what the configuration lacks for such needs
 */
export function inPart(
  { shownBy = {} }: Pick<AnyScenario, 'shownBy'>,
  conclusions: Conclusions,
  lacksFor: (one: { readonly needs: readonly Need[] }) => readonly Lack[],
): Conclusions {
  const all = new Map(conclusions);
  // The cast: the type of a scenario allows no other keys.
  for (const [need, ids] of Object.entries(shownBy) as [Need, readonly ClauseId[]][]) {
    const lacks = lacksFor({ needs: [need] });
    for (const id of lacks.length > 0 ? ids : []) {
      const said = all.get(id);
      const known = said && 'reason' in said ? said.reason : undefined;
      const others = known?.kind === 'not configured' ? known.lacks : [];
      const { reason } = notConfigured([...others, ...lacks]);
      if (said?.kind === 'upheld') all.set(id, { ...said, reason });
      else if (known?.kind === 'nothing seen') all.set(id, { kind: 'not judged', reason });
    }
  }
  return all;
}
