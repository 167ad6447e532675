import { access, constants, mkdir, readdir, rm, rmdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Settings } from '../helpers/config/settings.ts';
import { ConfigurationError } from '../helpers/errors.ts';
import { renderAsMarkdown } from '../reports/blocks-markdown.ts';
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
import { messageOf, readWaivers } from './files.ts';
import { folderBeside, historyFolder, keepRun, readHistory, takeKilledRuns } from './history.ts';

// The files of a run. Before it begins: its waivers and the earlier runs are read, and the folder of its reports is
// made and emptied. After its end: the results are reviewed under the waivers, rendered and written.

/** Which files a run writes: none; its reports; or, after a run of everything, also its results for later runs. */
type ReportMode = 'none' | 'chosen' | 'whole';

/** What reports need and is known before the run begins. */
export type Reporting = Awaited<ReturnType<typeof prepareReports>>;

/** What the reports of a run tell, and what came of writing them. */
export interface ReportedRun extends ToldRun, Pick<Reporting, 'allowed'> {
  /** Why other files could not be written. */
  readonly failures: readonly unknown[];
}

/** Kinds of runs whose reports must not replace those of the last whole run. */
type Aside = 'chosen' | 'interrupted' | 'not-started' | 'killed';

/**
 * Where the reports of a run go. A folder called `latest` holds the last whole run, and runs of other kinds go beside
 * it: `reports/chosen`. Any other folder is for one run, whatever becomes of it.
 */
export function folderOf(reportDir: string, kind: Aside | 'whole'): string {
  const beside = folderBeside(reportDir);
  return beside !== reportDir && kind !== 'whole' ? join(beside, kind) : reportDir;
}

const exchangesFile = 'exchanges.har';

const reports: Readonly<Record<string, (run: ReportedRun) => string>> = {
  'index.html': renderPage,
  'summary.md': (run) => renderAsMarkdown(runReport(run)),
  'junit.xml': ({ results, review, allowed }) => renderJunit(results, review, allowed),
  'results.json': ({ results }) => jsonText(results),
  'profile.json': ({ results }) => jsonText(profileOf(results)),
  [exchangesFile]: ({ results, exchanges }) => renderHar(results, exchanges),
};

/**
 * Reads what the reports need, and checks that they can be written, so that this does not fail after the run.
 * @param allowed the verdicts that do not make the run fail
 * @throws ConfigurationError, UserError
 */
export async function prepareReports(
  settings: Settings,
  mode: ReportMode,
  allowed: ReadonlySet<ClauseVerdict> = new Set(),
) {
  const { reportDir } = settings;
  const isWritten = mode !== 'none';
  if (isWritten) await clear(folderOf(reportDir, mode), basename(reportDir) === 'latest');
  const waivers: readonly Waiver[] = await readWaivers(settings);
  const history: readonly Results[] = isWritten ? await earlierRuns(settings) : [];
  return { settings, mode, waivers, allowed, history };
}

/** Earlier runs of the same target, the oldest first. @throws ConfigurationError */
async function earlierRuns({ reportDir, target }: Settings): Promise<Results[]> {
  const folder = historyFolder(reportDir, target);
  return await readHistory(folder).catch((error: unknown) => {
    throw unusable(`the runs kept in "${folder}" cannot be read`, error);
  });
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
 * Writes the reports of the last run that was killed before it could, from what it had found by then.
 * @returns the files that were written
 */
export async function reportKilledRuns({
  reportDir,
}: Pick<Settings, 'reportDir'>): Promise<readonly string[]> {
  const results = (await takeKilledRuns(reportDir)).at(-1);
  return results === undefined ? [] : (await reportAlone(results, reportDir, 'killed')).files;
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
