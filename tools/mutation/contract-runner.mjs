import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import {
  DryRunStatus,
  determineHitLimitReached,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';
import { createJiti } from 'jiti';

/*
 * How StrykerJS plays the contract: the scenarios are loaded once, and the service, with all its mutants, anew for each
 * run, so that nothing it keeps in memory hides a mutant. That takes milliseconds. A test of Stryker is a part of the
 * scenarios, played in process as the proof does, up to the first violation.
 */

/** @typedef {import('@stryker-mutator/api/test-runner').TestRunner} TestRunner */
/** @typedef {import('../../schemas/results.ts').Results} Results */
/** @typedef {typeof import('./parts.ts')} Parts */
/** @typedef {import('./parts.ts').Part} Part */

const suite = createJiti(import.meta.url);

/** What the mutants of the instrumented service look at: which of them is active, and how often it is asked. */
const stryker = /** @type {import('@stryker-mutator/api/core').InstrumenterContext} */ (
  // @ts-expect-error: named by Stryker, in the global namespace
  // biome-ignore lint/suspicious/noAssignInExpressions: the mutants make it themselves where it is missing
  (globalThis.__stryker__ ??= {})
);

/** @implements {TestRunner} */
class ContractRunner {
  /** @type {Parts | undefined} */
  #parts;
  /** By part: what the plain service gets. @type {Map<string, Results>} */
  #plain = new Map();

  capabilities() {
    // The service is loaded for each run, while its mutant is active.
    return { reloadEnvironment: true };
  }

  async init() {
    this.#parts = await suite.import('./parts.ts');
  }

  async dryRun() {
    const tests = [];
    for (const part of this.#played.parts) {
      // The first time it is slower than for any mutant.
      stryker.currentTestId = part.name;
      await this.#play(part);
      const began = performance.now();
      const outcome = outcomeOf(await this.#play(part));
      const timeSpentMs = performance.now() - began;
      tests.push({ id: part.name, name: part.name, timeSpentMs, ...outcome });
    }
    delete stryker.currentTestId;
    const { mutantCoverage } = stryker;
    return {
      status: /** @type {const} */ (DryRunStatus.Complete),
      tests,
      ...(mutantCoverage && { mutantCoverage }),
    };
  }

  /** @param {import('@stryker-mutator/api/test-runner').MutantRunOptions} options */
  async mutantRun({ activeMutant, hitLimit, testFilter }) {
    const tests = [];
    const parts = this.#played.parts
      .filter(({ name }) => testFilter === undefined || testFilter.includes(name))
      .filter(({ shows }) => shows === undefined || shows.test(activeMutant.fileName));
    delete stryker.activeMutant;
    for (const part of parts) await this.#learnPlain(part);
    stryker.activeMutant = activeMutant.id;
    delete stryker.hitCount;
    if (hitLimit !== undefined) Object.assign(stryker, { hitCount: 0, hitLimit });
    const differences = [];
    for (const part of parts) {
      const began = performance.now();
      const played = await this.#play(part);
      const outcome = outcomeOf(played);
      tests.push({
        id: part.name,
        name: part.name,
        timeSpentMs: performance.now() - began,
        ...outcome,
      });
      if (outcome.status === TestStatus.Failed) break;
      const plain = this.#plain.get(part.name);
      if (plain && played.results) {
        differences.push(...this.#played.differences(plain, played.results));
      }
    }
    const timeOut = determineHitLimitReached(stryker.hitCount, hitLimit);
    const result = toMutantRunResult(
      timeOut ?? { status: /** @type {const} */ (DryRunStatus.Complete), tests },
    );
    const notes = process.env.MUTATION_NOTES;
    if (notes) appendFileSync(notes, `${JSON.stringify({ id: activeMutant.id, differences })}\n`);
    return result;
  }

  get #played() {
    if (!this.#parts) throw new Error('The scenarios are not loaded yet');
    return this.#parts;
  }

  /**
   * What the plain service gets: of two runs what comes out the same, for a mutant to be measured by.
   * @param {Part} part
   */
  async #learnPlain(part) {
    if (this.#plain.has(part.name)) return;
    const [first, second] = [await this.#play(part), await this.#play(part)];
    if (!first.results || !second.results) throw new Error(`The service fails: ${first.thrown}`);
    this.#plain.set(part.name, this.#played.common(first.results, second.results));
  }

  /**
   * @param {Part} part
   * @returns {Promise<import('./parts.ts').Played>}
   */
  async #play(part) {
    // The files of the service in the sandbox, where the mutants are; a cache would keep what an earlier mutant made.
    const fresh = createJiti(join(process.cwd(), 'sandbox.js'), {
      moduleCache: false,
      tryNative: false,
    });
    try {
      /** @type {typeof import('../../reference/reference.ts')} */
      const { createReference } = await fresh.import('./reference/reference.ts');
      return await this.#played.play(part, createReference);
    } catch (error) {
      return { thrown: String(error) };
    }
  }
}

/**
 * What Stryker is told of a run: a service that is wrong, or that throws, is noticed.
 * @param {import('./parts.ts').Played} played
 */
function outcomeOf({ results, thrown }) {
  const failureMessage = results?.violations[0]?.clause ?? thrown;
  return failureMessage === undefined
    ? { status: /** @type {const} */ (TestStatus.Success) }
    : { status: /** @type {const} */ (TestStatus.Failed), failureMessage };
}

export const strykerPlugins = [
  declareClassPlugin(PluginKind.TestRunner, 'contract', ContractRunner),
];
