import { isClauseId, whyNothingMatches } from '../contract/selection.ts';
import { clauseIdsOf } from '../runner/play.ts';
import type { AnyScenario } from '../runner/scenario.ts';
import { type ClauseId, clauseOf } from '../schemas/clauses.ts';

/** A scenario with those of its clauses that are asked for. */
export interface SelectedScenario {
  readonly scenario: AnyScenario;
  readonly clauses: readonly ClauseId[];
}

/** The title of the test that gives the verdict of one scenario on one clause. */
export function titleOf(id: ClauseId): string {
  return `${id}: ${clauseOf(id).text}`;
}

/**
 * What a pattern of `-t` asks for. The id of a clause means that clause alone; anything else is a regular
 * expression for titles, as Vitest reads it.
 * @throws Error where nothing matches
 */
export function selectByPattern(
  scenarios: readonly AnyScenario[],
  pattern: string,
): SelectedScenario[] {
  const asked = pattern.replaceAll('\\', '');
  const expression = new RegExp(pattern);
  const wanted = ({ name }: AnyScenario, id: ClauseId): boolean =>
    isClauseId(asked) ? id === asked : expression.test(`${name} ${titleOf(id)}`);
  const selected = scenarios
    .map((scenario) => ({
      scenario,
      clauses: clauseIdsOf(scenario).filter((id) => wanted(scenario, id)),
    }))
    .filter(({ clauses }) => clauses.length > 0);
  if (selected.length === 0) throw new Error(whyNothingMatches(asked, scenarios));
  return selected;
}
