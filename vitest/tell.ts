import type { TestContext } from 'vitest';
import { Inconclusive } from '../helpers/outcomes.ts';
import { waivedUntil } from '../reports/waivers.ts';
import type { Finding } from '../runner/play.ts';
import { clauseResult, type Played } from '../runner/verdicts.ts';
import type { ClauseId } from '../schemas/clauses.ts';
import type { Waiver } from '../schemas/waivers.ts';

/** A violation, and the scenario that found it. */
export interface Violated extends Extract<Finding, { kind: 'violated' }> {
  readonly scenario: string;
}

export interface Telling {
  readonly context: TestContext;
  /** Of the clause, where one holds. */
  readonly waiver: Waiver | undefined;
  /** The error that shows violations. Vitest shows the difference between its `expected` and `actual`. */
  readonly failure: (violated: readonly [Violated, ...Violated[]]) => Error;
  /** How a reason is put for the reader; as it is unless told. */
  readonly reword?: (reason: string) => string;
}

/**
 * Tells Vitest what scenarios found of a clause. A violation fails, and so does what is inconclusive; what is not
 * judged, or waived, is skipped with the reason; what was observed is an annotation.
 */
export async function tellVerdict(
  id: ClauseId,
  played: readonly Played[],
  { context, waiver, failure, reword = (reason) => reason }: Telling,
): Promise<void> {
  const { verdict, reason, observed } = clauseResult(id, played);
  switch (verdict) {
    case 'upheld':
      return;
    case 'observed':
      for (const value of observed) await context.annotate(value, 'observed');
      return;
    case 'violated': {
      const [first, ...more] = violatedIn(id, played);
      if (first === undefined) throw new Error(`${id} is violated by nothing.`);
      if (waiver !== undefined) return context.skip(waivedUntil(waiver));
      throw failure([first, ...more]);
    }
    case 'inconclusive':
      throw withoutFrames(new Inconclusive(reword(reason)));
    default:
      return context.skip(reword(reason));
  }
}

function violatedIn(id: ClauseId, played: readonly Played[]): Violated[] {
  return played.flatMap(({ scenario, findings }) => {
    const finding = findings.get(id);
    return finding?.kind === 'violated' ? [{ ...finding, scenario }] : [];
  });
}

/** An error that shows no code: ours says nothing about the service. */
export function withoutFrames<E extends Error>(error: E): E {
  error.stack = `${error.name}: ${error.message}`;
  return error;
}
