import type { Handle } from '../../reference/reference.ts';
import type { Rules } from '../../reference/rules.ts';
import type { ClauseId, JudgedClause, OpenClause } from '../../schemas/clauses.ts';

/** Another service that the document permits just as well. */
export interface Variant extends VariantDetails {
  /** What is different, as a sentence in kebab case; permanent. */
  readonly id: string;
  /** The clause that permits it: an open one, or one that says less than the default rule does. */
  readonly opens: ClauseId;
}

export interface VariantDetails {
  /** Rules that take the place of the default ones. */
  readonly rules?: Partial<Rules>;
  /**
   * Stands between the requests and the service, for what no rule can change. Made once for each service: what it
   * remembers is that service's alone.
   */
  readonly wire?: (handle: Handle) => Handle;
  /** Further open clauses of which something else is observed, as a consequence. */
  readonly follows?: readonly OpenClause[];
  /** Why nothing else is observed of the clause that it opens, where that is so. */
  readonly unseen?: string;
  /** Clauses that cannot be judged, because nothing shows what they are about. */
  readonly hides?: readonly JudgedClause[];
  /** Whether it shows only where there are more events than a PDF may hold. */
  readonly showsAmongMany?: true;
}

/** Declares a variant, by rules or on the wire. */
export function variant(id: string, opens: Variant['opens'], details: VariantDetails): Variant {
  return { id, opens, ...details };
}
