import type { Settings } from '../helpers/config/settings.ts';
import { createProgress } from '../reports/progress.ts';
import type { AnyScenario } from '../runner/scenario.ts';
import { announcement } from './announcement.ts';
import { columnsOf } from './columns.ts';
import { type Contract, openContract, playContract } from './contract.ts';
import { onInterrupt } from './interrupt.ts';
import { describe } from './journal.ts';
import type { Told } from './report-run.ts';

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
  const progress = createProgress(process.stderr, {
    isTTY: process.stderr.isTTY === true,
    width: columnsOf(process.stderr, 80),
    now: () => performance.now(),
  });
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

/** @returns whether every task is as it was before, or as somebody else wants it */
export function tellPutBack({ putBack, settings }: Contract): boolean {
  if (putBack.length > 0) process.stderr.write(`\n${describe(putBack)}`);
  const isPutBack = putBack.every(({ outcome }) => outcome !== 'failed');
  if (!isPutBack) process.stderr.write(howToRestore(settings));
  return isPutBack;
}

function howToRestore({ target, journalDir }: Settings): string {
  if (target.kind === 'embedded') return '';
  return `Tasks may be left changed; ${journalDir} knows what was there. To put them back:\n\n  npm run contract -- restore\n`;
}
