import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'dotenv';
import { readProfile, readResults } from '../contract/files.ts';
import { type Contract, openContract } from '../contract/run.ts';
import { statedTarget } from '../contract/target.ts';
import { environment } from '../helpers/config/environment.ts';
import { type Environment, withoutTarget } from '../helpers/config/read-settings.ts';
import { UsageError } from '../helpers/errors.ts';
import { renderAsMarkdown } from '../reports/blocks-markdown.ts';
import {
  type FidelityVerdict,
  fidelityOf,
  fidelityReport,
  fidelityVerdict,
  profileOf,
} from '../reports/fidelity.ts';
import { renderAsPage } from '../reports/html/blocks.ts';
import { jsonText } from '../reports/printable.ts';
import { interruptedExitCode } from '../runner/verdicts.ts';
import type { Fidelity } from '../schemas/files.ts';
import type { Results } from '../schemas/results.ts';
import { scenarios } from '../suites/index.ts';
import { command, environmentUnder, optionsThatSet, wholeNumber } from './command.ts';
import { runAtTerminal, tell } from './terminal.ts';

export const fidelity = command({
  summary:
    'shows how faithful a mock is: which clauses it violates, and which open points differ from a profile or from a second target',
  options: {
    mock: {
      value: 'URL',
      about:
        'base address of the mock; or the results.json of an earlier run on it, or a folder with one, or "embedded"',
    },
    'mock-env': {
      value: 'FILE',
      about: 'key and ids of the mock, as an .env file; those of the environment unless given',
    },
    reference: {
      value: 'FILE',
      about:
        'the profile.json of the service that the mock stands for, or the results.json of a run on it; or its base address, for a run on that too, or "embedded"',
    },
    'reference-env': {
      value: 'FILE',
      about: 'key and ids of the reference, where its base address is given',
    },
    'max-violations': {
      value: 'N',
      about: 'exit 1 where the mock violates more clauses; 0 unless given',
    },
    'max-differences': {
      value: 'N',
      about: 'exit 1 where more open points differ; 0 unless given',
    },
    'allow-incomplete': {
      about: 'exit 0 instead of 3 where something could not be compared or judged',
    },
    ...optionsThatSet('WAIT_FOR_TARGET_MS', 'REPORT_DIR'),
  },
  async run(given) {
    const tolerance = {
      maxViolations: wholeNumber('max-violations', given['max-violations']),
      maxDifferences: wholeNumber('max-differences', given['max-differences']),
    };
    const { reportDir: folder } = statedTarget(environmentUnder(given));
    await Promise.all(reportFiles.map((file) => rm(join(folder, file), { force: true })));
    /** Runs that are opened, and have not begun: they are closed in the end. */
    const ready = new Set<Contract>();
    let isPutBack = true;
    const interrupts: string[] = [];
    /** Reads the file that says what one side does, or opens a run on it; the function that it returns gives that. */
    const open = async <Read>(
      side: 'mock' | 'reference',
      example: string,
      read: (path: string) => Promise<Read>,
    ): Promise<() => Promise<Read | Results>> => {
      const asked = given[side];
      if (asked !== undefined && asked !== 'embedded' && !/^https?:\/\//i.test(asked)) {
        if (!existsSync(asked)) {
          throw new UsageError(
            `--${side}: "${asked}" is neither a file nor an address that begins with http:// or https://`,
          );
        }
        const known = await read(asked);
        return async () => known;
      }
      const target = targetOf(side, asked, given[`${side}-env`], example);
      const configured = { ...environmentUnder(given, target), REPORT_DIR: join(folder, side) };
      const contract = await openContract(() => configured, { scenarios });
      ready.add(contract);
      return async () => {
        ready.delete(contract);
        process.stderr.write(`\nRunning against ${contract.settings.target.baseUrl}\n`);
        const { results, failures, ...ended } = await runAtTerminal(contract);
        isPutBack &&= ended.isPutBack;
        if (failures.length > 0) throw failures[0];
        if (results.interruptedBy !== null) interrupts.push(results.interruptedBy);
        return results;
      };
    };
    try {
      const reference = await open('reference', '--reference staging.json', readProfile);
      const example = '--mock http://127.0.0.1:8080/v5 --mock-env mock.env';
      const mock = await open('mock', example, readResults);
      // One after the other: both may be one machine, and an interrupt ends both.
      const expected = await reference();
      const found = interrupts.length === 0 ? await mock() : undefined;
      const [interrupt = ''] = interrupts;
      if (interrupt !== '' || found === undefined) {
        process.stderr.write('\nThe run was interrupted; nothing was compared.\n');
        return interruptedExitCode(interrupt);
      }
      const fidelity = fidelityOf('clauses' in expected ? profileOf(expected) : expected, found);
      const verdict = fidelityVerdict(fidelity, tolerance);
      await report(fidelity, verdict, folder);
      // Tasks that are left changed end with 3, as after any run.
      const code = exitCodes[verdict];
      const isAllowed = code === 3 && given['allow-incomplete'] === true;
      return (isAllowed ? 0 : code) || (isPutBack ? 0 : 3);
    } finally {
      await Promise.all([...ready].map((contract) => contract.close()));
    }
  },
});

const exitCodes: Readonly<Record<FidelityVerdict, number>> = {
  faithful: 0,
  'not faithful': 1,
  'not compared': 2,
  error: 2,
  incomplete: 3,
};

const reportFiles = ['fidelity.html', 'fidelity.md', 'fidelity.json'] as const;

async function report(found: Fidelity, verdict: FidelityVerdict, folder: string): Promise<void> {
  const report = fidelityReport(found, verdict);
  const texts: Readonly<Record<(typeof reportFiles)[number], string>> = {
    'fidelity.html': renderAsPage(report),
    'fidelity.md': renderAsMarkdown(report),
    'fidelity.json': jsonText(found),
  };
  await mkdir(folder, { recursive: true });
  await Promise.all(reportFiles.map((file) => writeFile(join(folder, file), texts[file])));
  const files = reportFiles.map((file) => join(folder, file));
  await tell(report, files);
}

/**
 * The variables of one side. @param given an address, or `embedded`
 * @param envFile a file that describes the target of that side; without one, the environment does
 * @throws UsageError
 */
function targetOf(
  side: 'mock' | 'reference',
  given: string | undefined,
  envFile: string | undefined,
  example: string,
): Environment {
  if (given === undefined && envFile === undefined) {
    throw new UsageError(`Missing: --${side}. For example: ${example}`);
  }
  const configured = environment();
  if (given === 'embedded') return withoutTarget(configured);
  const address = given !== undefined && { BASE_URL: given };
  if (envFile === undefined) return { ...configured, ...address };
  try {
    const own = parse(readFileSync(envFile));
    // With ENV_FILE, as `--env` sets it, the file has to name its target, and commands for people name the file.
    return { ...withoutTarget(configured), ...own, ENV_FILE: envFile, ...address };
  } catch (error) {
    throw new UsageError(`--${side}-env: ${envFile} cannot be read (${(error as Error).message})`);
  }
}
