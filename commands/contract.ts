import { access, constants, mkdir } from 'node:fs/promises';
import { ConfigurationError, type Environment } from '../helpers/config/read-settings.ts';
import type { Settings } from '../helpers/config/settings.ts';
import { notRun } from '../runner/not-run.ts';
import { ContractRun, type Progress } from '../runner/run.ts';
import type { AnyScenario } from '../runner/scenario.ts';
import type { Results } from '../schemas/results.ts';
import { scenarios as everyScenario } from '../suites/index.ts';
import { openTarget, statedTarget } from './target.ts';
import { writeReports } from './write-reports.ts';

/** A run of the contract on an open target. */
export interface Contract {
  readonly run: ContractRun;
  readonly settings: Settings;
  /** Lets go of the target, and ends the embedded service where that is the target. */
  close(): Promise<void>;
}

/**
 * Opens the configured target and gets a run of the scenarios ready; sends nothing yet. Where that fails, the
 * reports say so.
 * @param configure reads the variables
 * @throws ConfigurationError
 */
export async function openContract(
  configure: () => Environment,
  scenarios: readonly AnyScenario[],
  onProgress: (progress: Progress) => void = () => {},
): Promise<Contract> {
  const startedAt = new Date();
  let variables: Environment = process.env;
  try {
    variables = configure();
    const { settings, network, close } = await openTarget(variables);
    await prepareFolder(settings).catch(async (error: unknown) => {
      await close();
      throw error;
    });
    const { send } = network;
    const run = new ContractRun({ settings, send, scenarios, startedAt, onProgress });
    return { run, settings, close };
  } catch (error) {
    await reportNotRun(error, variables, startedAt);
    throw error;
  }
}

/**
 * Plays the run to its end, lets go of the target and writes the reports.
 * @returns what the run found
 * @throws what is wrong with the suite itself; the reports are written all the same
 */
export async function playContract({ run, settings, close }: Contract): Promise<Results> {
  const failures: unknown[] = [];
  try {
    await run.preflight();
    await run.playAll();
  } catch (error) {
    failures.push(error);
    run.giveUp(`The suite itself failed: ${error}`);
  }
  await close();
  const results = run.results();
  await writeReports(results, run.exchanges, settings.reportDir);
  if (failures.length > 0) throw failures[0];
  return results;
}

/** @throws ConfigurationError where reports could not be written: better now than after the run */
async function prepareFolder({ reportDir }: Settings): Promise<void> {
  try {
    await mkdir(reportDir, { recursive: true });
    await access(reportDir, constants.W_OK);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ConfigurationError(
      `REPORT_DIR: "${reportDir}" cannot be written to (${why}); for example reports/latest`,
    );
  }
}

async function reportNotRun(
  error: unknown,
  variables: Environment,
  startedAt: Date,
): Promise<void> {
  const message = error instanceof Error ? error.message : String(error);
  const reason = message.split('\n').join('; ');
  const { target, seed, reportDir } = statedTarget(variables);
  const results = notRun(reason, everyScenario, { target, seed, startedAt });
  // The folder may be what is wrong; the error that led here is the one to tell.
  await writeReports(results, [], reportDir).catch(() => {});
}
