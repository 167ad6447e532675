import { didYouMean, misspelt } from '../helpers/did-you-mean.ts';
import { UsageError } from '../helpers/errors.ts';
import { invocation } from '../reports/commands.ts';
import { isSelected } from '../reports/verdicts.ts';
import { instant } from '../reports/wording.ts';
import { type AnyScenario, clauseIdsOf } from '../runner/scenario.ts';
import { type ClauseId, clauseIds, clauseOf } from '../schemas/clauses.ts';
import type { Results } from '../schemas/results.ts';
import { readResults } from './files.ts';
import { folderOf } from './reports.ts';

/**
 * The scenarios that look at a chosen clause, each reduced to its chosen clauses: nothing else is judged.
 * @param choice `only`: ids of clauses, beginnings of ids (`conflict.`), or parts of names of scenarios, which choose all
 *   their clauses; `level`: clauses of these levels, `stated` or `implied`. None means all
 * @throws UsageError where a text matches nothing, a level is none that is judged, or nothing is left
 */
export function select(
  scenarios: readonly AnyScenario[],
  { only = [], level: levels = [] }: { only?: readonly string[]; level?: readonly string[] },
): readonly AnyScenario[] {
  for (const text of only) requireMatch(text, scenarios);
  const unjudged = levels.find((level) => level !== 'stated' && level !== 'implied');
  if (unjudged !== undefined) {
    throw new UsageError(`--level: "${unjudged}" is not a level that is judged: stated or implied`);
  }
  const isChosen = (scenario: AnyScenario, id: ClauseId): boolean =>
    (only.length === 0 || only.some((text) => isMatch(scenario, id, text))) &&
    (levels.length === 0 || levels.includes(clauseOf(id).level));
  const chosen = scenarios.flatMap((one) => reduced(one, (id) => isChosen(one, id)));
  if (chosen.length > 0) return chosen;
  throw new UsageError(`Of ${only.join(', ')}, no clause is ${levels.join(' or ')}.`);
}

/**
 * The last run, and the scenarios that judge what it found violated, or, as a run of chosen clauses, could not decide.
 * @throws UserError where there are none
 * @throws UsageError where nothing was violated
 */
export async function lastFailed(
  reportDir: string,
  all: readonly AnyScenario[],
): Promise<{ readonly last: Results; readonly scenarios: readonly AnyScenario[] }> {
  const kinds = ['whole', 'chosen', 'interrupted'] as const;
  const folders = kinds.map((kind) => folderOf(reportDir, kind));
  const readings = await Promise.allSettled(folders.map(readResults));
  const runs = readings.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const newest = runs.sort((a, b) => a.startedAt.localeCompare(b.startedAt)).at(-1);
  // Where there is no run, the error says which file is missing.
  const last = newest ?? (await readResults(reportDir));
  const isOfChosen = last.clauses.some((clause) => !isSelected(clause));
  const open = last.clauses.filter(
    ({ verdict }) => isOfChosen && ['inconclusive', 'error'].includes(verdict),
  );
  const failed = new Set<string>([
    ...last.violations.map(({ clause }) => clause),
    ...open.map(({ id }) => id),
  ]);
  // Another version of the suite may have had other clauses.
  const only = selectedClauses(all).filter((id) => failed.has(id));
  if (only.length > 0) return { last, scenarios: select(all, { only }) };
  const found = last.verdict === 'not run' ? 'judged nothing' : 'found nothing violated';
  throw new UsageError(
    `--last-failed: the last run, of ${instant(last.startedAt)}, ${found}: there is nothing to run again.`,
  );
}

/**
 * Takes the excepted clauses out of scenarios.
 * @param except ids of clauses, beginnings of ids, or parts of names of scenarios
 * @returns what is left of the scenarios, and the clauses that nothing looks at any more
 */
export function leaveOut(
  scenarios: readonly AnyScenario[],
  except: readonly string[],
): { readonly scenarios: readonly AnyScenario[]; readonly leftOut: readonly ClauseId[] } {
  if (except.length === 0) return { scenarios, leftOut: [] };
  const left = scenarios.flatMap((one) =>
    reduced(one, (id) => !except.some((text) => isMatch(one, id, text))),
  );
  const kept = new Set(left.flatMap(clauseIdsOf));
  return {
    scenarios: left,
    leftOut: selectedClauses(scenarios).filter((id) => !kept.has(id)),
  };
}

/** The clauses that scenarios look at, in the order of the catalogue. */
export function selectedClauses(scenarios: readonly AnyScenario[]): readonly ClauseId[] {
  const ids = new Set(scenarios.flatMap(clauseIdsOf));
  return clauseIds.filter((id) => ids.has(id));
}

function isClauseId(text: string): text is ClauseId {
  return clauseIds.some((id) => id === text);
}

/** The scenario with the clauses that are kept, in a list of one; an empty list where none is kept. */
export function reduced(scenario: AnyScenario, isKept: (id: ClauseId) => boolean): AnyScenario[] {
  const ids = clauseIdsOf(scenario);
  const kept = new Set<string>(ids.filter(isKept));
  if (kept.size === ids.length) return [scenario];
  if (kept.size === 0) return [];
  const part = <Looks extends object>(looks: Looks): Looks =>
    // A part of a record has the type of the whole: all of its keys are optional.
    Object.fromEntries(Object.entries(looks).filter(([id]) => kept.has(id))) as Looks;
  const { judges, observes = {} } = scenario;
  return [{ ...scenario, judges: part(judges), observes: part(observes) }];
}

/** Whether a text chooses a clause of a scenario. A whole id chooses that clause alone, though it may begin another. */
function isMatch({ name }: AnyScenario, id: ClauseId, text: string): boolean {
  return isClauseId(text) ? id === text : id.startsWith(text) || name.includes(text);
}

/** @throws UsageError where a text chooses no clause of any scenario */
export function requireMatch(text: string, scenarios: readonly AnyScenario[]): void {
  const isMatched = scenarios.some((one) => clauseIdsOf(one).some((id) => isMatch(one, id, text)));
  if (!isMatched) throw new UsageError(whyNothingMatches(text, scenarios));
}

/** Why a text chooses nothing, and what to type instead. */
export function whyNothingMatches(text: string, scenarios: readonly AnyScenario[]): string {
  if (isClauseId(text)) {
    const { untestable } = clauseOf(text);
    return untestable === undefined
      ? `No scenario looks at ${text}.`
      : `${text} cannot be tested. ${untestable}`;
  }
  const ids = selectedClauses(scenarios);
  const words = text.toLowerCase().match(/[\p{L}\p{N}-]+/gu) ?? [text];
  const holding = ids.filter((id) => {
    const own = `${id} ${clauseOf(id).text}`.toLowerCase();
    return words.every((word) => own.includes(word));
  });
  const names = scenarios.map(({ name }) => name);
  const like = holding.length > 0 ? holding : misspelt(text, [...ids, ...names]);
  return [
    `No clause and no scenario matches "${text}".${like.length === 0 ? '' : ` ${didYouMean(like.slice(0, 3))}`}`,
    `\`${invocation} clauses WORD\` searches them, \`${invocation} clauses\` lists them all.`,
  ].join('\n');
}
