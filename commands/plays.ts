import { announcement } from '../contract/announcement.ts';
import { type Contract, NotStarted, openContract, playContract } from '../contract/contract.ts';
import { ConfigurationError, type Environment } from '../helpers/config/read-settings.ts';
import { renderPlay, withWhatWasKnown } from '../reports/play-text.ts';
import type { AnyScenario } from '../runner/scenario.ts';
import type { Results } from '../schemas/results.ts';
import { standardOutput } from './columns.ts';
import { progressOnTerminal, tellPutBack } from './tell.ts';

/** How a play ended: `silent`: the target does not answer; `given up`: something changed before it was over. */
export type PlayEnd = 'told' | 'silent' | 'given up';

/** One play of the contract after another on the same target, each told by what it changes. */
export class Plays {
  readonly #configure: () => Environment;
  #known: Results | undefined;
  #current: Contract | undefined;
  #isGivenUp = false;
  #isSilent = false;
  #isPutBack = true;

  constructor(configure: () => Environment) {
    this.#configure = configure;
  }

  /** Whether the tasks are as they were before the plays. */
  get isPutBack(): boolean {
    return this.#isPutBack;
  }

  /** Ends the play that is going on; nothing is told of it. */
  giveUp(): void {
    this.#isGivenUp = true;
    this.#current?.run.giveUp('It was given up for another play.');
  }

  /**
   * Plays scenarios, puts the tasks back, and prints what changed since the last play.
   * @throws NotStarted where the first play cannot start; of a later one that is printed
   */
  async play(scenarios: readonly AnyScenario[]): Promise<PlayEnd> {
    this.#isGivenUp = false;
    const progress = progressOnTerminal();
    try {
      const contract = await openContract(
        this.#configure,
        scenarios,
        (state) => progress.update(state),
        false,
      );
      if (this.#known === undefined && !this.#isSilent) {
        process.stderr.write(announcement(contract.settings, scenarios));
      }
      this.#current = contract;
      if (this.#isGivenUp) this.giveUp();
      const { reported, failures } = await playContract(contract);
      progress.done();
      if (contract.putBack.some(({ outcome }) => outcome === 'failed' || outcome === 'left')) {
        this.#isPutBack = tellPutBack(contract) && this.#isPutBack;
      }
      if (failures.length > 0) throw failures[0];
      return this.#isGivenUp ? 'given up' : this.#tell(contract, reported.results);
    } catch (error) {
      if (!(error instanceof NotStarted) || this.#known === undefined) throw error;
      const isOurs = !(error.cause instanceof ConfigurationError);
      process.stdout.write(
        `${isOurs ? '' : 'The configuration cannot be used. '}${error.message}\n`,
      );
      return 'told';
    } finally {
      progress.done();
      this.#current = undefined;
    }
  }

  #tell({ run }: Contract, results: Results): PlayEnd {
    const wasSilent = this.#isSilent;
    this.#isSilent = run.exchanges.every(({ response }) => response === undefined);
    if (!this.#isSilent) {
      process.stdout.write(renderPlay(results, this.#known, standardOutput()));
      this.#known = withWhatWasKnown(results, this.#known);
      return 'told';
    }
    if (!wasSilent) {
      process.stdout.write(`Waiting for ${results.target.baseUrl} to answer …\n`);
    }
    return 'silent';
  }
}
