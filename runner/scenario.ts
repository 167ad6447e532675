import type { Redactor } from '../helpers/http/redact.ts';
import {
  CannotUphold,
  type Case,
  Inconclusive,
  NotConfigured,
  NothingSeen,
  NotJudged,
  PartNotConfigured,
  Violation,
  type ViolationFields,
} from '../helpers/outcomes.ts';
import type { ClauseId, JudgedClause, OpenClause } from '../schemas/clauses.ts';
import type { Observation } from '../schemas/observations.ts';
import type { Lack, Reason } from '../schemas/results.ts';
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
  /** By clause. */
  readonly judges: { readonly [Id in JudgedClause]?: Judge<Evidence> };
  /** By open clause: every fact that was observed, in any order; empty where nothing was. */
  readonly observes?: {
    readonly [Id in OpenClause]?: (evidence: Evidence) => readonly Observation<Id>[];
  };
}

/** Returns where the evidence upholds a clause, and what it judged if it can tell; throws a Violation where that breaks it. */
// biome-ignore lint/suspicious/noConfusingVoidType: most judges have nothing to tell
export type Judge<Evidence> = (evidence: Evidence) => readonly Case[] | void;

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
  // The type of a scenario allows no other keys. Judges return cases, or nothing, and observations facts.
  const readers = Object.entries({ ...judges, ...observes }) as [
    ClauseId,
    (evidence: unknown) => undefined | readonly never[],
  ][];
  for (const [id, read] of readers) {
    try {
      const facts = read(evidence);
      if (id in judges) conclusions.set(id, { kind: 'upheld', cases: facts });
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

/** What a scenario says of one clause. */
export type Conclusion =
  | {
      readonly kind: 'upheld';
      /** What was judged, where the judge tells. */
      readonly cases?: readonly Case[] | undefined;
      /** What kept a part of the clause from being judged. */
      readonly reason?: Reason;
    }
  | {
      readonly kind: 'violated';
      readonly violation: ViolationFields;
      readonly intermittent: boolean;
    }
  | { readonly kind: 'observed'; readonly facts: readonly unknown[] }
  | Unjudged;

/** Why a scenario says nothing of a clause. `error`: the suite itself failed. */
export interface Unjudged {
  readonly kind: 'error' | 'inconclusive' | 'not judged';
  readonly reason: Reason;
  /** Nothing is missing: the scenario can show that the clause is broken, never that it is kept. */
  readonly cannotUphold?: true;
}

/** What a scenario says of its clauses, by their ids. */
export type Conclusions = ReadonlyMap<ClauseId, Conclusion>;

/** The conclusion for an error that a judge, an observation or `act` threw. */
export function conclusionOfError(error: unknown): Conclusion {
  if (error instanceof Violation) {
    const { difference, on, after, query, cases, common } = error;
    const violation = {
      difference,
      on,
      ...(after && { after }),
      ...(query && { query }),
      ...(cases && { cases }),
      ...(common && { common }),
    };
    return { kind: 'violated', violation, intermittent: false };
  }
  if (error instanceof NotConfigured) {
    const { variable, what } = error;
    const kind = error instanceof PartNotConfigured ? 'upheld' : 'not judged';
    return { kind, reason: { kind: 'not configured', lacks: [{ variable, what }] } };
  }
  if (error instanceof NothingSeen) return { kind: 'not judged', reason: { kind: 'nothing seen' } };
  if (error instanceof NotJudged) {
    return {
      kind: 'not judged',
      reason: { kind: 'not applicable', why: error.message, on: [] },
      ...(error instanceof CannotUphold && { cannotUphold: true }),
    };
  }
  if (error instanceof Inconclusive) return inconclusive(error);
  return suiteFailure(error);
}

/** The conclusion that the evidence does not decide. */
export function inconclusive({ message: why, exchanges }: Inconclusive): Unjudged {
  return { kind: 'inconclusive', reason: { kind: 'inconclusive', why, on: [...exchanges] } };
}

/** The conclusion that the suite itself failed: neither a violation of the target nor a pass. */
export function suiteFailure(error: unknown): Unjudged {
  const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { kind: 'error', reason: { kind: 'suite failure', why, on: [] } };
}

/** The conclusion that the configuration gives nothing to judge with. */
export function notConfigured(lacks: Lack[]): Unjudged {
  return { kind: 'not judged', reason: { kind: 'not configured', lacks } };
}

/** The conclusion that the run ended before the scenario did, or could not start. */
export function notRun(why: string): Unjudged {
  return { kind: 'not judged', reason: { kind: 'not run', why, on: [] } };
}

/** Conclusions without secrets: judges look at answers as they came, and a target may echo a key. */
export function redacted(conclusions: Conclusions, redactor: Redactor): Conclusions {
  return new Map([...conclusions].map(([id, one]) => [id, redactedConclusion(one, redactor)]));
}

function redactedConclusion(conclusion: Conclusion, redactor: Redactor): Conclusion {
  if (conclusion.kind === 'observed') {
    return { ...conclusion, facts: redactor.json(conclusion.facts) };
  }
  if (conclusion.kind === 'violated') {
    return { ...conclusion, violation: redactor.json(conclusion.violation) };
  }
  const { reason } = conclusion;
  if (reason === undefined || !('why' in reason)) return conclusion;
  return { ...conclusion, reason: { ...reason, why: redactor.excerpt(reason.why) } };
}
