import { config as loadEnvFile } from 'dotenv';
import { ConfigurationError, type Environment } from './read-settings.ts';

/** The file that completes the environment: what ENV_FILE names (the command line sets it from `--env`), or `.env`. */
export function envFile(): string {
  return process.env.ENV_FILE?.trim() || '.env';
}

/**
 * The environment of this process, completed from a file.
 * @throws ConfigurationError where there is one that cannot be read, or none and it was asked for by name
 */
export function environment(): Environment {
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
  return { ...fromFile, ...process.env };
}
