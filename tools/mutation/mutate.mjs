import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { record } from './record.mjs';

/*
 * npm run mutation [-- --of reference|csv|dates|pdf] [--mutate FILES]
 *
 * StrykerJS changes one small thing after the other: in the reference service, where the contract must notice it, and in
 * the helpers that read files, where their unit tests must. What was found goes into results.json and survivors.md, for
 * the files that were mutated.
 */

/** @type {Readonly<Record<string, import('@stryker-mutator/api/core').PartialStrykerOptions>>} */
const runs = {
  reference: {
    testRunner: 'contract',
    coverageAnalysis: 'perTest',
    plugins: ['./tools/mutation/contract-runner.mjs', './tools/mutation/ignored.mjs'],
    // Not where pages are drawn, ways of showing events that only variants use, faults, and how example data is made.
    mutate: [
      'reference/rules/*.ts',
      'reference/operations/*.ts',
      'reference/store.ts',
      'reference/router.ts',
      'reference/export/{query,zone,dates,columns,pdf-text}.ts',
      '!**/*.test.ts',
    ],
  },
  ...Object.fromEntries(['csv', 'dates', 'pdf'].map((reader) => [reader, ofReader(reader)])),
};

/**
 * A mutant of a reader is for its own tests to notice.
 * @param {string} reader a directory of helpers
 * @returns {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
function ofReader(reader) {
  return {
    // What is kept from one test to the next is made in the first of them, and noticed by others; PDFs take long.
    testRunner: reader === 'pdf' ? 'vitest' : 'whole vitest runs',
    plugins: ['@stryker-mutator/vitest-runner', './tools/mutation/whole-runs.mjs'],
    vitest: { configFile: 'tools/mutation/vitest.config.ts' },
    mutate: [`helpers/${reader}/*.ts`, '!**/*.test.ts', '!**/*.fixture.ts'],
    coverageAnalysis: 'perTest',
  };
}

const { values } = parseArgs({
  options: { of: { type: 'string', multiple: true }, mutate: { type: 'string' } },
});

for (const name of values.of ?? Object.keys(runs)) {
  const options = runs[name];
  if (options === undefined) throw new Error(`--of takes ${Object.keys(runs).join(' or ')}`);
  const directory = mkdtempSync(join(tmpdir(), 'mutation-'));
  const files = { report: join(directory, 'report.json'), notes: join(directory, 'notes.jsonl') };
  process.env.MUTATION_NOTES = files.notes;
  process.env.MUTATION_OF = name;
  try {
    await new Stryker({
      ...options,
      ...(values.mutate !== undefined && { mutate: values.mutate.split(',') }),
      ignorers: name === 'reference' ? ['no behaviour'] : [],
      // TypeScript 7 has no API that Stryker could rewrite a tsconfig with; nothing here needs it.
      tsconfigFile: 'none.json',
      concurrency: Number(process.env.MUTATION_CONCURRENCY ?? 1),
      timeoutMS: 20_000,
      reporters: ['progress-append-only', 'json'],
      jsonReporter: { fileName: files.report },
      allowConsoleColors: false,
      tempDirName: '.stryker-tmp',
    }).runMutationTest();
    record(JSON.parse(readFileSync(files.report, 'utf8')), files.notes);
  } finally {
    rmSync(directory, { recursive: true });
  }
}
