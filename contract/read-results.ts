import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ajv } from '../helpers/ajv.ts';
import { type Results, resultsSchema } from '../schemas/results.ts';
import { FileError, parseJson } from './read-json.ts';

const validate = ajv.compile<Results>(resultsSchema);

/**
 * The results of a run.
 * @param path of a results.json, or of a folder with the reports of a run
 * @throws FileError
 */
export async function readResults(path: string): Promise<Results> {
  try {
    const file = (await stat(path)).isDirectory() ? join(path, 'results.json') : path;
    return parseResults(await readFile(file, 'utf8'), file);
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError(`${path}: ${(error as Error).message}`);
  }
}

/**
 * Reads the content of results.json.
 * @param file its name, for errors
 * @throws FileError
 */
export function parseResults(text: string, file: string): Results {
  return parseJson(text, file, 'results of a run', validate);
}
