import { writeFile } from 'node:fs/promises';
import { UsageError } from '../contract/errors.ts';
import { readResults } from '../contract/files.ts';
import { compareResults } from '../reports/compare.ts';
import { renderComparison, renderComparisonMarkdown } from '../reports/compare-text.ts';
import { fileLines } from '../reports/file-lines.ts';
import { renderComparisonPage } from '../reports/html/comparison.ts';
import { renderMatrixPage } from '../reports/html/matrix.ts';
import { matrixOf } from '../reports/matrix.ts';
import { renderMatrix, renderMatrixMarkdown } from '../reports/matrix-text.ts';
import { terminal } from '../reports/terminal.ts';
import type { Results } from '../schemas/results.ts';
import { type Command, readArguments } from './command.ts';
import { addToStepSummary, standardOutput } from './terminal.ts';

const options = {
  markdown: { type: 'string', value: 'FILE', about: 'write it as Markdown too' },
  page: { type: 'string', value: 'FILE', about: 'write it as a page too' },
} as const;

/** Runs compared, in each of the forms that a person may want. */
interface Views {
  terminal(screen: { color: boolean; width: number }): string;
  markdown(): string;
  page(): string;
}

export const compare: Command = {
  summary:
    'shows what changed from the results of one run to those of another; of more than two, puts the verdicts side by side',
  operands: 'A B [C ...]',
  options,
  async run(args) {
    const { values, operands } = readArguments(args, options);
    if (operands.length < 2) {
      throw new UsageError(
        'Two or more results are needed: compare A B, where each is a results.json or a folder with one.',
      );
    }
    const runs = await Promise.all(
      operands.map(async (file) => ({ file, results: await readResults(file) })),
    );
    const views = viewsOf(runs);
    const screen = standardOutput();
    process.stdout.write(views.terminal(screen));
    const files: string[] = [];
    for (const form of ['markdown', 'page'] as const) {
      const file = values[form];
      if (file === undefined) continue;
      await write(file, views[form]());
      files.push(file);
    }
    if (files.length > 0) {
      process.stdout.write(`\n${fileLines(files, terminal(screen)).join('\n')}\n`);
    }
    await addToStepSummary(views.markdown());
    return 0;
  },
};

/** Of two runs, what changed; of more, a table. */
function viewsOf(runs: readonly { file: string; results: Results }[]): Views {
  const [before, after, ...more] = runs;
  if (before !== undefined && after !== undefined && more.length === 0) {
    const comparison = compareResults(before.results, after.results);
    return {
      terminal: (screen) => renderComparison(comparison, screen),
      markdown: () => renderComparisonMarkdown(comparison),
      page: () => renderComparisonPage(comparison),
    };
  }
  const matrix = matrixOf(runs);
  return {
    terminal: (screen) => renderMatrix(matrix, screen),
    markdown: () => renderMatrixMarkdown(matrix),
    page: () => renderMatrixPage(matrix),
  };
}

async function write(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${(error as Error).message}`);
  }
}
