import type { JudgedClause } from '../../schemas/clauses.ts';
import type { Handle } from '../reference.ts';
import type { Rules } from '../rules.ts';

/** A way in which a service can be wrong: rules replaced by wrong ones, or answers spoilt on their way out. */
export interface Fault {
  /** What is wrong, as a sentence in kebab case; permanent. */
  readonly id: string;
  /** The clauses that it breaks: all of these. */
  readonly breaks: readonly JudgedClause[];
  /** Clauses that it can break besides: whether it does depends on what else is under way at the time. */
  readonly mayBreak?: readonly JudgedClause[];
  /** Whether it shows only where there are more events than a PDF may hold. */
  readonly showsAmongMany?: true;
  readonly rules?: Partial<Rules>;
  /** Makes the wrapper of one instance: what it remembers is that instance's alone. */
  readonly wire?: (handle: Handle) => Handle;
}
