import type { ClauseId, JudgedClause } from '../../schemas/clauses.ts';
import type { Handle } from '../reference.ts';
import type { Rules } from '../rules.ts';

/** Another service that the document permits just as well. */
export interface Variant {
  /** What is different, as a sentence in kebab case; permanent. */
  readonly id: string;
  /** The clause that leaves the room: an open one, or one that says less than the default rule does. */
  readonly opens: ClauseId;
  /** Clauses that cannot be judged, because nothing shows what they are about. */
  readonly hides?: readonly JudgedClause[];
  readonly rules?: Partial<Rules>;
  /** Makes the wrapper of one instance: what it remembers is that instance's alone. */
  readonly wire?: (handle: Handle) => Handle;
}
