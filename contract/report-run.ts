import { access, constants } from 'node:fs/promises';
import { ConfigurationError } from '../helpers/config/read-settings.ts';
import type { Settings } from '../helpers/config/settings.ts';
import { reviewWaivers } from '../reports/waivers.ts';
import type { Results } from '../schemas/results.ts';
import type { Waiver } from '../schemas/waivers.ts';
import { historyFolder, keepRun, readHistory } from './history.ts';
import { readWaivers } from './waivers-file.ts';
import {
  clearReports,
  type Reported,
  reportWriters,
  type Written,
  writeAll,
} from './write-reports.ts';

/** What a run is reported with, known before it begins. */
export interface Reporting {
  readonly settings: Settings;
  /** Whether all scenarios are to be played, and the run to be kept for those to come. */
  readonly whole: boolean;
  readonly waivers: readonly Waiver[];
  /** Earlier runs of the same target, the oldest first. */
  readonly history: readonly Results[];
}

/** What was reported of a run, and where; the failures are those of the suite itself. */
export interface Told extends Written {
  readonly reported: Reported;
}

/**
 * Reads what the reports need, and sees that they can be written: better now than after the run.
 * @throws ConfigurationError
 */
export async function prepareReports(settings: Settings, whole: boolean): Promise<Reporting> {
  const { reportDir, target, waiversFile } = settings;
  try {
    await clearReports(reportDir);
    await access(reportDir, constants.W_OK);
  } catch (error) {
    throw unusable(`"${reportDir}" cannot be written to`, error);
  }
  const waivers = await readWaivers(waiversFile);
  const folder = historyFolder(reportDir, target);
  const history = await readHistory(folder).catch((error: unknown) => {
    throw unusable(`the runs kept in "${folder}" cannot be read`, error);
  });
  return { settings, whole, waivers, history };
}

function unusable(what: string, error: unknown): ConfigurationError {
  const why = error instanceof Error ? error.message : String(error);
  return new ConfigurationError(`REPORT_DIR: ${what} (${why}); for example reports/latest`);
}

/** Holds the waivers against what a run found, writes its reports, and keeps it for the runs to come. */
export async function reportRun(
  { results, exchanges }: Pick<Reported, 'results' | 'exchanges'>,
  { settings, whole, waivers, history }: Reporting,
): Promise<Told> {
  const { reportDir, target, keepRuns, staleWaiversFail } = settings;
  const review = reviewWaivers(results, waivers, new Date(results.startedAt), staleWaiversFail);
  const reported = { results, exchanges, review, history };
  // A run of chosen scenarios, or one that judged nothing, says little of what changed since.
  const telling = whole && results.verdict !== 'not run';
  const keep = () => keepRun(historyFolder(reportDir, target), results, keepRuns);
  const writers = [...reportWriters(reported, reportDir), ...(telling ? [keep] : [])];
  return { reported, ...(await writeAll(writers)) };
}
