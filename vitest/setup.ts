import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The source of the pattern that `-t` gives; empty without one. */
    readonly testNamePattern: string;
  }
}

/** Tells the tests of the contract what was asked for: Vitest itself would pass where nothing matches. */
export default function setup(project: TestProject): void {
  const { testNamePattern } = project.globalConfig;
  project.provide('testNamePattern', testNamePattern?.source ?? '');
}
