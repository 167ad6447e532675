import { invocation } from '../reports/commands.ts';
import { didYouMean, similar } from '../reports/did-you-mean.ts';
import { type AnyScenario, clauseIdsOf } from '../runner/scenario.ts';
import { type ClauseId, clauseIds, clauseOf } from '../schemas/clauses.ts';
import { UsageError } from './errors.ts';

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

/**
 * The clauses that are asked for, in the order of the catalogue: by their ids, or because a scenario with the text
 * in its name looks at them.
 * @param scenarios as `select` gives them
 */
export function selectClauses(
  scenarios: readonly AnyScenario[],
  wanted: readonly string[],
): readonly ClauseId[] {
  const asked = new Set(
    scenarios.flatMap((scenario) =>
      clauseIdsOf(scenario).filter(
        (id) =>
          wanted.length === 0 ||
          wanted.some((text) => isMeant(id, text) || scenario.name.includes(text)),
      ),
    ),
  );
  return clauseIds.filter((id) => asked.has(id));
}

/** Whether the text is the id of a clause, letter by letter. */
export function isClauseId(text: string): text is ClauseId {
  return clauseIds.some((id) => id === text);
}

function matches(scenario: AnyScenario, text: string): boolean {
  const looksAt = clauseIdsOf(scenario).some((id) => isMeant(id, text));
  return looksAt || scenario.name.includes(text);
}

/** A whole id means that clause alone, also where it begins another one. */
function isMeant(id: ClauseId, text: string): boolean {
  return isClauseId(text) ? id === text : id.startsWith(text);
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
  const like = holding.length > 0 ? holding : similar(text, ids);
  return [
    `No clause and no scenario matches "${text}". ${didYouMean(like)}`,
    `\`${invocation} clauses\` lists them all.`,
  ].join('\n');
}
