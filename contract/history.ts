import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { renderJson } from '../reports/json.ts';
import type { Results } from '../schemas/results.ts';
import { FileError } from './errors.ts';
import { isMissing, parseFile } from './files.ts';

const fileName = /^\d{4}-\d\d-\d\dT[\d-]+(?:\.\d+)?Z\.json$/;

/**
 * Where the runs of a target are kept: in a folder of its own in `history`, which lies beside a report folder
 * called `latest` and inside any other one.
 */
export function historyFolder(reportDir: string, { kind, baseUrl }: Results['target']): string {
  const parent = basename(reportDir) === 'latest' ? dirname(reportDir) : reportDir;
  // The embedded service listens on another port each time.
  const target =
    kind === 'embedded' ? kind : baseUrl.replace(/^https?:\/\//, '').replaceAll(/[^\w.-]+/g, '-');
  return join(parent, 'history', target);
}

/**
 * The runs that are kept, the oldest first. A file that is no longer readable as results is passed over: the
 * history of another version of the format must not stop a run.
 * @param directory as `historyFolder` gives it
 */
export async function readHistory(directory: string): Promise<Results[]> {
  const names = await kept(directory);
  const runs = await Promise.all(names.map((name) => readRun(join(directory, name))));
  return runs.filter((run) => run !== undefined);
}

/**
 * Adds a run and drops the oldest ones beyond `keep`. A file appears whole or not at all.
 * @param keep how many runs are kept; 0 keeps none
 * @returns the path of the file, or undefined where it was dropped at once
 */
export async function keepRun(
  directory: string,
  results: Results,
  keep: number,
): Promise<string | undefined> {
  await mkdir(directory, { recursive: true });
  // Colons are not allowed in file names everywhere.
  const name = `${results.startedAt.replaceAll(':', '-')}.json`;
  const path = join(directory, name);
  const unfinished = `${path}.${process.pid}.part`;
  await writeFile(unfinished, renderJson(results));
  await rename(unfinished, path);
  const names = await kept(directory);
  const surplus = names.slice(0, Math.max(0, names.length - keep));
  await Promise.all(surplus.map((old) => rm(join(directory, old), { force: true })));
  return surplus.includes(name) ? undefined : path;
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
    return parseFile('results', await readFile(path, 'utf8'), path);
  } catch (error) {
    // Another run may have dropped it since the directory was listed.
    if (error instanceof FileError || isMissing(error)) return undefined;
    throw error;
  }
}
