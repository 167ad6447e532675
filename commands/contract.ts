import type { Environment } from '../helpers/config/read-settings.ts';
import type { Settings } from '../helpers/config/settings.ts';
import type { PutBack } from '../helpers/tasks/put-back.ts';
import { noWaivers } from '../reports/waivers.ts';
import { notRun } from '../runner/not-run.ts';
import { ContractRun, type Progress } from '../runner/run.ts';
import type { AnyScenario } from '../runner/scenario.ts';
import { scenarios as everyScenario } from '../suites/index.ts';
import { openJournal } from './journal.ts';
import { prepareReports, type Reporting, reportRun, type Told } from './report-run.ts';
import { type OpenTarget, openTarget, statedTarget } from './target.ts';
import { reportWriters, writeAll } from './write-reports.ts';

/** A run of the contract on an open target. */
export interface Contract {
  readonly run: ContractRun;
  readonly settings: Settings;
  readonly reporting: Reporting;
  /** What became of the tasks that were written to; empty until `close` has put them back. */
  readonly putBack: readonly PutBack[];
  /**
   * Puts back every task that was written to and lets go of the target; ends the embedded service where that is
   * the target.
   */
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
 * Opens the configured target and gets a run of the scenarios ready; sends nothing yet, but for what puts
 * back the tasks that an earlier run has left changed.
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
    const target = await openTarget(variables);
    try {
      return await prepare(target, scenarios, startedAt, onProgress);
    } catch (error) {
      await target.close();
      throw error;
    }
  } catch (error) {
    throw new NotStarted(error, await reportNotRun(error, variables, startedAt));
  }
}

async function prepare(
  { settings, network, openMailbox, close: closeTarget }: OpenTarget,
  scenarios: readonly AnyScenario[],
  startedAt: Date,
  onProgress: (progress: Progress) => void,
): Promise<Contract> {
  const whole = scenarios.length === everyScenario.length;
  const reporting = await prepareReports(settings, whole);
  const { send } = network;
  const tell = (text: string): void => void process.stderr.write(text);
  const { journal, file } = await openJournal(settings, send, startedAt, tell);
  const run = new ContractRun({
    settings,
    send,
    journal,
    scenarios,
    startedAt,
    openMailbox,
    onProgress,
  });
  const putBack: PutBack[] = [];
  const close = async (): Promise<void> => {
    if (file !== undefined) putBack.push(...(await run.putBack()));
    const failed = putBack.some(({ outcome }) => outcome === 'failed');
    if (failed) file?.close();
    else await file?.discard();
    await closeTarget();
  };
  return { run, settings, reporting, putBack, close };
}

/**
 * Plays the run to its end, or to the end of its time; puts back what it changed, lets go of the target and
 * writes the reports, whatever is wrong with the suite itself.
 */
export async function playContract({ run, settings, reporting, close }: Contract): Promise<Told> {
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
