import { NotStarted, openContract } from '../contract/run.ts';
import { select } from '../contract/selection.ts';
import { environment } from '../helpers/config/environment.ts';
import { type Environment, withoutTarget } from '../helpers/config/read-settings.ts';
import { renderSummary } from '../reports/console.ts';
import { verdictUnder, waiversFail } from '../reports/waivers.ts';
import { exitCode } from '../runner/verdicts.ts';
import { scenarios } from '../suites/index.ts';
import { type Command, environmentUnder, readOptions, runOptions } from './command.ts';
import { printPutBack, reportToPipeline, runAtTerminal, standardOutput } from './terminal.ts';

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
    'checks the target against the document and writes the reports; done where no command is given',
  options,
  async run(args) {
    const values = readOptions(args, options);
    const selected = select(scenarios, values.only ?? []);
    const configure = (): Environment => {
      const configured = environment();
      const isEmbedded = values.embedded === true;
      return environmentUnder(values, isEmbedded ? withoutTarget(configured) : configured);
    };
    const contract = await openContract(configure, { scenarios: selected }).catch(
      async (error: unknown) => {
        if (error instanceof NotStarted) await reportToPipeline(error.report);
        throw error;
      },
    );
    const finished = await runAtTerminal(contract);
    const { results, review, files, failures, putBack, isInterrupted } = finished;
    await reportToPipeline(finished);
    process.stdout.write(renderSummary(results, { ...standardOutput(), review, files }));
    const isPutBack = printPutBack(putBack, contract.settings);
    const code = exitCode(verdictUnder(review, results), {
      // What was cut short is not complete, whatever is allowed.
      allowIncomplete: values['allow-incomplete'] === true && !isInterrupted,
      waiversFail: waiversFail(review),
      tasksLeftChanged: !isPutBack,
    });
    if (failures.length === 0) return code;
    // A violation stays one, whatever failed besides.
    if (code !== 1) throw failures[0];
    process.stderr.write(`\nThe suite itself failed too: ${failures.join('; ')}\n`);
    return code;
  },
};
