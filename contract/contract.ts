import type { Environment } from '../helpers/config/read-settings.ts';
import type { Settings } from '../helpers/config/settings.ts';
import type { PutBack } from '../helpers/tasks/put-back.ts';
import { noWaivers } from '../reports/waivers.ts';
import { notRun } from '../runner/not-run.ts';
import { ContractRun, type Progress, type RunParts } from '../runner/run.ts';
import type { AnyScenario } from '../runner/scenario.ts';
import { scenarios as everyScenario } from '../suites/index.ts';
import { openJournal } from './journal.ts';
import { prepareReports, type Reporting, reportRun, type Told } from './report-run.ts';
import { type OpenTarget, openTarget, statedTarget } from './target.ts';
import { reportWriters, writeAll } from './write-reports.ts';

/** A run on an open target. */
export interface OpenRun {
  readonly run: ContractRun;
  readonly settings: Settings;
  /** What became of the tasks that were written to; empty until `close` has put them back. */
  readonly putBack: readonly PutBack[];
  /**
   * Puts back every task that was written to and lets go of the target; ends the embedded service where that is
   * the target.
   */
  close(): Promise<void>;
}

/** A run on an open target that is to be reported. */
export interface Contract extends OpenRun {
  readonly reporting: Reporting;
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
 * @param isKept whether the run counts among those that tell what changed since, where it plays all scenarios
 * @throws NotStarted
 */
export async function openContract(
  configure: () => Environment,
  scenarios: readonly AnyScenario[],
  onProgress: (progress: Progress) => void = () => {},
  isKept = true,
): Promise<Contract> {
  const startedAt = new Date();
  let variables: Environment = process.env;
  try {
    variables = configure();
    const target = await openTarget(variables);
    try {
      const whole = isKept && scenarios.length === everyScenario.length;
      const reporting = await prepareReports(target.settings, whole);
      return { ...(await openRun(target, { scenarios, startedAt, onProgress })), reporting };
    } catch (error) {
      await target.close();
      throw error;
    }
  } catch (error) {
    throw new NotStarted(error, await reportNotRun(error, variables, startedAt));
  }
}

/**
 * Gets a run ready on an open target, and puts back what earlier runs have left changed.
 * @param waits whether to wait for another run on the same tasks to end
 * @throws OtherRun, NotPutBack
 */
export async function openRun(
  { settings, network, openMailbox, close: closeTarget }: OpenTarget,
  parts: Pick<RunParts, 'scenarios' | 'startedAt' | 'onProgress'>,
  waits = false,
): Promise<OpenRun> {
  const { send } = network;
  const tell = (text: string): void => void process.stderr.write(text);
  const { journal, file } = await openJournal(settings, send, tell, waits);
  const run = new ContractRun({ ...parts, settings, send, journal, openMailbox });
  const putBack: PutBack[] = [];
  const close = async (): Promise<void> => {
    if (file !== undefined) putBack.push(...(await run.putBack()));
    const failed = putBack.some(({ outcome }) => outcome === 'failed');
    if (failed) file?.leave();
    else await file?.discard();
    await closeTarget();
  };
  return { run, settings, putBack, close };
}

/**
 * Plays the run to its end, or to the end of its time; puts back what it changed, lets go of the target and
 * writes the reports, whatever is wrong with the suite itself.
 */
export async function playContract({ run, settings, reporting, close }: Contract): Promise<Told> {
  const failures: unknown[] = [];
  const forgetLimit = endInTime(run, settings);
  try {
    await run.preflight();
    await run.playAll();
  } catch (error) {
    failures.push(error);
    run.giveUp(`The suite itself failed: ${error}`);
  }
  forgetLimit();
  await close();
  const told = await reportRun({ results: run.results(), exchanges: run.exchanges }, reporting);
  return { ...told, failures: [...failures, ...told.failures] };
}

/** Gives a run up when it has taken as long as it may. @returns a function that takes the limit away */
export function endInTime(run: ContractRun, { runTimeoutMs }: Settings): () => void {
  const timer = setTimeout(() => {
    run.giveUp(
      `The run was ended after ${runTimeoutMs / 1000} s (RUN_TIMEOUT_MS).`,
      'inconclusive',
    );
  }, runTimeoutMs);
  return () => clearTimeout(timer);
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
