import { config as loadEnvFile } from 'dotenv';
import { schemaOf, variableNames } from '../../schemas/configuration.ts';
import { nearly } from '../did-you-mean.ts';
import { ConfigurationError } from '../errors.ts';
import type { Environment } from './read-settings.ts';

/** The file that completes the environment: what ENV_FILE names (the command line sets it from `--env`), or `.env`. */
export function envFile(): string {
  return process.env.ENV_FILE?.trim() || '.env';
}

/**
 * The environment of this process, completed from a file.
 * @throws ConfigurationError where there is one that cannot be read, or none and it was asked for by name
 */
export function environment(): Environment {
  return { ...readEnvFile(), ...process.env };
}

/** What the file holds. @throws ConfigurationError as `environment` does */
function readEnvFile(): Record<string, string> {
  const fromFile: Record<string, string> = {};
  const path = envFile();
  const { error } = loadEnvFile({ path, quiet: true, processEnv: fromFile });
  const isMissing = error?.code === 'ENOENT';
  if (error !== undefined && !(isMissing && path === '.env')) {
    throw new ConfigurationError(
      isMissing
        ? `There is no file "${path}" (ENV_FILE, --env). Give the path of a file of variables; .env.example shows one.`
        : `${path}: cannot be read (${error.message})`,
    );
  }
  return fromFile;
}

/** A name that is nearly one of our variables. */
export type Misspelt = ReturnType<typeof misspeltVariables>[number];

/** Variables of other programs that are one letter from ours, and not misspelt. */
const foreign = ['APP_KEY', 'FTP_PROXY', 'TASK_ID', 'TEAM_ID', 'USER_ID'];

/** A shorter name is near to too many others to be called misspelt. */
const minLength = 6;

/**
 * The names in the file, and in the environment, that are nearly ours and that nothing reads. The environment serves
 * many programs: a name in it counts only where the variable that it resembles is not set.
 * @returns each with the variable that was probably `meant`, and the `file` that it stands in, unless in the environment
 * @throws ConfigurationError as `environment` does
 */
export function misspeltVariables() {
  const fromFile = readEnvFile();
  const names: readonly string[] = variableNames;
  const isOwn = (name: string): boolean =>
    names.includes(name) ||
    variableNames.some((own) => schemaOf(own).isAlsoLowerCase && own.toLowerCase() === name);
  const misspelt = (name: string, maxEdits: number, file?: string) => {
    if (name.length < minLength || isOwn(name)) return [];
    const meant = nearly(name.toUpperCase(), names, maxEdits);
    return meant === undefined ? [] : [{ name, meant, file }];
  };
  const isSet = (name: string): boolean => !!(process.env[name] ?? fromFile[name])?.trim();
  return [
    ...Object.keys(fromFile).flatMap((name) => misspelt(name, 2, envFile())),
    ...Object.keys(process.env)
      .filter((name) => !foreign.includes(name) && !(name in fromFile))
      .flatMap((name) => misspelt(name, 1))
      .filter(({ meant }) => !isSet(meant)),
  ];
}
