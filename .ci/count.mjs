// Counts what a CI run did: count.mjs <folder of its reports> [<step that failed> ...]
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder = '.', ...failedSteps] = process.argv.slice(2);

/** @import { Results } from '../schemas/results.ts' */

const read = (/** @type {string} */ name) => {
  const path = join(folder, name);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
};

const tests = read('tests.json');
const clauses = /** @type {Results['clauses']} */ (read('contract/results.json')?.clauses ?? []);
const having = (/** @type {string[]} */ ...verdicts) =>
  clauses.filter(({ verdict }) => verdicts.includes(verdict)).length;

/** @type {Readonly<Record<string, { passed: number, failed: number }>>} */
const parts = {
  check: { passed: existsSync(join(folder, 'check.ok')) ? 1 : 0, failed: 0 },
  test: { passed: tests?.numPassedTests ?? 0, failed: tests?.numFailedTests ?? 0 },
  contract: {
    passed: having('upheld'),
    failed: clauses.filter(
      ({ level, verdict }) =>
        verdict === 'error' ||
        (level !== 'open' && ['violated', 'inconclusive', 'not judged'].includes(verdict)),
    ).length,
  },
};
const sum = (/** @type {'passed' | 'failed'} */ what) =>
  Object.values(parts).reduce((total, part) => total + part[what], 0);
// A step may fail without a failed test: a file that does not load, a crash.
const uncounted = failedSteps.filter((step) => !((parts[step]?.failed ?? 0) > 0)).length;
const failed = sum('failed') + uncounted;

console.log(`${sum('passed')} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
