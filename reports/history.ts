import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type Results, resultsSchema } from '../schemas/results.ts';
import { renderJson } from './json.ts';

const validate = new Ajv2020().compile<Results>(resultsSchema);
const fileName = /^\d{4}-\d\d-\d\dT[\d-]+(?:\.\d+)?Z\.json$/;

/**
 * The runs that are kept, the oldest first. A file that is no longer readable as results is passed over: the
 * history of another version of the format must not stop a run.
 * @param directory for example `reports/history`
 */
export async function readHistory(directory: string): Promise<Results[]> {
  const names = await kept(directory);
  const runs = await Promise.all(names.map((name) => readRun(join(directory, name))));
  return runs.filter((run) => run !== undefined);
}

/**
 * Adds a run and drops the oldest ones beyond `keep`. A file appears whole or not at all.
 * @param keep how many runs are kept; 0 keeps none
 */
export async function keepRun(directory: string, results: Results, keep: number): Promise<void> {
  await mkdir(directory, { recursive: true });
  // Colons are not allowed in file names everywhere.
  const name = `${results.startedAt.replaceAll(':', '-')}.json`;
  const unfinished = join(directory, `${name}.${process.pid}.part`);
  await writeFile(unfinished, renderJson(results));
  await rename(unfinished, join(directory, name));
  const names = await kept(directory);
  const surplus = names.slice(0, Math.max(0, names.length - keep));
  await Promise.all(surplus.map((old) => rm(join(directory, old), { force: true })));
}

async function kept(directory: string): Promise<string[]> {
  try {
    return (await readdir(directory)).filter((name) => fileName.test(name)).sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

async function readRun(path: string): Promise<Results | undefined> {
  try {
    const run: unknown = JSON.parse(await readFile(path, 'utf8'));
    return validate(run) ? run : undefined;
  } catch (error) {
    // Another run may have dropped it since the directory was listed.
    if (error instanceof SyntaxError || isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
