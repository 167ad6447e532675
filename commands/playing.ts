import { announcement } from '../contract/announcement.ts';
import { type Contract, openContract, playContract } from '../contract/contract.ts';
import type { Told } from '../contract/report-run.ts';
import type { AnyScenario } from '../runner/scenario.ts';
import { onInterrupt } from './interrupt.ts';
import { howToRestore, progressOnTerminal } from './tell.ts';

/** A run that is ready to be played for a person at a terminal. */
export interface Playable {
  readonly contract: Contract;
  /** Plays it to its end, with progress, and an end at Ctrl-C. */
  play(): Promise<PlayedRun>;
}

/** What came of a run. */
export interface PlayedRun {
  readonly told: Told;
  readonly interrupted: boolean;
}

/**
 * Opens a target and gets a run ready; sends nothing yet, but for what puts back the tasks that an earlier run has
 * left changed.
 * @throws NotStarted
 */
export async function openPlayable(
  configure: Parameters<typeof openContract>[0],
  scenarios: readonly AnyScenario[],
): Promise<Playable> {
  const progress = progressOnTerminal();
  const contract = await openContract(configure, scenarios, (state) => progress.update(state));
  const play = async (): Promise<PlayedRun> => {
    process.stderr.write(announcement(contract.settings, scenarios));
    let interrupted = false;
    const forgetInterrupts = onInterrupt((signal) => {
      interrupted = true;
      contract.run.giveUp(`The run was interrupted (${signal}).`);
    }, howToRestore(contract.settings));
    const told = await playContract(contract).finally(() => {
      forgetInterrupts();
      progress.done();
    });
    return { told, interrupted };
  };
  return { contract, play };
}
