import type { Environment } from '../helpers/config/read-settings.ts';
import type { Settings } from '../helpers/config/settings.ts';
import { ConfigurationError, UserError } from '../helpers/errors.ts';
import { restoreTimeoutMs } from '../helpers/tasks/put-back.ts';
import { renderAnnouncement, renderInterrupt, renderKilledRun } from '../reports/writes.ts';
import { lacksOf } from '../runner/needs.ts';
import { ContractRun, type Progress, type RunParts } from '../runner/run.ts';
import {
  type AnyScenario,
  isWriting,
  notRun,
  suiteFailure,
  withLookedAt,
} from '../runner/scenario.ts';
import { resultsNotRun } from '../runner/verdicts.ts';
import type { ClauseId } from '../schemas/clauses.ts';
import type { ClauseVerdict, PutBack } from '../schemas/results.ts';
import { scenarios as everyScenario } from '../suites/index.ts';
import { messageOf } from './files.ts';
import { JournalFile, maxRunMs, openJournal, thisProcess } from './journal.ts';
import {
  prepareReports,
  type ReportedRun,
  type Reporting,
  reportAlone,
  reportKilledRuns,
  reportRun,
  unfinishedRun,
} from './reports.ts';
import { leaveOut, requireMatch } from './selection.ts';
import { firstAnswers, type OpenTarget, openTarget, statedTarget } from './target.ts';

// One run, from configuration to written files. The command line and Vitest take the same steps:
//
//   openContract   reads the configuration, opens the target, prepares the reports, begins the journal (what earlier
//                  runs have left changed is put back first)
//   begin          starts the time limit; a few requests find out whether anything can be judged
//   run.conclusionsOf runs one scenario, when somebody asks for it; or `runAll`, all of them
//   finish         puts back what was changed, lets go of the target, reviews the results and writes the reports

export interface ContractOptions {
  /** The scenarios to run, as `select` gives them. */
  readonly scenarios: readonly AnyScenario[];
  /** Whether reports are written; they are unless given. */
  readonly reports?: 'none' | 'run';
  /** The verdicts that do not make a run fail; none unless given. */
  readonly allowed?: ReadonlySet<ClauseVerdict>;
  /** Whether to wait for another run on the same tasks to end; otherwise that is an error. */
  readonly waits?: boolean;
}

/** What came of a run. */
export interface Finished extends ReportedRun {
  /** What became of the tasks that were written to. */
  readonly putBack: readonly PutBack[];
  readonly isPutBack: boolean;
}

/** A run could not start. The message says why; the reports were written, and say so too. */
export class NotStarted extends Error {
  readonly report: ReportedRun;

  constructor(cause: unknown, report: ReportedRun) {
    super(messageOf(cause), { cause });
    this.report = report;
  }
}

/**
 * Opens the configured target and gets a run ready. It sends no requests yet, except to put back tasks that an earlier
 * run has left changed.
 * @throws NotStarted; where no reports are to be written, its cause
 */
export async function openContract(
  configure: () => Environment,
  { scenarios: chosen, reports = 'run', allowed, waits = false }: ContractOptions,
): Promise<Contract> {
  const startedAt = new Date();
  let variables: Environment = process.env;
  try {
    variables = configure();
    const target = await openTarget(variables);
    try {
      const { settings } = target;
      const { scenarios: left, leftOut } = withoutExceptions(chosen, settings);
      const scenarios = withLookedAt(left, settings.except);
      // A scenario of which clauses were left out is another object.
      const ofRun = everyScenario.every((one) => chosen.includes(one)) ? 'whole' : 'chosen';
      const mode = reports === 'run' ? ofRun : reports;
      if (mode !== 'none') warn(renderKilledRun(await reportKilledRuns(settings)));
      const reporting = await prepareReports(settings, mode, allowed);
      const journal = await openJournal(target, warn, waits);
      return new Contract({ ...target, journal, scenarios, leftOut, startedAt }, reporting);
    } catch (error) {
      await target.close();
      throw error;
    }
  } catch (error) {
    if (reports === 'none') throw error;
    const { reportDir, ...stated } = statedTarget(variables);
    const why = messageOf(error).replaceAll(/\.?\n/g, '; ');
    const conclusion = error instanceof UserError ? notRun(why) : suiteFailure(why);
    const scenarios = everyScenario;
    const results = resultsNotRun(conclusion, { ...stated, startedAt, scenarios });
    throw new NotStarted(error, await reportAlone(results, reportDir, 'not-started'));
  }
}

/** What EXCEPT leaves of the scenarios. @throws ConfigurationError where a text matches nothing, or nothing is left */
function withoutExceptions(
  chosen: readonly AnyScenario[],
  { except }: Settings,
): ReturnType<typeof leaveOut> {
  for (const text of except) {
    try {
      requireMatch(text, everyScenario);
    } catch (error) {
      throw new ConfigurationError(`EXCEPT: ${messageOf(error)}`);
    }
  }
  const left = leaveOut(chosen, except);
  if (left.scenarios.length > 0) return left;
  throw new ConfigurationError(`EXCEPT: "${except.join(',')}" leaves nothing to run`);
}

