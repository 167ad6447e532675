import { appendFile } from 'node:fs/promises';
import { renderAnnotations } from '../reports/annotations.ts';
import { renderSummary } from '../reports/console.ts';
import { renderMarkdown } from '../reports/markdown.ts';
import type { Reported } from './write-reports.ts';

/** Prints what a person reads at the end of a run. @param files paths of the reports */
export function printSummary({ results, review }: Reported, files: readonly string[]): void {
  const color = process.stdout.isTTY === true && process.env.NO_COLOR === undefined;
  const width = process.stdout.columns ?? 100;
  process.stdout.write(renderSummary(results, { color, width, review, files }));
}

/** Tells GitHub Actions of a run, where it runs there: annotations, and the summary of the step. */
export async function tellPipeline({ results, review }: Reported): Promise<void> {
  const { GITHUB_ACTIONS } = process.env;
  if (GITHUB_ACTIONS === 'true') process.stdout.write(renderAnnotations(results, review));
  await addToStepSummary(renderMarkdown(results, review));
}

/** Adds Markdown to the summary of a step of GitHub Actions, where it runs in one. */
export async function addToStepSummary(markdown: string): Promise<void> {
  const { GITHUB_STEP_SUMMARY = '' } = process.env;
  if (GITHUB_STEP_SUMMARY === '') return;
  try {
    await appendFile(GITHUB_STEP_SUMMARY, `${markdown}\n`);
  } catch (error) {
    // The verdict does not depend on where it is shown.
    process.stderr.write(`GITHUB_STEP_SUMMARY: ${(error as Error).message}\n`);
  }
}
