import type { TestProject } from 'vitest/node';
import { warnOfMisspelt } from '../contract/target.ts';

/**
 * Warns of misspelt variables, and fails in the end where no test was chosen, by `-t` or a filter of tags: Vitest
 * itself would pass where nothing matches.
 */
export default function setup(project: TestProject): () => void {
  warnOfMisspelt();
  return () => {
    const modules = project.vitest.state.getTestModules().filter((one) => one.project === project);
    const tests = modules.flatMap(({ children }) => [...children.allTests()]);
    if (tests.length === 0 || tests.some(({ options }) => options.mode === 'run')) return;
    process.stderr.write('No test of the contract was chosen: nothing was judged.\n');
    process.exitCode = 1;
  };
}
