import { access, constants, mkdir, readdir, rm, rmdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ConfigurationError } from '../helpers/config/read-settings.ts';
import type { Settings } from '../helpers/config/settings.ts';
import type { Exchange } from '../helpers/http/exchange.ts';
import { renderAsMarkdown } from '../reports/blocks-markdown.ts';
import { compareResults } from '../reports/compare.ts';
import { renderHar } from '../reports/har.ts';
import { renderPage } from '../reports/html/page.ts';
import { renderJson } from '../reports/json.ts';
import { renderJunit } from '../reports/junit.ts';
import { profileOf, renderProfile } from '../reports/profile.ts';
import { renderRequests, requestsFile } from '../reports/requests.ts';
import { runReport } from '../reports/run-report.ts';
import { noWaivers, reviewWaivers, type WaiverReview } from '../reports/waivers.ts';
import type { ClauseVerdict, Results } from '../schemas/results.ts';
import type { Waiver } from '../schemas/waivers.ts';
import { readWaivers } from './files.ts';
import { folderBeside, historyFolder, keepRun, readHistory, takeKilledRuns } from './history.ts';

// The files of a run. Before it begins: its waivers and the earlier runs are read, and the folder of its reports is
// made and emptied. After its end: the results are reviewed under the waivers, rendered and written.

/** What the reports of a run tell. */
export interface Reported {
  readonly results: Results;
  /** The exchanges of the run, redacted. */
  readonly exchanges: readonly Exchange[];
  readonly review: WaiverReview;
  /** The verdicts that did not make the run fail. */
  readonly allowed: ReadonlySet<ClauseVerdict>;
  /** Earlier runs of the same target, the oldest first. */
  readonly history: readonly Results[];
}

/** What came of writing. */
export interface Written {
  /** Paths of the files that were written whole. */
  readonly files: readonly string[];
  /** Why others were not. */
  readonly failures: readonly unknown[];
}

export type Report = Reported & Written;

/** Which files a run writes: none, or its reports; one of everything also a copy of its results for the runs to come. */
export type ReportMode = 'none' | 'watch' | 'chosen' | 'whole';

/** What a run is reported with, known before it begins. */
export interface Reporting {
  readonly settings: Settings;
  readonly mode: ReportMode;
  readonly waivers: readonly Waiver[];
  /** The verdicts that do not make the run fail. */
  readonly allowed: ReadonlySet<ClauseVerdict>;
  /** Earlier runs of the same target, the oldest first. */
  readonly history: readonly Results[];
}

/** Runs whose reports are not to take the place of those of the last whole run. */
type Aside = 'watch' | 'chosen' | 'interrupted' | 'not-started' | 'killed';

/**
 * Where the reports of a run go. A folder called `latest` holds the last whole run: others go beside it, each kind into a
 * folder of its own. Any other folder is for one run, whatever becomes of it.
 */
export function folderOf(reportDir: string, kind: Aside | 'whole'): string {
  const beside = folderBeside(reportDir);
  return beside !== reportDir && kind !== 'whole' ? join(beside, kind) : reportDir;
}

/** Which kind of run it was in the end. */
function kindOf(
  { verdict, interruptedBy }: Results,
  mode: Exclude<ReportMode, 'none'>,
): Aside | 'whole' {
  if (mode === 'watch') return mode;
  if (interruptedBy !== null) return 'interrupted';
  return verdict === 'not run' ? 'not-started' : mode;
}

const exchangesFile = 'exchanges.har';

interface ReportFile {
  readonly file: string;
  readonly render: (run: Reported) => string;
}

const reports: readonly ReportFile[] = [
  { file: 'index.html', render: renderPageOf },
  {
    file: 'summary.md',
    render: ({ results, review, exchanges }) =>
      renderAsMarkdown(runReport(results, { review, exchanges })),
  },
  {
    file: 'junit.xml',
    render: ({ results, review, allowed }) => renderJunit(results, review, allowed),
  },
  { file: 'results.json', render: ({ results }) => renderJson(results) },
  { file: 'profile.json', render: ({ results }) => renderProfile(profileOf(results)) },
  { file: exchangesFile, render: ({ results, exchanges }) => renderHar(results, exchanges) },
];

/** Those that can be made without the exchanges. */
const reportsOfResults = reports.filter(({ file }) => file !== exchangesFile);

/**
 * Reads what the reports need, and sees that they can be written: better now than after the run.
 * @throws ConfigurationError, FileError
 */
