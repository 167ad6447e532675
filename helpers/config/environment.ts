import { config as loadEnvFile } from 'dotenv';
import { ConfigurationError, type Environment } from './read-settings.ts';

/**
 * The environment of this process, completed from a `.env` file in the working directory.
 * @throws ConfigurationError where there is one that cannot be read
 */
export function environment(): Environment {
  const fromFile: Record<string, string> = {};
  const { error } = loadEnvFile({ quiet: true, processEnv: fromFile });
  if (error !== undefined && error.code !== 'ENOENT') {
    throw new ConfigurationError(`.env: cannot be read (${error.message})`);
  }
  return { ...fromFile, ...process.env };
}
