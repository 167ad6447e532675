import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { UsageError } from '../contract/errors.ts';
import { readResults, readWaivers, usualWaiversFile } from '../contract/files.ts';
import { environment } from '../helpers/config/environment.ts';
import { findingsOf } from '../reports/findings.ts';
import { violatedClauses } from '../reports/grouping.ts';
import { headlineOf } from '../reports/headlines.ts';
import { jsonText, printableLine } from '../reports/printable.ts';
import { type ExtendedWaivers, extendWaivers, type WaiverStub } from '../reports/waivers.ts';
import { counted, listed } from '../reports/wording.ts';
import { variables } from '../schemas/configuration.ts';
import type { Results, ViolationResult } from '../schemas/results.ts';
import { type Command, envOption, readArguments } from './command.ts';

/** How long a waiver holds unless something else is asked for. */
const usualDays = 90;

const options = {
  owner: {
    type: 'string',
    value: 'NAME',
    about: 'who sees to it that they end; left to be filled in unless given',
  },
  issue: {
    type: 'string',
    value: 'URL',
    about: 'the issue that tracks them; left to be filled in unless given',
  },
  reason: { type: 'string', value: 'TEXT', about: 'why they are accepted for now' },
  expires: {
    type: 'string',
    value: 'DATE',
    about: `the last day on which they hold; ${usualDays} days from now unless given`,
  },
  ...envOption,
} as const;

export const waive: Command = {
  summary:
    'writes waivers for what runs have found violated (each a results.json, or the folder that holds it; the last whole run unless given) into WAIVERS_FILE, beside those that are there',
  operands: '[RESULTS ...]',
  options,
  async run(args) {
    const { values, operands } = readArguments(args, options);
    const { REPORT_DIR, WAIVERS_FILE } = environment();
    const stub = stubOf(values, new Date());
    const lastRun = REPORT_DIR?.trim() || variables.REPORT_DIR.default;
    const runs = await Promise.all((operands.length > 0 ? operands : [lastRun]).map(readResults));
    const file = WAIVERS_FILE?.trim() || usualWaiversFile;
    // What is not there yet is made.
    const known = existsSync(file)
      ? await readWaivers({ waiversFile: file, nameOf: (name) => name })
      : [];
    const extended = extendWaivers(runs, known, stub);
    if (hasChanged(extended)) {
      await writeFile(file, jsonText(extended.waivers));
    }
    process.stdout.write(renderWaived(extended, runs, file, stub));
    return 0;
  },
};

/** @throws UsageError where a date is none */
function stubOf(
  values: { readonly [Name in 'owner' | 'issue' | 'reason' | 'expires']?: string },
  now: Date,
): WaiverStub {
  const day = (date: Date): string => date.toISOString().slice(0, 10);
  const usual = day(new Date(now.getTime() + usualDays * 86_400_000));
  const { owner = '', issue = '', expires = usual } = values;
  const date = new Date(`${expires}T00:00:00Z`);
  if (Number.isNaN(date.getTime()) || day(date) !== expires) {
    throw new UsageError(`--expires: "${expires}" is not a date; for example --expires ${usual}`);
  }
  if (issue !== '' && !/^https?:\/\/\S+$/.test(issue)) {
    throw new UsageError(
      `--issue: "${issue}" is not an http(s) address; for example --issue https://tracker.example/WF-311`,
    );
  }
  return { reason: values.reason ?? `Known since ${day(now)}`, owner, issue, expires };
}

/** What is accepted for now, a line for each finding with the clauses that it breaks. */
function waivedFindings(runs: readonly Results[], waived: ExtendedWaivers['violations']): string[] {
  const without = { has: (one: ViolationResult) => !waived.has(one) };
  const lines = runs
    .flatMap((run) => findingsOf(violatedClauses(run, without)))
    .map((finding) => {
      const ids = finding.clauses.map(({ id }) => id);
      return `  ${printableLine(headlineOf(finding))}: ${listed(ids, 8)}`;
    });
  return [...new Set(lines)];
}

function hasChanged({ added, extended }: ExtendedWaivers): boolean {
  return added.length + extended.length > 0;
}

function renderWaived(
  waived: ExtendedWaivers,
  runs: readonly Results[],
  file: string,
  { owner, issue }: WaiverStub,
): string {
  const { added, extended, violations } = waived;
  if (!hasChanged(waived)) {
    return `Nothing to waive: what was found violated has a waiver in ${file}, or nothing is.\n`;
  }
  const missing = [...(owner === '' ? ['owner'] : []), ...(issue === '' ? ['issue'] : [])];
  const lines = [
    ...(added.length === 0 ? [] : [`${counted(added.length, 'waiver')} written to ${file}.`]),
    // A file that is committed holds no values of the target; these lines do.
    ...waivedFindings(runs, violations),
    ...(extended.length === 0
      ? []
      : [`Covering more than before: ${listed(extended, 8)}. Their last days stay as they are.`]),
    ...(added.length === 0 || missing.length === 0
      ? []
      : [
          `Fill in ${missing.join(' and ')} of each: until then no run takes the file. Or remove them, and give ${missing.map((name) => `--${name}`).join(' and ')}.`,
        ]),
  ];
  return `${lines.join('\n')}\n`;
}
