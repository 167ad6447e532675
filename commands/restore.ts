import { UsageError } from '../contract/errors.ts';
import { reportKilledRuns } from '../contract/reports.ts';
import { restoreLeftBehind } from '../contract/restore.ts';
import { isAllPutBack } from '../contract/run.ts';
import { openTarget } from '../contract/target.ts';
import { renderKilledRun, renderPutBack } from '../reports/writes.ts';
import { type Command, environmentUnder, readOptions, targetOptions } from './command.ts';

const options = {
  ...targetOptions,
  journal: {
    type: 'string',
    value: 'DIR',
    about: 'folder of the journal (as JOURNAL_DIR), also one that was brought from another machine',
  },
  'take-over': {
    type: 'boolean',
    about:
      'count runs on other machines and in other containers as ended; otherwise they count as that once their time is over',
  },
} as const;

export const restore: Command = {
  summary: 'puts back the tasks that a run which was killed has left changed',
  options,
  async run(args) {
    const { journal, 'take-over': takesOver, ...values } = readOptions(args, options);
    const variables = {
      ...environmentUnder(values),
      ...(journal !== undefined && { JOURNAL_DIR: journal }),
    };
    const { settings, network, close } = await openTarget(variables);
    try {
      const { target, journalDir } = settings;
      if (target.kind === 'embedded') {
        throw new UsageError('The embedded service is thrown away after each run. Give BASE_URL.');
      }
      process.stderr.write(renderKilledRun(await reportKilledRuns(settings)));
      const putBack = await restoreLeftBehind(settings, network.send, takesOver);
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
