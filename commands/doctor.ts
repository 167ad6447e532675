import { openTarget } from '../contract/target.ts';
import { ContractRun } from '../runner/run.ts';
import { scenarios } from '../suites/index.ts';
import { checkUp, renderCheckUp } from './check-up.ts';
import type { Command } from './command.ts';
import { readOptions } from './options.ts';
import { environmentUnder, targetOptions } from './run-options.ts';

export const doctor: Command = {
  summary:
    'looks at everything that is configured, and tells what a run would judge and what it lacks; writes nothing to the target',
  options: targetOptions,
  async run(args) {
    const variables = environmentUnder(readOptions(args, targetOptions));
    const { settings, network, openMailbox, close } = await openTarget(variables);
    try {
      const run = new ContractRun({
        // The client refuses every write then.
        settings: { ...settings, writes: false },
        send: network.send,
        openMailbox,
        scenarios,
        startedAt: new Date(),
      });
      const obstacle = await run.preflight();
      if (obstacle !== undefined) {
        console.error(obstacle);
        return 2;
      }
      const topics = checkUp(await run.examine(), settings, scenarios);
      process.stdout.write(renderCheckUp(topics));
      const isBad = [...topics.values()].flat().some(({ mark }) => mark === 'bad');
      return isBad ? 2 : 0;
    } finally {
      await close();
    }
  },
};
