import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { openContract } from '../../contract/run.ts';
import { allFaults } from '../../reference/faults.ts';
import { startReference, variablesOf } from '../../reference/serve.ts';
import { renderOnTerminal } from '../../reports/blocks-terminal.ts';
import { runReport } from '../../reports/run-report.ts';
import { scenarios } from '../../suites/index.ts';

/** What a run against a service with faults is to be. */
export interface FaultyRun {
  /** Ids of faults, as `reference/faults.snapshot.txt` lists them. */
  readonly faults: readonly string[];
  /** Where its reports go. */
  readonly reportDir: string;
  readonly seed: number;
}

/** What a person sees of a run. */
export interface Seen {
  /** What stands on the terminal, with its colors. */
  readonly terminal: string;
  /** Path of the page. */
  readonly page: string;
}

/**
 * Runs the contract against the reference service with faults in it, on a port of this machine.
 * @throws where a fault is not known, or a report cannot be written
 */
export async function faultyRun({ faults: ids, reportDir, seed }: FaultyRun): Promise<Seen> {
  const faults = ids.map((id) => {
    const found = allFaults.find((fault) => fault.id === id);
    if (found === undefined) throw new Error(`There is no fault ${id}`);
    return found;
  });
  const { reference, listening } = await startReference({
    seed,
    rules: Object.assign({}, ...faults.map(({ rules = {} }) => rules)),
    wire: (handle) =>
      faults.reduce((inner, { wire }) => (wire === undefined ? inner : wire(inner)), handle),
  });
  const journal = await mkdtemp(join(tmpdir(), 'pictures-'));
  try {
    const variables = {
      ...variablesOf(reference.facts, listening),
      SEED: String(seed),
      REPORT_DIR: reportDir,
      JOURNAL_DIR: journal,
      // What is wrong would be waited for.
      AUDIT_TIMEOUT_MS: '2000',
      MAIL_TIMEOUT_MS: '2000',
    };
    const contract = await openContract(() => variables, { scenarios });
    const { results, exchanges, review, files, failures } = await contract.runAll();
    const page = files.find((file) => file.endsWith('index.html'));
    if (failures.length > 0 || page === undefined) throw failures[0];
    // As they are where REPORT_DIR is not set.
    const named = files.flatMap((file) => {
      const path = relative(reportDir, file);
      return /^(?:\.\.|history)/.test(path) ? [] : [join('reports/latest', path)];
    });
    const report = runReport(results, { exchanges, review, files: named });
    return { terminal: renderOnTerminal(report, { color: true, width: 110, files: named }), page };
  } finally {
    await listening.close();
    await rm(journal, { recursive: true });
  }
}
