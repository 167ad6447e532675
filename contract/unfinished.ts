import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { renderJson } from '../reports/json.ts';
import type { Results } from '../schemas/results.ts';
import { FileError } from './errors.ts';
import { parseFile } from './files.ts';
import { isRunning, type RunningProcess } from './journal.ts';

// What a run has found so far is kept on disk while it goes on. A run that is killed reports nothing; whoever comes next,
// another run or `restore`, makes its report of this.

const ending = '.unfinished.json';

/** Where runs that report into a folder keep what they have found so far. */
export function unfinishedFolder(reportsBeside: string): string {
  return join(reportsBeside, 'unfinished');
}

/** What a run that goes on has found so far, on disk. */
export class UnfinishedRun {
  readonly #folder: string;
  readonly #path: string;
  readonly #process: RunningProcess;

  /**
   * @param folder as `unfinishedFolder` gives it; made where it is missing
   * @param endsBy when the run has ended at the latest
   */
  constructor(folder: string, startedAt: Date, endsBy: Date) {
    this.#folder = folder;
    this.#path = join(folder, `${process.pid}-${randomUUID().slice(0, 8)}${ending}`);
    this.#process = {
      pid: process.pid,
      host: hostname(),
      startedAt: startedAt.toISOString(),
      endsBy: endsBy.toISOString(),
    };
  }

  /**
   * Keeps results in place of those that were kept before; the file appears whole or not at all. Where it cannot be
   * written the run goes on all the same.
   */
  keep(results: Results): void {
    const draft = `${this.#path}.part`;
    try {
      // Another run that has ended may have taken the empty folder away.
      mkdirSync(this.#folder, { recursive: true });
      writeFileSync(draft, `${JSON.stringify(this.#process)}\n${renderJson(results)}`);
      renameSync(draft, this.#path);
    } catch {
      rmSync(draft, { force: true });
    }
  }

  /** To be called once the run has reported by itself. */
  discard(): void {
    rmSync(this.#path, { force: true });
    removeEmpty(this.#folder);
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

/**
 * Takes what runs that were killed have found, the oldest first. A file that cannot be read is passed over.
 * @param folder as `unfinishedFolder` gives it
 */
export async function takeKilledRuns(folder: string): Promise<Results[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(ending));
  const now = { pid: process.pid, host: hostname(), startedAt: new Date().toISOString() };
  const runs = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const [head = '', ...rest] = (await readFile(path, 'utf8').catch(() => '')).split('\n');
      const results = resultsOf(rest.join('\n'), path);
      if (results === undefined || isRunning(processOf(head), now)) return [];
      await rm(path, { force: true });
      return [results];
    }),
  );
  removeEmpty(folder);
  return runs.flat().sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1));
}

function processOf(head: string): RunningProcess {
  // Written by `keep`, and whole.
  return JSON.parse(head) as RunningProcess;
}

function resultsOf(text: string, path: string): Results | undefined {
  try {
    return parseFile('results', text, path);
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}
