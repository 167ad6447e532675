import { randomUUID } from 'node:crypto';
import { mkdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import {
  access,
  constants,
  mkdir,
  readdir,
  readFile,
  rm,
  rmdir,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Settings } from '../helpers/config/settings.ts';
import { ConfigurationError, UserError } from '../helpers/errors.ts';
import { renderAsMarkdown } from '../reports/blocks-markdown.ts';
import { nameOfTarget } from '../reports/compare.ts';
import { renderHar } from '../reports/exchange-text.ts';
import { profileOf } from '../reports/fidelity.ts';
import { renderPage } from '../reports/html/page.ts';
import { renderJunit } from '../reports/junit.ts';
import { jsonText } from '../reports/printable.ts';
import { renderRequests, requestsFile } from '../reports/requests.ts';
import { runReport, type ToldRun, toldFindings } from '../reports/run-report.ts';
import { noWaivers, reviewWaivers } from '../reports/verdicts.ts';
import type { Waiver } from '../schemas/files.ts';
import type { ClauseVerdict, Results } from '../schemas/results.ts';
import { isMissing, messageOf, parseFile, readWaivers } from './files.ts';
import { isRunning, type RunningProcess, readRunFiles } from './journal.ts';

// The files of a run. Before it begins: its waivers and the earlier runs are read, and the folder of its reports is
// made and emptied. While it goes on, what it has found so far is kept: a killed run reports nothing, and the next run, or
// `restore`, reports for it. After its end: the results are reviewed under the waivers, rendered and written, and kept for
// later runs, to tell what changed.

/** What reports need and is known before the run begins. */
export type Reporting = Awaited<ReturnType<typeof prepareReports>>;

/** What the reports of a run tell, and what came of writing them. */
export interface ReportedRun extends ToldRun, Pick<Reporting, 'allowed'> {
  /** Why other files could not be written. */
  readonly failures: readonly unknown[];
}

/**
 * Where the reports of a run go. A folder called `latest` holds the last whole run, and runs of other kinds go beside
 * it: `reports/chosen`. Any other folder is for one run, whatever becomes of it.
 */
export function folderOf(
  reportDir: string,
  kind: 'whole' | 'chosen' | 'interrupted' | 'not-started' | 'killed',
): string {
  const beside = folderBeside(reportDir);
  return beside !== reportDir && kind !== 'whole' ? join(beside, kind) : reportDir;
}

const exchangesFile = 'exchanges.har';

const reports: Readonly<Record<string, (run: ReportedRun) => string>> = {
  'index.html': renderPage,
  'summary.md': (run) => renderAsMarkdown(runReport(run)),
  'junit.xml': (run) => renderJunit(run, run.allowed),
  'results.json': ({ results }) => jsonText(results),
  'profile.json': ({ results }) => jsonText(profileOf(results)),
  [exchangesFile]: ({ results, exchanges }) => renderHar(results, exchanges),
};

/**
 * Reads what the reports need, and checks that they can be written, so that this does not fail after the run.
 * @param mode which files the run writes: none; its reports; or, after a run of everything, also its results for later
 *   runs
 * @param allowed the verdicts that do not make the run fail
 * @throws ConfigurationError, UserError
 */
export async function prepareReports(
  settings: Settings,
  mode: 'none' | 'chosen' | 'whole',
  allowed: ReadonlySet<ClauseVerdict> = new Set(),
) {
  const { reportDir, target } = settings;
  const isWritten = mode !== 'none';
  if (isWritten) await clear(folderOf(reportDir, mode), basename(reportDir) === 'latest');
  const waivers: readonly Waiver[] = await readWaivers(settings);
  const folder = historyFolder(reportDir, target);
  const history: readonly Results[] = !isWritten
    ? []
    : await readHistory(folder).catch((error: unknown) => {
        throw unusable(`the runs kept in "${folder}" cannot be read`, error);
      });
  return { settings, mode, waivers, allowed, history };
}

/**
 * Makes a folder for reports, and removes those of an earlier run, which nobody must take for those of this one.
 * @param isKept whether earlier reports stay until they are replaced
 */
async function clear(folder: string, isKept: boolean): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
    if (isKept) return;
    const files = Object.keys(reports);
    await Promise.all(files.map((file) => rm(join(folder, file), { force: true })));
    await removeRequests(folder);
  } catch (error) {
    throw unusable(`"${folder}" cannot be written to`, error);
  }
}

