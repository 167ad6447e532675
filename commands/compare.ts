import { writeFile } from 'node:fs/promises';
import { UsageError } from '../contract/errors.ts';
import { readResultsOrProfile } from '../contract/files.ts';
import type { Report } from '../reports/blocks.ts';
import { renderAsMarkdown } from '../reports/blocks-markdown.ts';
import { renderOnTerminal } from '../reports/blocks-terminal.ts';
import {
  type Comparison,
  compareProfiles,
  compareResults,
  comparisonReport,
  newlyViolated,
  noLongerDecided,
} from '../reports/compare.ts';
import { renderAsPage } from '../reports/html/blocks.ts';
import { matrixOf, matrixReport } from '../reports/matrix.ts';
import { type Command, readArguments } from './command.ts';
import { addToStepSummary, standardOutput } from './terminal.ts';

const options = {
  markdown: { type: 'string', value: 'FILE', about: 'write it as Markdown too' },
  page: { type: 'string', value: 'FILE', about: 'write it as a page too' },
  'fail-on': {
    type: 'string',
    value: 'new',
    about:
      'of two runs: exit 1 where the later one finds clauses violated that the earlier one did not, and 3 where it did not decide what that one did',
  },
} as const;

export const compare: Command = {
  summary:
    'shows what changed from the results of one run to those of another, or from one profile.json to another; of more than two runs, puts the verdicts side by side',
  operands: 'A B [C ...]',
  options,
  async run(args) {
    const { values, operands } = readArguments(args, options);
    if (operands.length < 2) {
      throw new UsageError(
        'Two or more results are needed: compare A B, where each is a results.json or a folder with one.',
      );
    }
    if (values['fail-on'] !== undefined && (values['fail-on'] !== 'new' || operands.length > 2)) {
      throw new UsageError(
        '--fail-on: only "new", and only of two runs: compare A B --fail-on new',
      );
    }
    const { report, code } = await compared(operands, values['fail-on'] !== undefined);
    if (values.markdown !== undefined) await write(values.markdown, renderAsMarkdown(report));
    if (values.page !== undefined) await write(values.page, renderAsPage(report));
    const files = [values.markdown, values.page].filter((file) => file !== undefined);
    process.stdout.write(renderOnTerminal(report, { ...standardOutput(), files }));
    await addToStepSummary(renderAsMarkdown(report));
    return code;
  },
};

interface Compared {
  readonly report: Report;
  /** The exit code. */
  readonly code: number;
}

/** Of two runs or profiles, what changed; of more runs, a table. */
async function compared(files: readonly string[], isGate: boolean): Promise<Compared> {
  const read = await Promise.all(files.map(readResultsOrProfile));
  const profiles = read.flatMap((one) => ('profile' in one ? [one.profile] : []));
  const [before, after] = profiles;
  if (before !== undefined) {
    if (after === undefined || profiles.length !== files.length || files.length > 2 || isGate) {
      throw new UsageError('A profile is compared with one other profile: compare A B');
    }
    return { report: comparisonReport(compareProfiles(before, after)), code: 0 };
  }
  const runs = read.flatMap((one, index) =>
    'results' in one ? [{ file: files[index] ?? '', results: one.results }] : [],
  );
  const [earlier, later] = runs;
  if (earlier === undefined || later === undefined || runs.length > 2) {
    return { report: matrixReport(matrixOf(runs)), code: 0 };
  }
  const comparison = compareResults(earlier.results, later.results);
  return { report: comparisonReport(comparison), code: isGate ? gate(comparison) : 0 };
}

/** The exit code of a comparison that fails on what is newly violated. What judged nothing lets nothing through. */
function gate(comparison: Comparison): number {
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
