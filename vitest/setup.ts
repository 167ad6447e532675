import type { TestProject } from 'vitest/node';
import { warnOfMisspelt } from '../contract/target.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The source of the pattern that `-t` gives; empty without one. */
    readonly testNamePattern: string;
  }
}

/**
 * Names variables that are misspelt, hands the tests of the contract the pattern of `-t`, and fails in the end where no test
 * was chosen, by a filter of tags for example: Vitest itself would pass where nothing matches.
 */
export default function setup(project: TestProject): () => void {
  const { testNamePattern } = project.globalConfig;
  warnOfMisspelt();
  project.provide('testNamePattern', testNamePattern?.source ?? '');
  return () => {
    const modules = project.vitest.state.getTestModules().filter((one) => one.project === project);
    const tests = modules.flatMap(({ children }) => [...children.allTests()]);
    if (tests.length === 0 || tests.some(({ options }) => options.mode === 'run')) return;
    process.stderr.write('No test of the contract was chosen: nothing was judged.\n');
    process.exitCode = 1;
  };
}