/** A run on an open target. */
export class Contract {
  readonly run: ContractRun;
  readonly settings: Settings;
  readonly reporting: Reporting;
  readonly leftOut: readonly ClauseId[];
  readonly #parts: RunParts & OpenTarget;
  /** Missing where nothing is to be put back. */
  readonly #journal: JournalFile | undefined;
  #timer: NodeJS.Timeout | undefined;
  #onProgress: (progress: Progress) => void = () => {};
  #unfinished: ReturnType<typeof unfinishedRun> | undefined;
  #keptAt = 0;

  constructor(parts: RunParts & OpenTarget, reporting: Reporting) {
    this.run = new ContractRun({ ...parts, onProgress: (progress) => this.#progress(progress) });
    this.settings = parts.settings;
    this.reporting = reporting;
    this.leftOut = parts.leftOut ?? [];
    this.#parts = parts;
    this.#journal = parts.journal instanceof JournalFile ? parts.journal : undefined;
  }

  /** What the run is about to do to a target that other people use, for people; empty for the embedded service. */
  get announcement(): string {
    if (this.settings.target.kind === 'embedded') return '';
    const writing = this.#parts.scenarios.filter(
      (one) => isWriting(one) && lacksOf(one, this.settings).length === 0,
    );
    return renderAnnouncement(this.settings, this.run, this.leftOut.length, writing);
  }

  /** What an interrupted run still has to do, and for how long at most, for people. */
  get lastSteps(): string {
    const { writes, tasks } = this.run.leftToDo;
    const toPutBack = this.#journal === undefined ? 0 : tasks;
    const waitMs = writes === 0 ? 0 : this.settings.requestTimeoutMs;
    const restoreMs = toPutBack === 0 ? 0 : restoreTimeoutMs(this.settings);
    return renderInterrupt(writes, toPutBack, waitMs + restoreMs);
  }

  /**
   * Starts the time limit of the run, and finds out whether anything can be judged.
   * @returns why nothing can be judged; undefined where something can
   */
  async begin(): Promise<string | undefined> {
    const { runTimeoutMs } = this.settings;
    this.#timer = setTimeout(() => {
      const last = this.run.exchanges.at(-1)?.failure?.why;
      const answer = last === undefined ? '' : `, and the last request got no answer: ${last}`;
      const why = `The run was ended after ${runTimeoutMs / 1000} s (RUN_TIMEOUT_MS)${answer}.`;
      this.run.giveUp({ ...notRun(why), kind: 'inconclusive' });
    }, runTimeoutMs);
    if (this.reporting.mode !== 'none') {
      const running = thisProcess(maxRunMs(this.settings));
      this.#unfinished = unfinishedRun(this.settings.reportDir, running);
      this.#keep();
    }
    return await firstAnswers(this.settings, this.run.preflight());
  }

  #progress(progress: Progress): void {
    if (performance.now() - this.#keptAt > keepEveryMs) this.#keep();
    this.#onProgress(progress);
  }

  /** Writes to disk what has been found so far, in case the run is killed. */
  #keep(): void {
    this.#keptAt = performance.now();
    const rest = notRun('The run was killed before.');
    this.#unfinished?.keep({ ...this.run.results(rest), interruptedBy: 'a kill' });
  }

  /**
   * Runs all scenarios, or as many as the time limit allows, and finishes, even if the suite itself fails.
   * @param onBegun called before the first scenario, where anything can be judged
   */
  async runAll(
    onProgress: (progress: Progress) => void = () => {},
    onBegun: () => void = () => {},
  ): Promise<Finished> {
    this.#onProgress = onProgress;
    const failures: unknown[] = [];
    try {
      const obstacle = await this.begin();
      if (obstacle === undefined) onBegun();
      await this.run.runAll();
    } catch (error) {
      if (!this.run.isGivenUpBy(error)) {
        failures.push(error);
        this.run.giveUp(suiteFailure(error));
      }
    }
    const finished = await this.finish();
    return { ...finished, failures: [...failures, ...finished.failures] };
  }

  /** Puts tasks back, closes the target and writes the reports; to be called once no scenario is running any more. */
  async finish(): Promise<Finished> {
    const putBack = await this.close();
    const { exchanges } = this.run;
    const report = await reportRun({ results: this.run.results(), exchanges }, this.reporting);
    this.#unfinished?.discard();
    return { ...report, putBack, isPutBack: isAllPutBack(putBack) };
  }

  /** Puts back every task that was written to, and closes the target; enough for a run that has not begun. */
  async close(): Promise<readonly PutBack[]> {
    clearTimeout(this.#timer);
    const putBack = this.#journal === undefined ? [] : await this.run.putBack();
    if (isAllPutBack(putBack)) await this.#journal?.discard();
    else this.#journal?.leave();
    await this.#parts.close();
    return putBack;
  }
}

/** Whether every task is as it was before, or as somebody else wants it. */
export function isAllPutBack(putBack: readonly PutBack[]): boolean {
  return putBack.every(({ outcome }) => outcome !== 'failed');
}

/** The least time between two writings of what was found so far, in milliseconds. */
const keepEveryMs = 2000;

function warn(text: string): void {
  process.stderr.write(text);
}
