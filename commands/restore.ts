import { describe, headerOf, restoreAll } from '../contract/journal.ts';
import { openTarget } from '../contract/target.ts';
import { UsageError } from '../contract/usage.ts';
import { readJournals } from '../helpers/tasks/journal-file.ts';
import { claimTasks } from '../helpers/tasks/other-runs.ts';
import { restoreTimeoutMs } from '../runner/restore.ts';
import type { Command } from './command.ts';
import { readOptions } from './options.ts';
import { environmentUnder, targetOptions } from './run-options.ts';

export const restore: Command = {
  summary: 'puts back the tasks that a run which was killed has left changed',
  options: targetOptions,
  async run(args) {
    const variables = environmentUnder(readOptions(args, targetOptions));
    const { settings, network, close } = await openTarget(variables);
    try {
      if (settings.target.kind === 'embedded') {
        throw new UsageError('The embedded service is thrown away after each run. Give BASE_URL.');
      }
      const { baseUrl } = settings.target;
      const ofTarget = (await readJournals(settings.journalDir)).filter(
        ({ header }) => header.baseUrl === baseUrl,
      );
      if (ofTarget.length === 0) {
        console.error(
          `Nothing to put back: ${settings.journalDir} holds no journal of ${baseUrl}.`,
        );
        return 0;
      }
      const taskIds = [...new Set(ofTarget.flatMap(({ header }) => header.taskIds))];
      const header = headerOf({ ...settings, taskIds }, new Date(), restoreTimeoutMs(settings));
      const { file, leftBehind } = await claimTasks(settings.journalDir, header);
      try {
        const done = await restoreAll(leftBehind, { ...settings, writes: true }, network.send);
        process.stdout.write(describe(done));
        return done.some(({ outcome }) => outcome === 'failed') ? 2 : 0;
      } finally {
        await file.discard();
      }
    } finally {
      await close();
    }
  },
};
