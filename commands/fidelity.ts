import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../contract/usage.ts';
import { environment } from '../helpers/config/environment.ts';
import {
  type FidelityVerdict,
  fidelityOf,
  fidelityVerdict,
  renderFidelityJson,
} from '../reports/fidelity.ts';
import { renderFidelity, renderFidelityMarkdown } from '../reports/fidelity-text.ts';
import { renderFidelityPage } from '../reports/html/fidelity.ts';
import { variables } from '../schemas/configuration.ts';
import type { Fidelity } from '../schemas/fidelity.ts';
import { columnsOf } from './columns.ts';
import type { Command } from './command.ts';
import { readOptions } from './options.ts';
import { openMock, openReference } from './sides.ts';
import { addToStepSummary } from './tell.ts';

const options = {
  mock: {
    type: 'string',
    value: 'URL',
    about:
      'base address of the mock, which is played; or a results.json of it, or a folder with one, or "embedded"',
  },
  'mock-env': {
    type: 'string',
    value: 'FILE',
    about: 'key and ids of the mock, as an .env file; those of the environment unless given',
  },
  reference: {
    type: 'string',
    value: 'FILE',
    about:
      'the profile.json of the service that the mock stands for; or its base address, and then it is played too, or "embedded"',
  },
  'reference-env': {
    type: 'string',
    value: 'FILE',
    about: 'key and ids of the reference, where it is played',
  },
  'max-violations': {
    type: 'string',
    value: 'N',
    about: 'exit 1 where the mock violates more clauses; 0 unless given',
  },
  'max-differences': {
    type: 'string',
    value: 'N',
    about: 'exit 1 where more open points differ; 0 unless given',
  },
  'allow-incomplete': {
    type: 'boolean',
    about: 'exit 0 instead of 3 where something could not be compared or judged',
  },
  'report-dir': { type: 'string', value: 'DIR', about: 'in place of REPORT_DIR' },
} as const;

export const fidelity: Command = {
  summary:
    'tells how faithful a mock is: which clauses it violates, and which open points differ from a profile or from a second target',
  options,
  async run(args) {
    const given = readOptions(args, options);
    const tolerance = {
      maxViolations: countOf('--max-violations', given['max-violations']),
      maxDifferences: countOf('--max-differences', given['max-differences']),
    };
    const configured = environment().REPORT_DIR?.trim() || variables.REPORT_DIR.default;
    const folder = given['report-dir'] ?? configured;
    await Promise.all(reports.map(({ file }) => rm(join(folder, file), { force: true })));
    const reference = await openReference(given.reference, {
      envFile: given['reference-env'],
      reportDir: join(folder, 'reference'),
    });
    const mock = await openMock(given.mock, {
      envFile: given['mock-env'],
      reportDir: join(folder, 'mock'),
    }).catch(async (error: unknown) => {
      await reference.close();
      throw error;
    });
    // One after the other: both may be one machine, and an interrupt ends both.
    const expected = await reference.load().catch(async (error: unknown) => {
      await mock.close();
      throw error;
    });
    if (expected === undefined) await mock.close();
    const played = expected && (await mock.load());
    if (expected === undefined || played === undefined) {
      process.stderr.write('\nThe run was interrupted; nothing was compared.\n');
      return 2;
    }
    const found = fidelityOf(expected, played);
    const verdict = fidelityVerdict(found, tolerance);
    await tell(found, verdict, folder);
    // Tasks that are left changed are for somebody to look at, as after any run.
    const isPutBack = reference.isPutBack() && mock.isPutBack();
    return exitCodes[verdict](given['allow-incomplete'] === true) || (isPutBack ? 0 : 3);
  },
};

const exitCodes: Readonly<Record<FidelityVerdict, (allowIncomplete: boolean) => number>> = {
  faithful: () => 0,
  'not faithful': () => 1,
  'not compared': () => 2,
  error: () => 2,
  incomplete: (allowIncomplete) => (allowIncomplete ? 0 : 3),
};

const reports = [
  { file: 'fidelity.html', render: renderFidelityPage },
  { file: 'fidelity.md', render: renderFidelityMarkdown },
  { file: 'fidelity.json', render: renderFidelityJson },
] as const;

async function tell(found: Fidelity, verdict: FidelityVerdict, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const files = reports.map(({ file }) => join(folder, file));
  await Promise.all(
    reports.map(({ render }, index) => writeFile(files[index] ?? '', render(found, verdict))),
  );
  const color = process.stdout.isTTY === true && process.env.NO_COLOR === undefined;
  const width = columnsOf(process.stdout);
  process.stdout.write(renderFidelity(found, { color, width, verdict, files }));
  await addToStepSummary(renderFidelityMarkdown(found, verdict));
}

/** @throws UsageError where the text is no count */
function countOf(option: string, text = '0'): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new UsageError(`${option}: "${text}" is not a whole number from 0 on`);
}
