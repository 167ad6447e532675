import { declareFactoryPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import { strykerPlugins as vitestPlugins } from '@stryker-mutator/vitest-runner';

/*
 * Vitest with every test for every mutant, which its runner does not do by `coverageAnalysis`: what a reader remembers is
 * worked out in the first test that asks for it, and a mutant of that can be noticed by the others.
 */

/** @typedef {import('@stryker-mutator/api/test-runner').TestRunner} TestRunner */

/** @type {any} a function that Stryker injects its arguments into, whose type Stryker keeps to itself */
const vitestRunner = vitestPlugins[0]?.factory;

/** @returns {TestRunner} */
function wholeRuns(/** @type {unknown[]} */ ...given) {
  /** @type {TestRunner} */
  const runner = vitestRunner(...given);
  const dryRun = runner.dryRun.bind(runner);
  runner.dryRun = async (options) => {
    const result = await dryRun(options);
    // Without it, no test is left out.
    if ('mutantCoverage' in result) delete result.mutantCoverage;
    return result;
  };
  return runner;
}

wholeRuns.inject = vitestRunner.inject;

export const strykerPlugins = [
  declareFactoryPlugin(PluginKind.TestRunner, 'whole vitest runs', wholeRuns),
];
