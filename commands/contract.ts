import type { Environment } from '../helpers/config/read-settings.ts';
import type { Settings } from '../helpers/config/settings.ts';
import { noJournal } from '../helpers/tasks/journal.ts';
import { noWaivers } from '../reports/waivers.ts';
import { notRun } from '../runner/not-run.ts';
import { ContractRun, type Progress } from '../runner/run.ts';
import type { AnyScenario } from '../runner/scenario.ts';
import { scenarios as everyScenario } from '../suites/index.ts';
import { prepareReports, type Reporting, reportRun, type Told } from './report-run.ts';
import { openTarget, statedTarget } from './target.ts';
import { reportWriters, writeAll } from './write-reports.ts';

/** A run of the contract on an open target. */
export interface Contract {
  readonly run: ContractRun;
  readonly settings: Settings;
  readonly reporting: Reporting;
  /** Lets go of the target, and ends the embedded service where that is the target. */
  close(): Promise<void>;
}

/** A run could not start. The message says why; the reports were written, and say so too. */
export class NotStarted extends Error {
  readonly told: Told;

  constructor(cause: unknown, told: Told) {
    super(messageOf(cause), { cause });
    this.told = told;
  }
}

/**
 * Opens the configured target and gets a run of the scenarios ready; sends nothing yet.
 * @param configure reads the variables
 * @throws NotStarted
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
    const whole = scenarios.length === everyScenario.length;
    const reporting = await prepareReports(settings, whole).catch(async (error: unknown) => {
      await close();
      throw error;
    });
    const { send } = network;
    const journal = noJournal;
    const run = new ContractRun({ settings, send, journal, scenarios, startedAt, onProgress });
    return { run, settings, reporting, close };
  } catch (error) {
    throw new NotStarted(error, await reportNotRun(error, variables, startedAt));
  }
}

/** Plays the run to its end, lets go of the target and writes the reports, whatever is wrong with the suite itself. */
export async function playContract({ run, reporting, close }: Contract): Promise<Told> {
  const failures: unknown[] = [];
  try {
    await run.preflight();
    await run.playAll();
  } catch (error) {
    failures.push(error);
    run.giveUp(`The suite itself failed: ${error}`);
  }
  await close();
  const told = await reportRun({ results: run.results(), exchanges: run.exchanges }, reporting);
  return { ...told, failures: [...failures, ...told.failures] };
}

async function reportNotRun(
  error: unknown,
  variables: Environment,
  startedAt: Date,
): Promise<Told> {
  const reason = messageOf(error).split('\n').join('; ');
  const { target, seed, reportDir } = statedTarget(variables);
  const results = notRun(reason, everyScenario, { target, seed, startedAt });
  const reported = { results, exchanges: [], review: noWaivers, history: [] };
  return { reported, ...(await writeAll(reportWriters(reported, reportDir))) };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
