import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'dotenv';
import { UsageError } from '../contract/errors.ts';
import { readResults, readResultsOrProfile } from '../contract/files.ts';
import { openContract } from '../contract/run.ts';
import { environment } from '../helpers/config/environment.ts';
import { type Environment, withoutTarget } from '../helpers/config/read-settings.ts';
import { renderAsMarkdown } from '../reports/blocks-markdown.ts';
import { renderOnTerminal } from '../reports/blocks-terminal.ts';
import {
  type FidelityVerdict,
  fidelityOf,
  fidelityReport,
  fidelityVerdict,
  renderFidelityJson,
} from '../reports/fidelity.ts';
import { renderAsPage } from '../reports/html/blocks.ts';
import { profileOf } from '../reports/profile.ts';
import { interruptedExitCode } from '../runner/verdicts.ts';
import { variables } from '../schemas/configuration.ts';
import type { Fidelity } from '../schemas/fidelity.ts';
import type { Profile } from '../schemas/profile.ts';
import type { Results } from '../schemas/results.ts';
import { scenarios } from '../suites/index.ts';
import { type Command, envOption, readOptions, waiting, waitOption } from './command.ts';
import { addToStepSummary, printPutBack, runAtTerminal, standardOutput } from './terminal.ts';

const options = {
  mock: {
    type: 'string',
    value: 'URL',
    about:
      'base address of the mock; or the results.json of an earlier run on it, or a folder with one, or "embedded"',
  },
  'mock-env': {
    type: 'string',
    value: 'FILE',
    about: 'key and ids of the mock, as an .env file; those of the environment unless given',
  },
  reference: {
    type: 'string',
    value: 'FILE',
    about:
      'the profile.json of the service that the mock stands for, or the results.json of a run on it; or its base address, for a run on that too, or "embedded"',
  },
  'reference-env': {
    type: 'string',
    value: 'FILE',
    about: 'key and ids of the reference, where its base address is given',
  },
  'max-violations': {
    type: 'string',
    value: 'N',
    about: 'exit 1 where the mock violates more clauses; 0 unless given',
  },
  'max-differences': {
    type: 'string',
    value: 'N',
    about: 'exit 1 where more open points differ; 0 unless given',
  },
  'allow-incomplete': {
    type: 'boolean',
    about: 'exit 0 instead of 3 where something could not be compared or judged',
  },
  'report-dir': { type: 'string', value: 'DIR', about: 'folder for the reports (as REPORT_DIR)' },
  ...envOption,
  ...waitOption,
} as const;

export const fidelity: Command = {
  summary:
    'shows how faithful a mock is: which clauses it violates, and which open points differ from a profile or from a second target',
  options,
  async run(args) {
    const given = readOptions(args, options);
    const tolerance = {
      maxViolations: countOf('--max-violations', given['max-violations']),
      maxDifferences: countOf('--max-differences', given['max-differences']),
    };
    const configured = environment().REPORT_DIR?.trim() || variables.REPORT_DIR.default;
    const folder = given['report-dir'] ?? configured;
    await Promise.all(reportFiles.map((file) => rm(join(folder, file), { force: true })));
    const reference = await openReference(given.reference, {
      envFile: given['reference-env'],
      reportDir: join(folder, 'reference'),
      wait: given.wait,
    });
    try {
      const mock = await openMock(given.mock, {
        envFile: given['mock-env'],
        reportDir: join(folder, 'mock'),
        wait: given.wait,
      });
      try {
        // One after the other: both may be one machine, and an interrupt ends both.
        const expected = await reference.load();
        const found = expected && (await mock.load());
        if (expected === undefined || found === undefined) {
          process.stderr.write('\nThe run was interrupted; nothing was compared.\n');
          return interruptedExitCode(reference.interruptedBy() ?? mock.interruptedBy() ?? '');
        }
        const fidelity = fidelityOf(expected, found);
        const verdict = fidelityVerdict(fidelity, tolerance);
        await report(fidelity, verdict, folder);
        // Tasks that are left changed are for somebody to look at, as after any run.
        const isPutBack = reference.isPutBack() && mock.isPutBack();
        return exitCodes[verdict](given['allow-incomplete'] === true) || (isPutBack ? 0 : 3);
      } finally {
        await mock.close();
      }
    } finally {
      await reference.close();
    }
  },
};

const exitCodes: Readonly<Record<FidelityVerdict, (allowIncomplete: boolean) => number>> = {
  faithful: () => 0,
  'not faithful': () => 1,
  'not compared': () => 2,
  error: () => 2,
  incomplete: (allowIncomplete) => (allowIncomplete ? 0 : 3),
};

const reportFiles = ['fidelity.html', 'fidelity.md', 'fidelity.json'] as const;

