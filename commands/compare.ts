import { writeFile } from 'node:fs/promises';
import { UsageError } from '../contract/errors.ts';
import { readResults } from '../contract/files.ts';
import type { Report } from '../reports/blocks.ts';
import { renderAsMarkdown } from '../reports/blocks-markdown.ts';
import { renderOnTerminal } from '../reports/blocks-terminal.ts';
import { compareResults, comparisonReport } from '../reports/compare.ts';
import { renderAsPage } from '../reports/html/blocks.ts';
import { matrixOf, matrixReport } from '../reports/matrix.ts';
import type { Results } from '../schemas/results.ts';
import { type Command, readArguments } from './command.ts';
import { addToStepSummary, standardOutput } from './terminal.ts';

const options = {
  markdown: { type: 'string', value: 'FILE', about: 'write it as Markdown too' },
  page: { type: 'string', value: 'FILE', about: 'write it as a page too' },
} as const;

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
    const report = reportOf(runs);
    if (values.markdown !== undefined) await write(values.markdown, renderAsMarkdown(report));
    if (values.page !== undefined) await write(values.page, renderAsPage(report));
    const files = [values.markdown, values.page].filter((file) => file !== undefined);
    process.stdout.write(renderOnTerminal(report, { ...standardOutput(), files }));
    await addToStepSummary(renderAsMarkdown(report));
    return 0;
  },
};

/** Of two runs, what changed; of more, a table. */
function reportOf(runs: readonly { file: string; results: Results }[]): Report {
  const [before, after, ...more] = runs;
  if (before === undefined || after === undefined || more.length > 0) {
    return matrixReport(matrixOf(runs));
  }
  return comparisonReport(compareResults(before.results, after.results));
}

async function write(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${(error as Error).message}`);
  }
}
