import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { UserError } from '../helpers/errors.ts';
import { jsonText } from '../reports/printable.ts';
import { nameOfTarget } from '../reports/recurrence.ts';
import type { Results } from '../schemas/results.ts';
import { isMissing, parseFile } from './files.ts';
import { isRunning, type RunningProcess, readRunFiles } from './journal.ts';

// The results that are kept on disk beside the reports: those of earlier runs, to tell what changed, and what each run
// that goes on has found so far. A killed run reports nothing: the next run, or `restore`, reports for it.

const fileName = /^\d{4}-\d\d-\d\dT[\d-]+(?:\.\d+)?Z\.json$/;

/** The folder for files of several runs: around a report folder called `latest`, or any other one itself. */
export function folderBeside(reportDir: string): string {
  return basename(reportDir) === 'latest' ? dirname(reportDir) : reportDir;
}

/** The folder that holds the runs of a target: `reports/history/eu.env`, `reports/history/staging.example.org-v5`. */
export function historyFolder(reportDir: string, target: Results['target']): string {
  return join(folderBeside(reportDir), 'history', nameOfTarget(target));
}

/**
 * The runs that are kept, the oldest first. A file that no longer reads as results is passed over: the history of
 * another version of the format must not stop a run.
 * @param directory as `historyFolder` gives it
 */
export async function readHistory(directory: string): Promise<Results[]> {
  const paths = (await keptFiles(directory)).map((name) => join(directory, name));
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
  const names = await keptFiles(directory);
  const surplus = names.slice(0, Math.max(0, names.length - keep));
  await Promise.all(surplus.map((old) => rm(join(directory, old), { force: true })));
  return surplus.includes(name) ? undefined : path;
}

const unfinished = '.unfinished.json';

/**
 * The file that holds what a run has found so far, until it reports.
 * @param running the process, and until when it runs at the latest
 */
export function unfinishedRun(reportDir: string, running: RunningProcess) {
  const folder = unfinishedFolder(reportDir);
  const path = join(folder, `${running.pid}-${randomUUID().slice(0, 8)}${unfinished}`);
  return {
    /** Writes results in place of the earlier ones. If that fails, the run goes on all the same. */
    keep(results: Results): void {
      try {
        writeWhole(path, `${JSON.stringify(running)}\n${jsonText(results)}`);
      } catch {
        // The file is of use only if the run is killed.
      }
    },
    /** Removes the file; to be called once the run has reported. */
    discard(): void {
      rmSync(path, { force: true });
      removeEmpty(folder);
    },
  };
}

/** Reads what killed runs found, oldest first, and removes their files; unreadable ones and those of live runs stay. */
export async function takeKilledRuns(reportDir: string): Promise<Results[]> {
  const folder = unfinishedFolder(reportDir);
  const runs: Results[] = [];
  for (const { path, header, lines } of await readRunFiles(folder, unfinished)) {
    const results = resultsOf(lines.join('\n'), path);
    if (results === undefined || isRunning(header)) continue;
    await rm(path, { force: true });
    runs.push(results);
  }
  removeEmpty(folder);
  return runs.sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1));
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

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Other runs keep something there, or it is already gone.
  }
}

/** The names of the files of kept runs, the oldest first; none where there is no folder. */
async function keptFiles(directory: string): Promise<string[]> {
  const names = await readdir(directory).catch(ifMissing<string[]>([]));
  return names.filter((name) => fileName.test(name)).sort();
}

/** For `catch`: gives a value in place of a file or folder that is missing, as another run may have removed it. */
function ifMissing<T>(otherwise: T): (error: unknown) => T {
  return (error) => {
    if (isMissing(error)) return otherwise;
    throw error;
  };
}

/** The results that a text holds; undefined where it holds none that this version reads. */
function resultsOf(text: string, path: string): Results | undefined {
  try {
    return parseFile('results', text, path);
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}
