import type { ClauseId, JudgedClause, OpenClause } from '../../schemas/clauses.ts';
import type { Handle } from '../reference.ts';
import type { Rules } from '../rules.ts';

/** Another service that the document permits just as well. */
export interface Variant {
  /** What is different, as a sentence in kebab case; permanent. */
  readonly id: string;
  /** The clause that leaves the room: an open one, or one that says less than the default rule does. */
  readonly opens: ClauseId;
  /** Further open clauses of which something else is observed, because it follows from the difference. */
  readonly follows?: readonly OpenClause[];
  /** Why nothing else is observed of any open clause, where that is so. */
  readonly unseen?: string;
  /** Whether it shows only where there are more events than a PDF may hold. */
  readonly showsAmongMany?: boolean;
  /** Clauses that cannot be judged, because nothing shows what they are about. */
  readonly hides?: readonly JudgedClause[];
  readonly rules?: Partial<Rules>;
  /** Makes the wrapper of one instance: what it remembers is that instance's alone. */
  readonly wire?: (handle: Handle) => Handle;
}
