import { parseArgs } from 'node:util';
import { noJournal } from '../helpers/tasks/journal.ts';
import { createProgress } from '../reports/progress.ts';
import { ContractRun } from '../runner/run.ts';
import { exitCode } from '../runner/verdicts.ts';
import { scenarios } from '../suites/index.ts';
import { select } from './selection.ts';
import { environment, openTarget } from './target.ts';
import { writeReports } from './write-reports.ts';

export const checkHelp = `check [options]: holds the target to the document (the default command)

  --only TEXT         play only what looks at this clause (id, or its beginning), or scenarios with this in
                      their name; may be given several times
  --allow-incomplete  exit 0 instead of 3 where nothing is violated but something was not judged
  --base-url URL, --seed N, --report-dir DIR
                      as the variables BASE_URL, SEED and REPORT_DIR`;

/**
 * Plays the scenarios against the configured target and writes the reports.
 * @returns the exit code
 */
export async function check(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string', multiple: true, default: [] },
      'allow-incomplete': { type: 'boolean', default: false },
      'base-url': { type: 'string' },
      seed: { type: 'string' },
      'report-dir': { type: 'string' },
    },
  });
  const selected = select(scenarios, values.only);
  if (selected.length === 0) {
    console.error(`No clause or scenario matches ${values.only.join(', ')}; nothing was judged.`);
    console.error('The command `clauses` lists them all.');
    return 2;
  }
  const target = await openTarget({
    ...environment(),
    ...(values['base-url'] !== undefined && { BASE_URL: values['base-url'] }),
    ...(values.seed !== undefined && { SEED: values.seed }),
    ...(values['report-dir'] !== undefined && { REPORT_DIR: values['report-dir'] }),
  });
  const { settings, network } = target;
  const progress = createProgress(process.stderr, {
    isTTY: process.stderr.isTTY === true,
    width: process.stderr.columns ?? 80,
    now: () => performance.now(),
  });
  const run = new ContractRun({
    settings,
    send: network.send,
    journal: noJournal,
    scenarios: selected,
    startedAt: new Date(),
    onProgress: (state) => progress.update(state),
  });
  try {
    const obstacle = await run.preflight();
    if (obstacle === undefined) await run.playAll();
    else run.giveUp(obstacle);
  } finally {
    progress.done();
    await target.close();
  }
  const results = run.results();
  await writeReports(results, run.exchanges, settings.reportDir);
  return exitCode(results.verdict, values['allow-incomplete']);
}
