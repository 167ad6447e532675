import { UsageError } from '../helpers/errors.ts';
import { instant } from '../reports/wording.ts';
import type { AnyScenario } from '../runner/scenario.ts';
import type { Results } from '../schemas/results.ts';
import { readResults } from './files.ts';
import { folderOf } from './reports.ts';
import { select, selectedClauses } from './selection.ts';

/**
 * What found the violations of the last run, whole or of chosen clauses.
 * @param reportDir the folder of the reports
 * @throws UserError where there are none
 * @throws UsageError where nothing was violated
 */
export async function lastFailed(
  reportDir: string,
  all: readonly AnyScenario[],
): Promise<{ readonly last: Results; readonly scenarios: readonly AnyScenario[] }> {
  const folders = [reportDir, folderOf(reportDir, 'chosen')];
  const read = await Promise.allSettled(folders.map(readResults));
  const runs = read.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const newest = runs.sort((a, b) => a.startedAt.localeCompare(b.startedAt)).at(-1);
  // Without any, the error says what is missing.
  const last = newest ?? (await readResults(reportDir));
  const violated = new Set<string>(last.violations.map(({ clause }) => clause));
  // Another version of the suite may have had other clauses.
  const only = selectedClauses(all).filter((id) => violated.has(id));
  if (only.length > 0) return { last, scenarios: select(all, { only }) };
  throw new UsageError(
    `--last-failed: the last run, of ${instant(last.startedAt)}, found nothing violated: there is nothing to run again.`,
  );
}
