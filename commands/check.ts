import { NotStarted } from '../contract/contract.ts';
import { select } from '../contract/selection.ts';
import { environment } from '../helpers/config/environment.ts';
import { type Environment, withoutTarget } from '../helpers/config/read-settings.ts';
import { verdictUnder, waiversFail } from '../reports/waivers.ts';
import { exitCode } from '../runner/verdicts.ts';
import { scenarios } from '../suites/index.ts';
import type { Command } from './command.ts';
import { readOptions } from './options.ts';
import { openPlayable } from './playing.ts';
import { environmentUnder, runOptions } from './run-options.ts';
import { printSummary, tellPipeline, tellPutBack } from './tell.ts';

const options = {
  ...runOptions,
  'allow-incomplete': {
    type: 'boolean',
    about: 'exit 0 instead of 3 where nothing is violated and something could not be decided',
  },
  embedded: {
    type: 'boolean',
    about: 'check the embedded reference service, whatever target is configured',
  },
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
      const isEmbedded = values.embedded === true;
      return environmentUnder(values, isEmbedded ? withoutTarget(configured) : configured);
    };
    const { contract, play } = await openPlayable(configure, selected).catch(
      async (error: unknown) => {
        if (error instanceof NotStarted) await tellPipeline(error.told.reported);
        throw error;
      },
    );
    const { told, interrupted } = await play();
    const { reported, files, failures } = told;
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
