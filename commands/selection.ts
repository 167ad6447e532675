import { nearest } from '../reports/nearest.ts';
import { clauseIdsOf } from '../runner/play.ts';
import type { AnyScenario } from '../runner/scenario.ts';
import { type ClauseId, clauseIds, clauseOf } from '../schemas/clauses.ts';
import { UsageError } from './usage.ts';

/**
 * The scenarios that look at a clause, or whose name holds a text.
 * @param wanted ids of clauses, beginnings of ids (`conflict.`), or parts of names of scenarios; none means all
 * @throws UsageError where one of them matches nothing
 */
export function select(
  scenarios: readonly AnyScenario[],
  wanted: readonly string[],
): readonly AnyScenario[] {
  if (wanted.length === 0) return scenarios;
  for (const text of wanted) {
    if (!scenarios.some((scenario) => matches(scenario, text))) {
      throw new UsageError(whyNothingMatches(text, scenarios));
    }
  }
  return scenarios.filter((scenario) => wanted.some((text) => matches(scenario, text)));
}

/** Whether the text is the id of a clause, letter by letter. */
export function isClauseId(text: string): text is ClauseId {
  return clauseIds.some((id) => id === text);
}

function matches(scenario: AnyScenario, text: string): boolean {
  // A whole id means that clause alone, also where it begins another one.
  const exact = isClauseId(text);
  const looksAt = clauseIdsOf(scenario).some((id) => (exact ? id === text : id.startsWith(text)));
  return looksAt || scenario.name.includes(text);
}

/** Why a text selects nothing, and what to type instead. */
export function whyNothingMatches(text: string, scenarios: readonly AnyScenario[]): string {
  if (isClauseId(text)) {
    const { untestable } = clauseOf(text);
    return untestable === undefined
      ? `No scenario looks at ${text}.`
      : `${text} cannot be tested. ${untestable}`;
  }
  const looked = new Set(scenarios.flatMap(clauseIdsOf));
  const ids = clauseIds.filter((id) => looked.has(id));
  const holding = ids.filter((id) => id.includes(text.toLowerCase())).slice(0, 3);
  const likest = holding.length > 0 ? holding : nearest(text, ids);
  return [
    `No clause and no scenario matches "${text}". Nearest: ${likest.join(', ')}`,
    '`npm run contract -- clauses` lists them all.',
  ].join('\n');
}
