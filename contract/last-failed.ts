import { UsageError } from '../helpers/errors.ts';
import { isSelected } from '../reports/grouping.ts';
import { instant } from '../reports/wording.ts';
import type { AnyScenario } from '../runner/scenario.ts';
import type { Results } from '../schemas/results.ts';
import { readResults } from './files.ts';
import { folderOf } from './reports.ts';
import { select, selectedClauses } from './selection.ts';

/**
 * The last run, and the scenarios that judge what it found violated, or, as a run of chosen clauses, could not decide.
 * @param reportDir the folder of the reports
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
