import { UsageError } from '../contract/errors.ts';
import { restoreLeftBehind } from '../contract/restore.ts';
import { isAllPutBack } from '../contract/run.ts';
import { openTarget } from '../contract/target.ts';
import { renderPutBack } from '../reports/writes.ts';
import { type Command, environmentUnder, readOptions, targetOptions } from './command.ts';

export const restore: Command = {
  summary: 'puts back the tasks that a run which was killed has left changed',
  options: targetOptions,
  async run(args) {
    const variables = environmentUnder(readOptions(args, targetOptions));
    const { settings, network, close } = await openTarget(variables);
    try {
      const { target, journalDir } = settings;
      if (target.kind === 'embedded') {
        throw new UsageError('The embedded service is thrown away after each run. Give BASE_URL.');
      }
      const putBack = await restoreLeftBehind(settings, network.send);
      if (putBack === undefined) {
        console.error(`Nothing to put back: ${journalDir} holds no journal of ${target.baseUrl}.`);
        return 0;
      }
      process.stdout.write(renderPutBack(putBack));
      return isAllPutBack(putBack) ? 0 : 2;
    } finally {
      await close();
    }
  },
};
