import type { TestContext } from 'vitest';
import { endInTime, type OpenRun, openRun } from '../contract/run.ts';
import { describe as describePutBack } from '../contract/restore.ts';
import { prepareReports, type Reporting, reportRun } from '../contract/reports.ts';
import { type OpenTarget, openTarget } from '../contract/target.ts';
import { readWaivers } from '../contract/waivers-file.ts';
import type { Environment } from '../helpers/config/read-settings.ts';
import type { Exchange } from '../helpers/http/exchange.ts';
import { renderExchange } from '../reports/exchange-text.ts';
import { reviewWaivers, waiverOf, waiversFail } from '../reports/waivers.ts';
import { headline } from '../reports/wording.ts';
import { clauseIdsOf, type Findings } from '../runner/play.ts';
import type { AnyScenario } from '../runner/scenario.ts';
import type { ClauseId } from '../schemas/clauses.ts';
import type { Results } from '../schemas/results.ts';
import type { Waiver } from '../schemas/waivers.ts';
import { scenarios as everyScenario } from '../suites/index.ts';
import { withOptionNames } from './options.ts';
import { tellVerdict, type Violated, withoutFrames } from './tell.ts';

interface Parts extends OpenRun {
  readonly scenarios: readonly AnyScenario[];
  readonly waivers: readonly Waiver[];
  /** Missing where no reports are to be written. */
  readonly reporting: Reporting | undefined;
}

/** How many of the exchanges that show a violation are spelled out. */
const shownExchanges = 3;

/** The run behind one suite of tests. */
export class SuiteRun {
  readonly #parts: Parts;
  readonly #forgetLimit: () => void;
  #playing: Promise<unknown> | undefined;
  #isPlayed = false;

  private constructor(parts: Parts) {
    this.#parts = parts;
    this.#forgetLimit = endInTime(parts.run, parts.settings);
  }

  /**
   * Opens the target; waits where another run is using its tasks.
   * @param reports whether reports are to be written
   * @throws Error where nothing can be judged
   */
  static async open(
    variables: Environment,
    scenarios: readonly AnyScenario[],
    reports: boolean,
  ): Promise<SuiteRun> {
    const target = await openTarget(variables);
    const parts = await prepare(target, scenarios, reports).catch(async (error: unknown) => {
      await target.close();
      throw error;
    });
    const suite = new SuiteRun(parts);
    try {
      const obstacle = await parts.run.preflight();
      if (obstacle === undefined) return suite;
      throw withoutFrames(new Error(withOptionNames(obstacle)));
    } catch (error) {
      await suite.#close();
      throw error;
    }
  }

  /**
   * Gives the verdict on a clause to its test.
   * @param selected the clauses that Vitest was asked for: all that is needed for them is played together
   */
  async tell(id: ClauseId, selected: readonly ClauseId[], context: TestContext): Promise<void> {
    const { run, scenarios, waivers } = this.#parts;
    this.#playing ??= this.#playFor(selected);
    const lookers = scenarios.filter((scenario) => clauseIdsOf(scenario).includes(id));
    const played = await Promise.all(
      lookers.map(async (scenario) => ({
        scenario: scenario.name,
        findings: await run.play(scenario),
      })),
    );
    await tellVerdict(id, played, {
      context,
      waiver: waiverOf(id, waivers, new Date()),
      failure: (violated) => failureOf(violated, run.exchanges),
      reword: withOptionNames,
    });
  }

  /**
   * Puts the tasks back, lets go of the target and writes the reports.
   * @throws Error where nothing was judged, tasks could not be put back, or a waiver can go
   */
  async end(): Promise<void> {
    const { run, waivers, settings, putBack } = this.#parts;
    if (this.#playing !== undefined && !this.#isPlayed) {
      run.giveUp('The tests ended before it was played.');
      await run.playAll();
    }
    const results = await this.#close();
    if (putBack.some(({ outcome }) => outcome === 'failed')) {
      throw new Error(describePutBack(putBack));
    }
    // Tests that are all skipped would pass for a green run.
    if (results.verdict === 'not run') throw new Error(withOptionNames(headline(results).sentence));
    const review = reviewWaivers(results, waivers, new Date(), settings.staleWaiversFail);
    if (waiversFail(review)) throw new Error(headline(results, review).sentence);
  }

  async #close(): Promise<Results> {
    const { run, reporting, close } = this.#parts;
    this.#forgetLimit();
    await close();
    const results = run.results();
    if (reporting === undefined) return results;
    const { failures } = await reportRun({ results, exchanges: run.exchanges }, reporting);
    if (failures.length > 0) throw failures[0];
    return results;
  }

  async #playFor(selected: readonly ClauseId[]): Promise<void> {
    const { run, scenarios } = this.#parts;
    const asked = new Set(selected);
    const needed = scenarios.filter((scenario) =>
      clauseIdsOf(scenario).some((id) => asked.has(id)),
    );
    // What goes wrong is told by the tests that wait for it.
    await Promise.allSettled(needed.map((scenario): Promise<Findings> => run.play(scenario)));
    this.#isPlayed = true;
  }
}

async function prepare(
  target: OpenTarget,
  scenarios: readonly AnyScenario[],
  reports: boolean,
): Promise<Parts> {
  const { settings } = target;
  const whole = scenarios.length === everyScenario.length;
  const reporting = reports ? await prepareReports(settings, whole) : undefined;
  const waivers = reporting?.waivers ?? (await readWaivers(settings.waiversFile));
  const opened = await openRun(target, { scenarios, startedAt: new Date() }, true);
  return { ...opened, scenarios, waivers, reporting };
}

/** A violation with its exchanges, and where else the clause is violated. */
function failureOf(
  [first, ...more]: readonly [Violated, ...Violated[]],
  exchanges: readonly Exchange[],
): Error {
  const { message, expected, actual, exchanges: numbers } = first.violation;
  const shown = exchanges.filter(({ number }) => numbers.includes(number)).slice(0, shownExchanges);
  const text = [
    first.intermittent ? `${message} (not each time)` : message,
    `In: ${[first, ...more].map(({ scenario }) => scenario).join('; ')}`,
    ...shown.map((exchange) => `\n${renderExchange(exchange)}`),
  ].join('\n');
  return withoutFrames(Object.assign(new Error(text), { name: 'Violation', expected, actual }));
}