export async function prepareReports(
  settings: Settings,
  mode: ReportMode,
  allowed: ReadonlySet<ClauseVerdict> = new Set(),
): Promise<Reporting> {
  const { reportDir, target } = settings;
  if (mode === 'none') {
    return { settings, mode, waivers: await readWaivers(settings), allowed, history: [] };
  }
  const place = folderOf(reportDir, mode);
  try {
    await mkdir(place, { recursive: true });
    await access(place, constants.W_OK);
    // Nobody is to take the reports of an earlier run for those of this one; the last whole run stays until there is another.
    if (basename(reportDir) !== 'latest') {
      await Promise.all(reports.map(({ file }) => rm(join(place, file), { force: true })));
      await removeRequests(place);
    }
  } catch (error) {
    throw unusable(`"${place}" cannot be written to`, error);
  }
  const waivers = await readWaivers(settings);
  const folder = historyFolder(reportDir, target);
  const history = await readHistory(folder).catch((error: unknown) => {
    throw unusable(`the runs kept in "${folder}" cannot be read`, error);
  });
  return { settings, mode, waivers, allowed, history };
}

/** Reviews the results of a run under its waivers, and writes its files. */
export async function reportRun(
  { results, exchanges }: Pick<Reported, 'results' | 'exchanges'>,
  { settings, mode, waivers, allowed, history }: Reporting,
): Promise<Report> {
  const { reportDir, target, keepRuns, staleWaiversFail } = settings;
  const review = reviewWaivers(results, waivers, new Date(results.startedAt), staleWaiversFail);
  const reported = { results, exchanges, review, allowed, history };
  if (mode === 'none') return { ...reported, files: [], failures: [] };
  const kind = kindOf(results, mode);
  const keep = async (): Promise<string[]> => {
    const path = await keepRun(historyFolder(reportDir, target), results, keepRuns);
    return path === undefined ? [] : [path];
  };
  // A run that judged nothing, or not all, shows nothing of what changed since.
  const written = await writeAll([
    ...writersOf(reported, folderOf(reportDir, kind)),
    ...(kind === 'whole' ? [keep] : []),
  ]);
  return { ...reported, ...written };
}

/** Writes the reports of a run that could not start. */
export async function reportNotRun(results: Results, reportDir: string): Promise<Report> {
  return await reportWithoutExchanges(results, folderOf(reportDir, 'not-started'));
}

/**
 * Writes the reports of runs that were killed before they could, from what they had found by then.
 * @returns the files that were written
 */
export async function reportKilledRuns({
  reportDir,
}: Pick<Settings, 'reportDir'>): Promise<readonly string[]> {
  const killed = await takeKilledRuns(reportDir);
  const results = killed.at(-1);
  if (results === undefined) return [];
  // Its exchanges went with it: a file without any would say that it sent nothing.
  return (await reportWithoutExchanges(results, folderOf(reportDir, 'killed'))).files;
}

async function reportWithoutExchanges(results: Results, folder: string): Promise<Report> {
  const allowed = new Set<ClauseVerdict>();
  const reported = { results, exchanges: [], review: noWaivers, allowed, history: [] };
  const removeExchanges = async (): Promise<[]> => {
    await rm(join(folder, exchangesFile), { force: true });
    return [];
  };
  // Those of an earlier run are not its own.
  const writers = [removeExchanges, ...writersOf(reported, folder, reportsOfResults)];
  return { ...reported, ...(await writeAll(writers)) };
}

/** Writes files, and gives their paths. */
type Writer = () => Promise<readonly string[]>;

function writersOf(run: Reported, folder: string, files = reports): Writer[] {
  const writeReports = files.map(({ file, render }) => async () => {
    await mkdir(folder, { recursive: true });
    const path = join(folder, file);
    await writeFile(path, render(run));
    return [path];
  });
  return [...writeReports, () => writeRequests(run, folder)];
}

/** Writes the requests of each finding, in place of those of an earlier run. */
async function writeRequests(
  { results, review, exchanges }: Reported,
  folder: string,
): Promise<string[]> {
  await removeRequests(folder);
  const paths: string[] = [];
  for (const [file, text] of renderRequests(results, review, exchanges)) {
    const path = join(folder, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { mode: 0o755 });
    paths.push(path);
  }
  return paths;
}

/** Removes the requests of findings, and their folder where there is nothing else in it. */
async function removeRequests(folder: string): Promise<void> {
  const place = join(folder, dirname(requestsFile(1)));
  const found = await readdir(place).catch(() => []);
  const files = found.filter((file) => /^\d+\.sh$/.test(file));
  await Promise.all(files.map((file) => rm(join(place, file), { force: true })));
  if (files.length > 0 && files.length === found.length) await rmdir(place);
}

/** Writes all. What cannot be written takes nothing else with it. */
async function writeAll(writers: readonly Writer[]): Promise<Written> {
  const outcomes = await Promise.allSettled(writers.map((write) => write()));
  return {
    files: outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : [])),
    failures: outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason] : [],
    ),
  };
}

function renderPageOf({ results, exchanges, review, history }: Reported): string {
  const last = history.at(-1);
  const comparison = last && compareResults(last, results);
  return renderPage({ results, exchanges, review, history, ...(comparison && { comparison }) });
}

function unusable(what: string, error: unknown): ConfigurationError {
  const why = error instanceof Error ? error.message : String(error);
  return new ConfigurationError(`REPORT_DIR: ${what} (${why}); for example reports/latest`);
}
