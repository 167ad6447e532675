import { parseArgs } from 'node:util';
import { restoreLeftBehind } from '../contract/journal.ts';
import { reportKilledRuns } from '../contract/reports.ts';
import { isAllPutBack } from '../contract/run.ts';
import { openTarget } from '../contract/target.ts';
import { UsageError } from '../helpers/errors.ts';
import { restoreTasks } from '../helpers/tasks/put-back.ts';
import { renderKilledRun, renderPutBack, renderUnassigned } from '../reports/writes.ts';
import { command, environmentUnder, optionsThatSet, targetOptions, typed } from './command.ts';

/** The options of the target in the command line of a run; its other options are ignored, right or wrong. */
function targetOf(args: readonly string[]): object {
  const options = typed(targetOptions);
  const { values } = parseArgs({ args: [...args], options, strict: false });
  const isOwn = ([name, value]: [string, unknown]): boolean => options[name]?.type === typeof value;
  return Object.fromEntries(Object.entries(values).filter(isOwn));
}

export const restore = command({
  summary:
    'puts back the tasks that a run which was killed has left changed; behind -- stands the command line of that run, of which the options of the target count',
  operands: '[-- ...]',
  hasAnother: true,
  options: {
    ...targetOptions,
    ...optionsThatSet('JOURNAL_DIR'),
    'take-over': {
      about:
        'count runs on other machines and in other containers as ended; otherwise they count as that once their time is over',
    },
    unassign: {
      multiple: true,
      value: 'TASK',
      about:
        'unassign this task, which a run has left assigned whose journal is lost; may be given several times',
    },
  },
  async run(own, operands) {
    const { 'take-over': takesOver, unassign } = own;
    const variables = environmentUnder({ ...targetOf(operands), ...own });
    const target = await openTarget(variables);
    try {
      const { kind, baseUrl } = target.settings.target;
      if (kind === 'embedded') {
        throw new UsageError('The embedded service is thrown away after each run. Give BASE_URL.');
      }
      process.stderr.write(renderKilledRun(await reportKilledRuns(target.settings)));
      const putBack = await restoreLeftBehind(target, takesOver);
      if (putBack !== undefined) {
        process.stdout.write(renderPutBack(putBack));
      } else if (unassign === undefined) {
        const { journalDir } = target.settings;
        console.error(`Nothing to put back: ${journalDir} holds no journal of ${baseUrl}.`);
      }
      const ids = (unassign ?? []).flatMap((text) => text.split(',')).filter((id) => id !== '');
      const done = ids.length === 0 ? [] : await restoreTasks(target, ids);
      process.stdout.write(renderUnassigned(ids, done));
      return ids.length === done.length && isAllPutBack([...(putBack ?? []), ...done]) ? 0 : 2;
    } finally {
      await target.close();
    }
  },
});
