import { clauseIdsOf } from '../runner/play.ts';
import type { AnyScenario } from '../runner/scenario.ts';
import { clauseIds } from '../schemas/clauses.ts';

/**
 * The scenarios that look at a clause, or whose name holds a text.
 * @param wanted ids of clauses, beginnings of ids (`conflict.`), or parts of names of scenarios; none means all
 */
export function select(
  scenarios: readonly AnyScenario[],
  wanted: readonly string[],
): readonly AnyScenario[] {
  if (wanted.length === 0) return scenarios;
  return scenarios.filter((scenario) => wanted.some((text) => matches(scenario, text)));
}

function matches(scenario: AnyScenario, text: string): boolean {
  // A whole id means that clause alone, also where it begins another one.
  const isId = clauseIds.some((id) => id === text);
  const looksAt = clauseIdsOf(scenario).some((id) => (isId ? id === text : id.startsWith(text)));
  return looksAt || scenario.name.includes(text);
}
