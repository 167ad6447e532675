import { environment } from '../helpers/config/environment.ts';
import { ContractRun } from '../runner/run.ts';
import { scenarios } from '../suites/index.ts';
import { checkUp, renderCheckUp } from './check-up.ts';
import type { Command } from './command.ts';
import { readOptions } from './options.ts';
import { openTarget } from './target.ts';

const options = {
  'base-url': { type: 'string', value: 'URL', about: 'in place of BASE_URL' },
} as const;

export const doctor: Command = {
  summary:
    'looks at everything that is configured, and tells what a run would judge and what it lacks; writes nothing to the target',
  options,
  async run(args) {
    const values = readOptions(args, options);
    const variables = {
      ...environment(),
      ...(values['base-url'] !== undefined && { BASE_URL: values['base-url'] }),
    };
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
