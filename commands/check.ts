import { type Finished, NotStarted, openContract } from '../contract/run.ts';
import { lastFailed, select } from '../contract/selection.ts';
import { statedTarget, warnOfMisspelt } from '../contract/target.ts';
import { environment } from '../helpers/config/environment.ts';
import { type Environment, namesTarget, withoutTarget } from '../helpers/config/read-settings.ts';
import { UsageError } from '../helpers/errors.ts';
import { runReport } from '../reports/run-report.ts';
import { unallowedClauses, verdictUnder, waiversFail } from '../reports/verdicts.ts';
import { exitCode } from '../runner/verdicts.ts';
import type { ClauseVerdict } from '../schemas/results.ts';
import { scenarios } from '../suites/index.ts';
import { command, environmentUnder, runOptions, type Values } from './command.ts';
import { exitNow, print, reportToPipeline, runAtTerminal } from './terminal.ts';

const options = {
  ...runOptions,
  'last-failed': {
    about:
      'judge only what the last run found violated, with its seed, and say of each of its findings whether it is still there',
  },
  allow: {
    multiple: true,
    value: 'WHAT',
    about:
      'exit 0 instead of 3 where nothing is violated and some clauses are "inconclusive", or "not-judged" because something is not configured; may be given twice',
  },
  'allow-incomplete': { about: 'as --allow inconclusive --allow not-judged' },
  quiet: { about: 'print the verdict alone, on one line' },
  verbose: { about: 'print what was observed on open points too' },
  embedded: { about: 'check the embedded reference service, whatever target is configured' },
} as const;

export const check = command({
  summary:
    'checks the target against the document and writes the reports; done where no command is given',
  options,
  async run(values) {
    if (values.embedded === true && 'require-target' in values) {
      throw new UsageError('--embedded and --require-target exclude each other; give one of them.');
    }
    const failed = values['last-failed'] ? await failedInLastRun(values) : undefined;
    const selected = select(failed?.scenarios ?? scenarios, values);
    const allowed = allowedVerdicts(values);
    const configure = () => variablesUnder(values, failed?.last.seed);
    const contract = await openContract(configure, { scenarios: selected, allowed }).catch(
      async (error: unknown) => {
        if (error instanceof NotStarted) await reportToPipeline(error.report);
        throw error;
      },
    );
    const { quiet: isQuiet = false, verbose: isVerbose = false } = values;
    const finished = await runAtTerminal(contract, isQuiet);
    const { files, history } = finished;
    await reportToPipeline(finished);
    // What the last run found may have been found at another address, or by a run of chosen clauses.
    const isKept = failed === undefined || history.at(-1)?.startedAt === failed.last.startedAt;
    const earlier = isKept ? history : [failed.last];
    const detail = isQuiet ? 'quiet' : isVerbose ? 'verbose' : 'normal';
    print(runReport({ ...finished, history: earlier }), { files, detail });
    return await codeOf(finished);
  },
});

type Given = Values<typeof options>;

/**
 * The last run, and the scenarios that judge what it found violated.
 * @throws UsageError where it was of a target, and none is named now
 */
async function failedInLastRun(values: Given): ReturnType<typeof lastFailed> {
  const variables = environmentUnder(values);
  const failed = await lastFailed(statedTarget(variables).reportDir, scenarios);
  const { kind, baseUrl } = failed.last.target;
  if (kind === 'embedded' || values.embedded === true || namesTarget(variables)) return failed;
  throw new UsageError(
    `--last-failed: the last run was of ${baseUrl}, and no target is named now; give BASE_URL (--base-url, --env), or --embedded.`,
  );
}

/** The variables of the run. @param lastSeed counts where no other seed is given */
function variablesUnder(values: Given, lastSeed: number | undefined): Environment {
  const configured = environment();
  warnOfMisspelt();
  const isEmbedded = values.embedded === true;
  const { SEED = '', ...others } = isEmbedded ? withoutTarget(configured) : configured;
  const seed = SEED.trim() === '' && lastSeed !== undefined ? `${lastSeed}` : SEED;
  return environmentUnder(values, { ...others, SEED: seed });
}

/**
 * The exit code of a run that has ended; after an interrupt, ends the process with it.
 * @throws what failed in the suite itself, unless a violation was found: that is reported all the same
 */
async function codeOf(finished: Finished): Promise<number> {
  const { results, review, allowed, failures, isPutBack } = finished;
  const code = exitCode(verdictUnder(review, results), {
    isIncompleteAllowed: unallowedClauses(results, allowed).length === 0,
    waiversFail: waiversFail(review),
    tasksLeftChanged: !isPutBack,
    interruptedBy: results.interruptedBy,
  });
  if (failures.length > 0) {
    if (code !== 1) throw failures[0];
    process.stderr.write(`\nThe suite itself failed too: ${failures.join('; ')}\n`);
  } else if (results.interruptedBy !== null) {
    await exitNow(code);
  }
  return code;
}

const allowable = ['inconclusive', 'not judged'] as const;

/** The verdicts that do not make a run fail. @throws UsageError where another one is named */
function allowedVerdicts(values: Given): ReadonlySet<ClauseVerdict> {
  const { allow = [], 'allow-incomplete': isAll = false } = values;
  const verdicts = allow.map((name) => {
    const verdict = allowable.find((one) => one.replace(' ', '-') === name);
    if (verdict !== undefined) return verdict;
    throw new UsageError(`--allow: "${name}" cannot be allowed, only inconclusive and not-judged`);
  });
  return new Set(isAll ? allowable : verdicts);
}
