import { bodyRules } from '../../reference/rules/body.ts';
import type { Rules } from '../../reference/rules.ts';
import type { ClauseId, JudgedClause, OpenClause } from '../../schemas/clauses.ts';
import { byRulesOrWire, type Fault, isObject, type Replaced } from '../faults/fault.ts';

/** Another service that the document permits just as well. */
export interface Variant extends Pick<Fault, 'rules' | 'wire' | 'showsAmongMany'> {
  /** What is different, as a sentence in kebab case; permanent. */
  readonly id: string;
  /** The clause that permits it: an open one, or one that says less than the default rule does. */
  readonly opens: ClauseId;
  /** Further open clauses of which something else is observed, as a consequence. */
  readonly follows?: readonly OpenClause[];
  /** Why nothing else is observed of the clause that it opens, where that is so. */
  readonly unseen?: string;
  /** Clauses that cannot be judged, because nothing shows what they are about. */
  readonly hides?: readonly JudgedClause[];
}

/** What a variant opens: a clause, or this and what else is to be said of it. */
export type Opened = ClauseId | Omit<Variant, 'id' | 'rules'>;

/** Declares a variant: what it opens, and what is different. */
export function variant(id: string, opened: Opened, other: Replaced): Variant {
  return {
    id,
    ...(typeof opened === 'string' ? { opens: opened } : opened),
    ...byRulesOrWire(other),
  };
}

/** Rules that refuse a write for its comment, as they refuse an invalid body. */
export const refusingComments = (isRefused: (comment: string) => boolean): Partial<Rules> => ({
  bodyProblem(body) {
    const problem = bodyRules.bodyProblem(body);
    if (problem !== undefined || !isObject(body)) return problem;
    const changes = [body.update, body.unassign].filter(isObject);
    return changes.some(
      ({ assignment_comment: comment }) => typeof comment === 'string' && isRefused(comment),
    )
      ? 'The comment is refused.'
      : undefined;
  },
});
