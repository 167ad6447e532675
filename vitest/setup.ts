import type { TestProject } from 'vitest/node';
import { warnOfMisspelt } from '../contract/target.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The source of the pattern that `-t` gives; empty without one. */
    readonly testNamePattern: string;
  }
}

/**
 * Names variables that are misspelt, and hands the tests of the contract the pattern of `-t`: Vitest itself would pass where
 * nothing matches.
 */
export default function setup(project: TestProject): void {
  const { testNamePattern } = project.globalConfig;
  warnOfMisspelt();
  project.provide('testNamePattern', testNamePattern?.source ?? '');
}