async function report(found: Fidelity, verdict: FidelityVerdict, folder: string): Promise<void> {
  const report = fidelityReport(found, verdict);
  const texts: Readonly<Record<(typeof reportFiles)[number], string>> = {
    'fidelity.html': renderAsPage(report),
    'fidelity.md': renderAsMarkdown(report),
    'fidelity.json': renderFidelityJson(found),
  };
  await mkdir(folder, { recursive: true });
  await Promise.all(reportFiles.map((file) => writeFile(join(folder, file), texts[file])));
  const files = reportFiles.map((file) => join(folder, file));
  process.stdout.write(renderOnTerminal(report, { ...standardOutput(), files }));
  await addToStepSummary(texts['fidelity.md']);
}

/** @throws UsageError where the text is no count */
function countOf(option: string, text = '0'): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new UsageError(`${option}: "${text}" is not a whole number from 0 on`);
}

/** One side of the comparison: read from a file, or found out by a run when it is loaded. */
interface Side<Content> {
  /** @returns undefined where the run was interrupted */
  load(): Promise<Content | undefined>;
  /** The signal that ended the run. */
  interruptedBy(): Results['interruptedBy'];
  /** Whether every task that was written to is as it was before. */
  isPutBack(): boolean;
  /** Lets go of a target that was not run against; else does nothing. */
  close(): Promise<void>;
}

interface SideOptions {
  /** The variables of the target, as an .env file; those of the environment where there is none. */
  readonly envFile: string | undefined;
  /** Where the reports of the run go. */
  readonly reportDir: string;
  /** Seconds, as given. */
  readonly wait: string | undefined;
}

/**
 * The mock: an address, `embedded`, or the results of an earlier run.
 * @throws UsageError, FileError, NotStarted
 */
async function openMock(given: string | undefined, options: SideOptions): Promise<Side<Results>> {
  if (isFile(given)) return ofFile(await readResults(existing('--mock', given)));
  const example = '--mock http://127.0.0.1:8080/v5 --mock-env mock.env';
  return await openTarget('--mock', given, options, example);
}

/**
 * The service that the mock stands for: its profile, the results of an earlier run, an address, or `embedded`.
 * @throws UsageError, FileError, NotStarted
 */
async function openReference(
  given: string | undefined,
  options: SideOptions,
): Promise<Side<Profile>> {
  if (isFile(given)) {
    const read = await readResultsOrProfile(existing('--reference', given));
    return ofFile('results' in read ? profileOf(read.results) : read.profile);
  }
  const side = await openTarget('--reference', given, options, '--reference staging.json');
  const load = async (): Promise<Profile | undefined> => {
    const results = await side.load();
    return results && profileOf(results);
  };
  return { ...side, load };
}

function isFile(given: string | undefined): given is string {
  return given !== undefined && given !== 'embedded' && !/^https?:\/\//i.test(given);
}

function ofFile<Content>(content: Content): Side<Content> {
  return {
    load: async () => content,
    interruptedBy: () => null,
    isPutBack: () => true,
    close: async () => {},
  };
}

function existing(option: string, path: string): string {
  if (existsSync(path)) return path;
  throw new UsageError(
    `${option}: "${path}" is neither a file nor an address that begins with http:// or https://`,
  );
}

async function openTarget(
  option: '--mock' | '--reference',
  given: string | undefined,
  { envFile, reportDir, wait }: SideOptions,
  example: string,
): Promise<Side<Results>> {
  if (given === undefined && envFile === undefined) {
    throw new UsageError(`Missing: ${option}. For example: ${example}`);
  }
  const target =
    given === 'embedded'
      ? withoutTarget(environment())
      : {
          ...(await variablesOf(option, envFile)),
          ...(given !== undefined && { BASE_URL: given }),
        };
  const configure = (): Environment => ({
    ...target,
    ...waiting(wait),
    REPORT_DIR: reportDir,
  });
  const contract = await openContract(configure, { scenarios });
  let isLoaded = false;
  let isPutBack = true;
  let interruptedBy: Results['interruptedBy'] = null;
  return {
    async load() {
      isLoaded = true;
      process.stderr.write(`\nRunning against ${contract.settings.target.baseUrl}\n`);
      const { results, failures, putBack } = await runAtTerminal(contract);
      isPutBack = printPutBack(putBack, contract.settings);
      if (failures.length > 0) throw failures[0];
      interruptedBy = results.interruptedBy;
      return interruptedBy === null ? results : undefined;
    },
    interruptedBy: () => interruptedBy,
    isPutBack: () => isPutBack,
    close: async () => {
      if (!isLoaded) await contract.close();
    },
  };
}

/** The variables of the file alone, but for those that hold for any target. */
async function variablesOf(option: string, envFile: string | undefined): Promise<Environment> {
  const configured = environment();
  if (envFile === undefined) return configured;
  const text = await readFile(envFile, 'utf8').catch((error: Error) => {
    throw new UsageError(`${option}-env: ${envFile} cannot be read (${error.message})`);
  });
  // Named, like that of --env: it has to name its target, and commands for people name it.
  return { ...withoutTarget(configured), ...parse(text), ENV_FILE: envFile };
}
