import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { UserError } from '../helpers/errors.ts';
import { jsonText } from '../reports/printable.ts';
import type { Results } from '../schemas/results.ts';
import { isMissing, parseFile } from './files.ts';
import { isRunning, type RunningProcess, thisProcess } from './journal.ts';

// The results that are kept on disk beside the reports: of earlier runs, to tell what changed; and of each run that goes
// on, what it has found so far. A run that is killed reports nothing: whoever comes next, another run or `restore`, makes
// its report of that.

const fileName = /^\d{4}-\d\d-\d\dT[\d-]+(?:\.\d+)?Z\.json$/;

/** Beside a report folder called `latest`, inside any other one. */
export function folderBeside(reportDir: string): string {
  return basename(reportDir) === 'latest' ? dirname(reportDir) : reportDir;
}

/** Where the runs of a target are kept: in a folder of its own in `history`. */
export function historyFolder(reportDir: string, { kind, baseUrl }: Results['target']): string {
  // The embedded service listens on another port each time.
  const target =
    kind === 'embedded' ? kind : baseUrl.replace(/^https?:\/\//, '').replaceAll(/[^\w.-]+/g, '-');
  return join(folderBeside(reportDir), 'history', target);
}

/**
 * The runs that are kept, the oldest first. A file that is no longer readable as results is passed over: the
 * history of another version of the format must not stop a run.
 * @param directory as `historyFolder` gives it
 */
export async function readHistory(directory: string): Promise<Results[]> {
  const paths = (await kept(directory)).map((name) => join(directory, name));
  const runs = await Promise.all(
    paths.map(async (path) => resultsOf(await readFile(path, 'utf8').catch(ifMissing('')), path)),
  );
  return runs.filter((run) => run !== undefined);
}

/**
 * Adds a run and drops the oldest ones beyond `keep`.
 * @param keep how many runs are kept; 0 keeps none
 * @returns the path of the file, or undefined where it was dropped at once
 */
export async function keepRun(
  directory: string,
  results: Results,
  keep: number,
): Promise<string | undefined> {
  // Colons are not allowed in file names everywhere.
  const name = `${results.startedAt.replaceAll(':', '-')}.json`;
  const path = join(directory, name);
  writeWhole(path, jsonText(results));
  const names = await kept(directory);
  const surplus = names.slice(0, Math.max(0, names.length - keep));
  await Promise.all(surplus.map((old) => rm(join(directory, old), { force: true })));
  return surplus.includes(name) ? undefined : path;
}

const unfinished = '.unfinished.json';

/** What a run that goes on has found so far, on disk. */
export class UnfinishedRun {
  readonly #folder: string;
  readonly #path: string;
  readonly #process: RunningProcess;

  /** @param running the process, and until when it runs at the latest */
  constructor(reportDir: string, running: RunningProcess) {
    this.#folder = unfinishedFolder(reportDir);
    this.#path = join(this.#folder, `${running.pid}-${randomUUID().slice(0, 8)}${unfinished}`);
    this.#process = running;
  }

  /** Keeps results in place of those that were kept before. Where they cannot be written the run goes on all the same. */
  keep(results: Results): void {
    try {
      writeWhole(this.#path, `${JSON.stringify(this.#process)}\n${jsonText(results)}`);
    } catch {
      // Nothing is lost unless it is killed.
    }
  }

  /** To be called once the run has reported by itself. */
  discard(): void {
    rmSync(this.#path, { force: true });
    removeEmpty(this.#folder);
  }
}

/** Takes what runs that were killed have found, the oldest first. A file that cannot be read is passed over. */
export async function takeKilledRuns(reportDir: string): Promise<Results[]> {
  const folder = unfinishedFolder(reportDir);
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(unfinished));
  const runs = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const text = await readFile(path, 'utf8').catch(() => '');
      const [head = '', ...rest] = text.split('\n');
      const results = resultsOf(rest.join('\n'), path);
      // The head was written by `keep`, and whole.
      if (results === undefined || isRunning(JSON.parse(head), thisProcess(0))) return [];
      await rm(path, { force: true });
      return [results];
    }),
  );
  removeEmpty(folder);
  return runs.flat().sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1));
}

function unfinishedFolder(reportDir: string): string {
  return join(folderBeside(reportDir), 'unfinished');
}

/** Writes a file that appears whole or not at all. */
function writeWhole(path: string, text: string): void {
  const draft = `${path}.${process.pid}.part`;
  try {
    // Another run that has ended may have taken the empty folder away.
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(draft, text);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Removes a folder unless other runs keep something there. */
function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // It is not empty, or already gone.
  }
}

async function kept(directory: string): Promise<string[]> {
  const names = await readdir(directory).catch(ifMissing<string[]>([]));
  return names.filter((name) => fileName.test(name)).sort();
}

/** What stands for a file or folder that is not there: another run may have removed it since it was listed. */
function ifMissing<T>(otherwise: T): (error: unknown) => T {
  return (error) => {
    if (isMissing(error)) return otherwise;
    throw error;
  };
}

function resultsOf(text: string, path: string): Results | undefined {
  try {
    return parseFile('results', text, path);
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}
