import { lastFailed } from '../contract/last-failed.ts';
import { NotStarted, openContract } from '../contract/run.ts';
import { select } from '../contract/selection.ts';
import { statedTarget, warnOfMisspelt } from '../contract/target.ts';
import { environment } from '../helpers/config/environment.ts';
import { type Environment, namesTarget, withoutTarget } from '../helpers/config/read-settings.ts';
import { UsageError } from '../helpers/errors.ts';
import type { TerminalOptions } from '../reports/blocks-terminal.ts';
import { unallowedClauses } from '../reports/grouping.ts';
import { renderLastFindings } from '../reports/last-findings.ts';
import { runReport } from '../reports/run-report.ts';
import { reviewWaivers, verdictUnder, waiversFail } from '../reports/waivers.ts';
import { unusableLines } from '../reports/wording.ts';
import { exitCode } from '../runner/verdicts.ts';
import type { ClauseVerdict } from '../schemas/results.ts';
import { scenarios } from '../suites/index.ts';
import { type Command, environmentUnder, readOptions, runOptions } from './command.ts';
import { exitNow, print, printPutBack, reportToPipeline, runAtTerminal } from './terminal.ts';

const options = {
  ...runOptions,
  'last-failed': {
    type: 'boolean',
    about:
      'judge only what the last run found violated, with its seed, and say of each of its findings whether it is still there',
  },
  allow: {
    type: 'string',
    multiple: true,
    value: 'WHAT',
    about:
      'exit 0 instead of 3 where nothing is violated and some clauses are "inconclusive", or "not-judged" because something is not configured; may be given twice',
  },
  'allow-incomplete': { type: 'boolean', about: 'as --allow inconclusive --allow not-judged' },
  quiet: { type: 'boolean', about: 'print the verdict alone, on one line' },
  verbose: { type: 'boolean', about: 'print what was observed on open points too' },
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
    if (values.embedded === true && 'require-target' in values) {
      throw new UsageError('--embedded and --require-target exclude each other; give one of them.');
    }
    // The last run, and the scenarios that judge what it found violated; undefined without --last-failed.
    const failed = values['last-failed']
      ? await lastFailed(statedTarget(environmentUnder(values)).reportDir, scenarios)
      : undefined;
    const isRemote = failed?.last.target.kind === 'remote';
    if (isRemote && values.embedded !== true && !namesTarget(environmentUnder(values))) {
      throw new UsageError(
        `--last-failed: the last run was of ${failed.last.target.baseUrl}, and no target is named now; give BASE_URL (--base-url, --env), or --embedded.`,
      );
    }
    const selected = select(failed?.scenarios ?? scenarios, values);
    const configure = (): Environment => {
      const configured = environment();
      warnOfMisspelt();
      const isEmbedded = values.embedded === true;
      const { SEED = '', ...others } = isEmbedded ? withoutTarget(configured) : configured;
      // With --last-failed the seed of the last run counts, unless another one is given.
      const seed = SEED.trim() === '' && failed !== undefined ? `${failed.last.seed}` : SEED;
      return environmentUnder(values, { ...others, SEED: seed });
    };
    const allowed = allowedVerdicts(values);
    const { quiet: isQuiet = false, verbose: isVerbose = false } = values;
    const detail: TerminalOptions['detail'] = isQuiet ? 'quiet' : isVerbose ? 'verbose' : 'normal';
    const contract = await openContract(configure, { scenarios: selected, allowed }).catch(
      async (error: unknown) => {
        if (error instanceof NotStarted) await reportToPipeline(error.report);
        throw error;
      },
    );
    const finished = await runAtTerminal(contract, isQuiet);
    const { results, exchanges, review, files, failures, putBack } = finished;
    await reportToPipeline(finished);
    if (isQuiet) {
      const lines = unusableLines(results.unusable, results.clauses);
      process.stderr.write(lines.map((line) => `${line}\n`).join(''));
    }
    const isPutBack = printPutBack(putBack, contract.settings, isQuiet);
    if (failed !== undefined && !isQuiet) {
      const { last } = failed;
      const { waivers } = contract.reporting;
      const lastReview = reviewWaivers(last, waivers);
      process.stdout.write(renderLastFindings(last, lastReview, results));
    }
    print(runReport(results, { review, exchanges, files }), { files, detail });
    const code = exitCode(verdictUnder(review, results), {
      isIncompleteAllowed: unallowedClauses(results, allowed).length === 0,
      waiversFail: waiversFail(review),
      tasksLeftChanged: !isPutBack,
      interruptedBy: results.interruptedBy,
    });
    if (failures.length === 0) {
      if (results.interruptedBy !== null) await exitNow(code);
      return code;
    }
    // A violation is reported as one even where the suite has failed too.
    if (code !== 1) throw failures[0];
    process.stderr.write(`\nThe suite itself failed too: ${failures.join('; ')}\n`);
    return code;
  },
};

const allowable: Readonly<Record<string, ClauseVerdict>> = {
  inconclusive: 'inconclusive',
  'not-judged': 'not judged',
};

/** The verdicts that do not make a run fail. @throws UsageError where another one is named */
function allowedVerdicts(values: {
  readonly allow?: readonly string[];
  readonly 'allow-incomplete'?: boolean;
}): ReadonlySet<ClauseVerdict> {
  const { allow = [], 'allow-incomplete': isAll = false } = values;
  const verdicts = [...allow, ...(isAll ? Object.keys(allowable) : [])].map((name) => {
    const verdict = Object.hasOwn(allowable, name) ? allowable[name] : undefined;
    if (verdict !== undefined) return verdict;
    throw new UsageError(`--allow: "${name}" cannot be allowed, only inconclusive and not-judged`);
  });
  return new Set(verdicts);
}
