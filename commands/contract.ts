import { access, constants, mkdir } from 'node:fs/promises';
import { ConfigurationError, type Environment } from '../helpers/config/read-settings.ts';
import type { Settings } from '../helpers/config/settings.ts';
import type { PutBack } from '../helpers/tasks/put-back.ts';
import { notRun } from '../runner/not-run.ts';
import { ContractRun, type Progress } from '../runner/run.ts';
import type { AnyScenario } from '../runner/scenario.ts';
import type { Results } from '../schemas/results.ts';
import { scenarios as everyScenario } from '../suites/index.ts';
import { openJournal } from './journal.ts';
import { type OpenTarget, openTarget, statedTarget } from './target.ts';
import { writeReports } from './write-reports.ts';

/** A run of the contract on an open target. */
export interface Contract {
  readonly run: ContractRun;
  readonly settings: Settings;
  /**
   * Puts back every task that was written to and lets go of the target; ends the embedded service where that is
   * the target.
   * @returns what became of the tasks
   */
  close(): Promise<readonly PutBack[]>;
}

/** What became of a run. */
export interface Outcome {
  readonly results: Results;
  readonly putBack: readonly PutBack[];
}

/**
 * Opens the configured target and gets a run of the scenarios ready; sends nothing yet, but for what puts
 * back the tasks that an earlier run has left changed. Where that fails, the reports say so.
 * @param configure reads the variables
 * @throws ConfigurationError, OtherRun, NotPutBack
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
    const target = await openTarget(variables);
    try {
      return await prepare(target, scenarios, startedAt, onProgress);
    } catch (error) {
      await target.close();
      throw error;
    }
  } catch (error) {
    await reportNotRun(error, variables, startedAt);
    throw error;
  }
}

async function prepare(
  { settings, network, close: closeTarget }: OpenTarget,
  scenarios: readonly AnyScenario[],
  startedAt: Date,
  onProgress: (progress: Progress) => void,
): Promise<Contract> {
  await prepareFolder(settings);
  const { send } = network;
  const tell = (text: string): void => void process.stderr.write(text);
  const { journal, file } = await openJournal(settings, send, startedAt, tell);
  const run = new ContractRun({ settings, send, journal, scenarios, startedAt, onProgress });
  const close = async (): Promise<readonly PutBack[]> => {
    const putBack = file === undefined ? [] : await run.putBack();
    const failed = putBack.some(({ outcome }) => outcome === 'failed');
    if (failed) file?.close();
    else await file?.discard();
    await closeTarget();
    return putBack;
  };
  return { run, settings, close };
}

/**
 * Plays the run to its end, or to the end of its time; puts back what it changed, lets go of the target and
 * writes the reports.
 * @returns what the run found
 * @throws what is wrong with the suite itself; the reports are written all the same
 */
export async function playContract({ run, settings, close }: Contract): Promise<Outcome> {
  const failures: unknown[] = [];
  const limit = settings.runTimeoutMs;
  const timer = setTimeout(() => {
    run.giveUp(`The run was ended after ${limit / 1000} s (RUN_TIMEOUT_MS).`, 'inconclusive');
  }, limit);
  try {
    await run.preflight();
    await run.playAll();
  } catch (error) {
    failures.push(error);
    run.giveUp(`The suite itself failed: ${error}`);
  }
  clearTimeout(timer);
  const putBack = await close();
  const results = run.results();
  await writeReports(results, run.exchanges, settings.reportDir);
  if (failures.length > 0) throw failures[0];
  return { results, putBack };
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
