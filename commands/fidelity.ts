import { existsSync } from 'node:fs';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'dotenv';
import { environment } from '../helpers/config/environment.ts';
import type { Environment } from '../helpers/config/read-settings.ts';
import {
  type FidelityVerdict,
  fidelityOf,
  fidelityVerdict,
  renderFidelityJson,
} from '../reports/fidelity.ts';
import { renderFidelity, renderFidelityMarkdown } from '../reports/fidelity-text.ts';
import { renderFidelityPage } from '../reports/html/fidelity.ts';
import { profileOf } from '../reports/profile.ts';
import { readProfile } from '../reports/read-profile.ts';
import { readResults } from '../reports/read-results.ts';
import { variables } from '../schemas/configuration.ts';
import type { Fidelity } from '../schemas/fidelity.ts';
import type { Profile } from '../schemas/profile.ts';
import type { Results } from '../schemas/results.ts';
import { scenarios } from '../suites/index.ts';
import { columnsOf } from './columns.ts';
import type { Command } from './command.ts';
import { readOptions } from './options.ts';
import { openPlayable, type Playable, tellPutBack } from './playing.ts';
import { withoutTarget } from './target.ts';
import { addToStepSummary } from './tell.ts';
import { UsageError } from './usage.ts';

const options = {
  mock: {
    type: 'string',
    value: 'URL',
    about:
      'base address of the mock, which is played; or a results.json of it, or a folder with one, or "embedded"',
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
      'the profile.json of the service that the mock stands for; or its base address, and then it is played too, or "embedded"',
  },
  'reference-env': {
    type: 'string',
    value: 'FILE',
    about: 'key and ids of the reference, where it is played',
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
  'report-dir': { type: 'string', value: 'DIR', about: 'in place of REPORT_DIR' },
} as const;

export const fidelity: Command = {
  summary:
    'tells how faithful a mock is: which clauses it violates, and which open points differ from a profile or from a second target',
  options,
  async run(args) {
    const given = readOptions(args, options);
    const tolerance = {
      maxViolations: countOf('--max-violations', given['max-violations']),
      maxDifferences: countOf('--max-differences', given['max-differences']),
    };
    const configured = environment();
    const folder =
      given['report-dir'] ?? (configured.REPORT_DIR?.trim() || variables.REPORT_DIR.default);
    const side = (name: 'mock' | 'reference') =>
      open(name, given[name], given[`${name}-env`], join(folder, name));
    const reference = await side('reference');
    const mock = await side('mock').catch(async (error: unknown) => {
      await reference.close();
      throw error;
    });
    // One after the other: both may be the same machine, and each gets the whole of the configured rate.
    const expected = await reference.profile().catch(async (error: unknown) => {
      await mock.close();
      throw error;
    });
    const found = fidelityOf(expected, await mock.results());
    const verdict = fidelityVerdict(found, tolerance);
    await tell(found, verdict, folder);
    return exitCodes[verdict](given['allow-incomplete'] === true);
  },
};

const exitCodes: Readonly<Record<FidelityVerdict, (allowIncomplete: boolean) => number>> = {
  faithful: () => 0,
  'not faithful': () => 1,
  'not compared': () => 2,
  incomplete: (allowIncomplete) => (allowIncomplete ? 0 : 3),
};

/** One of both sides: read from a file, or played when it is asked for. */
interface Side {
  profile(): Promise<Profile>;
  /** @throws UsageError where there is only a profile */
  results(): Promise<Results>;
  close(): Promise<void>;
}

async function open(
  name: 'mock' | 'reference',
  given: string | undefined,
  envFile: string | undefined,
  reportDir: string,
): Promise<Side> {
  if (given === undefined && envFile === undefined) {
    throw new UsageError(`Missing: --${name}. For example: ${examples[name]}`);
  }
  if (given !== undefined && given !== 'embedded' && !isAddress(given)) {
    return await read(name, given);
  }
  const configure = async (): Promise<Environment> => ({
    ...(await variablesOf(given, envFile, name)),
    REPORT_DIR: reportDir,
  });
  const variables = await configure();
  return played(await openPlayable(() => variables, scenarios));
}

const examples = {
  mock: '--mock http://127.0.0.1:8080/v5 --mock-env mock.env',
  reference: '--reference staging.json',
};

function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text);
}

async function variablesOf(
  given: string | undefined,
  envFile: string | undefined,
  name: string,
): Promise<Environment> {
  const configured = environment();
  if (given === 'embedded') return withoutTarget(configured);
  const own = envFile === undefined ? undefined : parse(await textOf(envFile, `--${name}-env`));
  const target = own === undefined ? configured : { ...withoutTarget(configured), ...own };
  return given === undefined ? target : { ...target, BASE_URL: given };
}

async function textOf(file: string, option: string): Promise<string> {
  return await readFile(file, 'utf8').catch((error: Error) => {
    throw new UsageError(`${option}: ${file} cannot be read (${error.message})`);
  });
}

async function read(name: 'mock' | 'reference', file: string): Promise<Side> {
  if (!existsSync(file)) {
    throw new UsageError(
      `--${name}: "${file}" is neither a file nor an address that begins with http:// or https://`,
    );
  }
  const close = async (): Promise<void> => {};
  const isFolder = (await stat(file)).isDirectory();
  if (name === 'mock' || isFolder || (await holdsClauses(file))) {
    const results = await readResults(file);
    return { results: async () => results, profile: async () => profileOf(results), close };
  }
  const profile = await readProfile(file);
  const results = async (): Promise<Results> => {
    throw new UsageError(`${file} is a profile, which does not tell what is violated.`);
  };
  return { results, profile: async () => profile, close };
}

/** Results of a run hold its clauses; a profile does not. */
async function holdsClauses(file: string): Promise<boolean> {
  const text = await textOf(file, '--reference');
  return /"clauses"\s*:/.test(text);
}

function played({ contract, play }: Playable): Side {
  const results = async (): Promise<Results> => {
    process.stderr.write(`\nPlaying ${contract.settings.target.baseUrl}\n`);
    const { told } = await play();
    tellPutBack(contract);
    if (told.failures.length > 0) throw told.failures[0];
    return told.reported.results;
  };
  return {
    results,
    profile: async () => profileOf(await results()),
    close: () => contract.close(),
  };
}

async function tell(found: Fidelity, verdict: FidelityVerdict, folder: string): Promise<void> {
  const markdown = renderFidelityMarkdown(found, verdict);
  const texts = {
    'fidelity.html': renderFidelityPage(found, verdict),
    'fidelity.md': markdown,
    'fidelity.json': renderFidelityJson(found),
  };
  await mkdir(folder, { recursive: true });
  const files: string[] = [];
  for (const [name, text] of Object.entries(texts)) {
    const file = join(folder, name);
    await writeFile(file, text);
    files.push(file);
  }
  const color = process.stdout.isTTY === true && process.env.NO_COLOR === undefined;
  const width = columnsOf(process.stdout);
  process.stdout.write(renderFidelity(found, { color, width, verdict, files }));
  await addToStepSummary(markdown);
}

/** @throws UsageError where the text is no count */
function countOf(option: string, text = '0'): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new UsageError(`${option}: "${text}" is not a whole number from 0 on`);
}
