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
  const text = (value: string): string => redactor.excerpt(value);
  return new Map([...conclusions].map(([id, conclusion]) => [id, rewritten(conclusion, text)]));
}

/** A conclusion with all its texts, as of the target's answers, put through `text`. */
function rewritten(conclusion: Conclusion, text: (value: string) => string): Conclusion {
  if (conclusion.kind === 'upheld') return conclusion;
  if (conclusion.kind === 'observed') {
    return { ...conclusion, facts: conclusion.facts.map((fact) => rewrittenJson(fact, text)) };
  }
  if (conclusion.kind === 'violated') {
    // The cast: `rewrittenJson` changes texts alone.
    const violation = rewrittenJson(conclusion.violation, text) as ViolationFields;
    return { ...conclusion, violation };
  }
  const { reason } = conclusion;
  if (!('why' in reason)) return conclusion;
  return { ...conclusion, reason: { ...reason, why: text(reason.why) } };
}

/** A JSON value with `text` applied to every string in it, names of fields too. */
export function rewrittenJson(value: unknown, text: (value: string) => string): unknown {
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return value.map((item) => rewrittenJson(item, text));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value);
  return Object.fromEntries(
    fields.map(([name, field]) => [text(name), rewrittenJson(field, text)]),
  );
}
