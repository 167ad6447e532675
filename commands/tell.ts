import { appendFile } from 'node:fs/promises';
import type { OpenRun } from '../contract/contract.ts';
import { describe } from '../contract/journal.ts';
import type { Reported } from '../contract/write-reports.ts';
import type { Settings } from '../helpers/config/settings.ts';
import { renderAnnotations } from '../reports/annotations.ts';
import { invocation } from '../reports/commands.ts';
import { renderSummary } from '../reports/console.ts';
import { renderMarkdown } from '../reports/markdown.ts';
import { createProgress, type Progress } from '../reports/progress.ts';
import { columnsOf, standardOutput } from './columns.ts';

/** Prints what a person reads at the end of a run. @param files paths of the reports */
export function printSummary({ results, review }: Reported, files: readonly string[]): void {
  process.stdout.write(renderSummary(results, { ...standardOutput(), review, files }));
}

/** How far a run is, on the standard error. */
export function progressOnTerminal(): Progress {
  return createProgress(process.stderr, {
    isTTY: process.stderr.isTTY === true,
    width: columnsOf(process.stderr, 80),
    now: () => performance.now(),
  });
}

/**
 * Says on the standard error what became of the tasks that a run wrote to.
 * @returns whether every task is as it was before, or as somebody else wants it
 */
export function tellPutBack({ putBack, settings }: OpenRun): boolean {
  if (putBack.length > 0) process.stderr.write(`\n${describe(putBack)}`);
  const isPutBack = putBack.every(({ outcome }) => outcome !== 'failed');
  if (!isPutBack) process.stderr.write(howToRestore(settings));
  return isPutBack;
}

/** What to type where tasks may be left changed; nothing for the embedded service. */
export function howToRestore({
  target,
  journalDir,
}: Pick<Settings, 'target' | 'journalDir'>): string {
  if (target.kind === 'embedded') return '';
  return `Tasks may be left changed; ${journalDir} knows what was there. To put them back:\n\n  ${invocation} restore\n`;
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
