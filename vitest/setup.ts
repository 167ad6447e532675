import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The source of the pattern that `-t` gives; empty without one. */
    readonly testNamePattern: string;
  }
}

/** Hands the tests of the contract the pattern of `-t`: Vitest itself would pass where nothing matches. */
export default function setup(project: TestProject): void {
  const { testNamePattern } = project.globalConfig;
  project.provide('testNamePattern', testNamePattern?.source ?? '');
}