/** Reviews the results of a run under its waivers, and writes its files. */
export async function reportRun(
  { results, exchanges }: Pick<ReportedRun, 'results' | 'exchanges'>,
  { settings, mode, waivers, allowed, history }: Reporting,
): Promise<ReportedRun> {
  const { reportDir, target, keepRuns, staleWaiversFail } = settings;
  const review = reviewWaivers(results, waivers, staleWaiversFail);
  const report = { results, exchanges, review, allowed, history, files: [], failures: [] };
  if (mode === 'none') return report;
  const ofVerdict = results.verdict === 'not run' ? 'not-started' : mode;
  const kind = results.interruptedBy === null ? ofVerdict : 'interrupted';
  // A run that judged nothing, or not everything, is nothing to compare later runs with.
  const kept =
    kind === 'whole' ? [keepRun(historyFolder(reportDir, target), results, keepRuns)] : [];
  return await write(report, folderOf(reportDir, kind), kept);
}

/** Writes the reports of a run of which there are results alone, as it could not start, or was killed. */
export async function reportAlone(
  results: Results,
  reportDir: string,
  kind: 'not-started' | 'killed',
): Promise<ReportedRun> {
  const none = { exchanges: [], allowed: new Set<ClauseVerdict>(), history: [] };
  const report = { ...none, results, review: noWaivers, files: [], failures: [] };
  // The exchanges of a killed run went with it: a file without any would say that it sent nothing.
  return await write(report, folderOf(reportDir, kind), [], [exchangesFile]);
}

/**
 * Writes the reports of the last run that was killed before it could, from what it had found by then. The files of killed
 * runs are removed; unreadable ones and those of live runs stay.
 * @returns the files that were written
 */
export async function reportKilledRuns({
  reportDir,
}: Pick<Settings, 'reportDir'>): Promise<readonly string[]> {
  const folder = unfinishedFolder(reportDir);
  const killed: Results[] = [];
  for (const { path, header, lines } of await readRunFiles(folder, unfinished)) {
    const results = resultsOf(lines.join('\n'), path);
    if (results === undefined || isRunning(header)) continue;
    await rm(path, { force: true });
    killed.push(results);
  }
  removeEmpty(folder);
  const last = killed.sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1)).at(-1);
  return last === undefined ? [] : (await reportAlone(last, reportDir, 'killed')).files;
}

/**
 * Writes the files of a report. A file that cannot be written becomes a failure; the others are written all the same.
 * @param more other writing under way, each giving the path of its file, or undefined where it wrote none
 * @param without names of files that are removed in place of being written
 */
async function write(
  report: ReportedRun,
  folder: string,
  more: readonly Promise<string | undefined>[],
  without: readonly string[] = [],
): Promise<ReportedRun> {
  const outcomes = await Promise.allSettled([
    ...Object.entries(reports).map(async ([name, render]) => {
      const path = join(folder, name);
      if (without.includes(name)) return await rm(path, { force: true });
      await mkdir(folder, { recursive: true });
      await writeFile(path, render(report));
      return path;
    }),
    writeRequests(report, folder),
    ...more,
  ]);
  return {
    ...report,
    files: outcomes.flatMap((one) => (one.status === 'fulfilled' ? (one.value ?? []) : [])),
    failures: outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : [])),
  };
}

/** Writes the requests of each finding, in place of those of an earlier run. */
async function writeRequests(run: ReportedRun, folder: string): Promise<string[]> {
  await removeRequests(folder);
  const paths: string[] = [];
  for (const [file, text] of renderRequests(toldFindings(run), run.results)) {
    const path = join(folder, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { mode: 0o755 });
    paths.push(path);
  }
  return paths;
}

/** Removes the requests of findings, and their folder where there is nothing else in it. */
async function removeRequests(folder: string): Promise<void> {
  const requestsFolder = join(folder, dirname(requestsFile(1)));
  const names = await readdir(requestsFolder).catch(() => []);
  const files = names.filter((file) => /^\d+\.sh$/.test(file));
  await Promise.all(files.map((file) => rm(join(requestsFolder, file), { force: true })));
  if (files.length > 0 && files.length === names.length) await rmdir(requestsFolder);
}

function unusable(what: string, error: unknown): ConfigurationError {
  return new ConfigurationError(
    `REPORT_DIR: ${what} (${messageOf(error)}); for example reports/latest`,
  );
}

const fileName = /^\d{4}-\d\d-\d\dT[\d-]+(?:\.\d+)?Z\.json$/;

/** The folder for files of several runs: around a report folder called `latest`, or any other one itself. */
function folderBeside(reportDir: string): string {
  return basename(reportDir) === 'latest' ? dirname(reportDir) : reportDir;
}

/** The folder that holds the runs of a target: `reports/history/eu.env`, `reports/history/staging.example.org-v5`. */
export function historyFolder(reportDir: string, target: Results['target']): string {
  return join(folderBeside(reportDir), 'history', nameOfTarget(target));
}

/**
 * The runs that are kept, the oldest first. A file that no longer reads as results is passed over: the history of
 * another version of the format must not stop a run.
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
