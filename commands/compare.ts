import { writeFile } from 'node:fs/promises';
import { readResultsOrProfile } from '../contract/files.ts';
import { UsageError } from '../helpers/errors.ts';
import type { Report } from '../reports/blocks.ts';
import { renderAsMarkdown } from '../reports/blocks-markdown.ts';
import {
  asRun,
  type Comparison,
  compareResults,
  comparisonReport,
  newlyViolated,
  noLongerDecided,
} from '../reports/compare.ts';
import { renderAsPage } from '../reports/html/blocks.ts';
import { command } from './command.ts';
import { tell } from './terminal.ts';

export const compare = command({
  summary:
    'shows what changed from the results of one run to those of another, or from one profile.json to another',
  operands: 'A B',
  options: {
    markdown: { value: 'FILE', about: 'write it as Markdown too' },
    page: { value: 'FILE', about: 'write it as a page too' },
    'fail-on': {
      value: 'new',
      about:
        'exit 1 where the later one finds clauses violated that the earlier one did not, and 3 where it did not decide what that one did',
    },
  },
  async run(values, operands) {
    const [before, after, ...more] = operands;
    if (before === undefined || after === undefined || more.length > 0) {
      throw new UsageError(
        'Two results are needed: compare A B, where each is a results.json or a folder with one.',
      );
    }
    if (values['fail-on'] !== undefined && values['fail-on'] !== 'new') {
      throw new UsageError('--fail-on: only "new": compare A B --fail-on new');
    }
    const { report, code } = await compared(before, after, values['fail-on'] !== undefined);
    if (values.markdown !== undefined) await write(values.markdown, renderAsMarkdown(report));
    if (values.page !== undefined) await write(values.page, renderAsPage(report));
    const files = [values.markdown, values.page].filter((file) => file !== undefined);
    await tell(report, files);
    return code;
  },
});

/** Compares the runs, or the profiles, in two files. @param isGate whether `--fail-on new` is given */
async function compared(
  before: string,
  after: string,
  isGate: boolean,
): Promise<{ readonly report: Report; readonly code: number }> {
  const earlier = await readResultsOrProfile(before);
  const later = await readResultsOrProfile(after);
  if ('clauses' in earlier && 'clauses' in later) {
    const comparison = compareResults(earlier, later);
    return { report: comparisonReport(comparison), code: isGate ? gateCode(comparison) : 0 };
  }
  if ('clauses' in earlier || 'clauses' in later) {
    throw new UsageError('A profile is compared with one other profile: compare A B');
  }
  if (isGate)
    throw new UsageError('--fail-on new is of runs; a profile says nothing of violations');
  return { report: comparisonReport(compareResults(asRun(earlier), asRun(later))), code: 0 };
}

/** The exit code of `--fail-on new`. A later run that judged nothing fails too. */
function gateCode(comparison: Comparison): number {
  if (newlyViolated(comparison).length > 0) return 1;
  const { verdict } = comparison.after;
  if (verdict === 'not run' || verdict === 'error') return 2;
  return noLongerDecided(comparison).length > 0 ? 3 : 0;
}

async function write(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${(error as Error).message}`);
  }
}
