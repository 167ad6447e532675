import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Exchange } from '../helpers/http/exchange.ts';
import { compareResults } from '../reports/compare.ts';
import { renderCtrf } from '../reports/ctrf.ts';
import { renderHar } from '../reports/har.ts';
import { renderPage } from '../reports/html/page.ts';
import { renderJson } from '../reports/json.ts';
import { renderJunit } from '../reports/junit.ts';
import { renderMarkdown } from '../reports/markdown.ts';
import { profileOf, renderProfile } from '../reports/profile.ts';
import type { WaiverReview } from '../reports/waivers.ts';
import type { Results } from '../schemas/results.ts';

/** What the reports of a run tell. */
export interface Reported {
  readonly results: Results;
  /** The exchanges of the run, redacted. */
  readonly exchanges: readonly Exchange[];
  readonly review: WaiverReview;
  /** Earlier runs of the same target, the oldest first. */
  readonly history: readonly Results[];
}

interface Report {
  readonly file: string;
  readonly render: (run: Reported) => string;
}

const reports: readonly Report[] = [
  { file: 'index.html', render: renderPageOf },
  { file: 'summary.md', render: ({ results, review }) => renderMarkdown(results, review) },
  { file: 'junit.xml', render: ({ results, review }) => renderJunit(results, review) },
  { file: 'results.json', render: ({ results }) => renderJson(results) },
  { file: 'profile.json', render: ({ results }) => renderProfile(profileOf(results)) },
  { file: 'exchanges.har', render: ({ results, exchanges }) => renderHar(results, exchanges) },
  { file: 'ctrf.json', render: ({ results, review }) => renderCtrf(results, review) },
];

function renderPageOf({ results, exchanges, review, history }: Reported): string {
  const last = history.at(-1);
  const comparison = last && compareResults(last, results);
  return renderPage({ results, exchanges, review, history, ...(comparison && { comparison }) });
}

/** Makes the folder, and takes out the reports of an earlier run: nobody is to take them for those of this one. */
export async function clearReports(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await Promise.all(reports.map(({ file }) => rm(join(folder, file), { force: true })));
}

/** Writes one file, and gives its path; undefined where there is nothing to write. */
export type Writer = () => Promise<string | undefined>;

/** What came of writing. */
export interface Written {
  /** Paths of the files that were written whole. */
  readonly files: readonly string[];
  /** Why others were not. */
  readonly failures: readonly unknown[];
}

/** The reports of a run, ready to be written into a folder. */
export function reportWriters(run: Reported, folder: string): Writer[] {
  return reports.map(({ file, render }) => async () => {
    await mkdir(folder, { recursive: true });
    const path = join(folder, file);
    await writeFile(path, render(run));
    return path;
  });
}

/** Writes all. What cannot be written takes nothing else with it. */
export async function writeAll(writers: readonly Writer[]): Promise<Written> {
  const outcomes = await Promise.allSettled(writers.map((write) => write()));
  return {
    files: outcomes.flatMap((outcome) =>
      outcome.status === 'fulfilled' && outcome.value !== undefined ? [outcome.value] : [],
    ),
    failures: outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason] : [],
    ),
  };
}
