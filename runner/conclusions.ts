import type { Redactor } from '../helpers/http/redact.ts';
import {
  CannotUphold,
  Inconclusive,
  NotConfigured,
  NothingSeen,
  NotJudged,
  PartNotConfigured,
  Violation,
  type ViolationFields,
} from '../helpers/outcomes.ts';
import type { ClauseId } from '../schemas/clauses.ts';
import type { Lack, Reason } from '../schemas/results.ts';

/** What a scenario says of one clause. */
export type Conclusion =
  | {
      readonly kind: 'upheld';
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
    const { difference, on, after, query } = error;
    const violation = { difference, on, ...(after && { after }), ...(query && { query }) };
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
