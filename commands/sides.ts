import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { parse } from 'dotenv';
import { readProfile } from '../contract/read-profile.ts';
import { readResults } from '../contract/read-results.ts';
import { UsageError } from '../contract/usage.ts';
import { environment } from '../helpers/config/environment.ts';
import { type Environment, withoutTarget } from '../helpers/config/read-settings.ts';
import { profileOf } from '../reports/profile.ts';
import type { Profile } from '../schemas/profile.ts';
import type { Results } from '../schemas/results.ts';
import { scenarios } from '../suites/index.ts';
import { openPlayable } from './playing.ts';
import { tellPutBack } from './tell.ts';

/** One side of a comparison: read from a file, or played when it is asked for. */
interface Side<Content> {
  /** @returns undefined where the play was interrupted */
  load(): Promise<Content | undefined>;
  /** Whether every task that was written to is as it was before. */
  isPutBack(): boolean;
  /** Lets go of a target that is not to be played any more. */
  close(): Promise<void>;
}

interface SideOptions {
  /** The variables of the target, as an .env file; those of the environment where there is none. */
  readonly envFile: string | undefined;
  /** Where the reports of the play go. */
  readonly reportDir: string;
}

/**
 * The mock: an address, `embedded`, or what an earlier run on it has found.
 * @throws UsageError, FileError, NotStarted
 */
export async function openMock(
  given: string | undefined,
  options: SideOptions,
): Promise<Side<Results>> {
  if (isFile(given)) return ofFile(await readResults(existing('--mock', given)));
  const hint = '--mock http://127.0.0.1:8080/v5 --mock-env mock.env';
  return await openTarget('--mock', given, options, hint);
}

/**
 * The service that the mock stands for: its profile, the results of an earlier run, an address, or `embedded`.
 * @throws UsageError, FileError, NotStarted
 */
export async function openReference(
  given: string | undefined,
  options: SideOptions,
): Promise<Side<Profile>> {
  if (isFile(given)) {
    const file = existing('--reference', given);
    const profile = (await holdsResults(file))
      ? profileOf(await readResults(file))
      : await readProfile(file);
    return ofFile(profile);
  }
  const hint = '--reference staging.json';
  const target = await openTarget('--reference', given, options, hint);
  const load = async (): Promise<Profile | undefined> => {
    const results = await target.load();
    return results && profileOf(results);
  };
  return { ...target, load };
}

function isFile(given: string | undefined): given is string {
  return given !== undefined && given !== 'embedded' && !/^https?:\/\//i.test(given);
}

function ofFile<Content>(content: Content): Side<Content> {
  return { load: async () => content, isPutBack: () => true, close: async () => {} };
}

function existing(option: string, path: string): string {
  if (existsSync(path)) return path;
  throw new UsageError(
    `${option}: "${path}" is neither a file nor an address that begins with http:// or https://`,
  );
}

/** The results of a run hold its clauses; a profile does not. */
async function holdsResults(path: string): Promise<boolean> {
  if ((await stat(path)).isDirectory()) return true;
  return /"clauses"\s*:/.test(await readFile(path, 'utf8'));
}

async function openTarget(
  option: '--mock' | '--reference',
  given: string | undefined,
  { envFile, reportDir }: SideOptions,
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
  const configure = (): Environment => ({ ...target, REPORT_DIR: reportDir });
  const { contract, play } = await openPlayable(configure, scenarios);
  let isPutBack = true;
  const load = async (): Promise<Results | undefined> => {
    process.stderr.write(`\nPlaying ${contract.settings.target.baseUrl}\n`);
    const { told, interrupted } = await play();
    isPutBack = tellPutBack(contract);
    if (told.failures.length > 0) throw told.failures[0];
    return interrupted ? undefined : told.reported.results;
  };
  return { load, isPutBack: () => isPutBack, close: () => contract.close() };
}

/** The variables of the file alone, but for those that hold for any target. */
async function variablesOf(option: string, envFile: string | undefined): Promise<Environment> {
  const configured = environment();
  if (envFile === undefined) return configured;
  const text = await readFile(envFile, 'utf8').catch((error: Error) => {
    throw new UsageError(`${option}-env: ${envFile} cannot be read (${error.message})`);
  });
  return { ...withoutTarget(configured), ...parse(text) };
}
