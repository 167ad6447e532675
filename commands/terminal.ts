import { writeSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { ReportedRun } from '../contract/reports.ts';
import type { Contract, Finished } from '../contract/run.ts';
import { renderAnnotations } from '../reports/annotations.ts';
import type { Report } from '../reports/blocks.ts';
import { renderAsMarkdown } from '../reports/blocks-markdown.ts';
import { runReport } from '../reports/run-report.ts';
import { createProgress, renderOnTerminal, type TerminalOptions } from '../reports/terminal.ts';
import { tallyOf, verdictUnder } from '../reports/verdicts.ts';
import { unusableLines } from '../reports/wording.ts';
import { renderHowToRestore, renderPutBack } from '../reports/writes.ts';

// How commands read and write where they were started: at a terminal, or in a pipeline.

/** Prints a report on the standard output, in colours and over the width that it has. */
export function print(report: Report, more: Pick<TerminalOptions, 'files' | 'detail'> = {}): void {
  const screen = { color: usesColor(process.stdout), width: columnsOf(process.stdout) };
  process.stdout.write(renderOnTerminal(report, { ...screen, ...more }));
}

/** Whether text on a stream has colors: FORCE_COLOR and NO_COLOR say so where they are not empty, in this order. */
export function usesColor(
  { isTTY = false }: { readonly isTTY?: boolean },
  { FORCE_COLOR = '', NO_COLOR = '', TERM }: NodeJS.ProcessEnv = process.env,
): boolean {
  if (FORCE_COLOR !== '') return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return NO_COLOR === '' && isTTY && TERM !== 'dumb';
}

/** How wide text may be on a stream: the columns of its terminal, or `otherwise` where none are known. */
export function columnsOf(stream: { readonly columns?: number }, otherwise = 100): number {
  // A terminal that was never given a size has 0 columns.
  return stream.columns || otherwise;
}

/** Ctrl-C, a pipeline that ends, a terminal that is closed; on Windows Ctrl-Break too, and no SIGTERM ever comes. */
const signals: readonly NodeJS.Signals[] =
  process.platform === 'win32' ? ['SIGINT', 'SIGHUP', 'SIGBREAK'] : ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** How long after a signal npm, or another parent, may pass the same signal on once more, in milliseconds. */
const passedOnMs = 1000;

/**
 * Calls `stop` at the first signal to end. A second signal ends the process at once, as if nobody listened, unless it
 * may be the first one passed on.
 * @param lastWords written to the standard error before that
 * @returns a function that stops listening
 */
export function onInterrupt(stop: (signal: NodeJS.Signals) => void, lastWords = ''): () => void {
  let first: { readonly signal: NodeJS.Signals; readonly at: number } | undefined;
  const forget = (): void => {
    for (const signal of signals) process.off(signal, listener);
  };
  const listener = (signal: NodeJS.Signals): void => {
    if (first === undefined) {
      first = { signal, at: performance.now() };
      stop(signal);
      return;
    }
    if (signal === first.signal && performance.now() - first.at < passedOnMs) return;
    forget();
    writeSync(process.stderr.fd, lastWords);
    process.kill(process.pid, signal);
  };
  for (const signal of signals) process.on(signal, listener);
  return forget;
}

/**
 * Ends the process, once its output is written, whatever still goes on in it: scenarios of a run that was given up may
 * be busy with files for long.
 */
export async function exitNow(code: number): Promise<void> {
  const written = [process.stdout, process.stderr].map(
    (stream) => new Promise<void>((done) => stream.write('', () => done())),
  );
  await Promise.all(written);
  process.exit(code);
}

/**
 * Announces a run, plays all its scenarios, and shows on the standard error the progress, and what became of the tasks
 * that it wrote to; Ctrl-C ends it early.
 * @param isQuiet whether to say only what is not well
 */
export async function runAtTerminal(contract: Contract, isQuiet = false): Promise<Finished> {
  const { stderr } = process;
  const { target, journalDir } = contract.settings;
  const howToRestore = target.kind === 'embedded' ? '' : renderHowToRestore(journalDir, target);
  const isTTY = stderr.isTTY === true;
  const forgetInterrupts = onInterrupt((signal) => {
    contract.run.interrupt(signal);
    // A line of progress may stand there.
    stderr.write(`${isTTY ? '\n' : ''}${contract.lastSteps}`);
  }, howToRestore);
  const width = columnsOf(stderr, 80);
  const progress = createProgress(stderr, { isTTY, width, now: () => performance.now() });
  const announce = () => stderr.write(contract.announcement);
  const finished = await (isQuiet
    ? contract.runAll()
    : contract.runAll((state) => progress.update(state), announce)
  ).finally(() => {
    progress.done();
    forgetInterrupts();
  });
  const { putBack, isPutBack, results } = finished;
  const unusable = isQuiet ? unusableLines(results.unusable, results.clauses) : [];
  stderr.write(unusable.map((line) => `${line}\n`).join(''));
  if (putBack.length > 0 && !(isQuiet && isPutBack)) stderr.write(`${renderPutBack(putBack)}\n`);
  if (!isPutBack) stderr.write(`${howToRestore}\n`);
  return finished;
}

/** Writes annotations on GitHub Actions, and the summary and outputs of a step where the environment names their files. */
export async function reportToPipeline(run: ReportedRun): Promise<void> {
  const { results, review, files } = run;
  const report = runReport(run);
  const { GITHUB_ACTIONS } = process.env;
  if (GITHUB_ACTIONS === 'true') process.stdout.write(renderAnnotations(report));
  await appendForStep('GITHUB_STEP_SUMMARY', renderAsMarkdown(report));
  const { waived, verdicts } = tallyOf(results, review.waivedClauses);
  const [page] = files;
  const outputs = [
    `verdict=${verdictUnder(review, results)}`,
    `report=${page === undefined ? '' : dirname(resolve(page))}`,
    `counts=${JSON.stringify({ ...verdicts, waived })}`,
  ];
  await appendForStep('GITHUB_OUTPUT', outputs.join('\n'));
}

/** Prints a report, with the files that were written, and adds it to the summary of a step of GitHub Actions. */
export async function tell(report: Report, files: readonly string[]): Promise<void> {
  print(report, { files });
  await appendForStep('GITHUB_STEP_SUMMARY', renderAsMarkdown(report));
}

/** Appends to the file that GitHub Actions gives a step. @param variable holds its path; elsewhere it is not set */
async function appendForStep(
  variable: 'GITHUB_STEP_SUMMARY' | 'GITHUB_OUTPUT',
  text: string,
): Promise<void> {
  const file = process.env[variable] ?? '';
  if (file === '') return;
  try {
    await appendFile(file, `${text}\n`);
  } catch (error) {
    // A file that cannot be written does not change the verdict.
    process.stderr.write(`${variable}: ${(error as Error).message}\n`);
  }
}
