import { environment } from '../helpers/config/environment.ts';
import type { Environment } from '../helpers/config/read-settings.ts';
import type { Settings } from '../helpers/config/settings.ts';
import { invocation } from '../reports/commands.ts';
import { createProgress } from '../reports/progress.ts';
import { verdictUnder, waiversFail } from '../reports/waivers.ts';
import { exitCode } from '../runner/verdicts.ts';
import { scenarios } from '../suites/index.ts';
import { announcement } from './announcement.ts';
import { columnsOf } from './columns.ts';
import type { Command } from './command.ts';
import { type Contract, NotStarted, openContract, playContract } from './contract.ts';
import { onInterrupt } from './interrupt.ts';
import { describe } from './journal.ts';
import { readOptions } from './options.ts';
import { select } from './selection.ts';
import { withoutTarget } from './target.ts';
import { printSummary, tellPipeline } from './tell.ts';

const options = {
  only: {
    type: 'string',
    multiple: true,
    value: 'TEXT',
    about:
      'play only what looks at this clause (its id, or the beginning of ids), or scenarios with this in their name; may be given several times',
  },
  'read-only': {
    type: 'boolean',
    about: 'assign nothing: play only what needs no write (as ALLOW_WRITES=no)',
  },
  'allow-incomplete': {
    type: 'boolean',
    about: 'exit 0 instead of 3 where nothing is violated and something could not be decided',
  },
  embedded: {
    type: 'boolean',
    about: 'check the embedded reference service, whatever target is configured',
  },
  'base-url': { type: 'string', value: 'URL', about: 'in place of BASE_URL' },
  seed: { type: 'string', value: 'N', about: 'in place of SEED' },
  'report-dir': { type: 'string', value: 'DIR', about: 'in place of REPORT_DIR' },
} as const;

export const check: Command = {
  summary:
    'holds the target to the document and writes the reports; done where no command is given',
  options,
  async run(args) {
    const values = readOptions(args, options);
    const selected = select(scenarios, values.only ?? []);
    const configure = (): Environment => {
      const configured = environment();
      return {
        ...(values.embedded === true ? withoutTarget(configured) : configured),
        ...(values['base-url'] !== undefined && { BASE_URL: values['base-url'] }),
        ...(values.seed !== undefined && { SEED: values.seed }),
        ...(values['report-dir'] !== undefined && { REPORT_DIR: values['report-dir'] }),
        ...(values['read-only'] === true && { ALLOW_WRITES: 'no' }),
      };
    };
    const progress = createProgress(process.stderr, {
      isTTY: process.stderr.isTTY === true,
      width: columnsOf(process.stderr, 80),
      now: () => performance.now(),
    });
    const contract = await openContract(configure, selected, (state) =>
      progress.update(state),
    ).catch(async (error: unknown) => {
      if (error instanceof NotStarted) await tellPipeline(error.told.reported);
      throw error;
    });
    process.stderr.write(announcement(contract.settings, selected));
    let interrupted = false;
    const forgetInterrupts = onInterrupt((signal) => {
      interrupted = true;
      contract.run.giveUp(`The run was interrupted (${signal}).`);
    }, howToRestore(contract.settings));
    const { reported, files, failures } = await playContract(contract).finally(() => {
      forgetInterrupts();
      progress.done();
    });
    await tellPipeline(reported);
    printSummary(reported, files);
    const isPutBack = tellPutBack(contract);
    if (failures.length > 0) throw failures[0];
    const { results, review } = reported;
    return exitCode(verdictUnder(review, results), {
      // What was cut short is not complete, whatever is allowed.
      allowIncomplete: values['allow-incomplete'] === true && !interrupted,
      waiversFail: waiversFail(review),
      tasksLeftChanged: !isPutBack,
    });
  },
};

/** @returns whether every task is as it was before, or as somebody else wants it */
function tellPutBack({ putBack, settings }: Contract): boolean {
  if (putBack.length > 0) process.stderr.write(`\n${describe(putBack)}`);
  const isPutBack = putBack.every(({ outcome }) => outcome !== 'failed');
  if (!isPutBack) process.stderr.write(howToRestore(settings));
  return isPutBack;
}

function howToRestore({ target, journalDir }: Settings): string {
  if (target.kind === 'embedded') return '';
  return `Tasks may be left changed; ${journalDir} knows what was there. To put them back:\n\n  ${invocation} restore\n`;
}
