import { readFile } from 'node:fs/promises';
import { ajv } from '../helpers/ajv.ts';
import { type Profile, profileSchema } from '../schemas/profile.ts';
import { FileError, parseJson } from './read-json.ts';

const validate = ajv.compile<Profile>(profileSchema);

/**
 * The profile of a target.
 * @param path of a profile.json
 * @throws FileError
 */
export async function readProfile(path: string): Promise<Profile> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new FileError(`${path}: ${error.message}`);
  });
  return parseProfile(text, path);
}

/**
 * Reads the content of profile.json.
 * @param file its name, for errors
 * @throws FileError
 */
export function parseProfile(text: string, file: string): Profile {
  return parseJson(text, file, 'profile of a target', validate);
}
